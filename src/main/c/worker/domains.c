/* SPDX-License-Identifier: Apache-2.0 */
/* The list of domains, newest first, under a lock that is held for the time of a search. */
#include <stdbool.h>

#include <common/private.h>

#include "domains.h"
#include "plugin.h"

static _Thread_local uint32_t served;

void domains_init(struct domains *domains)
{
    pthread_mutex_init(&domains->lock, NULL);
    domains->newest = NULL;
}

void domains_free(struct domains *domains)
{
    while (domains->newest != NULL) {
        struct domain_table *table = domains->newest;

        domains->newest = table->next;
        domain_table_free(table);
    }
    pthread_mutex_destroy(&domains->lock);
}

void domains_serve(uint32_t connection)
{
    served = connection;
}

/* Takes out and frees the tables of a connection: the one with `*key`, or all of them. */
static void end(struct domains *domains, uint32_t connection, const uint64_t *key)
{
    struct domain_table **link = &domains->newest;

    while (*link != NULL) {
        struct domain_table *table = *link;

        if (table->connection == connection && (key == NULL || table->key == *key)) {
            *link = table->next;
            domain_table_free(table);
        } else {
            link = &table->next;
        }
    }
}

void domains_forget(struct domains *domains, uint32_t connection)
{
    pthread_mutex_lock(&domains->lock);
    end(domains, connection, NULL);
    pthread_mutex_unlock(&domains->lock);
}

static unsigned count(const struct domains *domains, uint32_t connection)
{
    unsigned found = 0;

    for (const struct domain_table *table = domains->newest; table != NULL; table = table->next)
        found += table->connection == connection;
    return found;
}

doca_error_t domains_put(struct domains *domains, uint32_t connection, struct wire_bytes body)
{
    struct domain_table *table;
    doca_error_t status = domain_table_new(body, connection, &table);

    if (status != DOCA_SUCCESS)
        return status;

    pthread_mutex_lock(&domains->lock);
    end(domains, connection, &table->key);
    if (table->peer_count > 0 && count(domains, connection) < DOMAINS_PER_CONNECTION) {
        table->next = domains->newest;
        domains->newest = table;
    } else {
        status = table->peer_count > 0 ? DOCA_ERROR_FULL : DOCA_SUCCESS;
        domain_table_free(table);
    }
    pthread_mutex_unlock(&domains->lock);
    return status;
}

/* The worker with this id that the caller means, or NULL. The lock is held. */
static const struct domain_peer *find_peer(const struct domains *domains, uint64_t id)
{
    uint32_t only = served != 0 && count(domains, served) > 0 ? served : 0;
    const struct domain_peer *peer = NULL;

    for (const struct domain_table *table = domains->newest; table != NULL && peer == NULL;
            table = table->next) {
        if (only == 0 || table->connection == only)
            peer = domain_table_find(table, id);
    }
    return peer;
}

static doca_error_t get_address(const struct plugin *plugin, uint64_t id, void **address)
{
    const struct domain_peer *peer = find_peer(plugin->domains, id);
    const struct wire_domain_plugin *found =
            peer == NULL ? NULL : domain_peer_plugin(peer, plugin->name);

    if (found == NULL)
        return DOCA_ERROR_NOT_FOUND;
    *address = (void *)found->address.data;
    return DOCA_SUCCESS;
}

static doca_error_t addr_lookup(struct urom_worker_ctx *ctx, uint64_t domain_id, void **addr)
{
    struct plugin *plugin = CONTAINER_OF(ctx, struct plugin, ctx);
    doca_error_t status;

    if (ctx == NULL || addr == NULL)
        return DOCA_ERROR_INVALID_VALUE;

    pthread_mutex_lock(&plugin->domains->lock);
    status = get_address(plugin, domain_id, addr);
    pthread_mutex_unlock(&plugin->domains->lock);
    return status;
}

static doca_error_t find_segment(const struct domain_peer *peer, uint64_t va, int *seg)
{
    for (uint32_t i = 0; peer != NULL && i < peer->part->segment_count; ++i) {
        const struct wire_domain_buffer *segment = &peer->part->segments[i];

        if (va >= segment->address && va - segment->address < segment->length) {
            *seg = (int)i;
            return DOCA_SUCCESS;
        }
    }
    return DOCA_ERROR_NOT_FOUND;
}

static doca_error_t seg_lookup(struct urom_worker_ctx *ctx, uint64_t domain_id, uint64_t va,
        int *seg)
{
    struct plugin *plugin = CONTAINER_OF(ctx, struct plugin, ctx);
    doca_error_t status;

    if (ctx == NULL || seg == NULL)
        return DOCA_ERROR_INVALID_VALUE;

    pthread_mutex_lock(&plugin->domains->lock);
    status = find_segment(find_peer(plugin->domains, domain_id), va, seg);
    pthread_mutex_unlock(&plugin->domains->lock);
    return status;
}

/* Takes the handle, or the key, of segment `seg` while the table cannot go away. */
static doca_error_t get_bytes(struct plugin *plugin, uint64_t id, int seg, bool key, size_t *length,
        void **bytes)
{
    doca_error_t status = DOCA_ERROR_NOT_FOUND;
    const struct domain_peer *peer;

    pthread_mutex_lock(&plugin->domains->lock);
    peer = find_peer(plugin->domains, id);
    if (peer != NULL && (uint32_t)seg < peer->part->segment_count) {
        const struct wire_domain_buffer *segment = &peer->part->segments[seg];
        const struct wire_bytes *found = key ? &segment->mkey : &segment->memh;

        *length = found->length;
        *bytes = (void *)found->data;
        status = DOCA_SUCCESS;
    }
    pthread_mutex_unlock(&plugin->domains->lock);
    return status;
}

static doca_error_t memh_lookup(struct urom_worker_ctx *ctx, uint64_t domain_id, int seg,
        size_t *len, void **memh)
{
    if (ctx == NULL || seg < 0 || len == NULL || memh == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    return get_bytes(CONTAINER_OF(ctx, struct plugin, ctx), domain_id, seg, false, len, memh);
}

static doca_error_t mkey_lookup(struct urom_worker_ctx *ctx, uint64_t domain_id, int seg,
        size_t *len, void **rkey)
{
    if (ctx == NULL || seg < 0 || len == NULL || rkey == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    return get_bytes(CONTAINER_OF(ctx, struct plugin, ctx), domain_id, seg, true, len, rkey);
}

const struct urom_domain_lookups_iface domain_lookups = {
    .addr_lookup = addr_lookup,
    .seg_lookup = seg_lookup,
    .memh_lookup = memh_lookup,
    .mkey_lookup = mkey_lookup,
};
