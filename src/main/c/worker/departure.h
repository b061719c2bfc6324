/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bounds the exit of a worker to DEPARTURE_MS, even if a plugin never returns. A dedicated thread
 * waits for end of input or departure_begin, and exits the process after that time.
 */
#ifndef JUROM_DEPARTURE_H_
#define JUROM_DEPARTURE_H_

#include <doca_error.h>

#define DEPARTURE_MS 2000

/* Starts the thread. `input` must stay open. */
doca_error_t departure_watch(int input);

/* Starts the time limit unless it is already running. */
void departure_begin(void);

/* Cancels the time limit: only the exit remains. */
void departure_done(void);

#endif /* JUROM_DEPARTURE_H_ */
