/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The table of connections: an array with the active connections first, which are polled in each
 * round, then the idle ones, which are armed and polled when their descriptor becomes ready.
 */
#ifndef JUROM_CONNECTIONS_H_
#define JUROM_CONNECTIONS_H_

#include <stdbool.h>
#include <stdint.h>

#include <ucs/datastruct/list.h>

#include "connection.h"

struct connections {
    struct channel_receiver receiver; /* copied to each connection */
    struct connection **at;
    unsigned capacity;
    unsigned count;
    unsigned active; /* number of active connections, at the front of the array */
    unsigned attached;
    unsigned arriving;
    uint64_t serial;       /* the last serial number assigned */
    bool some_over;        /* a connection may be marked as over */
    ucs_list_link_t timed; /* connections with a deadline, approximately ordered by it */
    struct connection *by_serial[CONNECTIONS_MAX];
};

/* Initialises an empty table, whose connections receive through `receiver`. */
void connections_init(struct connections *connections, const struct channel_receiver *receiver);

/* Frees the table, which must be empty. */
void connections_free(struct connections *connections);

/* Reserves space for a connection. Returns false if there is no memory. */
bool connections_make_room(struct connections *connections);

/* Appends a new connection, which is idle and ARRIVING, after connections_make_room. */
void connections_append(struct connections *connections, struct connection *connection);

/* Removes the connection and its deadline. The caller frees it. */
void connections_remove(struct connection *connection);

/* Changes the state of a connection. One that becomes ATTACHED gets a serial number. */
void connections_change_state(struct connection *connection, enum connection_state state);

/* Sets the deadline of a connection to this many nanoseconds from now. */
void connections_set_deadline(struct connection *connection, uint64_t ns);

/* Clears the deadline, if there is one. */
void connections_clear_deadline(struct connection *connection);

/* Makes the connection active and restarts its count of empty polls. */
void connections_activate(struct connection *connection);

/* Makes the connection idle. */
void connections_deactivate(struct connection *connection);

/* Returns whether the connection is active. */
static inline bool connection_is_active(
        const struct connection *connection, const struct connections *connections)
{
    return connection->index < connections->active;
}

/* Returns the attached connection with this serial number, or NULL. */
struct connection *connections_find(const struct connections *connections, uint64_t serial);

/* Marks the connection to be closed when it has been served, or when the round ends. */
void connections_mark_over(struct connection *connection);

/* Marks the connections of a session as over. */
void connections_end_session(struct connections *connections, uint64_t session);

/* Records whether a connection is marked as over. */
static inline void connections_note_over(struct connections *connections, bool some_over)
{
    connections->some_over = some_over;
}

#endif /* JUROM_CONNECTIONS_H_ */
