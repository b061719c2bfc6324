/* SPDX-License-Identifier: Apache-2.0 */
/* Registers the descriptors that wake the worker, and limits the length of a round. */
#include <errno.h>
#include <sys/epoll.h>

#include <faults/faults.h>

#include "worker.h"

#define LATE_NS 3000000   /* since the last poll of the descriptors, after which the round ends */
#define CAREFUL_TURNS 256 /* turns after that which take one command at a time */

bool rest_watch(struct worker *worker, int fd, struct source *source, uint32_t events)
{
    struct epoll_event interest = { .events = events, .data.ptr = source };

    return FAULT_CALL(worker_watch, epoll_ctl(worker->epoll_fd, EPOLL_CTL_ADD, fd, &interest)) == 0
            || errno == EEXIST;
}

void rest_forget(struct worker *worker, int fd)
{
    epoll_ctl(worker->epoll_fd, EPOLL_CTL_DEL, fd, NULL);
}

bool rest_is_due(struct worker *worker)
{
    if ((int64_t)(idle_tick_ns() - worker->looked) < LATE_NS)
        return false;
    worker->careful = CAREFUL_TURNS;
    worker->due = true;
    return true;
}
