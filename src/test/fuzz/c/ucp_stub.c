/* SPDX-License-Identifier: Apache-2.0 */
/* A stub of the part of UCX that plugins use, without a peer. */
#include <stdlib.h>
#include <string.h>

#include <ucp/api/ucp.h>

#include "ucp_stub.h"

#define ENDPOINTS_MAX 256

enum kind { SEND, WRITE, TAG_RECEIVE, FETCH };

/* An operation in flight; WRITE and FETCH fill its buffer, SEND reads it. */
struct request {
    struct request *next;
    enum kind kind;
    void *buffer;
    size_t length;
    const void *header;
    size_t header_length;
    const uint8_t *key; /* or NULL */
    ucp_request_param_t param;
    bool over;
};

/* A remote key; remaining keys are destroyed with the worker. */
struct key {
    struct key *next;
};

static struct request *requests; /* the oldest first */
static struct key *keys;
static void *endpoints[ENDPOINTS_MAX];
static unsigned endpoint_count, state;
static ucp_am_recv_callback_t receive;
static void *receive_argument;

static unsigned next_random(void)
{
    state = state * 1103515245u + 12345u;
    return state >> 16;
}

static void read_bytes(const void *bytes, size_t length)
{
    static volatile uint8_t sink;

    for (size_t i = 0; i < length; i += 1 + (length > 4096 ? 1021 : 0))
        sink = ((const uint8_t *)bytes)[i];
    if (length > 0)
        sink = ((const uint8_t *)bytes)[length - 1];
    (void)sink;
}

static void touch(const struct request *request)
{
    if (request->key != NULL)
        read_bytes(request->key, 1);
    read_bytes(request->header, request->header_length);
    if (request->kind == SEND)
        read_bytes(request->buffer, request->length);
    else if (request->length > 0)
        memset(request->buffer, 'x', request->length);
}

static void call_back(struct request *request, ucs_status_t status, size_t length)
{
    ucp_tag_recv_info_t info = { .sender_tag = 7, .length = length };
    const ucp_request_param_t *param = &request->param;

    request->over = true;
    if (request->kind == TAG_RECEIVE)
        param->cb.recv(request, status, &info, param->user_data);
    else if (request->kind == FETCH)
        param->cb.recv_am(request, status, length, param->user_data);
    else
        param->cb.send(request, status, param->user_data);
}

static void unlink_request(struct request *request)
{
    struct request **at = &requests;

    while (*at != request)
        at = &(*at)->next;
    *at = request->next;
}

static void complete(struct request *request)
{
    bool fails = next_random() % 8 == 0;

    unlink_request(request);
    if (!fails)
        touch(request);
    call_back(request, fails ? UCS_ERR_IO_ERROR : UCS_OK, request->length);
}

/* Starts an operation that completes immediately, completes later, or fails. */
static ucs_status_ptr_t begin(struct request made, const ucp_request_param_t *param)
{
    struct request **at = &requests, *request;
    unsigned random = next_random() % 16;

    made.param = *param;
    if (random == 0)
        return UCS_STATUS_PTR(UCS_ERR_NO_RESOURCE);
    if (random < 8 && made.kind != TAG_RECEIVE) {
        touch(&made);
        return NULL;
    }
    request = malloc(sizeof(*request));
    if (request == NULL)
        abort();
    *request = made;
    while (*at != NULL)
        at = &(*at)->next;
    *at = request;
    return request;
}

void stub_begin(unsigned seed)
{
    state = seed;
}

void stub_complete(unsigned count)
{
    struct request *request = requests;

    while (request != NULL && count > 0) {
        if (request->kind == TAG_RECEIVE) {
            request = request->next;
        } else {
            complete(request);
            request = requests; /* a callback may have started or completed others */
            --count;
        }
    }
}

void stub_arrive(size_t length)
{
    struct request *request = requests;

    while (request != NULL && request->kind != TAG_RECEIVE)
        request = request->next;
    if (request == NULL)
        return;
    unlink_request(request);
    if (length > request->length) {
        call_back(request, UCS_ERR_MESSAGE_TRUNCATED, 0);
        return;
    }
    memset(request->buffer, 'x', length);
    call_back(request, UCS_OK, length);
}

void stub_message(const void *header, size_t header_length, const void *data, size_t length,
        bool announced, unsigned endpoint)
{
    ucp_am_recv_param_t param = { .recv_attr = announced ? UCP_AM_RECV_ATTR_FLAG_RNDV : 0 };

    if (receive == NULL)
        return;
    if (endpoint_count > 0 && endpoint % 8 != 7) {
        param.recv_attr |= UCP_AM_RECV_ATTR_FIELD_REPLY_EP;
        param.reply_ep = endpoints[endpoint % endpoint_count];
    }
    receive(receive_argument, header, header_length, announced ? &param : (void *)data, length,
            &param);
}

bool stub_has_keys(void)
{
    return keys != NULL;
}

/* The functions that plugins call, in the order of the lifecycle. */

ucs_status_t ucp_worker_create(
        ucp_context_h context, const ucp_worker_params_t *params, ucp_worker_h *worker)
{
    (void)context;
    (void)params;
    receive = NULL;
    *worker = NULL;
    return UCS_OK;
}

/* Discards operations in flight without callbacks, as if UCX were abandoned. */
void ucp_worker_destroy(ucp_worker_h worker)
{
    (void)worker;
    while (requests != NULL) {
        struct request *request = requests;

        requests = request->next;
        free(request);
    }
    while (keys != NULL)
        ucp_rkey_destroy((ucp_rkey_h)keys);
    while (endpoint_count > 0)
        free(endpoints[--endpoint_count]);
}

ucs_status_t ucp_worker_address_query(ucp_address_t *address, ucp_worker_address_attr_t *attr)
{
    memcpy(&attr->worker_uid, address, sizeof(attr->worker_uid));
    return attr->worker_uid == 0 ? UCS_ERR_INVALID_ADDR : UCS_OK;
}

ucs_status_t ucp_ep_create(ucp_worker_h worker, const ucp_ep_params_t *params, ucp_ep_h *ep)
{
    (void)worker;
    read_bytes(params->address, STUB_ADDRESS_LENGTH);
    if (endpoint_count == ENDPOINTS_MAX)
        return UCS_ERR_NO_RESOURCE;
    *ep = malloc(1);
    endpoints[endpoint_count++] = *ep;
    return UCS_OK;
}

ucs_status_ptr_t ucp_ep_close_nbx(ucp_ep_h ep, const ucp_request_param_t *param)
{
    (void)ep;
    (void)param;
    return NULL;
}

ucs_status_t ucp_ep_rkey_unpack(ucp_ep_h ep, const void *key, ucp_rkey_h *unpacked)
{
    struct key *made;

    (void)ep;
    read_bytes(key, STUB_ADDRESS_LENGTH);
    if (*(const uint8_t *)key == 0)
        return UCS_ERR_INVALID_PARAM;
    made = malloc(sizeof(*made));
    if (made == NULL)
        return UCS_ERR_NO_MEMORY;
    made->next = keys;
    keys = made;
    *unpacked = (ucp_rkey_h)made;
    return UCS_OK;
}

void ucp_rkey_destroy(ucp_rkey_h key)
{
    struct key **at = &keys;

    while (*at != (struct key *)key)
        at = &(*at)->next;
    *at = (*at)->next;
    free(key);
}

ucs_status_t ucp_worker_set_am_recv_handler(
        ucp_worker_h worker, const ucp_am_handler_param_t *param)
{
    (void)worker;
    receive = param->cb;
    receive_argument = param->arg;
    return UCS_OK;
}

ucs_status_ptr_t ucp_get_nbx(ucp_ep_h ep, void *buffer, size_t length, uint64_t remote,
        ucp_rkey_h key, const ucp_request_param_t *param)
{
    (void)ep;
    (void)remote;
    return begin((struct request){ .kind = WRITE,
                         .buffer = buffer,
                         .length = length,
                         .key = (const uint8_t *)key },
            param);
}

ucs_status_ptr_t ucp_put_nbx(ucp_ep_h ep, const void *buffer, size_t length, uint64_t remote,
        ucp_rkey_h key, const ucp_request_param_t *param)
{
    (void)ep;
    (void)remote;
    return begin((struct request){ .kind = SEND,
                         .buffer = (void *)buffer,
                         .length = length,
                         .key = (const uint8_t *)key },
            param);
}

ucs_status_ptr_t ucp_ep_flush_nbx(ucp_ep_h ep, const ucp_request_param_t *param)
{
    (void)ep;
    return begin((struct request){ .kind = SEND }, param);
}

ucs_status_ptr_t ucp_tag_send_nbx(ucp_ep_h ep, const void *buffer, size_t length, ucp_tag_t tag,
        const ucp_request_param_t *param)
{
    (void)ep;
    (void)tag;
    return begin(
            (struct request){ .kind = SEND, .buffer = (void *)buffer, .length = length }, param);
}

ucs_status_ptr_t ucp_tag_recv_nbx(ucp_worker_h worker, void *buffer, size_t length, ucp_tag_t tag,
        ucp_tag_t tag_mask, const ucp_request_param_t *param)
{
    (void)worker;
    (void)tag;
    (void)tag_mask;
    return begin(
            (struct request){ .kind = TAG_RECEIVE, .buffer = buffer, .length = length }, param);
}

ucs_status_ptr_t ucp_am_send_nbx(ucp_ep_h ep, unsigned id, const void *header, size_t header_length,
        const void *buffer, size_t length, const ucp_request_param_t *param)
{
    (void)ep;
    (void)id;
    return begin((struct request){ .kind = SEND,
                         .buffer = (void *)buffer,
                         .length = length,
                         .header = header,
                         .header_length = header_length },
            param);
}

ucs_status_ptr_t ucp_am_recv_data_nbx(ucp_worker_h worker, void *announced, void *buffer,
        size_t length, const ucp_request_param_t *param)
{
    (void)worker;
    (void)announced;
    return begin((struct request){ .kind = FETCH, .buffer = buffer, .length = length }, param);
}

void ucp_request_cancel(ucp_worker_h worker, void *request)
{
    (void)worker;
    unlink_request(request);
    call_back(request, UCS_ERR_CANCELED, 0);
}

ucs_status_t ucp_request_check_status(void *request)
{
    return ((struct request *)request)->over ? UCS_OK : UCS_INPROGRESS;
}

void ucp_request_free(void *request)
{
    free(request);
}
