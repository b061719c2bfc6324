/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The pending requests of one channel. Each has a 64-bit id, which its responses contain: a slot
 * and a generation of 32 bits, so that a response to a closed request is detected. Used by one
 * thread.
 */
#ifndef JUROM_REQUESTS_H_
#define JUROM_REQUESTS_H_

#include <stdint.h>

#include <doca_error.h>
#include <wire/wire.h>

/* Returns the next id of the same slot. Generation 0 is not used, so no id is 0. */
static inline uint64_t request_id_after(uint64_t id)
{
    uint64_t next = id + ((uint64_t)1 << 32);

    return next >> 32 == 0 ? next + ((uint64_t)1 << 32) : next;
}

/* Embedded in its owner, which waits for responses. */
struct request {
    uint64_t id; /* 0: not open */
    /* Handles a response. Its bytes are valid until this returns. */
    void (*answered)(struct request *request, const struct wire_frame *frame);
};

struct request_slot {
    struct request *request;
    uint64_t id;        /* of the current generation */
    uint32_t next_free; /* slot number */
};

struct requests {
    struct request_slot *slots;
    uint32_t capacity;
    uint32_t first_free; /* capacity: none */
};

/* Frees the table. No request may be open. */
void requests_free(struct requests *requests);

/* Assigns a slot and an id to `request`. */
doca_error_t requests_open(struct requests *requests, struct request *request);

/* Releases the slot: later responses to the id are dropped. No effect if it is not open. */
void requests_close(struct requests *requests, struct request *request);

/* Returns the request with this id, or NULL. */
struct request *requests_find(const struct requests *requests, uint64_t id);

#endif /* JUROM_REQUESTS_H_ */
