/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A domain's workers, the addresses of their plugins, and the buffers that their hosts share.
 * Immutable after creation except for `next` and `users`.
 */
#ifndef JUROM_DOMAIN_TABLE_H_
#define JUROM_DOMAIN_TABLE_H_

#include <stddef.h>
#include <stdint.h>

#include <wire/domain.h>

/*
 * The buffers of one participant, shared by all of its workers and numbered from 0 as added.
 */
struct domain_part {
    const struct wire_domain_buffer *segments;
    uint32_t segment_count;
};

/* A worker of the domain. */
struct domain_peer {
    uint64_t id;
    const struct domain_part *part;
    const struct wire_domain_plugin *plugins;
    uint32_t plugin_count;
};

struct domain_table {
    struct domain_table *next; /* older */
    unsigned users;            /* references: the list and recent lookups */
    uint64_t connection;       /* serial number of the host that sent it */
    uint64_t key;              /* identifies the domain within that connection */
    uint8_t *bytes;            /* the frame's body, which the arrays below point into */
    struct domain_part *parts;
    struct domain_peer *peers; /* sorted by id */
    size_t peer_count;
    struct wire_domain_plugin *plugins;
    struct wire_domain_buffer *buffers;
};

/*
 * Creates a table from a copy of a DOMAIN frame's body. Returns INVALID_VALUE if the body is
 * malformed, ALREADY_EXIST if it contains a worker id twice, or NO_MEMORY.
 */
doca_error_t domain_table_new(
        struct wire_bytes body, uint64_t connection, struct domain_table **table);

/* Frees the table regardless of its reference count. */
void domain_table_free(struct domain_table *table);

/* Returns the worker with this id, or NULL. */
const struct domain_peer *domain_table_find(const struct domain_table *table, uint64_t id);

/* Returns the plugin of `peer` with the NUL-terminated `name`, or NULL. */
const struct wire_domain_plugin *domain_peer_plugin(
        const struct domain_peer *peer, const char *name);

#endif /* JUROM_DOMAIN_TABLE_H_ */
