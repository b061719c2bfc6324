/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The memory of the two rings of a connection: a memfd sealed against changes of its size, so that
 * no access can fail. One side creates it and passes it to the other over the socket.
 *
 *     page 0: control of ring 0, control of ring 1    following pages: data 0, data 1
 */
#ifndef JUROM_CHANNEL_RING_MEMORY_H_
#define JUROM_CHANNEL_RING_MEMORY_H_

#include <stddef.h>

#include <doca_error.h>

#include "ring.h"

struct ring_memory {
    void *base; /* NULL: none */
    size_t length;
    struct ring rings[2];
};

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
