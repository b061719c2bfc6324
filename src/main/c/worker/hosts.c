/* SPDX-License-Identifier: Apache-2.0 */
#include <poll.h>

#include <common/sdk_log.h>

#include "worker.h"

SDK_LOG_REGISTER(UROM::WORKER::HOSTS)

#define COMMANDS_A_TURN 8
#define FEW 8             /* connections that are all polled in each round */
#define QUIET_ROUNDS 1024 /* without traffic, after which a connection becomes idle */
#define FLUSH_NS 1000000000u
#define FLUSH_STEP_MS 1

/* Returns whether the host reads fast enough. */
static bool keeps_up(const struct connection *connection)
{
    return channel_waiting(connection->channel) <= connection->worker->configuration.waiting_max;
}

static bool is_read(const struct connection *connection)
{
    return connection->state != CONNECTION_LEAVING && keeps_up(connection);
}

/* Returns the number of commands per poll: one if commands have recently taken long. */
static unsigned commands_at_once(struct worker *worker)
{
    return events_slow_turn(&worker->events) ? 1 : worker->configuration.poll_frames;
}

/*
 * After several commands, polls again, because more may have arrived meanwhile and their responses
 * are then sent together. The response to a single command is sent without another poll.
 */
static unsigned poll_one(struct connection *connection)
{
    unsigned most = commands_at_once(connection->worker);
    unsigned taken = 0, found = 0;
    unsigned done;

    dispatch_begin_turn(&connection->worker->dispatch);
    do {
        unsigned left = COMMANDS_A_TURN - taken;
        unsigned frames = left < most ? left : most;

        done = channel_poll(connection->channel, is_read(connection) ? frames : 0);
        if (done > 0)
            dispatch_collect(connection->worker);
        found += done;
        taken += done < most ? done : most; /* also when nothing is read */
    } while (taken < COMMANDS_A_TURN && done > 0 && (found > 1 || most == 1)
            && !events_are_due(&connection->worker->events));
    return found;
}

static bool is_over(const struct connection *connection)
{
    doca_error_t status = channel_status(connection->channel);

    return connection->over || (status != DOCA_SUCCESS && status != DOCA_ERROR_IN_PROGRESS)
            || channel_peer_disconnected(connection->channel)
            || (connection->state == CONNECTION_LEAVING
                    && channel_waiting(connection->channel) == 0);
}

static void end(struct connection *connection)
{
    doca_error_t status = channel_status(connection->channel);

    if (connection->state == CONNECTION_ARRIVING && status != DOCA_ERROR_CONNECTION_RESET)
        SDK_LOG_WARN("A connection was rejected: %s", channel_reason(connection->channel));
    else if (connection->state == CONNECTION_ARRIVING)
        SDK_LOG_DBG("A host disconnected before it presented a ticket");
    else
        SDK_LOG_DBG("Host %lu disconnected. %s", (unsigned long)connection->serial,
                channel_reason(connection->channel));
    connection_close(connection);
}

static unsigned rounds_before_idle(const struct connection *connection)
{
    if (connection->state != CONNECTION_ATTACHED)
        return 0;
    return connection->worker->connections.count <= FEW ? UINT32_MAX : QUIET_ROUNDS;
}

/* Makes the connection idle unless it has pending work. */
static bool arm(struct connection *connection)
{
    if (channel_arm(connection->channel, is_read(connection)) != DOCA_SUCCESS)
        return false;
    connections_deactivate(connection);
    return true;
}

static unsigned serve(struct connection *connection)
{
    unsigned found = poll_one(connection);

    connection_admit(connection);
    if (connection->unpushed)
        channel_push(connection->channel);
    if (is_over(connection)) {
        end(connection);
        return found + 1;
    }
    if (found > 0)
        connection->empty = 0;
    else if (connection->empty++ >= rounds_before_idle(connection))
        arm(connection);
    return found;
}

/* Returns the number of connections closed. If this takes long, the next round continues. */
static unsigned close_those_over(struct worker *worker)
{
    struct connections *connections = &worker->connections;
    unsigned ended = 0;
    bool due = false;

    connections_note_over(connections, false);
    for (unsigned i = connections->count; i > 0 && !due; --i) {
        if (connections->at[i - 1]->over) {
            end(connections->at[i - 1]);
            ++ended;
            due = events_are_due(&worker->events);
        }
    }
    if (due)
        connections_note_over(connections, true);
    return ended;
}

/* Called when a round continues, so that connecting hosts need not wait for all others. */
static unsigned serve_unattached(struct connections *connections)
{
    struct connection *connection, *next;
    unsigned found = 0;

    ucs_list_for_each_safe(connection, next, &connections->timed, timed)
    {
        if (connection_is_active(connection, connections))
            found += serve(connection);
    }
    return found;
}

/* Iterates backwards: a connection that is removed or made idle swaps with a served one. */
unsigned hosts_serve(struct worker *worker)
{
    struct connections *connections = &worker->connections;
    unsigned found = worker->hosts.unserved > 0 ? serve_unattached(connections) : 0;
    unsigned left = worker->hosts.unserved;

    if (left == 0 || left > connections->active)
        left = connections->active;
    for (; left > 0 && !worker->events.due; --left) {
        unsigned done = serve(connections->at[left - 1]);

        if (done > 0)
            events_are_due(&worker->events);
        found += done;
    }
    worker->hosts.unserved = left;
    if (connections->some_over)
        found += close_those_over(worker);
    return found;
}

void hosts_check_deadlines(struct worker *worker, uint64_t now)
{
    struct connections *connections = &worker->connections;

    while (!ucs_list_is_empty(&connections->timed)) {
        struct connection *first = ucs_list_head(&connections->timed, struct connection, timed);

        if (first->deadline > now)
            break;
        SDK_LOG_WARN("Closing a connection: its host did not %s in time",
                first->state == CONNECTION_LEAVING ? "read its remaining data" : "attach");
        connection_close(first);
    }
}

bool hosts_arm(struct worker *worker)
{
    struct connections *connections = &worker->connections;
    bool armed = true;

    for (unsigned i = connections->active; i > 0; --i)
        armed &= arm(connections->at[i - 1]);
    return armed;
}

/* Connections that are not yet attached stay idle. */
void hosts_activate_few(struct worker *worker)
{
    struct connections *connections = &worker->connections;

    if (connections->count > FEW)
        return;
    for (unsigned i = connections->active; i < connections->count; ++i) {
        if (connections->at[i]->state == CONNECTION_ATTACHED)
            connections_activate(connections->at[i]);
    }
}

/* Sends queued data. Returns the number of bytes still queued for connected hosts. */
static size_t send_queued(struct worker *worker, unsigned *done)
{
    struct connections *connections = &worker->connections;
    size_t waiting = 0;

    for (unsigned i = 0; i < connections->count; ++i) {
        struct channel *channel = connections->at[i]->channel;

        if (channel_waiting(channel) > 0)
            *done += channel_poll(channel, 0);
        if (channel_status(channel) == DOCA_SUCCESS && !channel_peer_disconnected(channel))
            waiting += channel_waiting(channel);
    }
    return waiting;
}

void hosts_flush(struct worker *worker)
{
    uint64_t end = idle_now_ns() + FLUSH_NS;
    unsigned done = 0;

    while (send_queued(worker, &done) > 0 && idle_now_ns() < end) {
        if (done == 0)
            poll(NULL, 0, FLUSH_STEP_MS);
        done = 0;
    }
}
