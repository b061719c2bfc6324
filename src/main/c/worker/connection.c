/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <sys/epoll.h>
#include <unistd.h>

#include <common/sdk_log.h>
#include <faults/faults.h>

#include "counting.h"
#include "worker.h"

SDK_LOG_REGISTER(UROM::WORKER::CONNECTION)

void connections_free(struct worker *worker)
{
    struct connections *connections = &worker->connections;

    while (connections->count > 0)
        connection_close(connections->at[connections->count - 1]);
    free(connections->at);
    connections->at = NULL;
}

/* Chooses at random rather than the oldest, for the reason given in strangers.h. */
static void drop_an_arrival(struct worker *worker)
{
    struct connections *connections = &worker->connections;
    unsigned left = (unsigned)(strangers_random(&worker->strangers) % connections->arriving);
    struct connection *connection;

    ucs_list_for_each(connection, &connections->timed, timed)
    {
        if (connection->state == CONNECTION_ARRIVING && left-- == 0) {
            SDK_LOG_DBG("A connection that was not yet open was closed to make room for another");
            connection_close(connection);
            return;
        }
    }
}

/* A TLS ClientHello names the ticket, so a connection without a valid ticket is rejected here. */
static doca_error_t require_ticket(struct channel *channel)
{
    channel_poll(channel, 0);
    if (channel_names_ticket(channel))
        return DOCA_SUCCESS;
    SDK_LOG_DBG("A TCP connection was rejected: %s", channel_why(channel));
    return DOCA_ERROR_NOT_PERMITTED;
}

static void start_deadline(struct connection *connection, uint64_t ns)
{
    ucs_list_del(&connection->timed);
    connection->deadline = idle_now_ns() + ns;
    ucs_list_add_tail(&connection->worker->connections.timed, &connection->timed);
}

static struct connection *new_connection(struct worker *worker, bool local)
{
    struct connection *made = FAULT_ALLOCATE(connection_memory, calloc(1, sizeof(*made)));

    if (made == NULL)
        return NULL;
    made->receiver = worker->connections.receiver;
    made->source.kind = SOURCE_CONNECTION;
    made->worker = worker;
    made->local = local;
    ucs_list_head_init(&made->messages);
    ucs_list_head_init(&made->timed);
    return made;
}

/* The connection starts active, so that the next round reads what the host has already sent. */
static doca_error_t add(struct worker *worker, struct connection *connection)
{
    struct connections *connections = &worker->connections;

    if (!connections_make_room(connections)
            || !rest_watch(
                    worker, channel_descriptor(connection->channel), &connection->source, EPOLLIN))
        return DOCA_ERROR_NO_MEMORY;
    connections_append(connections, connection);
    connection_wake(connection);
    start_deadline(connection, ARRIVAL_NS);
    ++connections->arriving;
    return DOCA_SUCCESS;
}

void connection_accept(struct worker *worker, int fd, bool local)
{
    struct channel_doorman *doorman = local ? &worker->tickets.local : &worker->tickets.remote;
    struct connection *made = new_connection(worker, local);
    struct channel_settings settings = { .max_message_size = worker->max_message_size };
    doca_error_t status = DOCA_ERROR_NO_MEMORY;

    if (made == NULL) {
        close(fd);
        return;
    }
    if (worker->connections.arriving == ARRIVALS_MAX)
        drop_an_arrival(worker);
    settings.receiver = &made->receiver;
    status = channel_accept(fd, local, doorman, &settings, &made->channel);
    if (status == DOCA_SUCCESS) {
        status = local ? DOCA_SUCCESS : require_ticket(made->channel);
        if (status == DOCA_SUCCESS)
            status = add(worker, made);
        if (status != DOCA_SUCCESS)
            channel_close(made->channel);
    }
    if (status != DOCA_SUCCESS) {
        if (local || status != DOCA_ERROR_NOT_PERMITTED)
            SDK_LOG_WARN("A connection was refused: %s", doca_error_get_descr(status));
        free(made);
    }
}

void connection_admit(struct connection *connection)
{
    struct connections *connections = &connection->worker->connections;

    if (connection->state != CONNECTION_ARRIVING
            || channel_status(connection->channel) != DOCA_SUCCESS)
        return;

    --connections->arriving;
    connection->state = CONNECTION_ADMITTED;
    if (!tickets_use(connection->worker, channel_ticket_id(connection->channel), connection->local,
                &connection->session))
        connection_break(connection, DOCA_ERROR_NOT_PERMITTED,
                "its ticket has been used by another connection or has expired");
}

doca_error_t connection_attach(struct connection *connection, uint32_t max_tasks)
{
    struct connections *connections = &connection->worker->connections;
    struct connection **same;

    if (connections->attached == CONNECTIONS_MAX)
        return DOCA_ERROR_FULL;
    connection->state = CONNECTION_ATTACHED;
    connection->serial = ++connections->serial;
    connection->max_tasks = max_tasks < TASKS_MAX ? max_tasks : TASKS_MAX;
    ucs_list_del(&connection->timed);
    ucs_list_head_init(&connection->timed);
    same = &connections->by_serial[connection->serial % CONNECTIONS_MAX];
    connection->next_same = *same;
    *same = connection;
    ++connections->attached;
    return DOCA_SUCCESS;
}

/* Removes the serial number from the table and drops the commands and domains of the host. */
static void forget(struct connection *connection)
{
    struct worker *worker = connection->worker;
    struct connections *connections = &worker->connections;
    struct connection **link = &connections->by_serial[connection->serial % CONNECTIONS_MAX];

    if (connection->state != CONNECTION_ATTACHED)
        return;
    while (*link != connection)
        link = &(*link)->next_same;
    *link = connection->next_same;
    --connections->attached;
    *counting_pending() -= connection->pending.count;
    counting_abandoned(connection->pending.count);
    pending_free(&connection->pending);
    dispatch_host_left(worker, connection->serial);
    domains_forget(&worker->domains, connection->serial);
}

void connection_detach(struct connection *connection)
{
    forget(connection);
    connection->state = CONNECTION_LEAVING;
    start_deadline(connection, LEAVING_NS);
}

void connection_break(struct connection *connection, doca_error_t status, const char *why)
{
    SDK_LOG_WARN("Closing a host's connection: %s", why);
    counting_break(status);
    channel_end(connection->channel, status, why);
    connection->over = true;
    connection->worker->connections.some_over = true;
}

static void remove_unpushed(struct connections *connections, const struct connection *connection)
{
    struct connection **link = &connections->unpushed;

    while (*link != NULL && *link != connection)
        link = &(*link)->next_unpushed;
    if (*link != NULL)
        *link = connection->next_unpushed;
}

void connection_close(struct connection *connection)
{
    struct worker *worker = connection->worker;
    struct connections *connections = &worker->connections;

    forget(connection);
    if (connection->state == CONNECTION_ARRIVING)
        --connections->arriving;
    if (connection->unpushed)
        remove_unpushed(connections, connection);
    ucs_list_del(&connection->timed);
    connections_remove(connection);
    rest_forget(worker, channel_descriptor(connection->channel));
    channel_close(connection->channel);
    notifications_drop(&connection->messages);
    pending_free(&connection->pending);
    free(connection);
}
