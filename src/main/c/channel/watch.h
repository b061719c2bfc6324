/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What wakes whoever sleeps on a channel, behind one epoll descriptor: its socket, the end of the
 * peer's process, a timer, what UCX waits for.
 */
#ifndef JUROM_CHANNEL_WATCH_H_
#define JUROM_CHANNEL_WATCH_H_

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include <doca_error.h>

struct watch {
    int epoll;
    int fd;          /* the socket */
    int process;     /* the peer's, as a pidfd; -1: none */
    int timer;       /* -1: none */
    int other;       /* not its own; -1: none */
    uint32_t events; /* of the socket; 0: it is not watched */
};

/* What watch_poll saw. */
enum watch_event {
    WATCH_READABLE = 1,
    WATCH_WRITABLE = 2,
    WATCH_DISCONNECTED = 4, /* the peer's process ended, or both directions of the socket did */
};

/* Takes the socket over, also when it fails. It is watched from watch_socket on. */
doca_error_t watch_open(struct watch *watch, int fd);
void watch_close(struct watch *watch);

/* Closes the socket and has another in its place, as watch_open. */
void watch_replace(struct watch *watch, int fd);

/* Wakes for these events (EPOLLIN, EPOLLOUT) of the socket, and for its end. False: cannot. */
bool watch_socket(struct watch *watch, uint32_t events);

/* Wakes at the end of a process, if the kernel says which it is. */
void watch_process(struct watch *watch, pid_t pid);

/* Wakes when another descriptor is readable, until watch_stop or watch_close. */
bool watch_descriptor(struct watch *watch, int fd);

/* Wakes once in so many nanoseconds. */
doca_error_t watch_timer(struct watch *watch, uint64_t ns);

/* Looks without waiting: bits of watch_event. */
unsigned watch_poll(struct watch *watch);

/* Wakes for nothing any more. */
void watch_stop(struct watch *watch);

#endif /* JUROM_CHANNEL_WATCH_H_ */
