/* SPDX-License-Identifier: Apache-2.0 */
/* Active messages between the two processes of a pair. */
#include "ucx_side.h"

#include <stdlib.h>

#include "measure.h"

#define MESSAGE_ID 1
#define MAX_UNDER_WAY 64

static void check(ucs_status_t status, const char *what)
{
    if (status != UCS_OK)
        fail(what, ucs_status_string(status));
}

void ucx_open(struct ucx_side *side)
{
    ucp_params_t params = {
        .field_mask = UCP_PARAM_FIELD_FEATURES,
        .features = UCP_FEATURE_AM | UCP_FEATURE_WAKEUP,
    };
    ucp_worker_params_t worker_params = {
        .field_mask = UCP_WORKER_PARAM_FIELD_THREAD_MODE,
        .thread_mode = UCS_THREAD_MODE_SINGLE,
    };

    check(ucp_init(&params, NULL, &side->context), "ucp_init");
    check(ucp_worker_create(side->context, &worker_params, &side->worker), "ucp_worker_create");
}

static void fetched(void *request, ucs_status_t status, size_t length, void *user_data)
{
    struct ucx_side *side = user_data;

    (void)length;
    check(status, "ucp_am_recv_data_nbx");
    side->received++;
    ucp_request_free(request);
}

static ucs_status_t arrived(void *arg, const void *header, size_t header_length, void *data,
        size_t length, const ucp_am_recv_param_t *param)
{
    struct ucx_side *side = arg;
    ucp_request_param_t fetch = {
        .op_attr_mask = UCP_OP_ATTR_FIELD_CALLBACK | UCP_OP_ATTR_FIELD_USER_DATA,
        .cb.recv_am = fetched,
        .user_data = side,
    };

    (void)header;
    (void)header_length;
    if (!(param->recv_attr & UCP_AM_RECV_ATTR_FLAG_RNDV)) {
        side->received++;
        return UCS_OK;
    }
    void *request = ucp_am_recv_data_nbx(side->worker, data, side->incoming, length, &fetch);
    if (UCS_PTR_IS_ERR(request))
        fail("ucp_am_recv_data_nbx", ucs_status_string(UCS_PTR_STATUS(request)));
    if (request == NULL)
        side->received++;
    return request == NULL ? UCS_OK : UCS_INPROGRESS;
}

void ucx_connect(struct ucx_side *side, const struct pair *pair, size_t size)
{
    ucp_am_handler_param_t handler = {
        .field_mask = UCP_AM_HANDLER_PARAM_FIELD_ID | UCP_AM_HANDLER_PARAM_FIELD_CB
                | UCP_AM_HANDLER_PARAM_FIELD_ARG,
        .id = MESSAGE_ID,
        .cb = arrived,
        .arg = side,
    };
    ucp_address_t *address;
    size_t length;

    side->size = size;
    side->outgoing = make_buffer(size);
    side->incoming = make_buffer(size);
    check(ucp_worker_set_am_recv_handler(side->worker, &handler), "ucp_worker_set_am_recv_handler");
    check(ucp_worker_get_address(side->worker, &address, &length), "ucp_worker_get_address");
    ucp_address_t *other = pair_exchange(pair, address, length);
    ucp_worker_release_address(side->worker, address);

    ucp_ep_params_t params = {
        .field_mask = UCP_EP_PARAM_FIELD_REMOTE_ADDRESS,
        .address = other,
    };
    check(ucp_ep_create(side->worker, &params, &side->ep), "ucp_ep_create");
    free(other);
}

static void sent(void *request, ucs_status_t status, void *user_data)
{
    struct ucx_side *side = user_data;

    check(status, "ucp_am_send_nbx");
    side->in_flight--;
    ucp_request_free(request);
}

void ucx_send(struct ucx_side *side)
{
    ucp_request_param_t param = {
        .op_attr_mask = UCP_OP_ATTR_FIELD_CALLBACK | UCP_OP_ATTR_FIELD_USER_DATA,
        .cb.send = sent,
        .user_data = side,
    };

    while (side->in_flight >= MAX_UNDER_WAY)
        ucp_worker_progress(side->worker);
    void *request = ucp_am_send_nbx(
            side->ep, MESSAGE_ID, NULL, 0, side->outgoing, side->size, &param);
    if (UCS_PTR_IS_ERR(request))
        fail("ucp_am_send_nbx", ucs_status_string(UCS_PTR_STATUS(request)));
    if (request != NULL)
        side->in_flight++;
}

void ucx_await(struct ucx_side *side, uint64_t received)
{
    while (side->received < received)
        ucp_worker_progress(side->worker);
}

void ucx_settle(struct ucx_side *side)
{
    while (side->in_flight > 0)
        ucp_worker_progress(side->worker);
}

void ucx_close(struct ucx_side *side)
{
    ucp_worker_destroy(side->worker);
    ucp_cleanup(side->context);
    free(side->outgoing);
    free(side->incoming);
}
