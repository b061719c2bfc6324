/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bounds the exit of a worker to EXIT_TIMER_MS, even if a plugin never returns. A dedicated thread
 * waits for end of input, exit_timer_start or the end of the time after SIGTERM, and ends the process
 * after that time.
 */
#ifndef JUROM_EXIT_TIMER_H_
#define JUROM_EXIT_TIMER_H_

#include <doca_error.h>

#define EXIT_TIMER_MS 2000

/* Starts the thread. `input` and `terminated`, which is readable after SIGTERM, must stay open. */
doca_error_t exit_timer_open(int input, int terminated);

/* Starts the time limit unless it is already running. */
void exit_timer_start(void);

/* Cancels the time limit: only the exit remains. */
void exit_timer_cancel(void);

#endif /* JUROM_EXIT_TIMER_H_ */
