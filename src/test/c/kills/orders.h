/* SPDX-License-Identifier: Apache-2.0 */
/* What a host is told on its standard input, line by line; and the clock that its answers show. */
#ifndef JUROM_KILLS_ORDERS_H_
#define JUROM_KILLS_ORDERS_H_

#include <stdbool.h>
#include <stdint.h>

#define ORDER_MAX 128 /* bytes of a line */

/* ns of CLOCK_MONOTONIC, which is the same for all processes. */
uint64_t now_ns(void);

/* Prints a line, and has it leave at once. */
void say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The next line without its end, if there is one now. False: there is none. */
bool orders_next(char line[ORDER_MAX]);

/* Whether who gives them has gone. */
bool orders_have_ended(void);

/* Waits until there may be one, `fd` (-1: none) is readable, or so many milliseconds are over. */
void orders_sleep(int fd, int milliseconds);

#endif /* JUROM_KILLS_ORDERS_H_ */
