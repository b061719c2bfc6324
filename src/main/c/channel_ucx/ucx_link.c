/* SPDX-License-Identifier: Apache-2.0 */
/* Opening and connecting links. */
#include "channel_ucx_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <faults/faults.h>

/*
 * UCX unpacks an address without a length. Its counts are single bytes, so a malformed address can
 * make it read at most this many bytes past the end.
 */
#define UNPACK_SLACK 32768

static ucs_status_t open_worker(struct ucx_link *link)
{
    static const ucp_worker_params_t params = {
        .field_mask = UCP_WORKER_PARAM_FIELD_THREAD_MODE,
        .thread_mode = UCS_THREAD_MODE_SERIALIZED,
    };
    ucs_status_t status = ucp_worker_create(
            ucx_context_inside(link->context), &params, &link->worker);

    if (status != UCS_OK)
        return status;
    status = ucp_worker_get_efd(link->worker, &link->event_fd);
    if (status == UCS_OK)
        status = ucx_pieces_receive(link);
    if (status == UCS_OK)
        status = ucp_worker_get_address(link->worker, &link->address, &link->address_length);
    if (status != UCS_OK)
        ucp_worker_destroy(link->worker);
    return status;
}

doca_error_t ucx_link_open(const char *devices, const char *interface, struct ucx_link **link,
        char reason[UCX_REASON_MAX])
{
    struct ucx_link *made = FAULT_ALLOCATE(ucx_memory, calloc(1, sizeof(*made)));
    ucs_status_t status = UCS_ERR_NO_MEMORY;

    if (made != NULL && ucx_spares_make(made))
        status = ucx_context_acquire(devices, interface, &made->context);
    if (status == UCS_OK) {
        made->end = &made->first;
        status = open_worker(made);
        if (status != UCS_OK)
            ucx_context_release(made->context);
    }
    if (status == UCS_OK) {
        *link = made;
        return DOCA_SUCCESS;
    }
    if (made != NULL)
        ucx_spares_free(made);
    free(made);
    snprintf(reason, UCX_REASON_MAX,
            "UCX cannot be set up for the devices \"%s\": %s. Check UCX_TLS "
            "and UCX_NET_DEVICES.",
            devices[0] == '\0' ? interface : devices, ucs_status_string(status));
    return status == UCS_ERR_NO_MEMORY ? DOCA_ERROR_NO_MEMORY : DOCA_ERROR_DRIVER;
}

const void *ucx_link_address(const struct ucx_link *link, size_t *length)
{
    *length = link->address_length;
    return link->address;
}

static void lost(void *argument, ucp_ep_h endpoint, ucs_status_t status)
{
    (void)endpoint;
    ucx_link_fail(argument, "UCX lost the connection to the peer", status);
}

doca_error_t ucx_link_connect(
        struct ucx_link *link, const void *address, size_t length, char reason[UCX_REASON_MAX])
{
    uint8_t *copy = calloc(1, length + UNPACK_SLACK);
    /* UCX can free an endpoint before its worker only if the endpoint has error handling. */
    ucp_ep_params_t params = {
        .field_mask = UCP_EP_PARAM_FIELD_REMOTE_ADDRESS | UCP_EP_PARAM_FIELD_ERR_HANDLER
                | UCP_EP_PARAM_FIELD_ERR_HANDLING_MODE,
        .address = (const ucp_address_t *)copy,
        .err_mode = UCP_ERR_HANDLING_MODE_PEER,
        .err_handler = { .cb = lost, .arg = link },
    };
    ucs_status_t status = UCS_ERR_NO_MEMORY;

    if (copy != NULL) {
        memcpy(copy, address, length);
        status = FAULT_CALL_OR(ucx_connect, UCS_ERR_UNREACHABLE,
                ucp_ep_create(link->worker, &params, &link->endpoint));
        free(copy);
    }
    if (status == UCS_OK) {
        ucx_pieces_tell(link);
        return DOCA_SUCCESS;
    }
    link->endpoint = NULL;
    snprintf(reason, UCX_REASON_MAX,
            "UCX cannot reach the peer: %s. UCX_TLS, UCX_NET_DEVICES and the "
            "service file's devices must have something in common on both sides.",
            ucs_status_string(status));
    return DOCA_ERROR_NOT_CONNECTED;
}

bool ucx_link_is_up(const struct ucx_link *link)
{
    return link->heard && link->posted == 0;
}

unsigned ucx_link_progress(struct ucx_link *link)
{
    return ucp_worker_progress(link->worker);
}

uint64_t ucx_link_sent(const struct ucx_link *link)
{
    return link->sent;
}

uint64_t ucx_link_arrived(const struct ucx_link *link)
{
    return link->arrived;
}

int ucx_link_descriptor(const struct ucx_link *link)
{
    return link->event_fd;
}

bool ucx_link_arm(struct ucx_link *link)
{
    return ucp_worker_arm(link->worker) == UCS_OK;
}

const char *ucx_link_failure(const struct ucx_link *link)
{
    return link->failure[0] == '\0' ? NULL : link->failure;
}
