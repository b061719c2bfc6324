/* SPDX-License-Identifier: Apache-2.0 */
/* Encoding of RDMO commands and requests as described in docs/plugin-protocols.md. */
#include <stdlib.h>
#include <string.h>

#include "rdmo_host.h"

#define MESSAGE 0 /* UCX active message id */

static ucs_status_t receive_response(void *argument, const void *header, size_t header_length,
        void *data, size_t length, const ucp_am_recv_param_t *param)
{
    struct peer *peer = argument;
    struct response *response = &peer->responses[peer->response_count++];
    uint32_t id, status;

    (void)param;
    assert_true(peer->response_count <= RESPONSES_MAX);
    assert_int_equal(header_length, 12);
    memcpy(&id, header, 4);
    assert_int_equal(id, UROM_RDMO_RSP_FLUSH);
    memcpy(&response->flush_id, (const uint8_t *)header + 4, 8);
    assert_true(length == 0 || length == 16);
    if (length == 16) {
        memcpy(&response->failed, data, 8);
        memcpy(&status, (const uint8_t *)data + 8, 4);
        response->status = (doca_error_t)status;
        assert_true(response->failed > 0 && response->status != DOCA_SUCCESS);
    }
    return UCS_OK;
}

static void listen_for_responses(struct peer *peer)
{
    ucp_am_handler_param_t param = {
        .field_mask = UCP_AM_HANDLER_PARAM_FIELD_ID | UCP_AM_HANDLER_PARAM_FIELD_FLAGS
                | UCP_AM_HANDLER_PARAM_FIELD_CB | UCP_AM_HANDLER_PARAM_FIELD_ARG,
        .id = MESSAGE,
        .flags = UCP_AM_FLAG_WHOLE_MSG,
        .cb = receive_response,
        .arg = peer,
    };

    assert_int_equal(ucp_worker_set_am_recv_handler(peer->worker, &param), UCS_OK);
}

void peer_open(struct peer *peer)
{
    static const ucp_worker_params_t worker_params = {
        .field_mask = UCP_WORKER_PARAM_FIELD_THREAD_MODE,
        .thread_mode = UCS_THREAD_MODE_SINGLE,
    };
    static const ucp_params_t params = {
        .field_mask = UCP_PARAM_FIELD_FEATURES,
        .features = UCP_FEATURE_AM,
    };
    ucp_config_t *config;

    memset(peer, 0, sizeof(*peer));
    assert_int_equal(ucp_config_read(NULL, NULL, &config), UCS_OK);
    assert_int_equal(ucp_init(&params, config, &peer->context), UCS_OK);
    ucp_config_release(config);
    assert_int_equal(ucp_worker_create(peer->context, &worker_params, &peer->worker), UCS_OK);
    assert_int_equal(
            ucp_worker_get_address(peer->worker, &peer->address, &peer->address_length), UCS_OK);
    listen_for_responses(peer);
}

void peer_close(struct peer *peer)
{
    ucp_worker_release_address(peer->worker, peer->address);
    ucp_worker_destroy(peer->worker);
    ucp_cleanup(peer->context);
}

void peer_connect(struct peer *peer, const struct instance *instance)
{
    ucp_ep_params_t params = {
        .field_mask = UCP_EP_PARAM_FIELD_REMOTE_ADDRESS,
        .address = (const ucp_address_t *)instance->address,
    };

    assert_int_equal(ucp_ep_create(peer->worker, &params, &peer->endpoint), UCS_OK);
}

struct urom_worker_notify_rdmo call(struct instance *instance, uint64_t host,
        const struct urom_worker_rdmo_cmd *command, const void *bytes, size_t length,
        doca_error_t *status)
{
    static struct notification notification;
    struct urom_worker_notify_rdmo notify;
    uint8_t *packed = malloc(sizeof(*command) + length);
    uint64_t context;

    assert_non_null(packed);
    memcpy(packed, command, sizeof(*command));
    if (length > 0)
        memcpy(packed + sizeof(*command), bytes, length);
    assert_success(instance_command(instance, host, packed, sizeof(*command) + length, &context));
    free(packed);
    await_notification(instance, context, &notification);
    assert_true(notification.length >= sizeof(notify));
    memcpy(&notify, notification.bytes, sizeof(notify));
    assert_int_equal(notify.type, command->type);
    *status = notification.status;
    if (command->type == UROM_WORKER_CMD_RDMO_CLIENT_INIT && *status == DOCA_SUCCESS) {
        assert_int_equal(notification.length, sizeof(notify) + notify.client_init.addr_len);
        assert_memory_equal(notification.bytes + sizeof(notify), instance->address,
                notify.client_init.addr_len);
    } else {
        assert_int_equal(notification.length, sizeof(notify));
    }
    return notify;
}

void client_init(struct instance *instance, uint64_t host, uint64_t id,
        const struct host_memory *memory, doca_error_t expected)
{
    struct urom_worker_rdmo_cmd command = {
        .type = UROM_WORKER_CMD_RDMO_CLIENT_INIT,
        .client_init = { .id = id, .addr_len = memory->address_length },
    };
    doca_error_t status;

    call(instance, host, &command, memory->address, memory->address_length, &status);
    assert_status(expected, status);
}

uint64_t rq_create(
        struct instance *instance, uint64_t host, const struct peer *peer, doca_error_t expected)
{
    struct urom_worker_rdmo_cmd command = {
        .type = UROM_WORKER_CMD_RDMO_RQ_CREATE,
        .rq_create = { .addr_len = peer->address_length },
    };
    doca_error_t status;
    struct urom_worker_notify_rdmo notify = call(
            instance, host, &command, peer->address, peer->address_length, &status);

    assert_status(expected, status);
    return notify.rq_create.rq_id;
}

void rq_destroy(struct instance *instance, uint64_t host, uint64_t id, doca_error_t expected)
{
    struct urom_worker_rdmo_cmd command = {
        .type = UROM_WORKER_CMD_RDMO_RQ_DESTROY,
        .rq_destroy = { .rq_id = id },
    };
    doca_error_t status;

    call(instance, host, &command, NULL, 0, &status);
    assert_status(expected, status);
}

uint64_t mr_reg(struct instance *instance, uint64_t host, const struct host_memory *memory,
        const void *address, size_t length, doca_error_t expected)
{
    struct urom_worker_rdmo_cmd command = {
        .type = UROM_WORKER_CMD_RDMO_MR_REG,
        .mr_reg = {
            .va = (uint64_t)address,
            .len = length,
            .packed_rkey_len = memory->key_length,
        },
    };
    doca_error_t status;
    struct urom_worker_notify_rdmo notify = call(
            instance, host, &command, memory->key, memory->key_length, &status);

    assert_status(expected, status);
    return notify.mr_reg.rkey;
}

void mr_dereg(struct instance *instance, uint64_t host, uint64_t key, doca_error_t expected)
{
    struct urom_worker_rdmo_cmd command = {
        .type = UROM_WORKER_CMD_RDMO_MR_DEREG,
        .mr_dereg = { .rkey = key },
    };
    doca_error_t status;

    call(instance, host, &command, NULL, 0, &status);
    assert_status(expected, status);
}

void request(struct peer *peer, const void *header, size_t header_length, const void *data,
        size_t length)
{
    ucp_request_param_t param = {
        .op_attr_mask = UCP_OP_ATTR_FIELD_FLAGS,
        .flags = UCP_AM_SEND_FLAG_REPLY,
    };
    void *sent = ucp_am_send_nbx(
            peer->endpoint, MESSAGE, header, header_length, data, length, &param);

    if (sent == NULL)
        return;
    assert_true(UCS_PTR_IS_PTR(sent));
    await_progress(
            (ucp_worker_progress(peer->worker), ucp_request_check_status(sent) != UCS_INPROGRESS));
    assert_int_equal(ucp_request_check_status(sent), UCS_OK);
    ucp_request_free(sent);
}

void request_append(struct peer *peer, uint64_t client, uint32_t flags, const void *pointer,
        uint64_t pointer_key, uint64_t data_key, const void *data, size_t length)
{
    struct {
        struct urom_rdmo_hdr common;
        struct urom_rdmo_append_hdr append;
    } header = {
        { client, UROM_RDMO_OP_APPEND, flags },
        { (uint64_t)pointer, pointer_key, data_key },
    };

    request(peer, &header, sizeof(header), data, length);
}

void request_scatter(struct peer *peer, uint64_t client, uint32_t flags, uint64_t count,
        const void *data, size_t length)
{
    struct {
        struct urom_rdmo_hdr common;
        struct urom_rdmo_scatter_hdr scatter;
    } header = { { client, UROM_RDMO_OP_SCATTER, flags }, { count } };

    request(peer, &header, sizeof(header), data, length);
}

void request_flush(struct peer *peer, uint64_t client, uint32_t flags, uint64_t flush_id)
{
    struct {
        struct urom_rdmo_hdr common;
        struct urom_rdmo_flush_hdr flush;
    } header = { { client, UROM_RDMO_OP_FLUSH, flags }, { flush_id } };

    request(peer, &header, sizeof(header), NULL, 0);
}

void add_vector(uint8_t *data, size_t *length, const void *address, uint64_t key, const void *bytes,
        uint16_t count)
{
    struct urom_rdmo_scatter_iov iov;

    memset(&iov, 0, sizeof(iov));
    iov.addr = (uint64_t)address;
    iov.rkey = key;
    iov.len = count;
    memcpy(data + *length, &iov, sizeof(iov));
    memcpy(data + *length + sizeof(iov), bytes, count);
    *length += sizeof(iov) + count;
}

struct response flush(struct peer *peer, uint64_t client)
{
    static uint64_t last_id = 1000;
    unsigned before = peer->response_count;

    request_flush(peer, client, 0, ++last_id);
    await_progress(peer->response_count > before);
    assert_int_equal(peer->response_count, before + 1);
    assert_int_equal(peer->responses[before].flush_id, last_id);
    peer->response_count = 0;
    return peer->responses[before];
}
