/* SPDX-License-Identifier: Apache-2.0 */
/* The table of connections. */
#include <stdlib.h>

#include <faults/faults.h>

#include "worker.h"

#define CAPACITY_FIRST 16

void connections_init(struct connections *connections)
{
    ucs_list_head_init(&connections->timed);
}

static void put(struct connections *connections, struct connection *connection, unsigned place)
{
    connections->at[place] = connection;
    connection->place = place;
}

static void exchange(struct connections *connections, unsigned one, unsigned other)
{
    struct connection *first = connections->at[one];

    put(connections, connections->at[other], one);
    put(connections, first, other);
}

void connection_wake(struct connection *connection)
{
    struct connections *connections = &connection->worker->connections;

    connection->empty = 0;
    if (!connection_is_active(connection, connections))
        exchange(connections, connection->place, connections->active++);
}

void connection_rest(struct connection *connection)
{
    struct connections *connections = &connection->worker->connections;

    if (connection_is_active(connection, connections))
        exchange(connections, connection->place, --connections->active);
}

bool connections_make_room(struct connections *connections)
{
    unsigned capacity = connections->capacity == 0 ? CAPACITY_FIRST : 2 * connections->capacity;
    struct connection **larger;

    if (connections->count < connections->capacity)
        return true;
    larger = FAULT_ALLOCATE(
            connection_memory, realloc(connections->at, capacity * sizeof(*larger)));
    if (larger == NULL)
        return false;
    connections->at = larger;
    connections->capacity = capacity;
    return true;
}

void connections_append(struct connections *connections, struct connection *connection)
{
    put(connections, connection, connections->count++);
}

void connections_remove(struct connection *connection)
{
    struct connections *connections = &connection->worker->connections;

    connection_rest(connection);
    put(connections, connections->at[--connections->count], connection->place);
}

struct connection *connection_find(const struct connections *connections, uint64_t serial)
{
    struct connection *at = connections->by_serial[serial % CONNECTIONS_MAX];

    while (at != NULL && at->serial != serial)
        at = at->next_same;
    return at;
}

void connections_end_session(struct worker *worker, uint64_t session)
{
    struct connections *connections = &worker->connections;

    for (unsigned i = 0; i < connections->count; ++i) {
        struct connection *connection = connections->at[i];

        if (connection->state != CONNECTION_ARRIVING && connection->session == session) {
            connection->over = true;
            connections->some_over = true;
        }
    }
}
