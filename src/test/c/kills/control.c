/* SPDX-License-Identifier: Apache-2.0 */
#include "control.h"

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static char buffer[4 * CONTROL_LINE_MAX];
static size_t filled;
static bool ended;

uint64_t now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

void print_line(const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    putchar('\n');
    fflush(stdout);
}

static void fill(void)
{
    struct pollfd input = { .fd = STDIN_FILENO, .events = POLLIN };
    ssize_t got;

    if (filled == sizeof(buffer) || poll(&input, 1, 0) != 1)
        return;
    got = read(STDIN_FILENO, buffer + filled, sizeof(buffer) - filled);
    if (got == 0 || (got < 0 && errno != EINTR))
        ended = true;
    else if (got > 0)
        filled += (size_t)got;
}

bool control_next(char line[CONTROL_LINE_MAX])
{
    char *end;
    size_t length;

    fill();
    end = memchr(buffer, '\n', filled);
    if (end == NULL)
        return false;
    length = (size_t)(end - buffer);
    snprintf(line, CONTROL_LINE_MAX, "%.*s", (int)length, buffer);
    filled -= length + 1;
    memmove(buffer, end + 1, filled);
    return true;
}

bool control_is_closed(void)
{
    return ended;
}

void control_wait(int fd, int milliseconds)
{
    struct pollfd fds[] = {
        { .fd = STDIN_FILENO, .events = POLLIN },
        { .fd = fd, .events = POLLIN },
    };

    poll(fds, fd < 0 ? 1 : 2, milliseconds);
}
