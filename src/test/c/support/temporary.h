/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SUPPORT_TEMPORARY_H
#define SUPPORT_TEMPORARY_H

#include <stdlib.h>

/* Returns the folder for temporary files, in which scripts/test detects files that a test leaves. */
static inline const char *temporary_folder(void)
{
    const char *folder = getenv("TMPDIR");

    return folder == NULL ? "/tmp" : folder;
}

#endif
