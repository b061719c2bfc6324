/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include <faults/faults.h>

#include "worker.h"

#define CAPACITY_FIRST 16

void connections_init(struct connections *connections, const struct channel_receiver *receiver)
{
    connections->receiver = *receiver;
    ucs_list_head_init(&connections->timed);
}

void connections_free(struct connections *connections)
{
    free(connections->at);
    connections->at = NULL;
}

static void put(struct connections *connections, struct connection *connection, unsigned index)
{
    connections->at[index] = connection;
    connection->index = index;
}

static void exchange(struct connections *connections, unsigned one, unsigned other)
{
    struct connection *first = connections->at[one];

    put(connections, connections->at[other], one);
    put(connections, first, other);
}

void connections_activate(struct connection *connection)
{
    struct connections *connections = &connection->worker->connections;

    connection->empty = 0;
    if (!connection_is_active(connection, connections))
        exchange(connections, connection->index, connections->active++);
}

void connections_deactivate(struct connection *connection)
{
    struct connections *connections = &connection->worker->connections;

    if (connection_is_active(connection, connections))
        exchange(connections, connection->index, --connections->active);
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
    ++connections->arriving;
}

/* Returns the link to the connection in the list of those with the same hash of the serial. */
static struct connection **find_link(
        struct connections *connections, const struct connection *connection)
{
    struct connection **link = &connections->by_serial[connection->serial % CONNECTIONS_MAX];

    while (*link != NULL && *link != connection)
        link = &(*link)->next_same;
    return link;
}

static void assign_serial(struct connections *connections, struct connection *connection)
{
    struct connection **first;

    connection->serial = ++connections->serial;
    first = &connections->by_serial[connection->serial % CONNECTIONS_MAX];
    connection->next_same = *first;
    *first = connection;
    ++connections->attached;
}

/* Removes the connection from the numbers and lists of its state. */
static void leave_state(struct connections *connections, const struct connection *connection)
{
    if (connection->state == CONNECTION_ARRIVING)
        --connections->arriving;
    if (connection->state == CONNECTION_ATTACHED) {
        *find_link(connections, connection) = connection->next_same;
        --connections->attached;
    }
}

void connections_change_state(struct connection *connection, enum connection_state state)
{
    struct connections *connections = &connection->worker->connections;

    leave_state(connections, connection);
    connection->state = state;
    if (state == CONNECTION_ATTACHED)
        assign_serial(connections, connection);
}

void connections_remove(struct connection *connection)
{
    struct connections *connections = &connection->worker->connections;

    leave_state(connections, connection);
    ucs_list_del(&connection->timed);
    connections_deactivate(connection);
    put(connections, connections->at[--connections->count], connection->index);
}

void connections_clear_deadline(struct connection *connection)
{
    ucs_list_del(&connection->timed);
    ucs_list_head_init(&connection->timed);
}

void connections_set_deadline(struct connection *connection, uint64_t ns)
{
    ucs_list_del(&connection->timed);
    connection->deadline = idle_now_ns() + ns;
    ucs_list_add_tail(&connection->worker->connections.timed, &connection->timed);
}

struct connection *connections_find(const struct connections *connections, uint64_t serial)
{
    struct connection *at = connections->by_serial[serial % CONNECTIONS_MAX];

    while (at != NULL && at->serial != serial)
        at = at->next_same;
    return at;
}

void connections_mark_over(struct connection *connection)
{
    connection->over = true;
    connection->worker->connections.some_over = true;
}

void connections_end_session(struct connections *connections, uint64_t session)
{
    for (unsigned i = 0; i < connections->count; ++i) {
        struct connection *connection = connections->at[i];

        if (connection->state != CONNECTION_ARRIVING && connection->session == session)
            connections_mark_over(connection);
    }
}
