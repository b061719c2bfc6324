/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Commands of hosts. Every command is answered immediately, except one that waits for the end of a
 * queue, which is answered when the preceding operations have completed.
 */
#include <string.h>

#include <doca_log.h>

#include "rdmo.h"

DOCA_LOG_REGISTER(UROM::RDMO)

/* A command being executed. */
struct call {
    struct rdmo *rdmo;
    const struct command *command;
    struct client *client; /* of the host, NULL: it has none */
    struct urom_worker_notif_desc *answer;
    struct urom_worker_notify_rdmo *notify; /* in the answer */
};

static doca_error_t init_client(struct call *call)
{
    const struct transport *transport = &call->rdmo->transport;
    doca_error_t status;

    status = client_new(call->rdmo, call->answer->dest_id, call->command->client_init.id,
            call->command->client_init.address);
    if (status != DOCA_SUCCESS)
        return status;
    call->notify->client_init.addr_len = transport->address_length;
    memcpy(call->notify + 1, transport->address, transport->address_length);
    return DOCA_SUCCESS;
}

/* Defers the answer until the preceding operations have completed. */
static doca_error_t await_end(struct call *call)
{
    struct operation *operation = operation_new(call->client, &operation_await_end, NULL);

    if (operation == NULL)
        return DOCA_ERROR_NO_MEMORY;
    operation->answer = call->answer;
    call->answer = NULL;
    operation_queue(operation);
    return DOCA_SUCCESS;
}

/*
 * The end of a queue or region is answered immediately: a host that waits for the answer may not
 * progress its UCX, in which case earlier writes would never complete. To wait for the end of a
 * queue, a host sends the command again.
 */
static doca_error_t end_queue(struct call *call)
{
    struct queue *queue = client_find_queue(call->client, call->command->rq_destroy);
    struct operation *operation;

    call->notify->rq_destroy.rq_id = call->command->rq_destroy;
    if (queue == NULL)
        return DOCA_ERROR_NOT_FOUND;
    if (queue->ending)
        return await_end(call);
    operation = operation_new(call->client, &operation_end_queue, NULL);
    if (operation == NULL)
        return DOCA_ERROR_NO_MEMORY;
    queue->ending = true;
    operation->queue = queue;
    operation_queue(operation);
    return DOCA_SUCCESS;
}

/* Hides the region, so that no further write to it begins. */
static doca_error_t deregister(struct call *call)
{
    struct region *region = region_with_key(call->client, call->command->mr_dereg);
    struct operation *operation;

    call->notify->mr_dereg.rkey = call->command->mr_dereg;
    if (region == NULL)
        return DOCA_ERROR_NOT_FOUND;
    operation = operation_new(call->client, &operation_deregister, NULL);
    if (operation == NULL)
        return DOCA_ERROR_NO_MEMORY;
    region->ending = true;
    operation->region = region;
    operation_queue(operation);
    return DOCA_SUCCESS;
}

static doca_error_t carry_out(struct call *call)
{
    if (call->command->type == UROM_WORKER_CMD_RDMO_CLIENT_INIT)
        return init_client(call);
    if (call->client == NULL) {
        DOCA_LOG_DBG("A host has to make itself a client (CLIENT_INIT) before anything else");
        return DOCA_ERROR_BAD_STATE;
    }
    switch (call->command->type) {
    case UROM_WORKER_CMD_RDMO_RQ_CREATE:
        return client_add_queue(
                call->client, call->command->rq_create, &call->notify->rq_create.rq_id);
    case UROM_WORKER_CMD_RDMO_RQ_DESTROY:
        return end_queue(call);
    case UROM_WORKER_CMD_RDMO_MR_REG:
        return region_add(call->client, &call->command->mr_reg, &call->notify->mr_reg.rkey);
    default:
        return deregister(call);
    }
}

doca_error_t command_run(struct rdmo *rdmo, const struct urom_worker_cmd_desc *desc)
{
    struct command command;
    struct call call = { .rdmo = rdmo, .command = &command };
    doca_error_t status;
    size_t extra;

    if (rdmo_read_command(desc->worker_cmd.plugin_cmd, desc->worker_cmd.len, &command)
            != DOCA_SUCCESS) {
        DOCA_LOG_DBG("A command of %lu bytes is no RDMO command, or not as long as it should be",
                desc->worker_cmd.len);
        return DOCA_ERROR_INVALID_VALUE;
    }
    extra = command.type == UROM_WORKER_CMD_RDMO_CLIENT_INIT ? rdmo->transport.address_length : 0;
    call.answer = answer_new(desc, sizeof(*call.notify) + extra);
    if (call.answer == NULL)
        return DOCA_ERROR_NO_MEMORY;

    call.client = client_of(rdmo, desc->dest_id);
    call.notify = answer_body(call.answer);
    call.notify->type = command.type; /* notifications have the type of their command */
    status = carry_out(&call);
    if (call.answer == NULL)
        return DOCA_SUCCESS; /* an operation owns it */
    if (status != DOCA_SUCCESS)
        call.answer->worker_notif.len = sizeof(*call.notify);
    call.answer->worker_notif.status = status;
    ucs_list_add_tail(&rdmo->answers, &call.answer->entry);
    return DOCA_SUCCESS;
}
