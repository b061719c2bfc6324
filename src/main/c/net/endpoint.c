/* SPDX-License-Identifier: Apache-2.0 */
/* Endpoints: connecting and sending. */
#include <stdlib.h>
#include <string.h>

#include <common/private.h>
#include <common/sdk_log.h>

#include "net.h"

SDK_LOG_REGISTER(UROM::NET)

/* A message that is kept until it has been sent. Frees itself. */
struct copied_message {
    struct net_operation operation;
    uint8_t data[];
};

static void peer_lost(void *argument, ucp_ep_h ep, ucs_status_t status)
{
    struct net_endpoint *endpoint = argument;

    (void)ep;
    SDK_LOG_DBG("The connection to a peer was lost: %s", ucs_status_string(status));
    if (endpoint->lost != NULL)
        endpoint->lost(endpoint, net_status(status));
}

/* Whoever sends commands learns from the service that its worker has gone. */
static void data_peer_lost(void *argument, ucp_ep_h ep, ucs_status_t status)
{
    (void)argument;
    (void)ep;
    SDK_LOG_DBG("A peer was lost: %s", ucs_status_string(status));
}

doca_error_t net_connect(struct net_endpoint *endpoint, struct net *net, const void *address)
{
    /*
     * UCX frees an endpoint before its worker only when it was made with error handling. The
     * handler may run after `endpoint` has gone, while the last bytes leave.
     */
    ucp_ep_params_t params = {
        .field_mask = UCP_EP_PARAM_FIELD_REMOTE_ADDRESS | UCP_EP_PARAM_FIELD_ERR_HANDLER
                | UCP_EP_PARAM_FIELD_ERR_HANDLING_MODE,
        .address = address,
        .err_mode = UCP_ERR_HANDLING_MODE_PEER,
        .err_handler = { .cb = data_peer_lost },
    };

    *endpoint = (struct net_endpoint){ .net = net };
    return net_status(ucp_ep_create(net->worker, &params, &endpoint->ep));
}

doca_error_t net_connect_socket(struct net_endpoint *endpoint, struct net *net,
        const struct sockaddr *address, socklen_t length)
{
    ucp_ep_params_t params = {
        .field_mask = UCP_EP_PARAM_FIELD_FLAGS | UCP_EP_PARAM_FIELD_SOCK_ADDR
                | UCP_EP_PARAM_FIELD_ERR_HANDLER | UCP_EP_PARAM_FIELD_ERR_HANDLING_MODE,
        .flags = UCP_EP_PARAMS_FLAGS_CLIENT_SERVER,
        .sockaddr = { .addr = address, .addrlen = length },
        .err_mode = UCP_ERR_HANDLING_MODE_PEER,
        .err_handler = { .cb = peer_lost, .arg = endpoint },
    };

    endpoint->net = net;
    return net_status(ucp_ep_create(net->worker, &params, &endpoint->ep));
}

static void close_now(struct net *net, ucp_ep_h ep)
{
    static const ucp_request_param_t force = {
        .op_attr_mask = UCP_OP_ATTR_FIELD_FLAGS,
        .flags = UCP_EP_CLOSE_FLAG_FORCE,
    };
    ucs_status_ptr_t request = ucp_ep_close_nbx(ep, &force);

    if (UCS_PTR_IS_PTR(request)) {
        /* A forced close waits for nobody: a few rounds complete what it cancels. */
        while (ucp_request_check_status(request) == UCS_INPROGRESS)
            ucp_worker_progress(net->worker);
        ucp_request_free(request);
    }
}

void net_disconnect(struct net_endpoint *endpoint)
{
    ucp_ep_h ep = endpoint->ep;

    endpoint->ep = NULL;
    if (ep != NULL)
        close_now(endpoint->net, ep);
}

void net_finish(struct net_endpoint *endpoint)
{
    static const ucp_request_param_t plain = { 0 };
    struct net_farewell *farewell;

    if (endpoint->ep == NULL)
        return;
    farewell = malloc(sizeof(*farewell));
    if (farewell != NULL) {
        *farewell = (struct net_farewell){
            .next = endpoint->net->farewells,
            .ep = endpoint->ep,
            .flush = ucp_ep_flush_nbx(endpoint->ep, &plain),
        };
        endpoint->net->farewells = farewell;
    }
    endpoint->ep = NULL;
}

void net_sweep(struct net *net, bool all)
{
    struct net_farewell **link = &net->farewells;

    while (*link != NULL) {
        struct net_farewell *farewell = *link;
        bool flushing = UCS_PTR_IS_PTR(farewell->flush)
                && ucp_request_check_status(farewell->flush) == UCS_INPROGRESS;

        if (flushing && !all) {
            link = &farewell->next;
            continue;
        }
        *link = farewell->next;
        close_now(net, farewell->ep);
        if (UCS_PTR_IS_PTR(farewell->flush))
            ucp_request_free(farewell->flush);
        free(farewell);
        link = &net->farewells; /* what arrived meanwhile may have changed the list */
    }
}

static void sent(void *request, ucs_status_t status, void *user_data)
{
    struct net_operation *operation = user_data;

    ucp_request_free(request);
    operation->done(operation, net_status(status));
}

static doca_error_t outcome(ucs_status_ptr_t request)
{
    if (request == NULL)
        return DOCA_SUCCESS;
    return UCS_PTR_IS_ERR(request) ? net_status(UCS_PTR_STATUS(request)) : DOCA_ERROR_IN_PROGRESS;
}

doca_error_t net_send(struct net_endpoint *endpoint, const void *data, size_t length,
        struct net_operation *operation)
{
    ucp_request_param_t param = {
        .op_attr_mask = UCP_OP_ATTR_FIELD_CALLBACK | UCP_OP_ATTR_FIELD_USER_DATA
                | UCP_OP_ATTR_FIELD_FLAGS,
        .flags = UCP_AM_SEND_FLAG_EAGER,
        .cb.send = sent,
        .user_data = operation,
    };

    return outcome(ucp_am_send_nbx(endpoint->ep, WIRE_MESSAGE_DATA, NULL, 0, data, length, &param));
}

static void free_copy(struct net_operation *operation, doca_error_t status)
{
    (void)status;
    free(CONTAINER_OF(operation, struct copied_message, operation));
}

/* SUCCESS when `message` is on its way or gone; it frees itself. */
static doca_error_t send_message(struct net_endpoint *endpoint, struct copied_message *message,
        size_t length)
{
    bool control = endpoint->net->kind == NET_CONTROL;
    ucp_request_param_t param = {
        .op_attr_mask = UCP_OP_ATTR_FIELD_CALLBACK | UCP_OP_ATTR_FIELD_USER_DATA
                | UCP_OP_ATTR_FIELD_FLAGS,
        .flags = UCP_AM_SEND_FLAG_EAGER | (control ? UCP_AM_SEND_FLAG_REPLY : 0),
        .cb.send = sent,
        .user_data = &message->operation,
    };
    doca_error_t status;

    message->operation.done = free_copy;
    status = outcome(ucp_am_send_nbx(endpoint->ep,
            control ? WIRE_MESSAGE_CONTROL : WIRE_MESSAGE_DATA, NULL, 0, message->data, length,
            &param));
    if (status != DOCA_ERROR_IN_PROGRESS)
        free(message);
    return status == DOCA_ERROR_IN_PROGRESS ? DOCA_SUCCESS : status;
}

doca_error_t net_send_frame(struct net_endpoint *endpoint, const struct wire_frame *frame)
{
    struct copied_message *message;
    doca_error_t status;
    size_t length;

    status = wire_encode(frame, NULL, 0, &length);
    if (status != DOCA_ERROR_TOO_BIG || length > WIRE_CONTROL_MAX)
        return status;
    message = malloc(sizeof(*message) + length);
    if (message == NULL)
        return DOCA_ERROR_NO_MEMORY;

    status = wire_encode(frame, message->data, length, &length);
    if (status == DOCA_SUCCESS)
        return send_message(endpoint, message, length);
    free(message);
    return status;
}
