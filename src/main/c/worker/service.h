/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Frames from and to the service while the worker runs, over two non-blocking pipes. End of input
 * means the same as DRAIN: the worker exits.
 */
#ifndef JUROM_WORKER_SERVICE_H_
#define JUROM_WORKER_SERVICE_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <wire/wire.h>

#include "events.h"

#define SERVICE_FRAME_MAX 4096   /* bytes of a frame from the service */
#define SERVICE_OUTPUT_MAX 16384 /* bytes queued for the service */

struct worker;

struct service {
    struct source source;
    pid_t process; /* the parent of the launcher */
    int input;
    int output;
    bool stopping; /* the worker is to exit: all further frames are dropped */
    uint8_t arrived[SERVICE_FRAME_MAX];
    size_t arrived_length;
    uint8_t waiting[SERVICE_OUTPUT_MAX];
    size_t waiting_length;
};

/* Reserves standard input and output for frames; plugins read /dev/null and print to the log. */
bool service_reserve_pipes(struct service *service);

/* Makes the pipes non-blocking and watches the input. */
bool service_open(struct worker *worker);

/* Reads and handles all frames available. Sets `stopping` on DRAIN or end of input. */
void service_read(struct worker *worker);

/* Writes queued bytes. */
void service_write(struct worker *worker);

/* Sets `stopping`. */
void service_stop(struct service *service);

#endif /* JUROM_WORKER_SERVICE_H_ */
