/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <unistd.h>

#include <common/sdk_log.h>
#include <faults/faults.h>

#include "worker.h"
#include "worker_counters.h"

SDK_LOG_REGISTER(UROM::WORKER::CONNECTION)

/* Chooses at random rather than the oldest, for the reason given in pending_hellos.h. */
static void close_an_arrival(struct worker *worker)
{
    struct connections *connections = &worker->connections;
    uint64_t random = pending_hellos_random(&worker->pending_hellos);
    unsigned left = (unsigned)(random % connections->arriving);
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
    SDK_LOG_DBG("A TCP connection was rejected: %s", channel_reason(channel));
    return DOCA_ERROR_NOT_PERMITTED;
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
            || !events_watch(&worker->events, channel_descriptor(connection->channel),
                    &connection->source, EPOLLIN))
        return DOCA_ERROR_NO_MEMORY;
    connections_append(connections, connection);
    connections_activate(connection);
    connections_set_deadline(connection, ARRIVAL_NS);
    return DOCA_SUCCESS;
}

void connection_accept(struct worker *worker, int fd, bool local)
{
    struct channel_authenticator *authenticator = local ? &worker->tickets.local
                                                        : &worker->tickets.remote;
    struct connection *made = new_connection(worker, local);
    struct channel_settings settings = {
        .max_message_size = worker->configuration.max_message_size,
        .service = worker->service.process,
    };
    doca_error_t status = DOCA_ERROR_NO_MEMORY;

    if (made == NULL) {
        close(fd);
        return;
    }
    if (worker->connections.arriving == ARRIVALS_MAX)
        close_an_arrival(worker);
    settings.receiver = &made->receiver;
    status = channel_accept(fd, local, authenticator, &settings, &made->channel);
    if (status == DOCA_SUCCESS) {
        status = local ? DOCA_SUCCESS : require_ticket(made->channel);
        if (status == DOCA_SUCCESS)
            status = add(worker, made);
        if (status != DOCA_SUCCESS)
            channel_close(made->channel);
    }
    if (status != DOCA_SUCCESS) {
        if (local || status != DOCA_ERROR_NOT_PERMITTED)
            SDK_LOG_WARN("A connection was rejected: %s", doca_error_get_descr(status));
        free(made);
    }
}

void connection_admit(struct connection *connection)
{
    if (connection->state != CONNECTION_ARRIVING
            || channel_status(connection->channel) != DOCA_SUCCESS)
        return;

    connections_change_state(connection, CONNECTION_ADMITTED);
    if (!tickets_use(connection->worker, channel_ticket_id(connection->channel), connection->local,
                &connection->session))
        connection_break(connection, DOCA_ERROR_NOT_PERMITTED,
                "its ticket has been used by another connection or has expired");
}

doca_error_t connection_attach(struct connection *connection, uint32_t max_tasks)
{
    if (connection->worker->connections.attached == CONNECTIONS_MAX)
        return DOCA_ERROR_FULL;
    connections_change_state(connection, CONNECTION_ATTACHED);
    connections_clear_deadline(connection);
    connection->max_tasks = max_tasks < TASKS_MAX ? max_tasks : TASKS_MAX;
    return DOCA_SUCCESS;
}

/* Drops the commands and domains of an attached host. */
static void drop_host(struct connection *connection)
{
    struct worker *worker = connection->worker;

    if (connection->state != CONNECTION_ATTACHED)
        return;
    connections_change_state(connection, CONNECTION_LEAVING);
    *counting_pending() -= connection->pending.count;
    counting_abandoned(connection->pending.count);
    pending_free(&connection->pending);
    dispatch_host_left(worker, connection->serial);
    domains_forget(&worker->domains, connection->serial);
}

void connection_detach(struct connection *connection)
{
    drop_host(connection);
    connections_change_state(connection, CONNECTION_LEAVING);
    connections_set_deadline(connection, LEAVING_NS);
}

void connection_break(struct connection *connection, doca_error_t status, const char *reason)
{
    SDK_LOG_WARN("Closing a host's connection: %s", reason);
    counting_break(status);
    channel_end(connection->channel, status, reason);
    connections_mark_over(connection);
}

void connection_close(struct connection *connection)
{
    struct worker *worker = connection->worker;

    drop_host(connection);
    if (connection->unpushed)
        notifications_unqueue(connection);
    connections_remove(connection);
    events_unwatch(&worker->events, channel_descriptor(connection->channel));
    channel_close(connection->channel);
    notifications_drop(connection);
    pending_free(&connection->pending);
    free(connection);
}

void connection_close_all(struct worker *worker)
{
    struct connections *connections = &worker->connections;

    while (connections->count > 0)
        connection_close(connections->at[connections->count - 1]);
}
