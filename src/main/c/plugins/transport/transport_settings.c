/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The choice of transports: only those within the machine, unless UCX_TLS is set. UCX's tcp
 * transport listens on every interface, and any peer that reaches its port can write to this
 * process's memory without a key, so a plugin opens a network port only on request.
 */
#include <dirent.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#include <ucs/config/global_opts.h>

#include "transport_settings.h"

#define TRANSPORTS "posix,cma,self"
#define TRANSPORTS_WITHOUT_POSIX "sysv,cma,self"
#define BY_DESCRIPTOR "UCX_POSIX_USE_PROC_LINK"
#define SHM_FOLDER "/dev/shm"
#define SHM_BYTES_MIN (64u << 20)       /* what four processes need with UCX 1.23 */
#define FIRST_PID_NAMESPACE 0xeffffffcu /* the initial namespace; containers have others */

/* Sets a UCX setting unless the environment contains `variable`. */
static ucs_status_t prefer(
        ucp_config_t *config, const char *variable, const char *name, const char *value)
{
    return secure_getenv(variable) == NULL ? ucp_config_modify(config, name, value) : UCS_OK;
}

/*
 * UCX's posix transport allocates in SHM_FOLDER. It fails if the folder is missing and ends the
 * process if the folder is small. With files (name_segments), it also fails outside the initial PID
 * namespace. Peers, such as UcxTransports in Java, choose by the same size and namespace, which do
 * not change.
 */
static const char *local_transports(void)
{
    struct statvfs shm;
    struct stat namespace;

    if (statvfs(SHM_FOLDER, &shm) == 0 && shm.f_blocks >= SHM_BYTES_MIN / shm.f_frsize
            && stat("/proc/self/ns/pid", &namespace) == 0
            && namespace.st_ino == FIRST_PID_NAMESPACE)
        return TRANSPORTS;
    return TRANSPORTS_WITHOUT_POSIX;
}

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

/*
 * On a fatal error UCX would print a backtrace or, depending on UCX_HANDLE_ERRORS and ucx.conf,
 * wait for a debugger or run UCX_GDB_COMMAND. A worker just exits; its service reports that.
 */
static ucs_status_t leave_errors(void)
{
    return ucs_global_opts_set_value("HANDLE_ERRORS", "none");
}

/*
 * By default, UCX's posix transport identifies a segment by a descriptor number of its process, so
 * a peer may write to an unrelated file once UCX is closed. Uses files instead, which segments.c
 * removes after a kill. Set in the environment, because its config name depends on UCX's version.
 */
static ucs_status_t name_segments(void)
{
    return setenv(BY_DESCRIPTOR, "n", 0) == 0 ? UCS_OK : UCS_ERR_NO_MEMORY;
}

ucs_status_t transport_set_up(ucp_config_t *config)
{
    ucs_status_t status = leave_errors();

    if (status == UCS_OK)
        status = name_segments();
    if (status == UCS_OK)
        status = prefer(config, "UCX_TLS", "TLS", local_transports());
    /*
     * Over shared memory, large messages are faster in segments than by rendezvous. With RDMA on
     * request, UCX's own thresholds apply.
     */
    if (status == UCS_OK && (secure_getenv("UCX_TLS") == NULL || !have_infiniband()))
        status = prefer(config, "UCX_RNDV_THRESH", "RNDV_THRESH", "inf");
    return status;
}

bool transport_uses_tcp(void)
{
    const char *transports = secure_getenv("UCX_TLS");

    return transports != NULL
            && (strstr(transports, "tcp") != NULL || transports[0] == '^'
                    || strstr(transports, "all") != NULL);
}
