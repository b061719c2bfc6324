/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What an idle worker does. It spins for some tens of microseconds after the last work, because a
 * wake-up costs as much; then it yields its core between polls; then it arms all that can wake it
 * and sleeps until a host, a plugin or the service has something, or a time is up. A worker that
 * does not sleep looks at its descriptors now and then.
 */
#include <sys/epoll.h>
#include <unistd.h>

#include <faults/faults.h>

#include "counting.h"
#include "worker.h"

#define YIELDS_BEFORE_SLEEP 64
#define YIELDS_WHEN_BUSY 256  /* before a sleep though somebody has work that cannot be done */
#define SLEEP_MS 60000        /* when nothing is expected but events */
#define SLEEP_POLLED_MS 1     /* when a plugin, or a connection that closes, has to be polled */
#define LOOK_PERIOD_NS 1000000 /* at the descriptors, while the worker does not sleep */
#define LOOK_OFTEN_NS 50000    /* ... when hosts rest that may have something */
#define LOOK_SKIPS 32 /* rounds between two readings of the clock, unless they take long */
#define EVENTS_AT_ONCE 64
#define NS_PER_MS 1000000

doca_error_t rest_init(struct worker *worker)
{
    idle_init(&worker->idle);
    worker->epoll_fd = FAULT_CALL(worker_epoll_make, epoll_create1(EPOLL_CLOEXEC));
    return worker->epoll_fd < 0 ? DOCA_ERROR_OPERATING_SYSTEM : DOCA_SUCCESS;
}

/*
 * Wakes the resting connections among the sources, and counts them in `*woken`. Moves the events of
 * other sources to the front and returns their number: handling them can free a connection, so no
 * connection is read after this.
 */
static unsigned wake_connections(const struct connections *connections,
        struct epoll_event *events, int count, unsigned *woken)
{
    unsigned others = 0;

    for (int i = 0; i < count; ++i) {
        struct source *source = events[i].data.ptr;
        struct connection *connection = CONTAINER_OF(source, struct connection, source);

        if (source->kind != SOURCE_CONNECTION) {
            events[others++] = events[i];
        } else if (!connection_is_hot(connection, connections)) {
            connection_wake(connection);
            ++*woken;
        }
    }
    return others;
}

static void take_host(struct worker *worker, int fd, bool local)
{
    if (local)
        connection_accept(worker, fd, true);
    else
        strangers_arrive(worker, fd);
}

/* Returns how much is new. */
static unsigned take_events(struct worker *worker, int milliseconds)
{
    struct epoll_event events[EVENTS_AT_ONCE];
    int count = FAULT_CALL(worker_epoll_wait,
            epoll_wait(worker->epoll_fd, events, EVENTS_AT_ONCE, milliseconds));
    unsigned woken = 0;
    unsigned others = wake_connections(&worker->connections, events, count, &woken);

    for (unsigned i = 0; i < others; ++i) {
        struct source *source = events[i].data.ptr;

        if (source->kind == SOURCE_SERVICE) {
            service_write(worker);
            service_read(worker);
        } else if (source->kind == SOURCE_LISTENER) {
            listeners_accept(worker, CONTAINER_OF(source, struct listener, source),
                    take_host);
        } else if (source->kind == SOURCE_STRANGER) {
            strangers_hear(worker, CONTAINER_OF(source, struct stranger, source));
        }
    }
    return woken + others;
}

/* Whose time is up? */
static void look_at_clock(struct worker *worker, uint64_t now)
{
    tickets_expire(worker, now);
    counting_levels(worker);
    hosts_look(worker, now);
    strangers_look(worker, now);
}

/* Sleeps for at most this time, or until a descriptor has something. */
static void rest_for(struct worker *worker, int milliseconds)
{
    counting_levels(worker);
    if (take_events(worker, milliseconds) > 0) {
        idle_found_work(&worker->idle);
        hosts_wake_few(worker);
    }
    worker->looked = idle_now_ns();
    worker->due = false;
    look_at_clock(worker, worker->looked);
}

/* For a worker that is never idle for long, be it busy or waiting for its core. */
static void look(struct worker *worker)
{
    const struct connections *connections = &worker->connections;
    uint64_t period = connections->hot < connections->count ? LOOK_OFTEN_NS : LOOK_PERIOD_NS;
    uint64_t now = idle_now_ns();

    worker->due = false;
    if (now - worker->looked < period)
        return;
    worker->looked = now;
    if (take_events(worker, 0) > 0)
        idle_found_work(&worker->idle);
    look_at_clock(worker, now);
}

static doca_error_t arm_plugin(struct plugin *plugin, int *fd)
{
    doca_error_t status;

    plugin_enter(plugin, PLUGIN_ARM);
    status = plugin->arm(&plugin->ctx, fd);
    plugin_left(plugin);
    return status;
}

/*
 * Arms the plugins. False: one of them has work. `*polled`: one of them has no events, and has an
 * address, by which others may reach it, or may owe an answer.
 */
static bool arm_plugins(struct worker *worker, bool *polled)
{
    bool pending = *counting_pending() > 0;

    for (unsigned i = 0; i < worker->plugin_count; ++i) {
        struct plugin *plugin = &worker->plugins[i];
        int fd = -1;

        if (plugin->arm == NULL)
            *polled |= plugin->address != NULL || pending;
        else if (arm_plugin(plugin, &fd) != DOCA_SUCCESS)
            return false;
        else if (fd >= 0 && !rest_watch(worker, fd, &plugin->source, EPOLLIN))
            *polled = true;
    }
    return true;
}

/* Until the next time that is up. */
static int time_to_sleep(struct worker *worker)
{
    ucs_list_link_t *timed = &worker->connections.timed;
    uint64_t first = tickets_deadline(&worker->tickets);
    uint64_t now = idle_now_ns();

    if (worker->strangers.first_deadline < first)
        first = worker->strangers.first_deadline;
    if (!ucs_list_is_empty(timed)) {
        uint64_t next = ucs_list_head(timed, struct connection, timed)->deadline;

        first = next < first ? next : first;
    }
    if (first <= now)
        return 0;
    first = (first - now) / NS_PER_MS + 1;
    return first < SLEEP_MS ? (int)first : SLEEP_MS;
}

void rest(struct worker *worker)
{
    bool polled = worker->queued > 0 || worker->closing > 0;

    if (worker->idle.yields < YIELDS_BEFORE_SLEEP) {
        if (idle_step(&worker->idle)
                || (worker->idle.empty % LOOK_SKIPS == 0 && rest_is_due(worker)))
            look(worker);
    } else if (arm_plugins(worker, &polled) && hosts_arm(worker)) {
        rest_for(worker, polled ? SLEEP_POLLED_MS : time_to_sleep(worker));
    } else if (worker->idle.yields < YIELDS_WHEN_BUSY) {
        hosts_wake_few(worker);
        idle_yield(&worker->idle);
        look(worker);
    } else { /* what a plugin has in hand waits for a host, which may have gone */
        rest_for(worker, SLEEP_POLLED_MS);
    }
}

void rest_not(struct worker *worker)
{
    idle_found_work(&worker->idle);
    if (++worker->skips < LOOK_SKIPS && !worker->due)
        return;
    worker->skips = 0;
    look(worker);
}
