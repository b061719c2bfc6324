/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The workers that hosts send to. A domain may restart with other workers under the same ids, so a
 * peer is identified by the UCX worker in its address, not by its id.
 */
#include <stdlib.h>

#include <doca_log.h>

#include "sandbox.h"

DOCA_LOG_REGISTER(UROM::SANDBOX)

static struct peer *find(struct sandbox *sandbox, const struct host *host, const struct link *link)
{
    struct peer *peer;

    ucs_list_for_each(peer, &sandbox->peers, entry)
    {
        if (peer->host == host && peer->link == link)
            return peer;
    }
    return NULL;
}

static struct peer *make(struct sandbox *sandbox, struct host *host, struct link *link)
{
    struct peer *peer = calloc(1, sizeof(*peer));

    if (peer == NULL)
        return NULL;
    peer->host = host;
    peer->link = link;
    ++link->users;
    ++host->peers;
    ucs_list_head_init(&peer->queue);
    ucs_list_add_tail(&sandbox->peers, &peer->entry);
    return peer;
}

doca_error_t sandbox_use_peer(
        struct sandbox *sandbox, struct host *host, uint64_t domain_id, struct peer **used)
{
    doca_error_t status;
    ucs_status_t reached;
    struct peer *peer;
    struct link *link;
    void *address;

    status = doca_urom_worker_domain_addr_lookup(sandbox->ctx, domain_id, &address);
    if (status != DOCA_SUCCESS) {
        DOCA_LOG_DBG("There is no worker %lu with this plugin in the domain", domain_id);
        return status;
    }
    reached = transport_reach_worker(&sandbox->transport, address, &link);
    if (reached != UCS_OK) {
        DOCA_LOG(transport_severity(reached),
                "Worker %lu of the domain cannot be connected to: "
                "%s",
                domain_id, ucs_status_string(reached));
        return transport_status(reached);
    }

    peer = find(sandbox, host, link);
    if (peer == NULL)
        peer = make(sandbox, host, link);
    transport_leave(link); /* the peer keeps it */
    if (peer == NULL)
        return DOCA_ERROR_NO_MEMORY;
    ++peer->users;
    *used = peer;
    return DOCA_SUCCESS;
}

void sandbox_leave_peers(struct sandbox *sandbox)
{
    struct peer *peer, *next;

    ucs_list_for_each_safe(peer, next, &sandbox->peers, entry)
    {
        if (!peer->host->gone || peer->users > 0)
            continue;
        transport_leave(peer->link);
        --peer->host->peers;
        ucs_list_del(&peer->entry);
        free(peer);
    }
}

void sandbox_free_peers(struct sandbox *sandbox)
{
    while (!ucs_list_is_empty(&sandbox->peers))
        free(ucs_list_extract_head(&sandbox->peers, struct peer, entry));
}
