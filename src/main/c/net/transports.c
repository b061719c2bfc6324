/* SPDX-License-Identifier: Apache-2.0 */
/* The choice of transports. */
#include <dirent.h>
#include <stdbool.h>
#include <stdlib.h>

#include "transports.h"

/* Without InfiniBand nothing else is of use, and a tcp lane beside shared memory costs latency. */
#define TRANSPORTS_WITHOUT_INFINIBAND "tcp,posix,cma,self"

static bool have_infiniband(void)
{
    DIR *directory = opendir("/sys/class/infiniband");
    bool found = false;
    struct dirent *entry;

    if (directory == NULL)
        return false;
    while (!found && (entry = readdir(directory)) != NULL)
        found = entry->d_name[0] != '.';
    closedir(directory);
    return found;
}

ucs_status_t transports_prefer(ucp_config_t *config, const char *variable, const char *name,
        const char *value)
{
    return getenv(variable) == NULL ? ucp_config_modify(config, name, value) : UCS_OK;
}

ucs_status_t transports_choose(ucp_config_t *config)
{
    ucs_status_t status;

    if (have_infiniband())
        return UCS_OK;
    status = transports_prefer(config, "UCX_TLS", "TLS", TRANSPORTS_WITHOUT_INFINIBAND);
    /* Through shared memory's segments, large messages travel faster than by rendezvous. */
    return status == UCS_OK ? transports_prefer(config, "UCX_RNDV_THRESH", "RNDV_THRESH", "inf")
                            : status;
}
