/* SPDX-License-Identifier: Apache-2.0 */
#include <common/private.h>
#include <faults/faults.h>

#include "worker.h"
#include "worker_counters.h"

#define YIELDS_BEFORE_SLEEP 64
#define YIELDS_WHEN_BUSY 256   /* before sleeping although blocked work prevents arming */
#define SLEEP_MS 60000         /* when all event sources are armed */
#define SLEEP_POLLED_MS 1      /* when a plugin or a closing connection has to be polled */
#define POLL_PERIOD_NS 1000000 /* between polls of the descriptors while awake */
#define POLL_OFTEN_NS 50000    /* ... when some connections are idle */
#define POLL_SKIPS 32          /* rounds with work between polls that are not due */
#define EVENTS_AT_ONCE 64
#define NS_PER_MS 1000000

void idle_strategy_init(struct idle_strategy *strategy)
{
    idle_init(&strategy->idle);
}

/*
 * Wakes the idle connections among the sources and counts them in `*woken`. Moves the events of
 * other sources to the front and returns their number. Handling those can free a connection, so the
 * connections must be handled first.
 */
static unsigned wake_connections(struct connections *connections, struct epoll_event *events,
        unsigned count, unsigned *woken)
{
    unsigned others = 0;

    for (unsigned i = 0; i < count; ++i) {
        struct source *source = events[i].data.ptr;
        struct connection *connection = CONTAINER_OF(source, struct connection, source);

        if (source->kind != SOURCE_CONNECTION) {
            events[others++] = events[i];
        } else if (!connection_is_active(connection, connections)) {
            connections_activate(connection);
            ++*woken;
        }
    }
    return others;
}

static void accept_host(struct worker *worker, int fd, bool local)
{
    if (local)
        connection_accept(worker, fd, true);
    else
        pending_hellos_accept(worker, fd);
}

/* Waits for events for at most this time. Returns the number of events handled. */
static unsigned handle_events(struct worker *worker, int milliseconds)
{
    struct epoll_event events[EVENTS_AT_ONCE];
    unsigned count = events_wait(&worker->events, events, EVENTS_AT_ONCE, milliseconds);
    unsigned woken = 0;
    unsigned others = wake_connections(&worker->connections, events, count, &woken);

    for (unsigned i = 0; i < others; ++i) {
        struct source *source = events[i].data.ptr;

        if (source->kind == SOURCE_SERVICE) {
            service_write(worker);
            service_read(worker);
        } else if (source->kind == SOURCE_LISTENER) {
            listeners_accept(worker, CONTAINER_OF(source, struct listener, source), accept_host);
        } else if (source->kind == SOURCE_PENDING_HELLO) {
            pending_hellos_receive(worker, CONTAINER_OF(source, struct pending_hello, source));
        } else if (source->kind == SOURCE_TERMINATION) {
            termination_begin(worker);
        }
    }
    return woken + others;
}

static void check_deadlines(struct worker *worker, uint64_t now)
{
    const struct connections *connections = &worker->connections;

    counting_poll(now);
    tickets_expire(worker, now);
    counting_levels(worker->dispatch.queued, connections->attached, connections->serial);
    hosts_check_deadlines(worker, now);
    pending_hellos_check_deadlines(worker, now);
    termination_check(worker, now);
}

/* Sleeps until an event, for at most this time. */
static void sleep_for(struct worker *worker, int milliseconds)
{
    const struct connections *connections = &worker->connections;
    uint64_t now;

    counting_levels(worker->dispatch.queued, connections->attached, connections->serial);
    if (handle_events(worker, milliseconds) > 0) {
        idle_found_work(&worker->idle_strategy.idle);
        hosts_activate_few(worker);
    }
    now = idle_now_ns();
    events_note_poll(&worker->events, now);
    check_deadlines(worker, now);
}

/* Polls the descriptors and deadlines of a worker that does not sleep, if the period is over. */
static void poll_events(struct worker *worker)
{
    const struct connections *connections = &worker->connections;
    uint64_t period = connections->active < connections->count ? POLL_OFTEN_NS : POLL_PERIOD_NS;
    uint64_t now = idle_now_ns();

    if (now - worker->events.polled < period) {
        events_note_poll(&worker->events, worker->events.polled);
        return;
    }
    events_note_poll(&worker->events, now);
    if (handle_events(worker, 0) > 0)
        idle_found_work(&worker->idle_strategy.idle);
    check_deadlines(worker, now);
}

static doca_error_t arm_plugin(struct plugin *plugin, int *fd)
{
    doca_error_t status;

    plugin_enter(plugin, PLUGIN_ARM);
    status = plugin->arm(&plugin->ctx, fd);
    plugin_leave();
    return status;
}

/*
 * Arms the plugins. Returns false if one has work. Sets `*polled` if a plugin without events may
 * have work: it has an address, so that peers can reach it, or commands are unanswered.
 */
static bool arm_plugins(struct worker *worker, bool *polled)
{
    bool pending = *counting_pending() > 0;

    for (unsigned i = 0; i < worker->plugins.count; ++i) {
        struct plugin *plugin = &worker->plugins.at[i];
        int fd = -1;

        if (plugin->arm == NULL)
            *polled |= plugin->address != NULL || pending;
        else if (arm_plugin(plugin, &fd) != DOCA_SUCCESS)
            return false;
        else if (fd >= 0 && !events_watch(&worker->events, fd, &plugin->source, EPOLLIN))
            *polled = true;
    }
    return true;
}

/* Returns the milliseconds until the next deadline. */
static int time_to_sleep(struct worker *worker)
{
    ucs_list_link_t *timed = &worker->connections.timed;
    uint64_t first = tickets_deadline(&worker->tickets);
    uint64_t now = idle_now_ns();

    if (worker->pending_hellos.first_deadline < first)
        first = worker->pending_hellos.first_deadline;
    if (termination_deadline(worker) < first)
        first = termination_deadline(worker);
    if (!ucs_list_is_empty(timed)) {
        uint64_t next = ucs_list_head(timed, struct connection, timed)->deadline;

        first = next < first ? next : first;
    }
    if (first <= now)
        return 0;
    first = (first - now) / NS_PER_MS + 1;
    return first < SLEEP_MS ? (int)first : SLEEP_MS;
}

static void idle_round(struct worker *worker)
{
    struct idle *idle = &worker->idle_strategy.idle;
    bool polled = worker->dispatch.queued > 0 || worker->idle_strategy.closing > 0;

    if (idle->yields < YIELDS_BEFORE_SLEEP) {
        if (idle_step(idle) || events_are_due(&worker->events))
            poll_events(worker);
    } else if (arm_plugins(worker, &polled) && hosts_arm(worker)) {
        sleep_for(worker, polled ? SLEEP_POLLED_MS : time_to_sleep(worker));
    } else if (idle->yields < YIELDS_WHEN_BUSY) {
        hosts_activate_few(worker);
        idle_yield(idle);
        poll_events(worker);
    } else { /* a plugin's work waits for a host, which may have disconnected */
        sleep_for(worker, SLEEP_POLLED_MS);
    }
}

static void busy_round(struct worker *worker)
{
    struct idle_strategy *strategy = &worker->idle_strategy;

    idle_found_work(&strategy->idle);
    if (++strategy->skips < POLL_SKIPS && !worker->events.due && !events_are_due(&worker->events))
        return;
    strategy->skips = 0;
    poll_events(worker);
}

void idle_strategy_idle(struct worker *worker, unsigned found)
{
    worker->idle_strategy.closing = channels_closing();
    if (found > 0)
        busy_round(worker);
    else
        idle_round(worker);
}
