/* SPDX-License-Identifier: Apache-2.0 */
/* The list of domains, newest first. A lookup holds its lock only while it searches. */
#include <stdbool.h>

#include <common/private.h>

#include "domains.h"
#include "plugin.h"

static _Thread_local uint64_t served; /* connection whose command is passed to a plugin */

/* The tables of a thread's last lookups, kept alive because the thread may still read them. */
static _Thread_local struct recent {
    struct domains *domains; /* NULL: no lookup yet */
    struct domain_table *at[LOOKUPS_KEPT];
    unsigned next; /* index of the oldest */
} recent;

/* Called with the lock held. */
static void drop_reference(struct domain_table *table)
{
    if (table != NULL && --table->users == 0)
        domain_table_free(table);
}

/* Keeps the table alive for the calling thread. Called with the lock held. */
static void keep(struct domains *domains, struct domain_table *table)
{
    if (recent.domains == NULL) {
        recent.domains = domains;
        pthread_setspecific(domains->ending, &recent);
    }
    ++table->users;
    drop_reference(recent.at[recent.next]);
    recent.at[recent.next] = table;
    recent.next = (recent.next + 1) % LOOKUPS_KEPT;
}

/* Destructor of the thread-specific key: releases the tables of a thread that exits. */
static void forget_recent(void *value)
{
    struct recent *ending = value;
    struct domains *domains = ending->domains;

    pthread_mutex_lock(&domains->lock);
    for (unsigned i = 0; i < LOOKUPS_KEPT; ++i)
        drop_reference(ending->at[i]);
    pthread_mutex_unlock(&domains->lock);
    *ending = (struct recent){ .domains = NULL };
}

void domains_init(struct domains *domains)
{
    pthread_mutex_init(&domains->lock, NULL);
    pthread_key_create(&domains->ending, forget_recent);
    domains->newest = NULL;
}

void domains_free(struct domains *domains)
{
    if (recent.domains == domains)
        forget_recent(&recent);
    while (domains->newest != NULL) {
        struct domain_table *table = domains->newest;

        domains->newest = table->next;
        drop_reference(table);
    }
    pthread_key_delete(domains->ending);
    pthread_mutex_destroy(&domains->lock);
}

void domains_serve(uint64_t connection)
{
    served = connection;
}

/* Removes the connection's table with `*key`, or all of its tables if `key` is NULL. */
static void end(struct domains *domains, uint64_t connection, const uint64_t *key)
{
    struct domain_table **link = &domains->newest;

    while (*link != NULL) {
        struct domain_table *table = *link;

        if (table->connection == connection && (key == NULL || table->key == *key)) {
            *link = table->next;
            drop_reference(table);
        } else {
            link = &table->next;
        }
    }
}

void domains_forget(struct domains *domains, uint64_t connection)
{
    pthread_mutex_lock(&domains->lock);
    end(domains, connection, NULL);
    pthread_mutex_unlock(&domains->lock);
}

static unsigned count(const struct domains *domains, uint64_t connection)
{
    unsigned found = 0;

    for (const struct domain_table *table = domains->newest; table != NULL; table = table->next)
        found += table->connection == connection;
    return found;
}

doca_error_t domains_put(struct domains *domains, uint64_t connection, struct wire_bytes body)
{
    struct domain_table *table;
    doca_error_t status = domain_table_new(body, connection, &table);

    if (status != DOCA_SUCCESS)
        return status;

    pthread_mutex_lock(&domains->lock);
    end(domains, connection, &table->key);
    if (table->peer_count > 0 && count(domains, connection) < DOMAINS_PER_CONNECTION) {
        table->next = domains->newest;
        table->users = 1;
        domains->newest = table;
    } else {
        status = table->peer_count > 0 ? DOCA_ERROR_FULL : DOCA_SUCCESS;
        domain_table_free(table);
    }
    pthread_mutex_unlock(&domains->lock);
    return status;
}

/* Returns the worker with this id and its table, by the rule in domains.h; or NULL. Lock held. */
static const struct domain_peer *find_peer(
        const struct domains *domains, uint64_t id, struct domain_table **table)
{
    uint64_t only = served != 0 && count(domains, served) > 0 ? served : 0;
    const struct domain_peer *peer = NULL;

    for (struct domain_table *at = domains->newest; at != NULL && peer == NULL; at = at->next) {
        if (only == 0 || at->connection == only)
            peer = domain_table_find(at, id);
        *table = at;
    }
    return peer;
}

static doca_error_t get_address(const struct plugin *plugin, uint64_t id, void **address)
{
    struct domain_table *table;
    const struct domain_peer *peer = find_peer(plugin->domains, id, &table);
    const struct wire_domain_plugin *found = peer == NULL ? NULL
                                                          : domain_peer_plugin(peer, plugin->name);

    if (found == NULL)
        return DOCA_ERROR_NOT_FOUND;
    keep(plugin->domains, table);
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

static doca_error_t seg_lookup(
        struct urom_worker_ctx *ctx, uint64_t domain_id, uint64_t va, int *seg)
{
    struct plugin *plugin = CONTAINER_OF(ctx, struct plugin, ctx);
    struct domain_table *table;
    doca_error_t status;

    if (ctx == NULL || seg == NULL)
        return DOCA_ERROR_INVALID_VALUE;

    pthread_mutex_lock(&plugin->domains->lock);
    status = find_segment(find_peer(plugin->domains, domain_id, &table), va, seg);
    pthread_mutex_unlock(&plugin->domains->lock);
    return status;
}

/* Looks up the remote key (`key`) or the memory handle of segment `seg`. */
static doca_error_t get_bytes(
        struct plugin *plugin, uint64_t id, int seg, bool key, size_t *length, void **bytes)
{
    doca_error_t status = DOCA_ERROR_NOT_FOUND;
    const struct domain_peer *peer;
    struct domain_table *table;

    pthread_mutex_lock(&plugin->domains->lock);
    peer = find_peer(plugin->domains, id, &table);
    if (peer != NULL && (uint32_t)seg < peer->part->segment_count) {
        const struct wire_domain_buffer *segment = &peer->part->segments[seg];
        const struct wire_bytes *found = key ? &segment->mkey : &segment->memh;

        keep(plugin->domains, table);
        *length = found->length;
        *bytes = (void *)found->data;
        status = DOCA_SUCCESS;
    }
    pthread_mutex_unlock(&plugin->domains->lock);
    return status;
}

static doca_error_t memh_lookup(
        struct urom_worker_ctx *ctx, uint64_t domain_id, int seg, size_t *len, void **memh)
{
    if (ctx == NULL || seg < 0 || len == NULL || memh == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    return get_bytes(CONTAINER_OF(ctx, struct plugin, ctx), domain_id, seg, false, len, memh);
}

static doca_error_t mkey_lookup(
        struct urom_worker_ctx *ctx, uint64_t domain_id, int seg, size_t *len, void **rkey)
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
