/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One out-of-band all-gather at a time, through the application's callbacks, which run inside
 * doca_pe_progress. Its buffers stay until the application has said that it is over, even when
 * nobody waits for it any more. One thread.
 */
#ifndef JUROM_EXCHANGE_H_
#define JUROM_EXCHANGE_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <doca_urom.h>

struct exchange {
    struct doca_urom_domain_oob_coll oob; /* of the all-gather under way */
    size_t length;                        /* of each participant's block */
    uint8_t *send;
    uint8_t *receive;
    void *request;
    bool outstanding; /* begun and not over: the buffers and the request are the application's */
    bool calling;     /* inside one of its callbacks */
};

/* Makes room for blocks of `length` bytes. The caller fills `send`, which is all zeros. */
doca_error_t exchange_prepare(
        struct exchange *exchange, const struct doca_urom_domain_oob_coll *oob, size_t length);

/* Begins the all-gather that was prepared. */
doca_error_t exchange_begin(struct exchange *exchange);

/*
 * Asks how it is going. SUCCESS: all blocks are here, until the next one is prepared. IN_PROGRESS.
 * Else: it has failed. But for IN_PROGRESS, it is over.
 */
doca_error_t exchange_test(struct exchange *exchange);

/* The block of participant `index`. */
static inline const uint8_t *exchange_block(const struct exchange *exchange, uint32_t index)
{
    return exchange->receive + index * exchange->length;
}

/*
 * Lets go of everything. The buffers of an all-gather that is not over are never freed: nobody will
 * say when it is.
 */
void exchange_free(struct exchange *exchange);

#endif /* JUROM_EXCHANGE_H_ */
