/* SPDX-License-Identifier: Apache-2.0 */
/* The service's side of the start of a worker: see LAUNCH, CONFIGURE and READY in docs/wire.md. */
#ifndef WORKER_START_H_
#define WORKER_START_H_

#include <stddef.h>
#include <stdint.h>

#define WORKER_START_MAX 4096

struct worker_start {
    char directory[64]; /* where the worker's socket is made */
    char socket[80];
    uint64_t count;        /* workers so far: no path is used twice */
    char environment[256]; /* of the worker: strings that end with NUL, one after the other */
    size_t environment_length;
    uint32_t environment_count;
    uint8_t frames[WORKER_START_MAX]; /* LAUNCH, then CONFIGURE */
    size_t length;
};

/* Makes a directory for sockets; workers get this environment. */
void worker_start_open(struct worker_start *start, char *const environment[]);

/* Prepares what the next worker is told. */
void worker_start_prepare(struct worker_start *start);

/* Tells it, and waits until it is READY. Ends the program with its error if it says one. */
void worker_start_await(struct worker_start *start, int input, int output);

/* Removes what that worker left. */
void worker_start_clean(struct worker_start *start);

void worker_start_close(struct worker_start *start);

#endif /* WORKER_START_H_ */
