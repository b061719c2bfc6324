/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The epoll descriptor of a channel. It observes the socket, the peer's process, a timer, and the
 * event descriptor of UCX.
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
    pid_t peer;      /* the peer's process; 0: unknown */
    int process;     /* the same, as a pidfd; -1: none */
    int timer;       /* -1: none */
    int other;       /* borrowed; -1: none */
    uint32_t events; /* of the socket; 0: not observed */
};

/* Bits returned by watch_poll. */
enum watch_event {
    WATCH_READABLE = 1,
    WATCH_WRITABLE = 2,
    WATCH_DISCONNECTED = 4, /* the peer's process or both directions of the socket have ended */
};

/* Takes ownership of the socket, also on failure. Call watch_socket to observe it. */
doca_error_t watch_open(struct watch *watch, int fd);

/* Closes all descriptors except `other`, which is borrowed. */
void watch_close(struct watch *watch);

/* Closes the socket and replaces it with `fd`, which is not observed yet. */
void watch_replace(struct watch *watch, int fd);

/* Observes these events (EPOLLIN, EPOLLOUT) of the socket, and its end. False: failed. */
bool watch_socket(struct watch *watch, uint32_t events);

/* Observes the end of a process. Does nothing if its pid is unknown (0). */
void watch_process(struct watch *watch, pid_t pid);

/* Observes when another descriptor is readable, until watch_stop or watch_close. */
bool watch_descriptor(struct watch *watch, int fd);

/* Wakes once, after `ns` nanoseconds. */
doca_error_t watch_timer(struct watch *watch, uint64_t ns);

/* Returns pending events as bits of watch_event. Non-blocking. */
unsigned watch_poll(struct watch *watch);

/* Stops observing everything. */
void watch_stop(struct watch *watch);

#endif /* JUROM_CHANNEL_WATCH_H_ */
