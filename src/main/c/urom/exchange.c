/* SPDX-License-Identifier: Apache-2.0 */
#include <stdatomic.h>
#include <stdlib.h>

#include <common/sdk_log.h>
#include <faults/faults.h>

#include "exchange.h"

SDK_LOG_REGISTER(UROM::EXCHANGE)

/* A pair of buffers that the application may still write to. */
struct orphan {
    struct orphan *next;
    uint8_t *send;
    uint8_t *receive;
};

/* Reachable, so that leak checkers do not report them. */
static _Atomic(struct orphan *) orphans;

static void free_buffers(struct exchange *exchange)
{
    free(exchange->send);
    free(exchange->receive);
    exchange->send = NULL;
    exchange->receive = NULL;
}

doca_error_t exchange_prepare(
        struct exchange *exchange, const struct doca_urom_domain_oob_coll *oob, size_t length)
{
    free_buffers(exchange);
    exchange->oob = *oob;
    exchange->length = length;
    exchange->send = FAULT_ALLOCATE(exchange_memory, calloc(1, length));
    exchange->receive = calloc(oob->n_oob_indexes, length);
    return exchange->send == NULL || exchange->receive == NULL ? DOCA_ERROR_NO_MEMORY
                                                               : DOCA_SUCCESS;
}

doca_error_t exchange_begin(struct exchange *exchange)
{
    doca_error_t status;

    exchange->calling = true;
    status = exchange->oob.allgather(exchange->send, exchange->receive, exchange->length,
            exchange->oob.coll_info, &exchange->request);
    exchange->calling = false;
    exchange->outstanding = status == DOCA_SUCCESS;
    if (status != DOCA_SUCCESS)
        SDK_LOG_ERR("The domain's allgather callback failed: %s", doca_error_get_descr(status));
    return status;
}

static void free_request(struct exchange *exchange)
{
    doca_error_t status;

    exchange->calling = true;
    status = exchange->oob.req_free(exchange->request);
    exchange->calling = false;
    exchange->outstanding = false;
    if (status != DOCA_SUCCESS)
        SDK_LOG_WARN("The domain's req_free callback failed: %s", doca_error_get_descr(status));
}

doca_error_t exchange_test(struct exchange *exchange)
{
    doca_error_t status;

    exchange->calling = true;
    status = exchange->oob.req_test(exchange->request);
    exchange->calling = false;
    if (status == DOCA_ERROR_IN_PROGRESS)
        return status;

    free_request(exchange);
    if (status != DOCA_SUCCESS)
        SDK_LOG_ERR("The domain's out-of-band exchange failed: %s", doca_error_get_descr(status));
    return status;
}

/* Keeps the buffers until the process exits. */
static void abandon_buffers(struct exchange *exchange)
{
    struct orphan *orphan = malloc(sizeof(*orphan));

    if (orphan != NULL) {
        *orphan = (struct orphan){ atomic_load(&orphans), exchange->send, exchange->receive };
        while (!atomic_compare_exchange_weak(&orphans, &orphan->next, orphan))
            continue;
    }
    exchange->send = NULL;
    exchange->receive = NULL;
}

void exchange_free(struct exchange *exchange)
{
    if (exchange->outstanding && exchange_test(exchange) == DOCA_ERROR_IN_PROGRESS) {
        SDK_LOG_WARN("An incomplete out-of-band exchange of the domain was abandoned");
        free_request(exchange);
        abandon_buffers(exchange);
    }
    free_buffers(exchange);
}
