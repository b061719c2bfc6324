/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The kinds of attack of a hostile peer. Each function performs a batch of attacks and counts the
 * outcomes.
 */
#ifndef JUROM_HOSTILE_ATTACKS_H_
#define JUROM_HOSTILE_ATTACKS_H_

#include "raw_session.h"

/* The target of a peer. */
struct target {
    const char *socket; /* of the service */
    unsigned port;      /* TLS port of the service */
    const char *key;    /* file of a key that the service accepts */
    uint64_t neighbour; /* ID of a worker that serves other hosts */
    struct channel_identity *identity;
};

struct kind {
    const char *name;
    unsigned weight; /* share of the attacks, in 1/1000 */
    /* Performs about `wanted` attacks and adds their actual number to `outcomes`. */
    void (*attack)(const struct target *target, unsigned wanted, uint64_t outcomes[OUTCOMES]);
};

void attack_socket_before_hello(const struct target *target, unsigned wanted, uint64_t *outcomes);
void attack_socket_as_host(const struct target *target, unsigned wanted, uint64_t *outcomes);
void attack_port_without_key(const struct target *target, unsigned wanted, uint64_t *outcomes);
void attack_port_as_host(const struct target *target, unsigned wanted, uint64_t *outcomes);
void attack_with_guessed_tickets(const struct target *target, unsigned wanted, uint64_t *outcomes);
void attack_with_frames(const struct target *target, unsigned wanted, uint64_t *outcomes);
void attack_ring_contents(const struct target *target, unsigned wanted, uint64_t *outcomes);

#endif /* JUROM_HOSTILE_ATTACKS_H_ */
