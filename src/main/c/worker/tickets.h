/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The valid tickets. Each admits one host once, within its lifetime and that of the session it was
 * issued for, either over TCP or over the Unix socket.
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
    uint64_t deadline;         /* ns */
    struct listener *listener; /* that it keeps open; NULL: for the Unix socket */
};

struct tickets {
    void (*read_service)(struct worker *worker); /* service_read: handles pending frames */
    struct channel_authenticator local;
    struct channel_authenticator remote;
    struct ticket at[TICKETS_MAX];
    unsigned count;
};

/*
 * Initialises an empty table. `read_service` handles pending frames of the service when a ticket is
 * not in the table, because it may be in one of them.
 */
void tickets_init(struct tickets *tickets, void (*read_service)(struct worker *worker));

/* Adds the ticket of a TICKET frame. Returns FULL if there are TICKETS_MAX. */
doca_error_t tickets_add(
        struct worker *worker, const struct wire_ticket *frame, struct listener *listener);

/* Consumes the ticket with this id. Returns false if it is no longer valid. */
bool tickets_use(struct worker *worker, const uint8_t *id, bool local, uint64_t *session);

/* Wipes and removes the tickets of a session. */
void tickets_end_session(struct worker *worker, uint64_t session);

/* Wipes and removes the tickets whose deadline is not after `now`, in ns. */
void tickets_expire(struct worker *worker, uint64_t now);

/* Returns the earliest expiry in ns; UINT64_MAX: there are no tickets. */
uint64_t tickets_deadline(const struct tickets *tickets);

#endif /* JUROM_TICKETS_H_ */
