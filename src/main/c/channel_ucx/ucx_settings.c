/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The choice of transports and devices. UCX's tcp transport listens on a port through which any
 * peer can write to this process's memory, so it gets only the devices that are needed.
 */
#include "ucx_settings.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <ucs/config/global_opts.h>

/* Without InfiniBand, tcp alone: probing other transports takes time. */
#define TRANSPORTS "tcp"
#define TRANSPORTS_WITH_INFINIBAND "^posix,sysv,xpmem,cma,knem,self"

/* Transports within a machine. The service sets UCX_TLS to such a list for plugins. */
static const char *const local_transports[] = { "posix", "sysv", "xpmem", "cma", "knem", "self",
    "sm", "shm" };

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

static bool is_local(const char *name, size_t length)
{
    bool found = false;

    for (size_t i = 0; i < sizeof(local_transports) / sizeof(*local_transports) && !found; ++i)
        found = strlen(local_transports[i]) == length
                && strncmp(local_transports[i], name, length) == 0;
    return found;
}

/* A UCX_TLS with only local transports is meant for plugins and does not apply to links. */
static bool leaves_machine(const char *transports)
{
    const char *name = transports;
    bool leaves = false;

    while (*name != '\0' && !leaves) {
        size_t length = strcspn(name, ",");

        leaves = length > 0 && !is_local(name, length);
        name += length + (name[length] == ',');
    }
    return leaves;
}

const char *ucx_settings_devices(const char *devices, const char *interface)
{
    if (secure_getenv("UCX_NET_DEVICES") != NULL)
        return "";
    if (devices[0] != '\0')
        return devices;
    return have_infiniband() ? "" : interface;
}

ucs_status_t ucx_settings_choose(ucp_config_t *config, const char *devices)
{
    const char *transports = secure_getenv("UCX_TLS");
    /* Otherwise UCX prints a backtrace on a fatal error, or waits for a debugger. */
    ucs_status_t status = ucs_global_opts_set_value("HANDLE_ERRORS", "none");

    if (status == UCS_OK && (transports == NULL || !leaves_machine(transports)))
        status = ucp_config_modify(
                config, "TLS", have_infiniband() ? TRANSPORTS_WITH_INFINIBAND : TRANSPORTS);
    if (status == UCS_OK && devices[0] != '\0')
        status = ucp_config_modify(config, "NET_DEVICES", devices);
    return status;
}
