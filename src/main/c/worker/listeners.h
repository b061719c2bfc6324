/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Listening sockets: the Unix socket bound by the launcher, which is open for the lifetime of the
 * worker, and TCP sockets, each open only while a ticket refers to it.
 */
#ifndef JUROM_LISTENERS_H_
#define JUROM_LISTENERS_H_

#include <stdbool.h>
#include <stdint.h>

#include <wire/wire.h>

#include "events.h"
#include "reason.h"

#define LISTENERS_MAX 17 /* the Unix socket and 16 TCP sockets */
#define LISTENER_ADDRESS_MAX 64

struct worker;

struct listener {
    struct source source;
    int fd;                             /* -1: not in use */
    bool local;                         /* the Unix socket */
    char address[LISTENER_ADDRESS_MAX]; /* numeric, NUL-terminated */
    uint32_t port;
    unsigned tickets; /* number of tickets that refer to it */
};

struct listeners {
    struct listener at[LISTENERS_MAX];
    int spare; /* reserve descriptor, for rejecting a host when descriptors run out */
};

/* Listens on the bound socket `unix_socket`; -1: none. */
doca_error_t listeners_init(struct worker *worker, int unix_socket, char reason[REASON_MAX]);

/* Finds or opens a listener for a TCP ticket, and adds a reference to it. */
doca_error_t listeners_join(struct worker *worker, const struct wire_ticket *ticket,
        struct listener **listener, char reason[REASON_MAX]);

/* Drops a ticket's reference; closes the listener with the last. */
void listeners_leave(struct worker *worker, struct listener *listener);

/* Accepts pending connections and passes ownership of each socket to `accept`. */
void listeners_accept(struct worker *worker, struct listener *listener,
        void (*accept)(struct worker *worker, int fd, bool local));

#endif /* JUROM_LISTENERS_H_ */
