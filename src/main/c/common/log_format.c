/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Format of a line:
 *
 *     [2030-01-31 23:59:59:123456+0000][4711][DOCA][INF][SOURCE][file.c:12][function] message
 *
 * Each message is one line, since messages quote texts of peers: newlines other than the last, and
 * terminal control characters, are escaped.
 */
#include "log_format.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include <doca_log.h>

#include "printable.h"

static const char *level_name(uint32_t level)
{
    switch (level) {
    case DOCA_LOG_LEVEL_CRIT:
        return "CRT";
    case DOCA_LOG_LEVEL_ERROR:
        return "ERR";
    case DOCA_LOG_LEVEL_WARNING:
        return "WRN";
    case DOCA_LOG_LEVEL_INFO:
        return "INF";
    case DOCA_LOG_LEVEL_DEBUG:
        return "DBG";
    default:
        return "TRC";
    }
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash == NULL ? path : slash + 1;
}

/* Writes the line's prefix, truncated to `size`, and returns its length. */
static size_t format_prefix(char *text, size_t size, uint32_t level, const char *source,
        const struct log_location *location)
{
    struct timeval now;
    struct tm local;
    char date[32];
    char offset[8];
    int length;

    gettimeofday(&now, NULL);
    localtime_r(&now.tv_sec, &local);
    strftime(date, sizeof(date), "%Y-%m-%d %H:%M:%S", &local);
    strftime(offset, sizeof(offset), "%z", &local);
    length = snprintf(text, size, "[%s:%06ld%s][%ld][DOCA][%s][%s][%s:%d][%s] ", date,
            (long)now.tv_usec, offset, syscall(SYS_gettid), level_name(level), source,
            location->file == NULL ? "" : base_name(location->file), location->line,
            location->function == NULL ? "" : location->function);
    if (length < 0)
        return 0;
    return (size_t)length < size ? (size_t)length : size - 1;
}

/* Returns the line, or a printable copy. Without memory, every byte becomes '?'. */
static char *make_printable(char *line, const char *stack, size_t *length)
{
    char *printable;

    if (text_is_printable(line, *length))
        return line;

    printable = priv_doca_printable(line, *length);
    if (printable == NULL) {
        memset(line, '?', *length);
        return line;
    }
    if (line != stack)
        free(line);
    *length = strlen(printable);
    return printable;
}

char *log_format_line(uint32_t level, const char *source, const struct log_location *location,
        char *stack, size_t size, size_t *length, const char *format, va_list arguments)
{
    size_t prefix = format_prefix(stack, size - 1, level, source, location);
    size_t room = size - prefix - 1; /* one byte is reserved for the newline */
    char *line = stack;
    va_list again;
    char *larger;
    int needed;

    va_copy(again, arguments);
    needed = vsnprintf(stack + prefix, room, format, arguments);
    if (needed < 0)
        needed = 0;
    if ((size_t)needed >= room) {
        larger = malloc(prefix + (size_t)needed + 2);
        if (larger == NULL) {
            needed = (int)room - 1;
        } else {
            memcpy(larger, stack, prefix);
            vsnprintf(larger + prefix, (size_t)needed + 1, format, again);
            line = larger;
        }
    }
    va_end(again);

    *length = prefix + (size_t)needed;
    if (needed > 0 && line[*length - 1] == '\n')
        --*length;
    line = make_printable(line, stack, length);
    line[(*length)++] = '\n';
    line[*length] = '\0';
    return line;
}
