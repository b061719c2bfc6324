/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Serves hosts round robin. A host that stops reading is no longer read from, so it cannot block
 * other hosts. Up to 8 connections are all polled in each round; among more, a connection without
 * traffic becomes idle and is watched through its descriptor.
 */
#ifndef JUROM_HOSTS_H_
#define JUROM_HOSTS_H_

#include <stdbool.h>
#include <stdint.h>

struct worker;

struct hosts {
    unsigned unserved; /* active connections that have yet to be served in this round */
};

/*
 * Runs a round, which serves each active host once. A round that takes long ends early and is
 * continued by the next. Returns 0 if there was nothing to do.
 */
unsigned hosts_serve(struct worker *worker);

/* Closes connections whose deadline has passed. */
void hosts_check_deadlines(struct worker *worker, uint64_t now);

/* Sends data queued for hosts, blocking for at most one second. */
void hosts_flush(struct worker *worker);

/* Arms all connections before a sleep. Returns false if one has work. */
bool hosts_arm(struct worker *worker);

/* Makes all attached connections active again if there are few. */
void hosts_activate_few(struct worker *worker);

#endif /* JUROM_HOSTS_H_ */
