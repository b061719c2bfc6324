/* SPDX-License-Identifier: Apache-2.0 */
/* A library for LD_PRELOAD that enlarges the log of the worker, then writes lines forever. */
#define _GNU_SOURCE
#include <poll.h>
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

#define LARGE (64 << 20)

static const char TEXT[] = "\033]0;title\007\033[2J\n"
                           "[2026-01-01 00:00:00:000000][1][UROM][ERR][DAEMON] forged\r";

static void *flood(void *nothing)
{
    struct pollfd log = { .fd = STDERR_FILENO, .events = POLLOUT };

    while (nothing == NULL) {
        if (write(STDERR_FILENO, TEXT, sizeof(TEXT)) < 0)
            poll(&log, 1, -1);
    }
    return NULL;
}

__attribute__((constructor)) static void begin(void)
{
    pthread_t thread;

    for (int fd = STDERR_FILENO; fd < 16; ++fd)
        (void)!ftruncate(fd, LARGE);
    pthread_create(&thread, NULL, flood, NULL);
}
