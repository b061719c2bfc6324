/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One out-of-band all-gather at a time, through the application's callbacks, which run inside
 * doca_pe_progress. Its buffers exist until the application has completed it, even if the domain no
 * longer waits for it. Used by one thread.
 */
#ifndef JUROM_EXCHANGE_H_
#define JUROM_EXCHANGE_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <doca_urom.h>

struct exchange {
    struct doca_urom_domain_oob_coll oob; /* of the current all-gather */
    size_t length;                        /* of each participant's block */
    uint8_t *send;
    uint8_t *receive;
    void *request;
    bool outstanding; /* in progress: the application owns the buffers and the request */
    bool calling;     /* a callback is running */
};

/* Allocates blocks of `length` bytes. The caller fills `send`, which contains zeros. */
doca_error_t exchange_prepare(
        struct exchange *exchange, const struct doca_urom_domain_oob_coll *oob, size_t length);

/* Begins the prepared all-gather. */
doca_error_t exchange_begin(struct exchange *exchange);

/*
 * Tests for completion. SUCCESS: all blocks have arrived and are valid until the next preparation.
 * IN_PROGRESS: not yet complete. Other: the all-gather has failed.
 */
doca_error_t exchange_test(struct exchange *exchange);

/* Returns the block of participant `index`. */
static inline const uint8_t *exchange_block(const struct exchange *exchange, uint32_t index)
{
    return exchange->receive + index * exchange->length;
}

/*
 * Frees all resources, except the buffers of an incomplete all-gather, to which the application may
 * still write: these are leaked.
 */
void exchange_free(struct exchange *exchange);

#endif /* JUROM_EXCHANGE_H_ */
