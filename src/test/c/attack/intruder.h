/* SPDX-License-Identifier: Apache-2.0 */
/* A hostile host with raw access to a worker's socket and rings. */
#ifndef JUROM_INTRUDER_H_
#define JUROM_INTRUDER_H_

#include <channel/ring_memory.h>
#include <worker/host.h>

#define INTRUDER_CAPACITY 262144 /* capacity of rings for messages of up to 64 KiB */

struct intruder {
    int socket; /* -1: not connected */
    struct ring_memory memory;
    struct ring_producer to_worker;
};

/* Returns the next number of a fixed sequence, so that failures are reproducible. */
uint64_t intruder_random(uint64_t limit);

/* Connects to the Unix socket without sending anything. */
int intruder_connect(const char *path);

/* Returns whether the peer has closed the connection. Discards received data. */
bool intruder_was_closed(int fd);

/* Presents a valid ticket, and maps the rings that the worker sends. */
void intruder_enter(struct intruder *intruder, struct worker_process *worker, uint64_t session);

/* Publishes bytes as one record. Returns false if the ring is full or broken. */
bool intruder_put(struct intruder *intruder, const void *bytes, size_t length);

/* Sends a frame as a host does. */
void intruder_put_frame(struct intruder *intruder, const struct wire_frame *frame);

/* Rings the worker's doorbell, whether it sleeps or not. */
void intruder_ring(struct intruder *intruder);

void intruder_leave(struct intruder *intruder);

#endif /* JUROM_INTRUDER_H_ */
