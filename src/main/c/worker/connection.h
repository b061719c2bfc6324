/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Connections of hosts, from the accepted socket to the close. Owned by the worker's thread.
 *
 *     ARRIVING -> ADMITTED -> ATTACHED -> LEAVING
 *
 * ARRIVING: the channel is not yet open; a TCP connection has named its ticket, a local one has yet
 * to present it. ADMITTED: the channel is open. ATTACHED: the connection has a serial number, which
 * plugins see as dest_id and which is never reused. LEAVING: the host sent DETACH, and the worker
 * still sends it the remaining data.
 */
#ifndef JUROM_CONNECTION_H_
#define JUROM_CONNECTION_H_

#include <stdbool.h>
#include <stdint.h>

#include <channel/channel.h>
#include <ucs/datastruct/list.h>

#include "events.h"
#include "pending.h"

#define CONNECTIONS_MAX 4096 /* attached */
#define TASKS_MAX 1048576    /* upper bound for the max_tasks that a host requests */
#define ARRIVALS_MAX 64      /* in state ARRIVING; at the limit, a random one is closed */
#define ARRIVAL_NS 5000000000u
#define LEAVING_NS 5000000000u /* for a host to read its remaining data */

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
    bool local;        /* over the Unix socket */
    bool over;         /* to be closed when it has been served, or when the round ends */
    bool unpushed;     /* is in the list of struct notifications */
    uint64_t serial;   /* also the dest_id of its commands and notifications; 0: not attached */
    uint64_t session;  /* of its ticket */
    uint64_t deadline; /* ns; unused while attached */
    uint32_t max_tasks;
    unsigned index; /* in the table's array */
    unsigned empty; /* rounds since data last arrived */
    struct pending pending;
    struct connection *next_same; /* with the same hash of the serial number */
    struct connection *next_unpushed;
    ucs_list_link_t timed;    /* in the list of connections with a deadline */
    ucs_list_link_t messages; /* of struct notification, which wait for room */
};

/* Takes ownership of the accepted socket `fd`; a TCP socket must have received its ClientHello. */
void connection_accept(struct worker *worker, int fd, bool local);

/* Admits the connection once its channel is open; breaks it if its ticket is no longer valid. */
void connection_admit(struct connection *connection);

/* Attaches the host. Returns FULL if CONNECTIONS_MAX hosts are attached. */
doca_error_t connection_attach(struct connection *connection, uint32_t max_tasks);

/* Detaches the host: drops later commands and notifications, and sends queued ones. */
void connection_detach(struct connection *connection);

/* Ends the connection after a protocol violation. May be called from its channel's receiver. */
void connection_break(struct connection *connection, doca_error_t status, const char *reason);

/* Closes the connection and frees it. Must not be called from its channel's receiver. */
void connection_close(struct connection *connection);

/* Closes all connections of the worker. */
void connection_close_all(struct worker *worker);

#endif /* JUROM_CONNECTION_H_ */
