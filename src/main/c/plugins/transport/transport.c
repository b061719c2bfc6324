/* SPDX-License-Identifier: Apache-2.0 */
/* A plugin's UCX context, worker and endpoints. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <doca_log.h>

#include <net/status.h>
#include <net/transports.h>

#include "transport.h"

DOCA_LOG_REGISTER(UROM::TRANSPORT)

#define CLOSE_SECONDS 0.2

/* An endpoint that is shared by all who want to reach the same UCX worker. */
struct link {
    struct link *next;
    uint64_t worker_uid;
    ucp_ep_h endpoint;
};

/*
 * UCX unpacks addresses and keys without knowing where they end. The longest run that their counts,
 * all of one byte, can make it read is below this.
 */
#define UNPACK_SLACK 32768

static ucs_status_t open_context(struct transport *transport, uint64_t features)
{
    ucp_params_t params = {
        .field_mask = UCP_PARAM_FIELD_FEATURES,
        .features = features | UCP_FEATURE_WAKEUP,
    };
    ucp_config_t *config;
    ucs_status_t status = ucp_config_read(NULL, NULL, &config);

    if (status != UCS_OK)
        return status;
    status = transports_choose(config);
    if (status == UCS_OK)
        status = ucp_init(&params, config, &transport->context);
    ucp_config_release(config);
    return status;
}

static ucs_status_t open_worker(struct transport *transport)
{
    static const ucp_worker_params_t params = {
        .field_mask = UCP_WORKER_PARAM_FIELD_THREAD_MODE,
        .thread_mode = UCS_THREAD_MODE_SINGLE,
    };
    ucs_status_t status = ucp_worker_create(transport->context, &params, &transport->worker);

    if (status != UCS_OK)
        return status;
    status = ucp_worker_get_efd(transport->worker, &transport->event_fd);
    if (status == UCS_OK)
        status = ucp_worker_get_address(transport->worker, &transport->address,
                &transport->address_length);
    if (status != UCS_OK)
        ucp_worker_destroy(transport->worker);
    return status;
}

doca_error_t transport_open(struct transport *transport, uint64_t features)
{
    ucs_status_t status = open_context(transport, features);

    if (status == UCS_OK) {
        status = open_worker(transport);
        if (status != UCS_OK)
            ucp_cleanup(transport->context);
    }
    if (status != UCS_OK)
        DOCA_LOG_ERR("The plugin's UCX could not be set up: %s. Look at UCX_TLS and "
                "UCX_NET_DEVICES.", ucs_status_string(status));
    return net_status(status);
}

static double seconds_now(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* Whether all that was sent has left. */
static bool drain(struct transport *transport)
{
    static const ucp_request_param_t none;
    double deadline = seconds_now() + CLOSE_SECONDS;
    void *flush = ucp_worker_flush_nbx(transport->worker, &none);
    ucs_status_t status;

    if (!UCS_PTR_IS_PTR(flush))
        return true;
    while ((status = ucp_request_check_status(flush)) == UCS_INPROGRESS
            && seconds_now() < deadline)
        ucp_worker_progress(transport->worker);
    ucp_request_free(flush);
    return status != UCS_INPROGRESS;
}

void transport_close(struct transport *transport)
{
    while (transport->links != NULL) {
        struct link *link = transport->links;

        transport->links = link->next;
        free(link);
    }
    if (!drain(transport)) {
        /* UCX ends the process when a worker is destroyed that still has something to send. */
        DOCA_LOG_WARN("A peer does not take what was sent to it: the plugin's UCX is left as it "
                "is");
        return;
    }
    ucp_worker_release_address(transport->worker, transport->address);
    ucp_worker_destroy(transport->worker);
    ucp_cleanup(transport->context);
}

doca_error_t transport_give_address(const struct transport *transport, void *address,
        size_t *length)
{
    size_t room = *length;

    *length = transport->address_length;
    if (address == NULL || room < transport->address_length)
        return DOCA_ERROR_INVALID_VALUE;
    memcpy(address, transport->address, transport->address_length);
    return DOCA_SUCCESS;
}

doca_error_t transport_arm(struct transport *transport, int *fd)
{
    if (ucp_worker_arm(transport->worker) != UCS_OK)
        return DOCA_ERROR_AGAIN;
    *fd = transport->event_fd;
    return DOCA_SUCCESS;
}

void *transport_with_slack(const void *bytes, size_t length)
{
    uint8_t *copy = calloc(1, length + UNPACK_SLACK);

    if (copy != NULL)
        memcpy(copy, bytes, length);
    return copy;
}

/* UCX's name for the worker that the address leads to. */
static ucs_status_t read_uid(const void *address, uint64_t *worker_uid)
{
    ucp_worker_address_attr_t attributes = { .field_mask = UCP_WORKER_ADDRESS_ATTR_FIELD_UID };
    ucs_status_t status = ucp_worker_address_query((void *)address, &attributes);

    *worker_uid = attributes.worker_uid;
    return status;
}

ucs_status_t transport_connect(struct transport *transport, const void *address,
        uint64_t *worker_uid, ucp_ep_h *endpoint)
{
    /* No error handling: with it, UCX leaves shared memory for tcp. */
    ucp_ep_params_t params = {
        .field_mask = UCP_EP_PARAM_FIELD_REMOTE_ADDRESS,
        .address = address,
    };
    ucs_status_t status = read_uid(address, worker_uid);

    return status == UCS_OK ? ucp_ep_create(transport->worker, &params, endpoint) : status;
}

static struct link *find_link(const struct transport *transport, uint64_t worker_uid)
{
    struct link *link = transport->links;

    while (link != NULL && link->worker_uid != worker_uid)
        link = link->next;
    return link;
}

ucs_status_t transport_reach(struct transport *transport, const void *address,
        uint64_t *worker_uid, ucp_ep_h *endpoint)
{
    ucs_status_t status = read_uid(address, worker_uid);
    struct link *link = status == UCS_OK ? find_link(transport, *worker_uid) : NULL;

    if (status != UCS_OK)
        return status;
    if (link == NULL) {
        link = calloc(1, sizeof(*link));
        if (link == NULL)
            return UCS_ERR_NO_MEMORY;
        status = transport_connect(transport, address, &link->worker_uid, &link->endpoint);
        if (status != UCS_OK) {
            free(link);
            return status;
        }
        link->next = transport->links;
        transport->links = link;
    }
    *endpoint = link->endpoint;
    return UCS_OK;
}

ucs_status_t transport_unpack_key(ucp_ep_h endpoint, const void *key, size_t length,
        ucp_rkey_h *unpacked)
{
    void *copy = transport_with_slack(key, length);
    ucs_status_t status;

    if (copy == NULL)
        return UCS_ERR_NO_MEMORY;
    status = ucp_ep_rkey_unpack(endpoint, copy, unpacked);
    free(copy);
    return status;
}
