/* SPDX-License-Identifier: Apache-2.0 */
/* Links to other UCX workers, and unpacking of addresses and keys from hosts and peers. */
#include <stdlib.h>
#include <string.h>

#include "transport.h"

/*
 * UCX unpacks addresses and keys without a length. Their counts are single bytes, so a malformed
 * one can make it read at most this many bytes past the end.
 */
#define UNPACK_SLACK 32768

/* Returns a copy followed by UNPACK_SLACK zeros, which the caller frees; NULL: no memory. */
static void *with_slack(const void *bytes, size_t length)
{
    uint8_t *copy = length > SIZE_MAX - UNPACK_SLACK ? NULL : calloc(1, length + UNPACK_SLACK);

    if (copy != NULL && length > 0)
        memcpy(copy, bytes, length);
    return copy;
}

static ucs_status_t read_uid(const void *address, uint64_t *worker_uid)
{
    ucp_worker_address_attr_t attributes = { .field_mask = UCP_WORKER_ADDRESS_ATTR_FIELD_UID };
    ucs_status_t status = ucp_worker_address_query((void *)address, &attributes);

    *worker_uid = attributes.worker_uid;
    return status;
}

static void closed(void *request, ucs_status_t status, void *user_data)
{
    (void)status;
    (void)user_data;
    ucp_request_free(request);
}

/* Closes the link without waiting for UCX. */
static void close_link(struct transport *transport, struct link *link)
{
    static const ucp_request_param_t param = {
        .op_attr_mask = UCP_OP_ATTR_FIELD_CALLBACK,
        .cb.send = closed,
    };

    ucp_ep_close_nbx(link->endpoint, &param);
    ucs_list_del(&link->entry);
    --transport->link_count;
    free(link);
}

/* Ensures that another link can be created. */
static ucs_status_t make_room(struct transport *transport)
{
    struct link *link;

    if (transport->link_count < transport->links_max)
        return UCS_OK;
    ucs_list_for_each(link, &transport->links, entry)
    {
        if (transport->closes_links && link->users == 0 && !link->lasting) {
            close_link(transport, link);
            return UCS_OK;
        }
    }
    return UCS_ERR_EXCEEDS_LIMIT;
}

/* Creates a link. UCX may read past the end of the address, as its counts require. */
static ucs_status_t make(
        struct transport *transport, const void *address, uint64_t worker_uid, struct link **made)
{
    /* No error handling: it would make UCX use tcp instead of shared memory. */
    ucp_ep_params_t params = {
        .field_mask = UCP_EP_PARAM_FIELD_REMOTE_ADDRESS,
        .address = address,
    };
    struct link *link;
    ucs_status_t status = make_room(transport);

    if (status != UCS_OK)
        return status;
    link = calloc(1, sizeof(*link));
    if (link == NULL)
        return UCS_ERR_NO_MEMORY;
    status = ucp_ep_create(transport->worker, &params, &link->endpoint);
    if (status != UCS_OK) {
        free(link);
        return status;
    }
    link->worker_uid = worker_uid;
    link->users = 1;
    ucs_list_add_tail(&transport->links, &link->entry);
    ++transport->link_count;
    *made = link;
    return UCS_OK;
}

static ucs_status_t connect_new(
        struct transport *transport, const void *address, struct link **link)
{
    uint64_t worker_uid;
    ucs_status_t status = read_uid(address, &worker_uid);

    return status == UCS_OK ? make(transport, address, worker_uid, link) : status;
}

ucs_status_t transport_reach_worker(
        struct transport *transport, const void *address, struct link **link)
{
    uint64_t worker_uid;
    ucs_status_t status = read_uid(address, &worker_uid);
    struct link *at;

    if (status != UCS_OK)
        return status;
    ucs_list_for_each(at, &transport->links, entry)
    {
        if (at->worker_uid == worker_uid) {
            ++at->users;
            *link = at;
            return UCS_OK;
        }
    }
    return make(transport, address, worker_uid, link);
}

/* Calls `connect` with a padded copy of the address, so that UCX cannot read past its end. */
static ucs_status_t connect_by_copy(struct transport *transport, const void *address, size_t length,
        struct link **link,
        ucs_status_t (*connect)(
                struct transport *transport, const void *address, struct link **link))
{
    void *copy = with_slack(address, length);
    ucs_status_t status = copy == NULL ? UCS_ERR_NO_MEMORY : connect(transport, copy, link);

    free(copy);
    return status;
}

ucs_status_t transport_connect(
        struct transport *transport, const void *address, size_t length, struct link **link)
{
    return connect_by_copy(transport, address, length, link, connect_new);
}

ucs_status_t transport_reach(
        struct transport *transport, const void *address, size_t length, struct link **link)
{
    return connect_by_copy(transport, address, length, link, transport_reach_worker);
}

void transport_leave(struct link *link)
{
    --link->users;
}

struct link *transport_link_of(struct transport *transport, ucp_ep_h endpoint)
{
    struct link *link;

    ucs_list_for_each(link, &transport->links, entry)
    {
        if (link->endpoint == endpoint) {
            link->lasting = true;
            return link;
        }
    }
    return NULL;
}

ucs_status_t transport_unpack_key(
        const struct link *link, const void *key, size_t length, ucp_rkey_h *unpacked)
{
    void *copy = with_slack(key, length);
    ucs_status_t status;

    if (copy == NULL)
        return UCS_ERR_NO_MEMORY;
    status = ucp_ep_rkey_unpack(link->endpoint, copy, unpacked);
    free(copy);
    return status;
}
