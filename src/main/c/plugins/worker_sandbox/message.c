/* SPDX-License-Identifier: Apache-2.0 */
/* Code shared by sends and receives. */
#include <stdlib.h>

#include <common/private.h>
#include <doca_log.h>

#include "sandbox.h"

DOCA_LOG_REGISTER(UROM::SANDBOX)

static void transferred(struct transfer *transfer, ucs_status_t status)
{
    struct message *message = CONTAINER_OF(transfer, struct message, transfer);

    message->go_on(message, status);
}

bool message_allowed(const struct sandbox *sandbox, const struct host *host, uint64_t bytes)
{
    return host->messages <= SANDBOX_MESSAGES_MAX && bytes <= SANDBOX_BYTES_MAX - host->bytes
            && bytes <= SANDBOX_ALL_BYTES_MAX - sandbox->bytes;
}

doca_error_t message_charge(struct message *message, uint64_t bytes)
{
    if (!message_allowed(message->sandbox, message->host, bytes)) {
        DOCA_LOG_DBG("A message of %lu bytes is too much: one host may have %u messages of %u "
                     "bytes under way, all hosts %u bytes",
                bytes, SANDBOX_MESSAGES_MAX, SANDBOX_BYTES_MAX, SANDBOX_ALL_BYTES_MAX);
        return DOCA_ERROR_FULL;
    }
    message->bytes = bytes;
    message->host->bytes += bytes;
    message->sandbox->bytes += bytes;
    return DOCA_SUCCESS;
}

struct message *message_new(struct sandbox *sandbox, struct host *host,
        const struct urom_worker_cmd_desc *desc, size_t length)
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
    message->host = host;
    message->transfer.done = transferred;
    ++host->messages;
    ucs_list_add_tail(&sandbox->messages, &message->entry);
    return message;
}

void message_free(struct message *message)
{
    --message->host->messages;
    message->host->bytes -= message->bytes;
    message->sandbox->bytes -= message->bytes;
    if (message->mapping != NULL)
        --message->mapping->users;
    if (message->peer != NULL)
        --message->peer->users;
    if (message->queued)
        ucs_list_del(&message->place);
    ucs_list_del(&message->entry);
    free(message->answer);
    free(message->owned);
    free(message);
}

void message_end(struct message *message, doca_error_t status)
{
    if (!message->host->gone) {
        message->answer->worker_notif.status = status;
        ucs_list_add_tail(&message->sandbox->answers, &message->answer->entry);
        message->answer = NULL;
    }
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
    case DOCA_ERROR_FULL:
        return UCS_ERR_EXCEEDS_LIMIT;
    default:
        return UCS_ERR_INVALID_PARAM;
    }
}
