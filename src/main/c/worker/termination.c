/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <common/idle.h>
#include <common/sdk_log.h>

#include "worker.h"

SDK_LOG_REGISTER(UROM::WORKER::TERMINATION)

#define NS_PER_MS 1000000u

static pid_t process;
static int caught = -1;

/* A process that a plugin forked has this handler too, but keeps the default action. */
static void catch_signal(int number)
{
    const uint64_t one = 1;
    int before = errno;

    if (getpid() == process) {
        (void)!write(caught, &one, sizeof(one));
    } else {
        signal(number, SIG_DFL);
        raise(number);
    }
    errno = before;
}

doca_error_t termination_catch(struct termination *termination)
{
    const struct sigaction action = { .sa_handler = catch_signal, .sa_flags = SA_RESTART };

    termination->source.kind = SOURCE_TERMINATION;
    termination->deadline = UINT64_MAX;
    termination->caught = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    caught = termination->caught;
    process = getpid();
    return caught >= 0 && sigaction(SIGTERM, &action, NULL) == 0 ? DOCA_SUCCESS
                                                                 : DOCA_ERROR_OPERATING_SYSTEM;
}

doca_error_t termination_watch(struct worker *worker)
{
    struct termination *termination = &worker->termination;

    return events_watch(&worker->events, termination->caught, &termination->source, EPOLLIN)
            ? DOCA_SUCCESS
            : DOCA_ERROR_OPERATING_SYSTEM;
}

void termination_begin(struct worker *worker)
{
    SDK_LOG_INFO("SIGTERM: the worker exits when its hosts have disconnected");
    events_unwatch(&worker->events, worker->termination.caught);
    worker->termination.deadline = idle_now_ns() + (uint64_t)TERMINATION_MS * NS_PER_MS;
}

uint64_t termination_deadline(const struct worker *worker)
{
    const struct connections *connections = &worker->connections;
    bool unused = connections->serial > 0 && connections->count == 0 && worker->tickets.count == 0;

    return worker->termination.deadline != UINT64_MAX && unused ? 0 : worker->termination.deadline;
}

void termination_check(struct worker *worker, uint64_t now)
{
    if (now < termination_deadline(worker))
        return;
    worker->termination.ends_worker = !worker->service.stopping;
    service_stop(&worker->service);
}
