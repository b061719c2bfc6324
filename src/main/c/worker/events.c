/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>

#include <common/idle.h>
#include <faults/faults.h>

#include "events.h"

#define LATE_NS 3000000    /* since the last poll, after which the round ends */
#define SLOW_TURNS_MAX 256 /* turns after a late poll that take one command at a time */

doca_error_t events_open(struct events *events)
{
    events->epoll_fd = FAULT_CALL(worker_epoll_make, epoll_create1(EPOLL_CLOEXEC));
    return events->epoll_fd < 0 ? DOCA_ERROR_OPERATING_SYSTEM : DOCA_SUCCESS;
}

bool events_watch(struct events *events, int fd, struct source *source, uint32_t mask)
{
    struct epoll_event interest = { .events = mask, .data.ptr = source };

    return FAULT_CALL(worker_watch, epoll_ctl(events->epoll_fd, EPOLL_CTL_ADD, fd, &interest)) == 0
            || errno == EEXIST;
}

void events_unwatch(struct events *events, int fd)
{
    epoll_ctl(events->epoll_fd, EPOLL_CTL_DEL, fd, NULL);
}

unsigned events_wait(
        struct events *events, struct epoll_event *found, unsigned capacity, int milliseconds)
{
    int count = FAULT_CALL(
            worker_epoll_wait, epoll_wait(events->epoll_fd, found, (int)capacity, milliseconds));

    return count < 0 ? 0 : (unsigned)count;
}

bool events_are_due(struct events *events)
{
    if ((int64_t)(idle_tick_ns() - events->polled) < LATE_NS)
        return false;
    events->slow_turns = SLOW_TURNS_MAX;
    events->due = true;
    return true;
}
