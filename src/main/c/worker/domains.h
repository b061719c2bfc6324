/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The domains that hosts have sent to this worker, and the lookups of plugins in them.
 *
 * A lookup names no host. Lookups made while a plugin receives a command search only the domains of
 * the command's host, if it has any; other lookups search the domains of all hosts. If several
 * domains contain an id, the newest wins.
 *
 * Lookups are thread-safe. The returned bytes stay valid until the domain ends (its host stops it,
 * replaces it, or disconnects) or the calling thread exits or makes LOOKUPS_KEPT more lookups,
 * whichever is later. All other functions belong to the worker's thread.
 */
#ifndef JUROM_DOMAINS_H_
#define JUROM_DOMAINS_H_

#include <pthread.h>
#include <stdint.h>

#include <doca_urom_plugin.h>

#include "domain_table.h"

#define DOMAINS_PER_CONNECTION 64
#define LOOKUPS_KEPT 16

struct domains {
    pthread_mutex_t lock; /* guards the list and the tables' reference counts */
    pthread_key_t ending; /* its destructor releases the tables of a thread that exits */
    struct domain_table *newest;
};

/* The lookups for a plugin's context, which must be embedded in a struct plugin. */
extern const struct urom_domain_lookups_iface domain_lookups;

/* Initialises an empty list. */
void domains_init(struct domains *domains);

/* Frees all tables. No thread may make lookups any more. */
void domains_free(struct domains *domains);

/*
 * Adds the domain of a DOMAIN frame, replacing the connection's domain with the same key. A body
 * without parts ends that domain. Returns the errors of domain_table_new, or FULL if the connection
 * has DOMAINS_PER_CONNECTION domains.
 */
doca_error_t domains_put(struct domains *domains, uint64_t connection, struct wire_bytes body);

/* Ends all domains of a connection. */
void domains_forget(struct domains *domains, uint64_t connection);

/* Sets the connection whose command the calling thread passes to a plugin; 0: none. */
void domains_serve(uint64_t connection);

#endif /* JUROM_DOMAINS_H_ */
