/* SPDX-License-Identifier: Apache-2.0 */
/* Control commands read from standard input, events printed to standard output, and their clock. */
#ifndef JUROM_KILLS_CONTROL_H_
#define JUROM_KILLS_CONTROL_H_

#include <stdbool.h>
#include <stdint.h>

#define CONTROL_LINE_MAX 128 /* bytes of a line */

/* Returns the time of CLOCK_MONOTONIC in ns, which is comparable between processes. */
uint64_t now_ns(void);

/* Prints and flushes a line. */
void print_line(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Reads a line without its line feed. Does not block; returns false if no line is available. */
bool control_next(char line[CONTROL_LINE_MAX]);

/* Returns whether standard input has been closed. */
bool control_is_closed(void);

/* Waits until standard input or `fd` (-1: none) is readable, or for `milliseconds`. */
void control_wait(int fd, int milliseconds);

#endif /* JUROM_KILLS_CONTROL_H_ */
