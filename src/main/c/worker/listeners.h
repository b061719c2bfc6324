/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where hosts connect: the Unix socket that the launcher has bound, for as long as the worker
 * lives, and TCP sockets, each open only while there is a ticket for it.
 */
#ifndef JUROM_LISTENERS_H_
#define JUROM_LISTENERS_H_

#include <stdbool.h>
#include <stdint.h>

#include <wire/wire.h>

#include "source.h"
#include "why.h"

#define LISTENERS_MAX 17 /* the Unix socket, and TCP sockets */
#define LISTENER_ADDRESS_MAX 64

struct worker;

struct listener {
    struct source source;
    int fd;    /* -1: not in use */
    bool local; /* the Unix socket */
    char address[LISTENER_ADDRESS_MAX]; /* that it is bound to, as a text */
    uint32_t port;
    unsigned tickets; /* that it is open for */
};

struct listeners {
    struct listener at[LISTENERS_MAX];
    int spare; /* a descriptor to be closed where there are no more, to refuse a host */
};

/* Listens on the socket `unix_socket`; -1: there is none. */
doca_error_t listeners_init(struct worker *worker, int unix_socket, char why[WHY_MAX]);

/* Has one open for a ticket over TCP: one that is, or a new one. */
doca_error_t listeners_join(struct worker *worker, const struct wire_ticket *ticket,
        struct listener **listener, char why[WHY_MAX]);

/* A ticket of this one is no more: closes it behind the last. */
void listeners_leave(struct worker *worker, struct listener *listener);

/* Somebody connects: `take` owns the socket from then on. */
void listeners_accept(struct worker *worker, struct listener *listener,
        void (*take)(struct worker *worker, int fd, bool local));

#endif /* JUROM_LISTENERS_H_ */
