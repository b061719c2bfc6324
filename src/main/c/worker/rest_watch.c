/* SPDX-License-Identifier: Apache-2.0 */
/* What wakes a worker that rests. */
#include <errno.h>
#include <sys/epoll.h>

#include <faults/faults.h>

#include "worker.h"

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
