/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Connections to the TCP ports that have not sent a whole ClientHello: each has a descriptor and a
 * slot here, and no TLS, channel or memory of its own.
 *
 * They share a table, by the rule of Strangers.java. Each belongs to a network: an IPv4 address, or
 * the 64 bits of an IPv6 address that one subscriber has. When the table is full, a new connection
 * displaces another at random, of the network that has most. So a network with few connections loses
 * none, and within one network all have the same chance: to displace the oldest first would let a
 * flood keep out all distant hosts. A connection that has sent its ClientHello is no longer here.
 *
 * A flood of r connections a second in the network of a host leaves each STRANGERS_MAX / r seconds
 * on average: at 4,000 a second 128 ms, where a host's ClientHello follows its connection at once.
 */
#ifndef JUROM_STRANGERS_H_
#define JUROM_STRANGERS_H_

#include <stdbool.h>
#include <stdint.h>

#include "source.h"

#define STRANGERS_MAX 512
#define STRANGER_NETWORKS 1024 /* counters; networks of one counter count as one */

struct worker;

struct stranger {
    struct source source; /* a SOURCE_STRANGER */
    int fd;               /* 0: the slot is free */
    unsigned network;     /* its counter */
    uint64_t deadline;    /* ns */
};

struct strangers {
    void (*take)(struct worker *worker, int fd, bool local);
    struct stranger at[STRANGERS_MAX];
    unsigned count;
    unsigned networks[STRANGER_NETWORKS]; /* how many connections each has */
    uint64_t first_deadline; /* not after that of any; UINT64_MAX: there is none */
    uint64_t random;
    uint64_t factor; /* of the hash of networks */
};

/* `take` owns the sockets of those whose ClientHello has arrived. */
void strangers_init(struct strangers *strangers,
        void (*take)(struct worker *worker, int fd, bool local));

/* A number that peers cannot foresee. */
uint64_t strangers_random(struct strangers *strangers);

/* One has connected; takes over `fd`. */
void strangers_arrive(struct worker *worker, int fd);

/* One has sent something, or has gone. */
void strangers_hear(struct worker *worker, struct stranger *stranger);

/* Closes those whose time is up; all of them. */
void strangers_look(struct worker *worker, uint64_t now);
void strangers_free(struct worker *worker);

#endif /* JUROM_STRANGERS_H_ */
