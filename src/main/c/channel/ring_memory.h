/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The memory of the two rings of a connection: a memfd sealed against changes of its size, so that
 * no access can fail. One side creates it and passes it to the other over the socket.
 *
 *     page 0: controls of rings 0 and 1, cancelled ids    following pages: data 0, data 1
 */
#ifndef JUROM_CHANNEL_RING_MEMORY_H_
#define JUROM_CHANNEL_RING_MEMORY_H_

#include <stddef.h>

#include <doca_error.h>

#include "ring.h"

#define RING_CANCELLED 416 /* slots; they fill a page of 4096 bytes */

/* Request ids of cancelled commands, written by the host alone; 0: none. */
struct ring_cancelled {
    _Atomic uint64_t ids[RING_CANCELLED];
};

struct ring_memory {
    void *base; /* NULL: none */
    size_t length;
    struct ring rings[2];
    struct ring_cancelled *cancelled;
};

/* Returns the slot of a request id, whose low half is the number of a task. */
static inline _Atomic uint64_t *ring_cancelled_slot(
        const struct ring_memory *memory, uint64_t request_id)
{
    return &memory->cancelled->ids[(uint32_t)request_id % RING_CANCELLED];
}

/* Creates and maps two rings of `capacity` bytes each. `*fd` is to be passed to the peer. */
doca_error_t ring_memory_create(size_t capacity, struct ring_memory *memory, int *fd);

/*
 * Maps the memory that a peer has created. NOT_PERMITTED: not a memfd, not sealed, or of the wrong
 * size; `*reason` is a sentence. The caller keeps the ownership of the descriptor.
 */
doca_error_t ring_memory_open(
        int fd, size_t capacity, struct ring_memory *memory, const char **reason);

/* Unmaps the rings. No effect if none are mapped. */
void ring_memory_free(struct ring_memory *memory);

#endif /* JUROM_CHANNEL_RING_MEMORY_H_ */
