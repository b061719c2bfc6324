/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Peers. UCX gives a request's endpoint, and pairs the endpoints of two workers in the order in
 * which they are made: the first that a peer makes to this worker is the first that is made to it
 * here, and so on. So the endpoint says who has sent a request, and only peers that a host has
 * named can send.
 */
#include <stdlib.h>

#include <doca_log.h>

#include <net/status.h>

#include "rdmo.h"

DOCA_LOG_REGISTER(UROM::RDMO)

static struct peer *find_uid(struct rdmo *rdmo, uint64_t worker_uid)
{
    struct peer *peer;

    ucs_list_for_each(peer, &rdmo->peers, entry) {
        if (peer->worker_uid == worker_uid)
            return peer;
    }
    return NULL;
}

static struct peer *find_or_make(struct rdmo *rdmo, uint64_t worker_uid)
{
    struct peer *peer = find_uid(rdmo, worker_uid);

    if (peer != NULL)
        return peer;
    peer = calloc(1, sizeof(*peer));
    if (peer == NULL)
        return NULL;
    peer->worker_uid = worker_uid;
    ucs_list_add_tail(&rdmo->peers, &peer->entry);
    return peer;
}

static doca_error_t add_endpoint(struct rdmo *rdmo, uint64_t worker_uid, ucp_ep_h endpoint,
        struct peer **peer)
{
    struct peer *found = find_or_make(rdmo, worker_uid);
    ucp_ep_h *endpoints;

    if (found == NULL)
        return DOCA_ERROR_NO_MEMORY;
    endpoints = realloc(found->endpoints, (found->endpoint_count + 1) * sizeof(*endpoints));
    if (endpoints == NULL)
        return DOCA_ERROR_NO_MEMORY;
    found->endpoints = endpoints;
    found->endpoints[found->endpoint_count++] = endpoint;
    *peer = found;
    return DOCA_SUCCESS;
}

doca_error_t peer_connect(struct rdmo *rdmo, struct bytes address, struct peer **peer,
        ucp_ep_h *endpoint)
{
    void *copy = transport_with_slack(address.data, address.length);
    uint64_t worker_uid;
    ucs_status_t status;

    if (copy == NULL)
        return DOCA_ERROR_NO_MEMORY;
    status = transport_connect(&rdmo->transport, copy, &worker_uid, endpoint);
    free(copy);
    if (status != UCS_OK) {
        DOCA_LOG(transport_severity(status), "The UCP worker at an address of %zu bytes cannot "
                "be connected to: %s", address.length, ucs_status_string(status));
        return net_status(status);
    }
    return add_endpoint(rdmo, worker_uid, *endpoint, peer);
}

struct peer *peer_find(struct rdmo *rdmo, ucp_ep_h endpoint)
{
    struct peer *peer;

    ucs_list_for_each(peer, &rdmo->peers, entry) {
        for (unsigned i = 0; i < peer->endpoint_count; ++i) {
            if (peer->endpoints[i] == endpoint)
                return peer;
        }
    }
    return NULL;
}

void peers_free(struct rdmo *rdmo)
{
    while (!ucs_list_is_empty(&rdmo->peers)) {
        struct peer *peer = ucs_list_extract_head(&rdmo->peers, struct peer, entry);

        free(peer->endpoints);
        free(peer);
    }
}
