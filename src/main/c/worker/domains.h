/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The domains that hosts have told this worker about, and the lookups that plugins make in them.
 *
 * A lookup names no host. While a plugin is given a command, the lookups that it makes are answered
 * from the domains of the command's host, if that host has any; all other lookups from the domains
 * of all hosts. Where an id is in several domains, the newest one answers.
 *
 * Lookups may come from any thread. The bytes that they give stay valid until their domain is over
 * (its host stops it, puts another in its place, or leaves), and beyond that until the same thread
 * has made LOOKUPS_KEPT more lookups, or ends: a thread that looks something up and then uses it is
 * safe, whatever hosts do meanwhile. Everything else belongs to the worker's thread.
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
    pthread_mutex_t lock; /* guards the list, and how many use each table */
    pthread_key_t ending; /* called for each thread that has made lookups and ends */
    struct domain_table *newest;
};

/* The lookups for a plugin's context; the context must be that of a struct plugin. */
extern const struct urom_domain_lookups_iface domain_lookups;

void domains_init(struct domains *domains);

/* No thread makes lookups any more. */
void domains_free(struct domains *domains);

/*
 * Keeps the domain that the body of a DOMAIN frame describes, in place of the one with the same
 * key; without parts, ends that one. Errors as domain_table_new; FULL: too many of this connection.
 */
doca_error_t domains_put(struct domains *domains, uint64_t connection, struct wire_bytes body);

/* Ends all domains of a connection. */
void domains_forget(struct domains *domains, uint64_t connection);

/* Whose command the calling thread gives to a plugin from now on; 0: nobody's. */
void domains_serve(uint64_t connection);

#endif /* JUROM_DOMAINS_H_ */
