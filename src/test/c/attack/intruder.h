/* SPDX-License-Identifier: Apache-2.0 */
/* One who speaks to a worker's socket byte by byte, and has its rings to write what he likes. */
#ifndef JUROM_INTRUDER_H_
#define JUROM_INTRUDER_H_

#include <channel/ring_memory.h>
#include <worker/host.h>

#define INTRUDER_CAPACITY 262144 /* of rings for messages of up to 64 KiB */

struct intruder {
    int socket; /* -1: not connected */
    struct ring_memory memory;
    struct ring_producer to_worker;
};

/* Has the sequence be another one than that of who seeds it otherwise, or not at all. */
void intruder_seed(uint64_t seed);

/* A fixed sequence: what fails once fails again. */
uint64_t intruder_random(uint64_t limit);

/* Connects to the Unix socket, and says nothing. */
int intruder_connect(const char *path);

/* Whether the other side has closed; what it says is read and dropped. */
bool intruder_was_closed(int fd);

/* Shows a ticket of the worker's, and maps the rings that it answers with. */
void intruder_enter(struct intruder *intruder, struct worker_process *worker, uint64_t session);

/* The same with a ticket of a worker whose socket is at `path`. */
void intruder_enter_with(
        struct intruder *intruder, const char *path, const struct channel_ticket *ticket);

/* Publishes bytes as one record; false: there is no room, or the ring is broken by now. */
bool intruder_put(struct intruder *intruder, const void *bytes, size_t length);

/* Puts a frame as a host does. */
void intruder_put_frame(struct intruder *intruder, const struct wire_frame *frame);

/* Rings the worker, whether it sleeps or not. */
void intruder_ring(struct intruder *intruder);

void intruder_leave(struct intruder *intruder);

#endif /* JUROM_INTRUDER_H_ */
