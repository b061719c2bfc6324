/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tagged sends. A message in host memory is fetched first. The sends of one host to one worker are
 * nevertheless posted in the order of their commands, so that messages stay in order.
 */
#include <stdlib.h>

#include "sandbox.h"

/* Answers the command with the result of the send. */
static void finish(struct message *message, ucs_status_t status)
{
    struct urom_worker_notify_sandbox *notify = answer_body(message->answer);

    notify->tag_send.status = status;
    message_end(message, transport_status(status));
}

static void unqueue(struct message *message)
{
    ucs_list_del(&message->place);
    message->queued = false;
}

/* Posts sends from the head of the peer's queue while their data is ready. */
static void post_ready(struct peer *peer)
{
    while (!ucs_list_is_empty(&peer->queue)) {
        struct message *message = ucs_list_head(&peer->queue, struct message, place);
        ucs_status_t status;

        if (!message->ready)
            return;
        unqueue(message);
        message->go_on = finish;
        status = transport_send_tagged(
                peer->link, message->tag, message->data, message->length, &message->transfer);
        if (status != UCS_INPROGRESS)
            finish(message, status);
    }
}

/* Called when the message has been fetched from host memory. Its host may have left meanwhile. */
static void fetched(struct message *message, ucs_status_t status)
{
    struct peer *peer = message->peer;

    message->ready = true;
    if (!message->queued) {
        finish(message, status);
        return;
    }
    if (status != UCS_OK) {
        unqueue(message);
        finish(message, status);
    }
    post_ready(peer);
}

static void fetch(struct message *message)
{
    ucs_status_t status = UCS_OK;

    message->go_on = fetched;
    if (message->length > 0)
        status = transport_get(message->mapping->link, message->mapping->key, message->address,
                message->data, message->length, &message->transfer);
    if (status != UCS_INPROGRESS)
        fetched(message, status);
}

/* Finds or allocates the resources of the send. */
static doca_error_t prepare(
        struct message *message, const struct urom_worker_sandbox_cmd_tag_send *send)
{
    struct sandbox *sandbox = message->sandbox;
    doca_error_t status = DOCA_SUCCESS;

    if (send->memh_id != 0)
        status = sandbox_use_mapping(sandbox, message->host, send->memh_id, send->buffer,
                send->count, &message->mapping);
    if (status == DOCA_SUCCESS)
        status = message_charge(message, send->count);
    if (status != DOCA_SUCCESS)
        return status;
    if (send->memh_id != 0) {
        message->owned = malloc(send->count + 1); /* within the limits of the host */
        message->data = message->owned;
        if (message->data == NULL)
            return DOCA_ERROR_NO_MEMORY;
    }
    return sandbox_use_peer(sandbox, message->host, send->dest, &message->peer);
}

static void begin(struct message *message, struct urom_worker_cmd_desc *desc,
        const uint8_t *payload, bool *keep)
{
    ucs_list_add_tail(&message->peer->queue, &message->place);
    message->queued = true;
    if (message->mapping != NULL) {
        fetch(message);
    } else {
        message->owned = desc;
        message->data = (uint8_t *)payload;
        message->ready = true;
        *keep = true;
        post_ready(message->peer);
    }
}

doca_error_t sandbox_send(struct sandbox *sandbox, struct host *host,
        struct urom_worker_cmd_desc *desc, const struct sandbox_command *command, bool *keep)
{
    const struct urom_worker_sandbox_cmd_tag_send *send = &command->tag_send;
    struct urom_worker_notify_sandbox *notify;
    struct message *message = message_new(sandbox, host, desc, sizeof(*notify));
    doca_error_t status;

    if (message == NULL)
        return DOCA_ERROR_NO_MEMORY;
    notify = answer_body(message->answer);
    notify->type = UROM_WORKER_NOTIFY_SANDBOX_TAG_SEND;
    notify->tag_send.context = send->context;
    message->address = send->buffer;
    message->length = send->count;
    message->tag = send->tag;
    status = prepare(message, send);
    if (status == DOCA_SUCCESS) {
        begin(message, desc, command->payload, keep);
    } else {
        notify->tag_send.status = sandbox_ucx_status(status);
        message_end(message, status);
    }
    return DOCA_SUCCESS;
}

void sandbox_drop_sends(struct sandbox *sandbox, const struct host *host)
{
    struct message *message, *next;

    ucs_list_for_each_safe(message, next, &sandbox->messages, entry)
    {
        if (message->host != host || !message->queued)
            continue;
        unqueue(message);
        if (message->ready)
            message_free(message);
    }
}
