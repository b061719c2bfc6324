/* SPDX-License-Identifier: Apache-2.0 */
/* Operations and their completion. */
#include "transport.h"

static void end(struct transfer *transfer, void *request, ucs_status_t status)
{
    ucp_request_free(request);
    if (transfer->beginning) {
        transfer->ended = true;
        transfer->status = status;
        return;
    }
    transfer->request = NULL;
    transfer->done(transfer, status);
}

static void sent(void *request, ucs_status_t status, void *user_data)
{
    end(user_data, request, status);
}

static void received(
        void *request, ucs_status_t status, const ucp_tag_recv_info_t *info, void *user_data)
{
    struct transfer *transfer = user_data;

    if (status == UCS_OK)
        transfer->received = *info;
    end(transfer, request, status);
}

/* Begins an operation other than a receive, and returns its UCX parameters. */
static ucp_request_param_t begin(struct transfer *transfer)
{
    transfer->beginning = true;
    transfer->ended = false;
    return (ucp_request_param_t){
        .op_attr_mask = UCP_OP_ATTR_FIELD_CALLBACK | UCP_OP_ATTR_FIELD_USER_DATA,
        .cb.send = sent,
        .user_data = transfer,
    };
}

static ucs_status_t outcome(struct transfer *transfer, void *request)
{
    transfer->beginning = false;
    if (!UCS_PTR_IS_PTR(request))
        return UCS_PTR_STATUS(request);
    if (transfer->ended)
        return transfer->status;
    transfer->request = request;
    return UCS_INPROGRESS;
}

ucs_status_t transport_get(struct link *link, ucp_rkey_h key, uint64_t remote, void *local,
        size_t length, struct transfer *transfer)
{
    ucp_request_param_t param = begin(transfer);

    return outcome(transfer, ucp_get_nbx(link->endpoint, local, length, remote, key, &param));
}

ucs_status_t transport_put(struct link *link, ucp_rkey_h key, uint64_t remote, const void *local,
        size_t length, struct transfer *transfer)
{
    ucp_request_param_t param = begin(transfer);

    return outcome(transfer, ucp_put_nbx(link->endpoint, local, length, remote, key, &param));
}

ucs_status_t transport_flush(struct link *link, struct transfer *transfer)
{
    ucp_request_param_t param = begin(transfer);

    return outcome(transfer, ucp_ep_flush_nbx(link->endpoint, &param));
}

ucs_status_t transport_send_tagged(
        struct link *link, uint64_t tag, const void *data, size_t length, struct transfer *transfer)
{
    ucp_request_param_t param = begin(transfer);

    return outcome(transfer, ucp_tag_send_nbx(link->endpoint, data, length, tag, &param));
}

ucs_status_t transport_receive_tagged(struct transport *transport, uint64_t tag, uint64_t tag_mask,
        void *buffer, size_t length, struct transfer *transfer)
{
    ucp_request_param_t param = begin(transfer);

    /* Forces the callback, which alone reports tag and length of a message that is already here. */
    param.op_attr_mask |= UCP_OP_ATTR_FLAG_NO_IMM_CMPL;
    param.cb.recv = received;
    return outcome(
            transfer, ucp_tag_recv_nbx(transport->worker, buffer, length, tag, tag_mask, &param));
}

ucs_status_t transport_send_message(struct link *link, unsigned id, const void *header,
        size_t header_length, const void *data, size_t length, struct transfer *transfer)
{
    ucp_request_param_t param = begin(transfer);

    param.op_attr_mask |= UCP_OP_ATTR_FIELD_FLAGS;
    param.flags = UCP_AM_SEND_FLAG_REPLY;
    return outcome(transfer,
            ucp_am_send_nbx(link->endpoint, id, header, header_length, data, length, &param));
}

ucs_status_t transport_receive_messages(
        struct transport *transport, unsigned id, ucp_am_recv_callback_t receive, void *argument)
{
    ucp_am_handler_param_t param = {
        .field_mask = UCP_AM_HANDLER_PARAM_FIELD_ID | UCP_AM_HANDLER_PARAM_FIELD_FLAGS
                | UCP_AM_HANDLER_PARAM_FIELD_CB | UCP_AM_HANDLER_PARAM_FIELD_ARG,
        .id = id,
        .flags = UCP_AM_FLAG_WHOLE_MSG,
        .cb = receive,
        .arg = argument,
    };

    return ucp_worker_set_am_recv_handler(transport->worker, &param);
}

static void fetched(void *request, ucs_status_t status, size_t length, void *user_data)
{
    (void)length;
    end(user_data, request, status);
}

ucs_status_t transport_fetch(struct transport *transport, void *announced, void *buffer,
        size_t length, struct transfer *transfer)
{
    ucp_request_param_t param = begin(transfer);

    param.cb.recv_am = fetched;
    return outcome(
            transfer, ucp_am_recv_data_nbx(transport->worker, announced, buffer, length, &param));
}

void transport_cancel(struct transport *transport, struct transfer *transfer)
{
    if (transfer->request != NULL)
        ucp_request_cancel(transport->worker, transfer->request);
}
