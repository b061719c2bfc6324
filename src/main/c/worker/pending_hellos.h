/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TCP connections that have not sent a complete ClientHello. Each uses a descriptor and a slot of
 * this table, but no TLS state, channel or other memory.
 *
 * The service's table follows the same rule (PendingConnections.java). Each connection belongs to a network:
 * an IPv4 address, or the /64 prefix of an IPv6 address. If the table is full, a new connection
 * evicts a random one of the network with the most connections. A network with few connections thus
 * loses none, and within a network all have the same chance; evicting the oldest would let a flood
 * lock out hosts with a long round trip. A connection leaves the table once its ClientHello has
 * arrived.
 *
 * During a flood of r connections per second from a host's own network, each connection survives
 * for PENDING_HELLOS_MAX / r seconds on average: 128 ms at 4,000 per second. A host sends its
 * ClientHello immediately after connecting.
 */
#ifndef JUROM_PENDING_HELLOS_H_
#define JUROM_PENDING_HELLOS_H_

#include <stdbool.h>
#include <stdint.h>

#include "events.h"

#define PENDING_HELLOS_MAX 512
#define PENDING_HELLO_NETWORKS 1024 /* counters; networks that share a counter count as one */

struct worker;

struct pending_hello {
    struct source source; /* a SOURCE_PENDING_HELLO */
    int fd;               /* 0: the slot is free */
    unsigned network;     /* index of its counter */
    uint64_t deadline;    /* ns */
};

struct pending_hellos {
    void (*accept)(struct worker *worker, int fd, bool local);
    struct pending_hello at[PENDING_HELLOS_MAX];
    unsigned count;
    unsigned networks[PENDING_HELLO_NETWORKS]; /* number of connections of each */
    uint64_t first_deadline; /* ns; not later than any deadline; UINT64_MAX: none */
    uint64_t random;
    uint64_t factor; /* of the hash that maps networks to counters */
};

/* `accept` receives ownership of each socket whose ClientHello has arrived. */
void pending_hellos_init(
        struct pending_hellos *hellos, void (*accept)(struct worker *worker, int fd, bool local));

/* Returns a number that peers cannot predict. */
uint64_t pending_hellos_random(struct pending_hellos *hellos);

/* Takes ownership of the accepted socket `fd`. */
void pending_hellos_accept(struct worker *worker, int fd);

/* Handles an event of the connection's socket. */
void pending_hellos_receive(struct worker *worker, struct pending_hello *hello);

/* Closes the connections whose deadline is not after `now`, in ns. */
void pending_hellos_check_deadlines(struct worker *worker, uint64_t now);

/* Closes all connections. */
void pending_hellos_free(struct worker *worker);

#endif /* JUROM_PENDING_HELLOS_H_ */
