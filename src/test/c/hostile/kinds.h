/* SPDX-License-Identifier: Apache-2.0 */
/* The kinds of what a hostile peer does. Each does some of it at once, and counts. */
#ifndef JUROM_HOSTILE_KINDS_H_
#define JUROM_HOSTILE_KINDS_H_

#include "talk.h"

/* Where the peer attacks. */
struct target {
    const char *socket; /* the service's */
    unsigned port;      /* the same, with TLS */
    const char *key;    /* a file that it knows */
    uint64_t neighbour; /* id of a worker that serves others */
    struct channel_identity *identity;
};

struct kind {
    const char *name;
    unsigned weight; /* how many of 1000 are of this kind */
    /* Does about `wanted` of it; adds to `endings` as many as it did. */
    void (*attack)(const struct target *target, unsigned wanted, uint64_t endings[ENDINGS]);
};

void strangers_at_the_socket(const struct target *target, unsigned wanted, uint64_t *endings);
void hosts_at_the_socket(const struct target *target, unsigned wanted, uint64_t *endings);
void strangers_at_the_port(const struct target *target, unsigned wanted, uint64_t *endings);
void hosts_at_the_port(const struct target *target, unsigned wanted, uint64_t *endings);
void guessed_tickets(const struct target *target, unsigned wanted, uint64_t *endings);
void frames_through_the_ring(const struct target *target, unsigned wanted, uint64_t *endings);
void contents_of_the_ring(const struct target *target, unsigned wanted, uint64_t *endings);

#endif /* JUROM_HOSTILE_KINDS_H_ */
