/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <counters/counters.h>
#include <faults/faults.h>

#include "launch_files.h"
#include "launcher.h"

#define PRIVATE 0600
#define PRIVATE_FOLDER 0700
#define USER_NAME_MAX 16    /* of a user id in digits */
#define FREE_DESCRIPTORS 16 /* the first descriptor above those of launcher.h */

/* Open descriptors; -1: none. */
struct files {
    int listener;
    int counters;
};

static bool changes_user(const struct wire_launch *launch)
{
    return launch->flags & WIRE_FLAG_CHANGE_USER;
}

static const char *hint(const struct wire_launch *launch)
{
    if (errno != EPERM || !changes_user(launch))
        return "";
    return ". A service for several users needs CAP_CHOWN in addition to CAP_SETUID and CAP_SETGID";
}

/* Moves `fd` to a descriptor that does not conflict with those of launcher.h. */
static int move_away(int fd)
{
    int moved = fd < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, FREE_DESCRIPTORS);

    if (fd >= 0)
        close(fd);
    return moved;
}

static bool copy_path(char *path, size_t capacity, const struct wire_bytes *bytes)
{
    if (bytes->length >= capacity)
        return false;
    memcpy(path, bytes->data, bytes->length);
    path[bytes->length] = '\0';
    return true;
}

/*
 * Makes a log that is a pipe non-blocking: if the pipe is full, log lines are lost. Reopens it,
 * because the service may share the open file description.
 */
static void reopen_log(void)
{
    const int flags = O_WRONLY | O_APPEND | O_NONBLOCK | O_CLOEXEC;
    struct stat status;
    int fd = -1;

    if (fstat(STDERR_FILENO, &status) == 0 && S_ISFIFO(status.st_mode))
        fd = move_away(open("/proc/self/fd/2", flags));
    if (fd >= 0)
        dup2(fd, STDERR_FILENO);
}

/* The worker calls listen(), so that SO_PEERCRED shows the worker's user to hosts. */
static bool bind_socket(const struct wire_launch *launch, int *fd)
{
    struct sockaddr_un address = { .sun_family = AF_UNIX };
    mode_t before;
    bool bound;

    errno = ENAMETOOLONG;
    if (!copy_path(address.sun_path, sizeof(address.sun_path), &launch->socket_path))
        return false;
    *fd = move_away(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    before = umask(0777 & ~PRIVATE);
    bound = *fd >= 0
            && FAULT_CALL(launcher_socket_bind,
                       bind(*fd, (struct sockaddr *)&address, sizeof(address)))
                    == 0;
    umask(before);
    return bound
            && (!changes_user(launch)
                    || lchown(address.sun_path, launch->user_id, launch->group_id) == 0);
}

static doca_error_t create_listener(
        const struct wire_launch *launch, struct files *files, char reason[REASON_MAX])
{
    if (!(launch->flags & WIRE_FLAG_LISTEN) || bind_socket(launch, &files->listener))
        return DOCA_SUCCESS;
    return fail_with(reason, DOCA_ERROR_IO_FAILED,
            "the worker's socket \"%.*s\" could not be created: %s%s",
            (int)launch->socket_path.length, (const char *)launch->socket_path.data,
            strerror(errno), hint(launch));
}

static void put_at(int fd, int number)
{
    if (fd >= 0)
        dup2(fd, number);
    else
        close(number);
}

doca_error_t launch_files(const struct wire_launch *launch, int counters, char reason[REASON_MAX])
{
    struct files files = { -1, -1 };
    doca_error_t status = create_listener(launch, &files, reason);

    if (status != DOCA_SUCCESS)
        return status;

    /* Counters are optional. */
    files.counters = move_away(counters_make_memory(counters));
    put_at(files.listener, LAUNCHED_LISTENER);
    put_at(-1, LAUNCHED_UNUSED);
    put_at(files.counters, LAUNCHED_COUNTERS);
    reopen_log();
    closefrom(LAUNCHED_COUNTERS + 1);
    return DOCA_SUCCESS;
}

/* Creates the folder, or opens it if it is the user's alone. Returns its descriptor, or -1. */
static int open_private_folder(int parent, const char *name, uid_t user, gid_t group)
{
    bool created = mkdirat(parent, name, PRIVATE_FOLDER) == 0;
    int fd = created || errno == EEXIST
            ? openat(parent, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
            : -1;
    struct stat status;

    if (fd < 0)
        return -1;
    if (created && user != geteuid() && fchownat(fd, "", user, group, AT_EMPTY_PATH) != 0) {
        close(fd);
        return -1;
    }
    if (fstat(fd, &status) == 0 && status.st_uid == user
            && (status.st_mode & ~(mode_t)S_IFMT & ~(mode_t)PRIVATE_FOLDER) == 0)
        return fd;
    close(fd);
    errno = EPERM;
    return -1;
}

static bool enter_core_folder(const struct wire_launch *launch, const char *cores)
{
    uid_t user = changes_user(launch) ? launch->user_id : geteuid();
    int parent = open(cores, O_PATH | O_DIRECTORY | O_CLOEXEC);
    char name[USER_NAME_MAX];
    int folder = -1;
    bool entered;
    int error;

    snprintf(name, sizeof(name), "%u", (unsigned)user);
    if (parent >= 0)
        folder = open_private_folder(parent, name, user, launch->group_id);
    entered = folder >= 0 && fchdir(folder) == 0;
    error = errno;
    if (folder >= 0)
        close(folder);
    if (parent >= 0)
        close(parent);
    errno = error;
    return entered;
}

doca_error_t launch_directory(const struct wire_launch *launch, char reason[REASON_MAX])
{
    const char *cores = getenv(LAUNCH_CORES);
    bool entered = cores == NULL ? chdir("/") == 0 : enter_core_folder(launch, cores);

    return entered ? DOCA_SUCCESS
                   : fail_with(reason, DOCA_ERROR_OPERATING_SYSTEM,
                           "the worker cannot use its working directory, %s%s: %s",
                           cores == NULL ? "/" : "a folder of its user alone in ",
                           cores == NULL ? "" : cores, strerror(errno));
}
