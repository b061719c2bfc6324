/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tagged receives: directly into the notification, or into a buffer of the plugin that is then
 * written to host memory. The host is notified once its memory holds the message.
 */
#include <stdlib.h>

#include "sandbox.h"

enum step {
    RECEIVING,
    WRITING,
    FLUSHING,
    DONE,
};

static void fail(struct message *message, ucs_status_t ucx_status, doca_error_t status)
{
    struct urom_worker_notify_sandbox *notify = answer_body(message->answer);

    notify->tag_recv.status = ucx_status;
    message->answer->worker_notif.len = sizeof(*notify);
    message_end(message, status);
}

static void succeed(struct message *message)
{
    struct urom_worker_notify_sandbox *notify = answer_body(message->answer);
    size_t length = message->transfer.received.length;

    notify->tag_recv.status = UCS_OK;
    notify->tag_recv.count = length;
    notify->tag_recv.sender_tag = message->transfer.received.sender_tag;
    if (message->mapping == NULL) {
        notify->tag_recv.buffer = (void *)1; /* marks the bytes after the struct */
        message->answer->worker_notif.len = sizeof(*notify) + length;
    }
    message_end(message, DOCA_SUCCESS);
}

/* Begins the current step of the message. */
static ucs_status_t begin(struct message *message)
{
    struct mapping *mapping = message->mapping;
    size_t length = message->transfer.received.length;

    if (mapping == NULL || length == 0)
        return UCS_OK;
    if (message->step == WRITING)
        return transport_put(mapping->link, mapping->key, message->address, message->data, length,
                &message->transfer);
    return transport_flush(mapping->link, &message->transfer);
}

/* Handles the end of a step with this status. */
static void go_on(struct message *message, ucs_status_t status)
{
    while (status == UCS_OK && ++message->step < DONE)
        status = begin(message);
    if (status == UCS_OK)
        succeed(message);
    else if (status != UCS_INPROGRESS)
        fail(message, status, transport_status(status));
}

/* Finds or allocates the memory for the message. */
static doca_error_t prepare(
        struct message *message, const struct urom_worker_sandbox_cmd_tag_recv *receive)
{
    doca_error_t status = DOCA_SUCCESS;

    if (receive->memh_id != 0)
        status = sandbox_use_mapping(message->sandbox, message->host, receive->memh_id,
                receive->buffer, receive->count, &message->mapping);
    if (status == DOCA_SUCCESS)
        status = message_charge(message, receive->count);
    if (status != DOCA_SUCCESS)
        return status;
    if (receive->memh_id == 0) {
        message->data = (uint8_t *)answer_body(message->answer)
                + sizeof(struct urom_worker_notify_sandbox);
        return DOCA_SUCCESS;
    }
    message->owned = malloc(receive->count + 1); /* within the limits of the host */
    message->data = message->owned;
    return message->data == NULL ? DOCA_ERROR_NO_MEMORY : DOCA_SUCCESS;
}

doca_error_t sandbox_receive(struct sandbox *sandbox, struct host *host,
        struct urom_worker_cmd_desc *desc, const struct sandbox_command *command)
{
    const struct urom_worker_sandbox_cmd_tag_recv *receive = &command->tag_recv;
    bool is_inline = receive->memh_id == 0 && message_allowed(sandbox, host, receive->count);
    struct urom_worker_notify_sandbox *notify;
    struct message *message = message_new(
            sandbox, host, desc, sizeof(*notify) + (is_inline ? receive->count : 0));
    doca_error_t status;

    if (message == NULL)
        return DOCA_ERROR_NO_MEMORY;
    notify = answer_body(message->answer);
    notify->type = UROM_WORKER_NOTIFY_SANDBOX_TAG_RECV;
    notify->tag_recv.context = receive->context;
    message->address = receive->buffer;
    message->length = receive->count;
    message->go_on = go_on;
    message->step = RECEIVING;
    status = prepare(message, receive);
    if (status == DOCA_SUCCESS)
        go_on(message,
                transport_receive_tagged(&sandbox->transport, receive->tag, receive->tag_mask,
                        message->data, receive->count, &message->transfer));
    else
        fail(message, sandbox_ucx_status(status), status);
    return DOCA_SUCCESS;
}

void sandbox_cancel_receives(struct sandbox *sandbox, const struct host *host)
{
    struct message *message, *next;

    ucs_list_for_each_safe(message, next, &sandbox->messages, entry)
    {
        if (message->go_on == go_on && message->step == RECEIVING
                && (host == NULL || message->host == host))
            transport_cancel(&sandbox->transport, &message->transfer);
    }
}
