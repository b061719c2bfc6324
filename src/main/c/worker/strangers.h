/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TCP connections that have not sent a complete ClientHello. Each uses a descriptor and a slot of
 * this table, but no TLS state, channel or other memory.
 *
 * The rule is that of Strangers.java. Each connection belongs to a network: an IPv4 address, or the
 * /64 prefix of an IPv6 address. If the table is full, a new connection evicts a random one of the
 * network with the most connections. A network with few connections thus loses none, and within a
 * network all have the same chance; evicting the oldest would let a flood lock out hosts with a
 * long round trip. A connection leaves the table once its ClientHello has arrived.
 *
 * During a flood of r connections per second from a host's own network, each connection survives
 * for STRANGERS_MAX / r seconds on average: 128 ms at 4,000 per second. A host sends its
 * ClientHello immediately after connecting.
 */
#ifndef JUROM_STRANGERS_H_
#define JUROM_STRANGERS_H_

#include <stdbool.h>
#include <stdint.h>

#include "source.h"

#define STRANGERS_MAX 512
#define STRANGER_NETWORKS 1024 /* counters; networks that share a counter count as one */

struct worker;

struct stranger {
    struct source source; /* a SOURCE_STRANGER */
    int fd;               /* 0: the slot is free */
    unsigned network;     /* index of its counter */
    uint64_t deadline;    /* ns */
};

struct strangers {
    void (*take)(struct worker *worker, int fd, bool local);
    struct stranger at[STRANGERS_MAX];
    unsigned count;
    unsigned networks[STRANGER_NETWORKS]; /* number of connections of each */
    uint64_t first_deadline;              /* ns; not later than any deadline; UINT64_MAX: none */
    uint64_t random;
    uint64_t factor; /* of the hash that maps networks to counters */
};

/* `take` receives ownership of each socket whose ClientHello has arrived. */
void strangers_init(
        struct strangers *strangers, void (*take)(struct worker *worker, int fd, bool local));

/* Returns a number that peers cannot predict. */
uint64_t strangers_random(struct strangers *strangers);

/* Takes ownership of the accepted socket `fd`. */
void strangers_arrive(struct worker *worker, int fd);

/* Handles an event of the connection's socket. */
void strangers_hear(struct worker *worker, struct stranger *stranger);

/* Close connections whose deadline has passed, or all of them. */
void strangers_look(struct worker *worker, uint64_t now);
void strangers_free(struct worker *worker);

#endif /* JUROM_STRANGERS_H_ */
