/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The files of a worker: made by the launcher, since the folders belong to the service, and given
 * to the worker's user.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <counters/counters.h>
#include <faults/faults.h>

#include "launcher.h"

#define PRIVATE 0600
#define OUT_OF_THE_WAY 16 /* a descriptor above those that have a meaning */

/* What was opened; -1: nothing. */
struct files {
    int listener;
    int counters;
};

static bool is_given_away(const struct wire_launch *launch)
{
    return launch->flags & WIRE_FLAG_CHANGE_USER;
}

static const char *hint(const struct wire_launch *launch)
{
    if (errno != EPERM || !is_given_away(launch))
        return "";
    return ". A service for several users needs CAP_CHOWN beside CAP_SETUID and CAP_SETGID";
}

/* A descriptor of the same file that is none of 0 to 5; takes over `fd`. */
static int out_of_the_way(int fd)
{
    int moved = fd < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, OUT_OF_THE_WAY);

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
 * A log that is a pipe never blocks the worker: what finds no room is lost. This is a description
 * of its own, since the service may share the pipe.
 */
static void reopen_log(void)
{
    const int flags = O_WRONLY | O_APPEND | O_NONBLOCK | O_CLOEXEC;
    struct stat status;
    int fd = -1;

    if (fstat(STDERR_FILENO, &status) == 0 && S_ISFIFO(status.st_mode))
        fd = out_of_the_way(open("/proc/self/fd/2", flags));
    if (fd >= 0)
        dup2(fd, STDERR_FILENO);
}

/* It listens when the worker says so, so that its peers see the worker's own user. */
static bool bind_socket(const struct wire_launch *launch, int *fd)
{
    struct sockaddr_un address = { .sun_family = AF_UNIX };
    mode_t before;
    bool bound;

    errno = ENAMETOOLONG;
    if (!copy_path(address.sun_path, sizeof(address.sun_path), &launch->socket_path))
        return false;
    *fd = out_of_the_way(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    before = umask(0777 & ~PRIVATE);
    bound = *fd >= 0
            && FAULT_CALL(launcher_socket_bind,
                       bind(*fd, (struct sockaddr *)&address, sizeof(address)))
                    == 0;
    umask(before);
    return bound
            && (!is_given_away(launch)
                    || lchown(address.sun_path, launch->user_id, launch->group_id) == 0);
}

static doca_error_t make_listener(
        const struct wire_launch *launch, struct files *files, char why[WHY_MAX])
{
    if (!(launch->flags & WIRE_FLAG_LISTEN) || bind_socket(launch, &files->listener))
        return DOCA_SUCCESS;
    return because(why, DOCA_ERROR_IO_FAILED,
            "a worker's socket \"%.*s\" could not be made: "
            "%s%s",
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

doca_error_t launch_files(const struct wire_launch *launch, char why[WHY_MAX])
{
    struct files files = { -1, -1 };
    doca_error_t status = make_listener(launch, &files, why);

    if (status != DOCA_SUCCESS)
        return status;

    /* Without them the worker runs all the same. */
    files.counters = out_of_the_way(counters_make_memory(getenv("JUROM_COUNTERS")));
    put_at(files.listener, LAUNCHED_LISTENER);
    put_at(-1, LAUNCHED_NOTHING);
    put_at(files.counters, LAUNCHED_COUNTERS);
    reopen_log();
    closefrom(LAUNCHED_COUNTERS + 1);
    return DOCA_SUCCESS;
}
