/* SPDX-License-Identifier: Apache-2.0 */
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "segments.h"

#define FOLDER "/dev/shm"
#define PREFIX "ucx_shm_posix_"

#define NEW_SECONDS 1

/*
 * Returns whether another process may be creating this file: it appears in the folder, empty, just before that process
 * has it open.
 */
static bool is_new(const struct stat *status)
{
    return status->st_size == 0 && time(NULL) - status->st_mtim.tv_sec <= NEW_SECONDS;
}

/*
 * The kernel grants a lease on a file only if no process in any container has it open or mapped for
 * writing, as the owner of a segment and its peers do. A process that opens the file meanwhile
 * blocks until the lease ends; the resulting signal is ignored.
 */
static bool is_left(int fd)
{
    struct stat status;

    return fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == geteuid()
            && !is_new(&status) && fcntl(fd, F_SETSIG, SIGURG) == 0
            && fcntl(fd, F_SETLEASE, F_RDLCK) == 0;
}

void segments_sweep(void)
{
    DIR *folder = opendir(FOLDER);
    struct dirent *entry;

    if (folder == NULL)
        return;
    while ((entry = readdir(folder)) != NULL) {
        int fd = -1;

        if (strncmp(entry->d_name, PREFIX, sizeof(PREFIX) - 1) == 0)
            fd = openat(
                    dirfd(folder), entry->d_name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
        if (fd >= 0 && is_left(fd))
            unlinkat(dirfd(folder), entry->d_name, 0);
        if (fd >= 0)
            close(fd);
    }
    closedir(folder);
}
