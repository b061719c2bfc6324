/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The hosts that this worker serves. Each has a connection with a 32-bit id, which its frames bear
 * and nobody else knows: a place in the table and random bits. One thread.
 */
#ifndef JUROM_CONNECTION_H_
#define JUROM_CONNECTION_H_

#include <stdbool.h>
#include <stdint.h>

#include <net/net.h>
#include <ucs/datastruct/list.h>

#define CONNECTIONS_MAX 4096

struct connection {
    uint32_t id; /* also the dest_id of its commands and notifications; 0: none */
    struct net_endpoint endpoint;
    uint32_t max_tasks;
    uint32_t pending; /* commands without a notification */
};

struct connections {
    struct connection **at; /* CONNECTIONS_MAX places */
    uint32_t count;         /* in use */
    uint32_t pending;       /* sum over all */
};

/* Makes the empty table; connections_free ends all connections and frees it. */
doca_error_t connections_init(struct connections *connections);
void connections_free(struct connections *connections);

/* Connects to the host at this UCP address. FULL: CONNECTIONS_MAX reached. */
doca_error_t connection_open(struct connections *connections, struct net *net, const void *address,
        uint32_t max_tasks, struct connection **connection);

/* The connection with this id, or NULL. */
static inline struct connection *connection_find(const struct connections *connections, uint32_t id)
{
    struct connection *connection = connections->at[id % CONNECTIONS_MAX];

    return connection != NULL && connection->id == id ? connection : NULL;
}

/* Ends the connection when what was sent has left; its commands' notifications will be dropped. */
void connection_close(struct connections *connections, struct connection *connection);

#endif /* JUROM_CONNECTION_H_ */
