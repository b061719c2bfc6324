/* SPDX-License-Identifier: Apache-2.0 */
#include "shared_page.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef MFD_NOEXEC_SEAL
#define MFD_NOEXEC_SEAL 0x0008U
#endif

#define NAME_MAX_LENGTH 64 /* of a link in /proc */

/* Some systems permit only non-executable files; older kernels do not know the flag. */
static int new_memfd(const char *name)
{
    unsigned flags = MFD_CLOEXEC | MFD_ALLOW_SEALING;
    int fd = memfd_create(name, flags | MFD_NOEXEC_SEAL);

    if (fd < 0 && errno == EINVAL)
        fd = memfd_create(name, flags);
    return fd;
}

int shared_page_create(const char *name)
{
    int fd = new_memfd(name);
    int error;

    if (fd < 0 || fallocate(fd, 0, 0, SHARED_PAGE_SIZE) == 0)
        return fd;
    error = errno;
    close(fd);
    errno = error;
    return -1;
}

int shared_page_open_process(uint64_t process)
{
    char path[32];

    snprintf(path, sizeof(path), "/proc/%" PRIu64, process);
    return open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
}

/* Returns whether the file at `own_path` in /proc is anonymous memory with that name. */
static bool has_name(const char *own_path, const char *name)
{
    char expected[NAME_MAX_LENGTH], target[NAME_MAX_LENGTH];
    int length = snprintf(expected, sizeof(expected), "/memfd:%s (deleted)", name);

    return readlink(own_path, target, sizeof(target)) == length
            && memcmp(target, expected, (size_t)length) == 0;
}

/* The seals prove that the file is a memfd, which the name does not. */
static bool is_page(int fd, int seals)
{
    int present = fcntl(fd, F_GET_SEALS);
    struct stat status;

    return present >= 0 && (present & seals) == seals && fstat(fd, &status) == 0
            && status.st_size == SHARED_PAGE_SIZE && status.st_uid == geteuid();
}

/* Holds the file before the checks, so that its process cannot exchange it afterwards. */
int shared_page_open(int process, uint32_t page_fd, const char *name, int seals, int access)
{
    char path[32], own_path[32];
    int held, fd = -1;

    snprintf(path, sizeof(path), "fd/%" PRIu32, page_fd);
    held = openat(process, path, O_PATH | O_CLOEXEC);
    if (held < 0)
        return -1;
    snprintf(own_path, sizeof(own_path), "/proc/self/fd/%d", held);
    if (has_name(own_path, name))
        fd = open(own_path, access | O_CLOEXEC);
    close(held);
    if (fd >= 0 && !is_page(fd, seals)) {
        close(fd);
        fd = -1;
    }
    return fd;
}
