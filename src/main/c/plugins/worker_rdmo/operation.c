/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The operations of a client, in order of arrival: the first executes step by step, the others
 * wait. A step that begins transfers ends when all of them have completed.
 */
#include <stdlib.h>

#include <common/private.h>

#include "rdmo.h"

static void transferred(struct transfer *transfer, ucs_status_t status)
{
    struct operation *operation = CONTAINER_OF(transfer, struct operation, transfer);

    --operation->transfers;
    if (status != UCS_OK && operation->status == UCS_OK)
        operation->status = status;
}

struct operation *operation_new(
        struct client *client, const struct operation_kind *kind, struct queue *queue)
{
    struct operation *operation = calloc(1, sizeof(*operation));

    if (operation == NULL)
        return NULL;
    operation->kind = kind;
    operation->client = client;
    operation->queue = queue;
    operation->is_request = queue != NULL;
    operation->transfer.done = transferred;
    return operation;
}

void operation_queue(struct operation *operation)
{
    struct client *client = operation->client;

    ucs_list_add_tail(&client->operations, &operation->entry);
    operation->queued = true;
    client->backlog += operation->length;
    client->rdmo->backlog += operation->length;
    if (operation->is_request) {
        ++client->requests;
        ++operation->queue->requests;
    }
}

/* Uncounts a queued operation. Its queue may be freed afterwards. */
static void unqueue(struct operation *operation)
{
    if (operation->is_request) {
        --operation->client->requests;
        --operation->queue->requests;
    }
}

void operation_free(struct operation *operation)
{
    if (operation->queued) {
        operation->client->backlog -= operation->length;
        operation->client->rdmo->backlog -= operation->length;
    }
    free(operation->answer);
    free(operation->data);
    free(operation);
}

void operation_count_failure(struct queue *queue, ucs_status_t status)
{
    if (queue->failed++ == 0)
        queue->status = transport_status(status);
}

void operation_end_request(struct operation *operation, ucs_status_t status)
{
    if (status != UCS_OK)
        operation_count_failure(operation->queue, status);
}

void operation_answer(struct operation *operation, ucs_status_t status)
{
    if (operation->answer == NULL)
        return;
    operation->answer->worker_notif.status = transport_status(status);
    ucs_list_add_tail(&operation->client->rdmo->answers, &operation->answer->entry);
    operation->answer = NULL;
}

ucs_status_t operation_begun(struct operation *operation, ucs_status_t status)
{
    if (status == UCS_INPROGRESS)
        ++operation->transfers;
    return status;
}

ucs_status_t operation_settle(struct operation *operation)
{
    struct client *client = operation->client;

    if (!client->dirty)
        return UCS_OK;
    client->dirty = false;
    return operation_begun(operation, transport_flush(client->link, &operation->transfer));
}

static void finish(struct operation *operation)
{
    ucs_list_del(&operation->entry);
    unqueue(operation);
    operation->kind->end(operation, operation->status);
    operation_free(operation);
}

static bool run(struct client *client)
{
    bool busy = false;

    while (!ucs_list_is_empty(&client->operations)) {
        struct operation *operation = ucs_list_head(&client->operations, struct operation, entry);
        ucs_status_t status;

        if (operation->transfers > 0)
            break;
        busy = true;
        if (operation->over || operation->status != UCS_OK) {
            finish(operation);
            continue;
        }
        status = operation->kind->step(operation);
        ++operation->step;
        if (status != UCS_INPROGRESS && operation->status == UCS_OK)
            operation->status = status;
    }
    return busy;
}

bool operations_run(struct rdmo *rdmo)
{
    struct client *client;
    bool busy = false;

    ucs_list_for_each(client, &rdmo->clients, entry) busy |= run(client);
    return busy;
}

void operations_drop(struct client *client)
{
    struct operation *operation;

    ucs_list_for_each(operation, &client->operations, entry)
    {
        unqueue(operation);
        if (operation->is_request)
            operation->kind->end(operation, UCS_ERR_CONNECTION_RESET);
    }
}

bool operations_drained(struct client *client)
{
    struct operation *operation, *next;

    ucs_list_for_each_safe(operation, next, &client->operations, entry)
    {
        if (operation->transfers > 0)
            continue;
        ucs_list_del(&operation->entry);
        operation_free(operation);
    }
    return ucs_list_is_empty(&client->operations);
}
