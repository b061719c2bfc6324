/* SPDX-License-Identifier: Apache-2.0 */
/* The rule of the Java class TrustedPath, for the user of this process. */
#ifndef JUROM_TRUSTED_PATH_H_
#define JUROM_TRUSTED_PATH_H_

#include <worker/reason.h>

/*
 * Checks a file, or a folder with everything in it: each component of its path, links included,
 * must belong to root or to this user and be writable by no other user. A missing file is accepted
 * if no other user can add it, and so is a file that this user cannot read.
 */
doca_error_t trusted_path_check(const char *path, char reason[REASON_MAX]);

#endif /* JUROM_TRUSTED_PATH_H_ */
