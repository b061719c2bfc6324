/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The choice of transports: those that stay on the machine, InfiniBand or not, unless UCX_TLS says
 * otherwise. UCX's tcp listens on every interface, and whoever reaches its port writes this
 * process's memory without a key; so a plugin opens a network port only for those who ask for it.
 */
#include <dirent.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#include <ucs/config/global_opts.h>

#include "settings.h"

#define TRANSPORTS "posix,cma,self"
#define TRANSPORTS_WITHOUT_POSIX "sysv,cma,self"
#define BY_DESCRIPTOR "UCX_POSIX_USE_PROC_LINK"
#define SHM_FOLDER "/dev/shm"
#define SHM_BYTES_MIN (64u << 20) /* four processes' worth with UCX 1.23 */
#define FIRST_PID_NAMESPACE 0xeffffffcu /* of the system; containers have others */

/* Sets a UCX setting, unless the environment has it as `variable`. */
static ucs_status_t prefer(ucp_config_t *config, const char *variable, const char *name,
        const char *value)
{
    return secure_getenv(variable) == NULL ? ucp_config_modify(config, name, value) : UCS_OK;
}

/*
 * UCX's posix takes its memory from a folder. It does not work where that is missing, or ends the
 * process where that is small. With files (name_segments) it does not work in a PID namespace other
 * than the first, either. Its peers choose by the same size and namespace, which do not change;
 * UcxTransports in Java is one of them.
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
 * On a fatal error UCX would print a backtrace, or, as UCX_HANDLE_ERRORS or a ucx.conf has it, wait
 * for a debugger or run the command of UCX_GDB_COMMAND. A worker just ends: its service tells.
 */
static ucs_status_t leave_errors(void)
{
    return ucs_global_opts_set_value("HANDLE_ERRORS", "none");
}

/*
 * As it comes, UCX's posix names a segment by a descriptor of its process, and a peer writes into
 * whatever file has the number once UCX is closed. It is to name files, which segments.c removes if
 * a process is killed. In the environment: how ucp_config_modify names it depends on the version.
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
     * Through shared memory's segments, large messages travel faster than by rendezvous; RDMA that
     * somebody has asked for is UCX's own to tune.
     */
    if (status == UCS_OK && (secure_getenv("UCX_TLS") == NULL || !have_infiniband()))
        status = prefer(config, "UCX_RNDV_THRESH", "RNDV_THRESH", "inf");
    return status;
}

bool transport_uses_tcp(void)
{
    const char *transports = secure_getenv("UCX_TLS");

    return transports != NULL && (strstr(transports, "tcp") != NULL || transports[0] == '^'
            || strstr(transports, "all") != NULL);
}
