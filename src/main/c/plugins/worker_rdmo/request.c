/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Receiving requests. A request that cannot be executed is counted by its queue and reported by the
 * next flush. A request for a client that the peer may not access is dropped, except that a flush
 * is answered.
 */
#include <stdlib.h>
#include <string.h>

#include <doca_log.h>

#include "rdmo.h"

DOCA_LOG_REGISTER(UROM::RDMO)

/* An active message from UCX. */
struct request {
    struct urom_rdmo_hdr header;
    const uint8_t *own; /* the operation's header, after the common one */
    size_t own_length;
    void *data;
    size_t length;
    bool announced; /* the data has to be fetched */
    struct link *reply;
};

static const struct operation_kind *kind_of(const struct request *request)
{
    switch (request->header.op_id) {
    case UROM_RDMO_OP_FLUSH:
        return request->own_length == sizeof(struct urom_rdmo_flush_hdr) && request->length == 0
                ? &operation_flush
                : NULL;
    case UROM_RDMO_OP_APPEND:
        return request->own_length == sizeof(struct urom_rdmo_append_hdr) ? &operation_append
                                                                          : NULL;
    case UROM_RDMO_OP_SCATTER:
        return request->own_length == sizeof(struct urom_rdmo_scatter_hdr) ? &operation_scatter
                                                                           : NULL;
    default:
        return NULL;
    }
}

static void take_header(struct operation *operation, const struct request *request)
{
    operation->fence = request->header.flags & UROM_RDMO_REQ_FLAG_FENCE;
    operation->reply = request->reply;
    if (operation->kind == &operation_append)
        memcpy(&operation->append, request->own, sizeof(operation->append));
    else if (operation->kind == &operation_scatter)
        memcpy(&operation->count, request->own, sizeof(operation->count));
    else
        memcpy(&operation->flush_id, request->own, sizeof(operation->flush_id));
}

/* Copies the data or begins to fetch it. */
static ucs_status_t take_data(struct operation *operation, const struct request *request)
{
    ucs_status_t status;

    operation->data = malloc(request->length + 1);
    if (operation->data == NULL)
        return UCS_ERR_NO_MEMORY;
    operation->length = request->length;
    if (!request->announced) {
        if (request->length > 0)
            memcpy(operation->data, request->data, request->length);
        return UCS_OK;
    }
    status = operation_begun(operation,
            transport_fetch(&operation->client->rdmo->transport, request->data, operation->data,
                    request->length, &operation->transfer));
    return status == UCS_INPROGRESS ? UCS_OK : status;
}

/* Checks whether another request of this queue with `length` bytes can be queued. */
static ucs_status_t check_room(const struct client *client, const struct queue *queue,
        const struct operation_kind *kind, size_t length)
{
    if (length > RDMO_DATA_MAX || length > RDMO_BACKLOG_MAX - client->backlog
            || length > RDMO_BACKLOG_ALL_MAX - client->rdmo->backlog) {
        DOCA_LOG_DBG("The %zu bytes of a request to %s are too many: one may have %u, all that "
                     "wait for a client %u, and for all clients %u",
                length, kind->name, RDMO_DATA_MAX, RDMO_BACKLOG_MAX, RDMO_BACKLOG_ALL_MAX);
        return UCS_ERR_NO_MEMORY;
    }
    if (client->requests == RDMO_REQUESTS_MAX || queue->requests == RDMO_QUEUE_REQUESTS_MAX) {
        DOCA_LOG_DBG("A request to %s is one too many: %u of a queue may wait, and %u for a "
                     "client",
                kind->name, RDMO_QUEUE_REQUESTS_MAX, RDMO_REQUESTS_MAX);
        return UCS_ERR_EXCEEDS_LIMIT;
    }
    return UCS_OK;
}

static ucs_status_t accept_request(
        struct client *client, struct queue *queue, const struct request *request)
{
    const struct operation_kind *kind = kind_of(request);
    struct operation *operation;
    ucs_status_t status;

    if (kind == NULL || (request->header.flags & ~(uint32_t)UROM_RDMO_REQ_FLAG_FENCE) != 0) {
        DOCA_LOG_DBG("A request with operation %u, flags 0x%x and a header of %zu bytes more is "
                     "none",
                request->header.op_id, request->header.flags, request->own_length);
        return UCS_ERR_INVALID_PARAM;
    }
    status = check_room(client, queue, kind, request->length);
    if (status != UCS_OK)
        return status;
    operation = operation_new(client, kind, queue);
    if (operation == NULL)
        return UCS_ERR_NO_MEMORY;

    take_header(operation, request);
    status = take_data(operation, request);
    if (status == UCS_OK)
        operation_queue(operation);
    else
        operation_free(operation);
    return status;
}

/* Answers a flush that cannot be queued, because its peer may wait for the answer. */
static void answer_now(struct rdmo *rdmo, struct queue *queue, const struct request *request)
{
    uint64_t flush_id;

    memcpy(&flush_id, request->own, sizeof(flush_id));
    queue_answer_flush(rdmo, queue, request->reply, flush_id);
}

/* Handles a request for a client that does not exist or that the peer may not access. */
static void refuse(struct rdmo *rdmo, const struct request *request)
{
    uint64_t flush_id;

    DOCA_LOG_DBG("A request for client %lu is refused: there is no such client, or it has no "
                 "receive queue for the peer",
            request->header.id);
    if (kind_of(request) == &operation_flush) {
        memcpy(&flush_id, request->own, sizeof(flush_id));
        respond_flush(rdmo, request->reply, flush_id, 1, DOCA_ERROR_NOT_FOUND);
    }
}

static void receive_request(struct rdmo *rdmo, const struct request *request)
{
    struct client *client = client_find(rdmo, request->header.id);
    struct queue *queue;
    ucs_status_t status;

    if (request->reply == NULL) {
        DOCA_LOG_DBG("A request is dropped: it has no reply endpoint, or there is no receive queue "
                     "for that");
        return;
    }
    queue = client == NULL ? NULL : client_queue_of(client, request->reply);
    if (queue == NULL) {
        refuse(rdmo, request);
        return;
    }
    status = accept_request(client, queue, request);
    if (status == UCS_OK)
        return;
    operation_count_failure(queue, status);
    if (kind_of(request) == &operation_flush)
        answer_now(rdmo, queue, request);
}

static ucs_status_t receive(void *argument, const void *header, size_t header_length, void *data,
        size_t length, const ucp_am_recv_param_t *param)
{
    struct rdmo *rdmo = argument;
    struct request request = {
        .own = (const uint8_t *)header + sizeof(request.header),
        .data = data,
        .length = length,
        .announced = param->recv_attr & UCP_AM_RECV_ATTR_FLAG_RNDV,
    };

    if (header_length < sizeof(request.header)) {
        DOCA_LOG_DBG("A message with a header of %zu bytes is not a request", header_length);
        return UCS_OK;
    }
    if (param->recv_attr & UCP_AM_RECV_ATTR_FIELD_REPLY_EP)
        request.reply = transport_link_of(&rdmo->transport, param->reply_ep);
    memcpy(&request.header, header, sizeof(request.header));
    request.own_length = header_length - sizeof(request.header);
    receive_request(rdmo, &request);
    return UCS_OK;
}

doca_error_t requests_receive(struct rdmo *rdmo)
{
    return transport_status(
            transport_receive_messages(&rdmo->transport, RDMO_MESSAGE, receive, rdmo));
}
