/* SPDX-License-Identifier: Apache-2.0 */
/* Recording the failure of a link. */
#include <stdio.h>

#include "link.h"

void ucx_link_fail(struct ucx_link *link, const char *what, ucs_status_t status)
{
    if (link->failure[0] == '\0')
        snprintf(link->failure, sizeof(link->failure), "%s: %s.", what, ucs_status_string(status));
}
