/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Idling of the worker. After the last work it spins for some tens of microseconds, because a
 * wake-up costs as much; then it yields its core between polls; then it arms all event sources and
 * sleeps until an event or a deadline. While it does not sleep, it polls its descriptors
 * periodically.
 */
#include <sys/epoll.h>
#include <unistd.h>

#include <faults/faults.h>

#include "counting.h"
#include "worker.h"

#define YIELDS_BEFORE_SLEEP 64
#define YIELDS_WHEN_BUSY 256   /* before sleeping although blocked work prevents arming */
#define SLEEP_MS 60000         /* when all event sources are armed */
#define SLEEP_POLLED_MS 1      /* when a plugin or a closing connection has to be polled */
#define LOOK_PERIOD_NS 1000000 /* between polls of the descriptors while awake */
#define LOOK_OFTEN_NS 50000    /* ... when some connections are idle */
#define LOOK_SKIPS 32          /* rounds with work between polls that are not due */
#define EVENTS_AT_ONCE 64
#define NS_PER_MS 1000000

doca_error_t rest_init(struct worker *worker)
{
    idle_init(&worker->idle);
    worker->epoll_fd = FAULT_CALL(worker_epoll_make, epoll_create1(EPOLL_CLOEXEC));
    return worker->epoll_fd < 0 ? DOCA_ERROR_OPERATING_SYSTEM : DOCA_SUCCESS;
}

/*
 * Wakes the idle connections among the sources and counts them in `*woken`. Moves the events of
 * other sources to the front and returns their number. Handling those can free a connection, so the
 * connections must be handled first.
 */
static unsigned wake_connections(const struct connections *connections, struct epoll_event *events,
        int count, unsigned *woken)
{
    unsigned others = 0;

    for (int i = 0; i < count; ++i) {
        struct source *source = events[i].data.ptr;
        struct connection *connection = CONTAINER_OF(source, struct connection, source);

        if (source->kind != SOURCE_CONNECTION) {
            events[others++] = events[i];
        } else if (!connection_is_active(connection, connections)) {
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

/* Polls the descriptors for at most this time. Returns the number of events handled. */
static unsigned take_events(struct worker *worker, int milliseconds)
{
    struct epoll_event events[EVENTS_AT_ONCE];
    int count = FAULT_CALL(
            worker_epoll_wait, epoll_wait(worker->epoll_fd, events, EVENTS_AT_ONCE, milliseconds));
    unsigned woken = 0;
    unsigned others = wake_connections(&worker->connections, events, count, &woken);

    for (unsigned i = 0; i < others; ++i) {
        struct source *source = events[i].data.ptr;

        if (source->kind == SOURCE_SERVICE) {
            service_write(worker);
            service_read(worker);
        } else if (source->kind == SOURCE_LISTENER) {
            listeners_accept(worker, CONTAINER_OF(source, struct listener, source), take_host);
        } else if (source->kind == SOURCE_STRANGER) {
            strangers_hear(worker, CONTAINER_OF(source, struct stranger, source));
        }
    }
    return woken + others;
}

/* Handles expired deadlines. */
static void look_at_clock(struct worker *worker, uint64_t now)
{
    tickets_expire(worker, now);
    counting_levels(worker);
    hosts_look(worker, now);
    strangers_look(worker, now);
}

/* Sleeps until an event, for at most this time. */
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

/* Polls the descriptors and deadlines of a worker that does not sleep, if the period is over. */
static void look(struct worker *worker)
{
    const struct connections *connections = &worker->connections;
    uint64_t period = connections->active < connections->count ? LOOK_OFTEN_NS : LOOK_PERIOD_NS;
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
 * Arms the plugins. Returns false if one has work. Sets `*polled` if a plugin without events may
 * have work: it has an address, so that peers can reach it, or commands are unanswered.
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

/* Returns the milliseconds until the next deadline. */
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
        if (idle_step(&worker->idle) || rest_is_due(worker))
            look(worker);
    } else if (arm_plugins(worker, &polled) && hosts_arm(worker)) {
        rest_for(worker, polled ? SLEEP_POLLED_MS : time_to_sleep(worker));
    } else if (worker->idle.yields < YIELDS_WHEN_BUSY) {
        hosts_wake_few(worker);
        idle_yield(&worker->idle);
        look(worker);
    } else { /* a plugin's work waits for a host, which may have disconnected */
        rest_for(worker, SLEEP_POLLED_MS);
    }
}

void rest_not(struct worker *worker)
{
    idle_found_work(&worker->idle);
    if (++worker->skips < LOOK_SKIPS && !worker->due && !rest_is_due(worker))
        return;
    worker->skips = 0;
    look(worker);
}
