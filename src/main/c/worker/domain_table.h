/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One domain as its workers know it: which workers are in it, how their plugins are reached, and
 * which buffers their hosts share. Constant once made, but for its place in a list and its users.
 */
#ifndef JUROM_DOMAIN_TABLE_H_
#define JUROM_DOMAIN_TABLE_H_

#include <stddef.h>
#include <stdint.h>

#include <wire/domain.h>

/*
 * The buffers of one participant, shared by all of its workers: numbered from 0 as they were added.
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
    unsigned users;            /* the list, and lookups whose bytes may still be read */
    uint64_t connection;       /* serial number, of the host that gave it */
    uint64_t key;              /* which names it there */
    uint8_t *bytes;            /* that all below points into */
    struct domain_part *parts;
    struct domain_peer *peers; /* by id */
    size_t peer_count;
    struct wire_domain_plugin *plugins;
    struct wire_domain_buffer *buffers;
};

/*
 * Makes a table of the body of a DOMAIN frame, which is copied. INVALID_VALUE: no such body.
 * ALREADY_EXIST: an id is in it twice. NO_MEMORY.
 */
doca_error_t domain_table_new(struct wire_bytes body, uint64_t connection,
        struct domain_table **table);

void domain_table_free(struct domain_table *table);

/* The worker with this id, or NULL. */
const struct domain_peer *domain_table_find(const struct domain_table *table, uint64_t id);

/* The plugin of `peer` with the NUL-terminated `name`, or NULL. */
const struct wire_domain_plugin *domain_peer_plugin(const struct domain_peer *peer,
        const char *name);

#endif /* JUROM_DOMAIN_TABLE_H_ */
