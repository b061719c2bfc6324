/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Operations that write nothing: flush, and the ends of regions and queues. Each waits until all
 * earlier writes are in the client's memory.
 */
#include "rdmo.h"

static ucs_status_t step(struct operation *operation)
{
    operation->over = operation->step > 0;
    return operation->over ? UCS_OK : operation_settle(operation);
}

static void end_flush(struct operation *operation, ucs_status_t status)
{
    if (status != UCS_OK)
        operation_count_failure(operation->queue, status);
    queue_answer_flush(
            operation->client->rdmo, operation->queue, operation->reply, operation->flush_id);
}

/* The host has already received its answer; until now UCX may have used the remote key. */
static void end_region(struct operation *operation, ucs_status_t status)
{
    (void)status;
    region_remove(operation->client, operation->region);
}

static void end_queue(struct operation *operation, ucs_status_t status)
{
    (void)status;
    client_remove_queue(operation->client, operation->queue);
}

/* Answers a wait for the end of a queue, which has ended by now. */
static void await_end(struct operation *operation, ucs_status_t status)
{
    (void)status;
    operation_answer(operation, UCS_ERR_NO_ELEM);
}

const struct operation_kind operation_flush = {
    .name = "flush",
    .step = step,
    .end = end_flush,
};

const struct operation_kind operation_deregister = {
    .name = "deregister",
    .step = step,
    .end = end_region,
};

const struct operation_kind operation_await_end = {
    .name = "wait for the end of a queue",
    .step = step,
    .end = await_end,
};

const struct operation_kind operation_end_queue = {
    .name = "end of a queue",
    .step = step,
    .end = end_queue,
};
