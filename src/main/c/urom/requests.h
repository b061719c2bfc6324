/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The requests of one channel: each has a 64-bit id that its answers bring back. An id is a slot and
 * a generation of 32 bits, so that an answer to what is over finds nobody. One thread.
 */
#ifndef JUROM_REQUESTS_H_
#define JUROM_REQUESTS_H_

#include <stdint.h>

#include <doca_error.h>
#include <wire/wire.h>

/* The id after `id` in the same slot; generation 0 is left out, so that no id is 0. */
static inline uint64_t request_id_after(uint64_t id)
{
    uint64_t next = id + ((uint64_t)1 << 32);

    return next >> 32 == 0 ? next + ((uint64_t)1 << 32) : next;
}

/* Somebody who waits for answers. Embedded in its owner. */
struct request {
    uint64_t id; /* 0: not open */
    /* An answer; its bytes are valid until this returns. */
    void (*answered)(struct request *request, const struct wire_frame *frame);
};

struct request_slot {
    struct request *request;
    uint64_t id;        /* that it answers to now */
    uint32_t next_free; /* slot number */
};

struct requests {
    struct request_slot *slots;
    uint32_t capacity;
    uint32_t first_free; /* capacity: none */
};

/* Frees the table; no request is open any more. */
void requests_free(struct requests *requests);

/* Gives `request` a slot and its first id. */
doca_error_t requests_open(struct requests *requests, struct request *request);

/* Gives the slot back; answers to the id find nobody from now on. Harmless when not open. */
void requests_close(struct requests *requests, struct request *request);

/* The request with this id, or NULL. */
struct request *requests_find(const struct requests *requests, uint64_t id);

#endif /* JUROM_REQUESTS_H_ */
