/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A worker that has to leave does so within two seconds, even if a plugin never returns: a second
 * thread, which does nothing else, waits for the end of the input or for departure_begin, and ends
 * the process when the time is up.
 */
#ifndef JUROM_DEPARTURE_H_
#define JUROM_DEPARTURE_H_

#include <doca_error.h>

#define DEPARTURE_MS 2000

/* `input` stays open. */
doca_error_t departure_watch(int input);

/* The time runs from now on, if it does not already. */
void departure_begin(void);

/* All is done but to exit. */
void departure_done(void);

#endif /* JUROM_DEPARTURE_H_ */
