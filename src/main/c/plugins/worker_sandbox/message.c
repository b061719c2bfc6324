/* SPDX-License-Identifier: Apache-2.0 */
/* The life of a send or a receive. */
#include <stdlib.h>

#include <common/private.h>

#include "sandbox.h"

static void transferred(struct transfer *transfer, ucs_status_t status)
{
    struct message *message = CONTAINER_OF(transfer, struct message, transfer);

    message->go_on(message, status);
}

struct message *message_new(struct sandbox *sandbox, const struct urom_worker_cmd_desc *desc,
        size_t length)
{
    struct message *message = calloc(1, sizeof(*message));

    if (message == NULL)
        return NULL;
    message->answer = answer_new(desc, length);
    if (message->answer == NULL) {
        free(message);
        return NULL;
    }
    message->sandbox = sandbox;
    message->transfer.done = transferred;
    ucs_list_add_tail(&sandbox->messages, &message->entry);
    return message;
}

void message_free(struct message *message)
{
    ucs_list_del(&message->entry);
    free(message->answer);
    free(message->owned);
    free(message);
}

void message_end(struct message *message, doca_error_t status)
{
    struct sandbox *sandbox = message->sandbox;

    message->answer->worker_notif.status = status;
    ucs_list_add_tail(&sandbox->answers, &message->answer->entry);
    message->answer = NULL;
    if (message->mapping != NULL)
        --message->mapping->users;
    if (message->peer != NULL)
        --message->peer->users;
    message_free(message);
}

ucs_status_t sandbox_ucx_status(doca_error_t status)
{
    switch (status) {
    case DOCA_SUCCESS:
        return UCS_OK;
    case DOCA_ERROR_NOT_FOUND:
        return UCS_ERR_NO_ELEM;
    case DOCA_ERROR_NO_MEMORY:
        return UCS_ERR_NO_MEMORY;
    default:
        return UCS_ERR_INVALID_PARAM;
    }
}
