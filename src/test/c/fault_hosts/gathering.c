/* SPDX-License-Identifier: Apache-2.0 */
#include "gathering.h"

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

static void block_path(const struct gathering *gathering, unsigned index, char path[PATH_MAX])
{
    snprintf(path, PATH_MAX, "%s/%u-%u-%u", getenv(GATHERING_FOLDER), gathering->run,
            gathering->round, index);
}

static bool is_gone(const struct gathering *gathering, unsigned index)
{
    char path[PATH_MAX];

    snprintf(path, sizeof(path), "%s/%u-gone-%u", getenv(GATHERING_FOLDER), gathering->run, index);
    return access(path, F_OK) == 0;
}

/* A file that is whole as soon as it is there. */
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

/* AGAIN: it is not there yet. */
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

doca_error_t gathering_begin(
        struct gathering *gathering, const void *send, void *receive, size_t length)
{
    char path[PATH_MAX];

    ++gathering->round;
    gathering->receive = receive;
    gathering->length = length;
    gathering->deadline_ms = now_ms() + DEADLINE_MS;
    for (unsigned i = 0; i < gathering->participants; ++i)
        gathering->has[i] = false;
    block_path(gathering, gathering->index, path);
    return put(path, send, length);
}

/* Whoever is gone has given before what there will ever be of it: so that is looked at first. */
static doca_error_t take(struct gathering *gathering, unsigned index)
{
    bool gone = is_gone(gathering, index);
    char path[PATH_MAX];
    doca_error_t status;

    block_path(gathering, index, path);
    status = get(path, gathering->receive + index * gathering->length, gathering->length);
    gathering->has[index] = status == DOCA_SUCCESS;
    return status == DOCA_ERROR_AGAIN && gone ? DOCA_ERROR_CONNECTION_RESET : status;
}

doca_error_t gathering_test(struct gathering *gathering)
{
    const struct timespec pause = { .tv_nsec = PAUSE_NS };
    doca_error_t result = DOCA_SUCCESS;

    for (unsigned i = 0; i < gathering->participants; ++i) {
        doca_error_t status = gathering->has[i] ? DOCA_SUCCESS : take(gathering, i);

        if (status != DOCA_SUCCESS && (result == DOCA_SUCCESS || result == DOCA_ERROR_AGAIN))
            result = status;
    }
    if (result != DOCA_ERROR_AGAIN)
        return result;
    if (now_ms() >= gathering->deadline_ms)
        return DOCA_ERROR_TIME_OUT;
    nanosleep(&pause, NULL);
    return DOCA_ERROR_IN_PROGRESS;
}

bool gathering_has_lost(const struct gathering *gathering)
{
    for (unsigned i = 0; i < gathering->participants; ++i) {
        if (i != gathering->index && is_gone(gathering, i))
            return true;
    }
    return false;
}

void gathering_leave(const struct gathering *gathering)
{
    char path[PATH_MAX];
    int fd;

    snprintf(path, sizeof(path), "%s/%u-gone-%u", getenv(GATHERING_FOLDER), gathering->run,
            gathering->index);
    fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    if (fd >= 0)
        close(fd);
}
