/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The memory of the two rings of a connection: a memfd that cannot change its size any more, so
 * that no access can fail. The one side makes it and hands it to the other by its socket.
 *
 *     page 0: the control of ring 0, the control of ring 1    then: data 0, data 1
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

/* Makes the memory of two rings of `capacity` bytes each, and maps it; `*fd` is for the peer. */
doca_error_t ring_memory_create(size_t capacity, struct ring_memory *memory, int *fd);

/*
 * Maps what a peer has made. NOT_PERMITTED, and a sentence in `*why`: it is not sealed, of another
 * size, or no memfd. The descriptor remains the caller's.
 */
doca_error_t ring_memory_open(
        int fd, size_t capacity, struct ring_memory *memory, const char **reason);

void ring_memory_free(struct ring_memory *memory);

#endif /* JUROM_CHANNEL_RING_MEMORY_H_ */
