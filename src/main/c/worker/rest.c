/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What an idle worker does. It spins for some tens of microseconds after the last work, because a
 * wake-up costs as much; then it yields its core between polls; then it sleeps until UCX, a plugin
 * or the service has something. Plugins are progressed now and then even so.
 */
#include <errno.h>
#include <poll.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "worker.h"

#define YIELDS_BEFORE_SLEEP 64
#define YIELDS_WHEN_BUSY 256 /* before a sleep though UCX has work that it cannot do */
#define SLEEP_MS 1000       /* when only commands can bring work */
#define SLEEP_POLLED_MS 1   /* when a plugin has to be polled, or owes an answer */
#define LOOK_PERIOD_NS 10000000 /* at standard input, while the worker does not sleep */
#define LOOK_SKIPS 256 /* rounds with work between two looks at the clock */

static doca_error_t watch(struct worker *worker, int fd)
{
    struct epoll_event interest = { .events = EPOLLIN, .data.fd = fd };

    if (epoll_ctl(worker->epoll_fd, EPOLL_CTL_ADD, fd, &interest) != 0 && errno != EEXIST)
        return DOCA_ERROR_OPERATING_SYSTEM;
    return DOCA_SUCCESS;
}

doca_error_t rest_init(struct worker *worker)
{
    doca_error_t status;

    idle_init(&worker->idle);
    worker->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
    if (worker->epoll_fd < 0)
        return DOCA_ERROR_OPERATING_SYSTEM;
    status = watch(worker, STDIN_FILENO);
    return status == DOCA_SUCCESS ? watch(worker, worker->net.event_fd) : status;
}

/* The service says nothing but its end: readable means that the worker has to leave. */
static void sleep_until_event(struct worker *worker, int milliseconds)
{
    struct epoll_event event;
    int count = epoll_wait(worker->epoll_fd, &event, 1, milliseconds);

    if (count == 1 && event.data.fd == STDIN_FILENO)
        worker->leaving = true;
    if (count == 1)
        idle_found_work(&worker->idle);
}

/* Arms every source. False: one of them has work. `*polled`: one of them cannot be slept on. */
static bool arm(struct worker *worker, bool *polled)
{
    for (unsigned i = 0; i < worker->plugin_count; ++i) {
        struct plugin *plugin = &worker->plugins[i];
        int fd = -1;

        if (plugin->arm == NULL)
            *polled |= plugin->address != NULL;
        else if (plugin->arm(&plugin->ctx, &fd) != DOCA_SUCCESS)
            return false;
        else if (fd >= 0 && watch(worker, fd) != DOCA_SUCCESS)
            *polled = true;
    }
    return net_arm(&worker->net) == DOCA_SUCCESS;
}

/* A worker that is never idle for long, be it busy or waiting for its core, has to leave too. */
static void look_at_service(struct worker *worker)
{
    struct pollfd input = { .fd = STDIN_FILENO, .events = POLLIN };
    uint64_t now = idle_now_ns();

    if (now - worker->looked < LOOK_PERIOD_NS)
        return;
    worker->looked = now;
    if (poll(&input, 1, 0) == 1)
        worker->leaving = true;
}

void rest(struct worker *worker)
{
    bool polled = worker->connections.pending > 0;

    if (worker->idle.yields < YIELDS_BEFORE_SLEEP) {
        if (idle_step(&worker->idle))
            look_at_service(worker);
    } else if (arm(worker, &polled)) {
        sleep_until_event(worker, polled ? SLEEP_POLLED_MS : SLEEP_MS);
    } else if (worker->idle.yields < YIELDS_WHEN_BUSY) {
        idle_yield(&worker->idle);
        look_at_service(worker);
    } else { /* what UCX has in hand waits for a host, which may have gone */
        sleep_until_event(worker, SLEEP_POLLED_MS);
        look_at_service(worker);
    }
}

void rest_not(struct worker *worker)
{
    idle_found_work(&worker->idle);
    if (++worker->skips < LOOK_SKIPS)
        return;
    worker->skips = 0;
    look_at_service(worker);
}
