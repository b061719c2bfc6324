/* SPDX-License-Identifier: Apache-2.0 */
/* The epoll descriptor of a channel. */
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <faults/faults.h>

#include "watch.h"

enum source {
    SOURCE_SOCKET,
    SOURCE_PROCESS,
    SOURCE_TIMER,
    SOURCE_OTHER,
    SOURCES,
};

static bool control(struct watch *watch, int operation, int fd, enum source source, uint32_t events)
{
    struct epoll_event event = { .events = events, .data.u32 = source };

    return FAULT_CALL(channel_epoll_control, epoll_ctl(watch->epoll, operation, fd, &event)) == 0;
}

static void close_one(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

doca_error_t watch_open(struct watch *watch, int fd)
{
    *watch = (struct watch){
        .epoll = FAULT_CALL(channel_epoll_make, epoll_create1(EPOLL_CLOEXEC)),
        .fd = fd,
        .process = -1,
        .timer = -1,
        .other = -1,
    };
    if (watch->epoll < 0) {
        watch_close(watch);
        return DOCA_ERROR_OPERATING_SYSTEM;
    }
    return DOCA_SUCCESS;
}

void watch_close(struct watch *watch)
{
    close_one(&watch->timer);
    close_one(&watch->process);
    close_one(&watch->fd);
    close_one(&watch->epoll);
}

void watch_replace(struct watch *watch, int fd)
{
    close_one(&watch->fd);
    watch->fd = fd;
    watch->events = 0;
}

bool watch_socket(struct watch *watch, uint32_t events)
{
    int operation = watch->events == 0 ? EPOLL_CTL_ADD : EPOLL_CTL_MOD;

    events |= EPOLLERR; /* never 0 while the socket is observed */
    if (watch->events == events)
        return true;
    if (!control(watch, operation, watch->fd, SOURCE_SOCKET, events))
        return false;
    watch->events = events;
    return true;
}

void watch_process(struct watch *watch, pid_t pid)
{
    if (pid <= 0 || watch->process >= 0)
        return;
    watch->peer = pid;
    watch->process = FAULT_CALL(process_open, (int)syscall(SYS_pidfd_open, pid, 0));
    if (watch->process >= 0)
        control(watch, EPOLL_CTL_ADD, watch->process, SOURCE_PROCESS, EPOLLIN);
}

bool watch_descriptor(struct watch *watch, int fd)
{
    if (!control(watch, EPOLL_CTL_ADD, fd, SOURCE_OTHER, EPOLLIN))
        return false;
    watch->other = fd;
    return true;
}

doca_error_t watch_timer(struct watch *watch, uint64_t ns)
{
    struct itimerspec when = {
        .it_value = { (time_t)(ns / 1000000000u), (long)(ns % 1000000000u) },
    };

    if (watch->timer < 0) {
        watch->timer = FAULT_CALL(
                channel_timer_make, timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC));
        if (watch->timer < 0)
            return DOCA_ERROR_NO_MEMORY;
        control(watch, EPOLL_CTL_ADD, watch->timer, SOURCE_TIMER, EPOLLIN);
    }
    /* Also clears an earlier expiration. */
    return timerfd_settime(watch->timer, 0, &when, NULL) == 0 ? DOCA_SUCCESS
                                                              : DOCA_ERROR_OPERATING_SYSTEM;
}

static unsigned events_of(const struct epoll_event *event)
{
    unsigned result = 0;

    if (event->data.u32 == SOURCE_PROCESS)
        return WATCH_DISCONNECTED;
    if (event->data.u32 != SOURCE_SOCKET)
        return 0;
    if (event->events & EPOLLIN)
        result |= WATCH_READABLE;
    if (event->events & EPOLLOUT)
        result |= WATCH_WRITABLE;
    if (event->events & (EPOLLHUP | EPOLLERR))
        result |= WATCH_DISCONNECTED;
    return result;
}

unsigned watch_poll(struct watch *watch)
{
    struct epoll_event events[SOURCES];
    int count = FAULT_CALL(channel_epoll_wait, epoll_wait(watch->epoll, events, SOURCES, 0));
    unsigned result = 0;

    for (int i = 0; i < count; ++i)
        result |= events_of(&events[i]);
    return result;
}

void watch_stop(struct watch *watch)
{
    if (watch->events != 0)
        control(watch, EPOLL_CTL_DEL, watch->fd, SOURCE_SOCKET, 0);
    watch->events = 0;
    if (watch->process >= 0)
        control(watch, EPOLL_CTL_DEL, watch->process, SOURCE_PROCESS, 0);
    if (watch->other >= 0)
        control(watch, EPOLL_CTL_DEL, watch->other, SOURCE_OTHER, 0);
    watch->other = -1;
    close_one(&watch->process);
    close_one(&watch->timer);
}
