/* SPDX-License-Identifier: Apache-2.0 */
/* A table is built in two walks over its bytes: the first counts the entries, the second stores. */
#include <stdlib.h>
#include <string.h>

#include <faults/faults.h>

#include "domain_table.h"

/* Number of entries of each kind: in the frame, or stored so far. */
struct counts {
    size_t parts;
    size_t peers;
    size_t plugins;
    size_t buffers;
};

struct taking {
    struct domain_table *table;
    struct counts taken;
};

static void count_part(void *owner, uint32_t workers, uint32_t buffers)
{
    struct counts *counts = owner;

    ++counts->parts;
    counts->peers += workers;
    counts->buffers += buffers;
}

static void count_plugins(void *owner, uint64_t id, uint32_t plugins)
{
    (void)id;
    ((struct counts *)owner)->plugins += plugins;
}

static const struct wire_domain_visitor counter = {
    .part = count_part,
    .worker = count_plugins,
};

static void take_part(void *owner, uint32_t workers, uint32_t buffers)
{
    struct taking *taking = owner;

    (void)workers;
    taking->table->parts[taking->taken.parts++] = (struct domain_part){
        .segments = taking->table->buffers + taking->taken.buffers,
        .segment_count = buffers,
    };
}

static void take_peer(void *owner, uint64_t id, uint32_t plugins)
{
    struct taking *taking = owner;

    taking->table->peers[taking->taken.peers++] = (struct domain_peer){
        .id = id,
        .part = &taking->table->parts[taking->taken.parts - 1],
        .plugins = taking->table->plugins + taking->taken.plugins,
        .plugin_count = plugins,
    };
}

static void take_plugin(void *owner, const struct wire_domain_plugin *plugin)
{
    struct taking *taking = owner;

    taking->table->plugins[taking->taken.plugins++] = *plugin;
}

static void take_buffer(void *owner, const struct wire_domain_buffer *buffer)
{
    struct taking *taking = owner;

    taking->table->buffers[taking->taken.buffers++] = *buffer;
}

static const struct wire_domain_visitor taker = {
    .part = take_part,
    .worker = take_peer,
    .plugin = take_plugin,
    .buffer = take_buffer,
};

static int compare_peers(const void *left, const void *right)
{
    uint64_t left_id = ((const struct domain_peer *)left)->id;
    uint64_t right_id = ((const struct domain_peer *)right)->id;

    return left_id < right_id ? -1 : left_id > right_id;
}

static doca_error_t make_room(
        struct domain_table *table, const struct wire_bytes *body, const struct counts *counts)
{
    table->bytes = FAULT_ALLOCATE(domain_table_memory, malloc(body->length));
    /* One extra element, because calloc of 0 bytes may return NULL. */
    table->parts = calloc(counts->parts + 1, sizeof(*table->parts));
    table->peers = calloc(counts->peers + 1, sizeof(*table->peers));
    table->plugins = calloc(counts->plugins + 1, sizeof(*table->plugins));
    table->buffers = calloc(counts->buffers + 1, sizeof(*table->buffers));
    if (table->bytes == NULL || table->parts == NULL || table->peers == NULL
            || table->plugins == NULL || table->buffers == NULL)
        return DOCA_ERROR_NO_MEMORY;

    memcpy(table->bytes, body->data, body->length);
    table->peer_count = counts->peers;
    return DOCA_SUCCESS;
}

static doca_error_t fill(struct domain_table *table, size_t length)
{
    struct taking taking = { .table = table };
    struct wire_domain_head head;

    wire_walk_domain((struct wire_bytes){ table->bytes, length }, &head, &taker, &taking);
    qsort(table->peers, table->peer_count, sizeof(*table->peers), compare_peers);
    for (size_t i = 1; i < table->peer_count; ++i) {
        if (table->peers[i].id == table->peers[i - 1].id)
            return DOCA_ERROR_ALREADY_EXIST;
    }
    return DOCA_SUCCESS;
}

doca_error_t domain_table_new(
        struct wire_bytes body, uint64_t connection, struct domain_table **table)
{
    struct counts counts = { 0 };
    struct wire_domain_head head;
    struct domain_table *made;
    doca_error_t status;

    status = wire_walk_domain(body, &head, &counter, &counts);
    if (status != DOCA_SUCCESS)
        return status;
    made = FAULT_ALLOCATE(domain_table_memory, calloc(1, sizeof(*made)));
    if (made == NULL)
        return DOCA_ERROR_NO_MEMORY;

    made->connection = connection;
    made->key = head.key;
    status = make_room(made, &body, &counts);
    if (status == DOCA_SUCCESS)
        status = fill(made, body.length);
    if (status != DOCA_SUCCESS) {
        domain_table_free(made);
        return status;
    }
    *table = made;
    return DOCA_SUCCESS;
}

void domain_table_free(struct domain_table *table)
{
    free(table->bytes);
    free(table->parts);
    free(table->peers);
    free(table->plugins);
    free(table->buffers);
    free(table);
}

const struct domain_peer *domain_table_find(const struct domain_table *table, uint64_t id)
{
    const struct domain_peer key = { .id = id };

    return bsearch(&key, table->peers, table->peer_count, sizeof(key), compare_peers);
}

const struct wire_domain_plugin *domain_peer_plugin(
        const struct domain_peer *peer, const char *name)
{
    size_t length = strlen(name);

    for (uint32_t i = 0; i < peer->plugin_count; ++i) {
        const struct wire_bytes *known = &peer->plugins[i].name;

        if (known->length == length && memcmp(known->data, name, length) == 0)
            return &peer->plugins[i];
    }
    return NULL;
}
