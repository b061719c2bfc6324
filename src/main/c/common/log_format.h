/* SPDX-License-Identifier: Apache-2.0 */
/* Formatting of log lines. */
#ifndef JUROM_LOG_FORMAT_H_
#define JUROM_LOG_FORMAT_H_

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

/* Origin of a message. */
struct log_location {
    int source;
    const char *file;
    int line;
    const char *function;
};

/*
 * Formats the line of a message in `stack` if it fits `size`, else in allocated memory, which the
 * caller frees. Never NULL: if the allocation fails, the line is truncated. Sets `length`.
 */
char *log_format_line(uint32_t level, const char *source, const struct log_location *location,
        char *stack, size_t size, size_t *length, const char *format, va_list arguments);

#endif /* JUROM_LOG_FORMAT_H_ */
