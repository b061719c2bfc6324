/* SPDX-License-Identifier: Apache-2.0 */
#include "allgather.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define DEADLINE_MS 20000
#define PAUSE_NS 200000

static uint64_t now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

static void block_path(const struct allgather *allgather, unsigned index, char path[PATH_MAX])
{
    snprintf(path, PATH_MAX, "%s/%u-%u-%u", getenv(ALLGATHER_FOLDER), allgather->run,
            allgather->round, index);
}

static bool has_left(const struct allgather *allgather, unsigned index)
{
    char path[PATH_MAX];

    snprintf(path, sizeof(path), "%s/%u-left-%u", getenv(ALLGATHER_FOLDER), allgather->run, index);
    return access(path, F_OK) == 0;
}

/* Creates a file atomically. */
static doca_error_t put(const char *path, const void *bytes, size_t length)
{
    char unfinished[PATH_MAX + 4];
    doca_error_t status = DOCA_ERROR_IO_FAILED;
    int fd;

    snprintf(unfinished, sizeof(unfinished), "%s.new", path);
    fd = open(unfinished, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (fd < 0)
        return status;
    if (write(fd, bytes, length) == (ssize_t)length && rename(unfinished, path) == 0)
        status = DOCA_SUCCESS;
    close(fd);
    return status;
}

/* Returns AGAIN if the file does not exist. */
static doca_error_t get(const char *path, void *bytes, size_t length)
{
    doca_error_t status = DOCA_ERROR_INVALID_VALUE;
    struct stat file;
    int fd = open(path, O_RDONLY | O_CLOEXEC);

    if (fd < 0)
        return DOCA_ERROR_AGAIN;
    if (fstat(fd, &file) == 0 && (size_t)file.st_size == length
            && read(fd, bytes, length) == (ssize_t)length)
        status = DOCA_SUCCESS;
    close(fd);
    return status;
}

doca_error_t allgather_begin(
        struct allgather *allgather, const void *send, void *receive, size_t length)
{
    char path[PATH_MAX];

    ++allgather->round;
    allgather->receive = receive;
    allgather->length = length;
    allgather->deadline_ms = now_ms() + DEADLINE_MS;
    for (unsigned i = 0; i < allgather->participants; ++i)
        allgather->has[i] = false;
    block_path(allgather, allgather->index, path);
    return put(path, send, length);
}

/* Checks first whether the participant left: it writes all of its blocks before it leaves. */
static doca_error_t take(struct allgather *allgather, unsigned index)
{
    bool gone = has_left(allgather, index);
    char path[PATH_MAX];
    doca_error_t status;

    block_path(allgather, index, path);
    status = get(path, allgather->receive + index * allgather->length, allgather->length);
    allgather->has[index] = status == DOCA_SUCCESS;
    return status == DOCA_ERROR_AGAIN && gone ? DOCA_ERROR_CONNECTION_RESET : status;
}

doca_error_t allgather_test(struct allgather *allgather)
{
    const struct timespec pause = { .tv_nsec = PAUSE_NS };
    doca_error_t result = DOCA_SUCCESS;

    for (unsigned i = 0; i < allgather->participants; ++i) {
        doca_error_t status = allgather->has[i] ? DOCA_SUCCESS : take(allgather, i);

        if (status != DOCA_SUCCESS && (result == DOCA_SUCCESS || result == DOCA_ERROR_AGAIN))
            result = status;
    }
    if (result != DOCA_ERROR_AGAIN)
        return result;
    if (now_ms() >= allgather->deadline_ms)
        return DOCA_ERROR_TIME_OUT;
    nanosleep(&pause, NULL);
    return DOCA_ERROR_IN_PROGRESS;
}

bool allgather_has_member_left(const struct allgather *allgather)
{
    for (unsigned i = 0; i < allgather->participants; ++i) {
        if (i != allgather->index && has_left(allgather, i))
            return true;
    }
    return false;
}

void allgather_leave(const struct allgather *allgather)
{
    char path[PATH_MAX];
    int fd;

    snprintf(path, sizeof(path), "%s/%u-left-%u", getenv(ALLGATHER_FOLDER), allgather->run,
            allgather->index);
    fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    if (fd >= 0)
        close(fd);
}
