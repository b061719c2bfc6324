/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The open tickets: each lets one host in, once, within its lifetime and that of the session that
 * it was made for. Those for a listener on the network do not open the Unix socket, and the other
 * way round.
 */
#ifndef JUROM_TICKETS_H_
#define JUROM_TICKETS_H_

#include <stdbool.h>
#include <stdint.h>

#include <channel/channel.h>

#define TICKETS_MAX 1024

struct listener;
struct worker;

struct ticket {
    struct channel_ticket secret;
    bool offers_ucx;
    uint64_t session;
    uint64_t deadline; /* ns */
    struct listener *listener; /* that is open because of it; NULL: it is for the Unix socket */
};

struct tickets {
    void (*hear_service)(struct worker *worker); /* takes what the service has said so far */
    struct channel_doorman local;
    struct channel_doorman remote;
    struct ticket at[TICKETS_MAX];
    unsigned count;
};

void tickets_init(struct tickets *tickets, void (*hear_service)(struct worker *worker));

/* Adds what a TICKET frame says. FULL: there are TICKETS_MAX. */
doca_error_t tickets_add(struct worker *worker, const struct wire_ticket *frame,
        struct listener *listener);

/* Uses up the ticket with this id. False: there is none any more. */
bool tickets_use(struct worker *worker, const uint8_t *id, bool local, uint64_t *session);

/* Ends those of a session; those whose time is up. */
void tickets_end_session(struct worker *worker, uint64_t session);
void tickets_expire(struct worker *worker, uint64_t now);

/* When the next one ends, in ns; UINT64_MAX: there is none. */
uint64_t tickets_deadline(const struct tickets *tickets);

#endif /* JUROM_TICKETS_H_ */
