/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The hosts that this worker serves, and those that would like it to.
 *
 *     ARRIVING -> ADMITTED -> ATTACHED -> LEAVING
 *
 * It has named its ticket, if it comes by TCP, or is yet to show it; the channel is open; it has a
 * serial number, which plugins see as dest_id and which is never used again; it said DETACH and is
 * being sent the rest. One thread.
 *
 * All are in one array: first those that are polled in each round, then those that rest, which are
 * armed, and polled when their descriptor says so.
 */
#ifndef JUROM_CONNECTION_H_
#define JUROM_CONNECTION_H_

#include <stdbool.h>
#include <stdint.h>

#include <channel/channel.h>
#include <ucs/datastruct/list.h>

#include "pending.h"
#include "source.h"

#define CONNECTIONS_MAX 4096 /* attached */
#define TASKS_MAX 1048576    /* of a connection, whatever its host would like */
#define ARRIVALS_MAX 64      /* that are on their way in; one of them at random makes room */
#define ARRIVAL_NS 5000000000u
#define LEAVING_NS 5000000000u /* for a host to take what is left for it */

struct worker;

struct connection {
    struct channel_receiver receiver;
    struct source source;
    struct worker *worker;
    struct channel *channel;
    enum connection_state {
        CONNECTION_ARRIVING,
        CONNECTION_ADMITTED,
        CONNECTION_ATTACHED,
        CONNECTION_LEAVING,
    } state;
    bool local;       /* over the Unix socket */
    bool over;        /* to be closed at the end of the round, or of its turn */
    bool unpushed;    /* is in the list of those with something to push */
    uint64_t serial;  /* also the dest_id of its commands and notifications; 0: not attached */
    uint64_t session; /* of its ticket */
    uint64_t deadline; /* ns, unless it is attached */
    uint32_t max_tasks;
    unsigned place;   /* in the array */
    unsigned empty;   /* rounds since something came */
    struct pending pending;
    struct connection *next_same; /* with the same hash of its serial */
    struct connection *next_unpushed;
    ucs_list_link_t timed;    /* in the list of those with a deadline */
    ucs_list_link_t messages; /* struct notification: those that wait for room */
};

struct connections {
    struct channel_receiver receiver; /* of each */
    struct connection **at;
    unsigned capacity;
    unsigned count;
    unsigned hot; /* how many are polled in each round: the first ones */
    unsigned next; /* of these, how many have not had their turn in this round */
    unsigned attached;
    unsigned arriving;
    uint64_t serial; /* the last that was given */
    bool some_over;
    struct connection *unpushed;
    ucs_list_link_t timed; /* nearly by their deadlines */
    struct connection *by_serial[CONNECTIONS_MAX];
};

/* connections.c: the table is empty; its receiver is still to be filled in. */
void connections_init(struct connections *connections);

/* connections.c: makes room for one more, adds it where nothing is polled, takes it out. */
bool connections_make_room(struct connections *connections);
void connections_append(struct connections *connections, struct connection *connection);
void connections_remove(struct connection *connection);

/* Ends all of them. */
void connections_free(struct worker *worker);

/* A host has connected, and has sent its ClientHello unless it is local; takes over `fd`. */
void connection_accept(struct worker *worker, int fd, bool local);

/* Lets it in if its channel is open and its ticket is, too; else ends it. */
void connection_admit(struct connection *connection);

/* The host wants to be served. FULL: there are CONNECTIONS_MAX. */
doca_error_t connection_attach(struct connection *connection, uint32_t max_tasks);

/* connections.c: the attached connection with this serial number, or NULL. */
struct connection *connection_find(const struct connections *connections, uint64_t serial);

/* connections.c: is polled in each round from now on; or when its descriptor says so. */
void connection_wake(struct connection *connection);
void connection_rest(struct connection *connection);

static inline bool connection_is_hot(const struct connection *connection,
        const struct connections *connections)
{
    return connection->place < connections->hot;
}

/* The host detaches: nothing is taken from it or its plugins any more; what it was sent leaves. */
void connection_detach(struct connection *connection);

/* The host broke a rule, so its connection ends; safe inside its channel's receiver. */
void connection_break(struct connection *connection, doca_error_t status, const char *why);

/* Frees all that belongs to it, at once. Not inside its channel's receiver. */
void connection_close(struct connection *connection);

/* connections.c: ends those of a session, soon. */
void connections_end_session(struct worker *worker, uint64_t session);

#endif /* JUROM_CONNECTION_H_ */
