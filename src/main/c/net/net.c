/* SPDX-License-Identifier: Apache-2.0 */
/* A UCP worker and the messages that it receives. */
#include <string.h>

#include <common/idle.h>
#include <common/sdk_log.h>
#include <wire/wire.h>

#include "net.h"

SDK_LOG_REGISTER(UROM::NET)

#define CLOSE_DEADLINE_NS 50000000

static ucs_status_t receive(void *argument, const void *header, size_t header_length,
        void *data, size_t length, const ucp_am_recv_param_t *param)
{
    struct net *net = argument;

    (void)header;
    (void)header_length;
    /* Messages are sent eagerly: one that is not comes from a stranger. */
    if (!(param->recv_attr & UCP_AM_RECV_ATTR_FLAG_RNDV))
        net->receive(net->owner, data, length);
    return UCS_OK;
}

static ucs_status_t set_handler(struct net *net)
{
    ucp_am_handler_param_t param = {
        .field_mask = UCP_AM_HANDLER_PARAM_FIELD_ID | UCP_AM_HANDLER_PARAM_FIELD_FLAGS
                | UCP_AM_HANDLER_PARAM_FIELD_CB | UCP_AM_HANDLER_PARAM_FIELD_ARG,
        .id = net->kind == NET_CONTROL ? WIRE_MESSAGE_CONTROL : WIRE_MESSAGE_DATA,
        .flags = UCP_AM_FLAG_WHOLE_MSG,
        .cb = receive,
        .arg = net,
    };

    return ucp_worker_set_am_recv_handler(net->worker, &param);
}

doca_error_t net_open(struct net *net, enum net_kind kind,
        void (*receive_message)(void *owner, const uint8_t *data, size_t length), void *owner,
        const char *net_devices)
{
    static const ucp_worker_params_t params = {
        .field_mask = UCP_WORKER_PARAM_FIELD_THREAD_MODE,
        .thread_mode = UCS_THREAD_MODE_SERIALIZED,
    };
    ucp_context_h context;
    doca_error_t result;
    ucs_status_t status;

    *net = (struct net){ .kind = kind, .receive = receive_message, .owner = owner };
    result = net_context_acquire(kind, net_devices, &context);
    if (result != DOCA_SUCCESS)
        return result;

    status = ucp_worker_create(context, &params, &net->worker);
    if (status == UCS_OK) {
        status = ucp_worker_get_efd(net->worker, &net->event_fd);
        if (status == UCS_OK)
            status = set_handler(net);
        if (status != UCS_OK)
            ucp_worker_destroy(net->worker);
    }
    if (status != UCS_OK) {
        SDK_LOG_ERR("A UCX worker could not be made: %s", ucs_status_string(status));
        net_context_release(kind);
    }
    return net_status(status);
}

void net_close(struct net *net)
{
    uint64_t deadline = idle_now_ns() + CLOSE_DEADLINE_NS;

    while (net->farewells != NULL && idle_now_ns() < deadline)
        net_progress(net);
    net_sweep(net, true);
    ucp_worker_destroy(net->worker);
    net_context_release(net->kind);
}

doca_error_t net_arm(struct net *net)
{
    ucs_status_t status = ucp_worker_arm(net->worker);

    return status == UCS_OK ? DOCA_SUCCESS : DOCA_ERROR_AGAIN;
}

doca_error_t net_address(struct net *net, ucp_address_t **address, size_t *length)
{
    return net_status(ucp_worker_get_address(net->worker, address, length));
}

void net_free_address(struct net *net, ucp_address_t *address)
{
    ucp_worker_release_address(net->worker, address);
}
