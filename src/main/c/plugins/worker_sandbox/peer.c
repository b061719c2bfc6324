/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The workers that hosts send to. A domain may start anew with other workers under the same ids, so
 * that a peer is known by the UCX worker that its address names, not by its id.
 */
#include <stdlib.h>

#include <doca_log.h>

#include <net/status.h>

#include "sandbox.h"

DOCA_LOG_REGISTER(UROM::SANDBOX)

static struct peer *find(struct sandbox *sandbox, uint64_t owner, uint64_t worker_uid)
{
    struct peer *peer;

    ucs_list_for_each(peer, &sandbox->peers, entry) {
        if (peer->owner == owner && peer->worker_uid == worker_uid)
            return peer;
    }
    return NULL;
}

static doca_error_t make(struct sandbox *sandbox, uint64_t owner, uint64_t worker_uid,
        ucp_ep_h endpoint, struct peer **made)
{
    struct peer *peer = calloc(1, sizeof(*peer));

    if (peer == NULL)
        return DOCA_ERROR_NO_MEMORY;
    peer->owner = owner;
    peer->worker_uid = worker_uid;
    peer->endpoint = endpoint;
    ucs_list_head_init(&peer->queue);
    ucs_list_add_tail(&sandbox->peers, &peer->entry);
    *made = peer;
    return DOCA_SUCCESS;
}

doca_error_t sandbox_use_peer(struct sandbox *sandbox, uint64_t owner, uint64_t domain_id,
        struct peer **peer)
{
    doca_error_t status;
    ucs_status_t reached;
    uint64_t worker_uid;
    ucp_ep_h endpoint;
    void *address;

    status = doca_urom_worker_domain_addr_lookup(sandbox->ctx, domain_id, &address);
    if (status != DOCA_SUCCESS) {
        DOCA_LOG_DBG("There is no worker %lu with this plugin in the domain", domain_id);
        return status;
    }
    reached = transport_reach(&sandbox->transport, address, &worker_uid, &endpoint);
    if (reached != UCS_OK) {
        DOCA_LOG(transport_severity(reached), "Worker %lu of the domain cannot be connected to: "
                "%s", domain_id, ucs_status_string(reached));
        return net_status(reached);
    }

    *peer = find(sandbox, owner, worker_uid);
    if (*peer == NULL)
        status = make(sandbox, owner, worker_uid, endpoint, peer);
    if (status == DOCA_SUCCESS)
        ++(*peer)->users;
    return status;
}

void sandbox_orphan_peers(struct sandbox *sandbox, uint64_t owner)
{
    struct peer *peer;

    ucs_list_for_each(peer, &sandbox->peers, entry) {
        if (peer->owner == owner)
            peer->owner = SANDBOX_ORPHAN;
    }
}

unsigned sandbox_leave_peers(struct sandbox *sandbox, uint64_t owner)
{
    struct peer *peer, *next;
    unsigned used = 0;

    ucs_list_for_each_safe(peer, next, &sandbox->peers, entry) {
        if (peer->owner != owner)
            continue;
        if (peer->users > 0) {
            ++used;
            continue;
        }
        ucs_list_del(&peer->entry);
        free(peer);
    }
    return used;
}

void sandbox_free_peers(struct sandbox *sandbox)
{
    while (!ucs_list_is_empty(&sandbox->peers))
        free(ucs_list_extract_head(&sandbox->peers, struct peer, entry));
}
