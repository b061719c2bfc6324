/* SPDX-License-Identifier: Apache-2.0 */
/* Starts a worker as the service does: see LAUNCH, CONFIGURE and READY in docs/wire.md. */
#ifndef WORKER_START_H_
#define WORKER_START_H_

#include <stddef.h>
#include <stdint.h>

#define WORKER_START_MAX 4096

struct worker_start {
    char directory[64]; /* the directory of the worker's socket */
    char socket[80];
    uint64_t count;        /* workers so far, for unique paths */
    char environment[256]; /* variables of the worker, each terminated by NUL */
    size_t environment_length;
    uint32_t environment_count;
    uint8_t frames[WORKER_START_MAX]; /* LAUNCH, then CONFIGURE */
    size_t length;
};

/* Creates a directory for sockets; workers receive this environment. */
void worker_start_open(struct worker_start *start, char *const environment[]);

/* Prepares the frames for the next worker. */
void worker_start_prepare(struct worker_start *start);

/* Sends the frames and waits for READY. Exits the program if the worker sends an error. */
void worker_start_await(struct worker_start *start, int input, int output);

/* Removes the files of the worker. */
void worker_start_clean(struct worker_start *start);

void worker_start_close(struct worker_start *start);

#endif /* WORKER_START_H_ */
