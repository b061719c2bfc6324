/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the service says while the worker runs, and what it is answered, over two pipes that never
 * block. The end of the input means the same as DRAIN: the worker has to leave.
 */
#ifndef JUROM_WORKER_SERVICE_H_
#define JUROM_WORKER_SERVICE_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <wire/wire.h>

#include "source.h"

#define SERVICE_FRAME_MAX 4096   /* bytes of a frame from the service */
#define SERVICE_OUTPUT_MAX 16384 /* bytes that wait for the service to read */

struct worker;

struct service {
    struct source source;
    int input;
    int output;
    uint8_t arrived[SERVICE_FRAME_MAX];
    size_t arrived_length;
    uint8_t waiting[SERVICE_OUTPUT_MAX];
    size_t waiting_length;
};

/* Takes the standard input and output for frames: plugins read nothing and print to the log. */
bool service_take_pipes(struct service *service);

/* From now on they do not block, and are watched. */
bool service_open(struct worker *worker);

/* Reads and does all that the service has said so far. Sets `leaving`. */
void service_read(struct worker *worker);

/* Writes on what waits. */
void service_write(struct worker *worker);

#endif /* JUROM_WORKER_SERVICE_H_ */
