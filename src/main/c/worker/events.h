/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The worker's epoll descriptor, which wakes it from its sleep. A worker that does not sleep polls
 * it periodically, so a round that takes long has to end early. Owned by the worker's thread.
 */
#ifndef JUROM_EVENTS_H_
#define JUROM_EVENTS_H_

#include <stdbool.h>
#include <stdint.h>
#include <sys/epoll.h>

#include <doca_error.h>

/* The kind of object that owns a watched descriptor. Embedded in that object. */
struct source {
    enum source_kind {
        SOURCE_SERVICE,       /* a struct service: input is readable, or output is writable */
        SOURCE_LISTENER,      /* a struct listener: a connection is pending */
        SOURCE_PENDING_HELLO, /* a struct pending_hello: data has arrived */
        SOURCE_CONNECTION,    /* a struct connection: it has to be polled */
        SOURCE_PLUGIN,        /* a plugin's: it has to be progressed */
        SOURCE_TERMINATION,   /* a struct termination: SIGTERM has been caught */
    } kind;
};

struct events {
    int epoll_fd;
    uint64_t polled;     /* time of the last poll, in ns */
    bool due;            /* the round has to end, so that the descriptors are polled */
    unsigned slow_turns; /* remaining turns that take one command at a time */
};

/* Creates the epoll descriptor. */
doca_error_t events_open(struct events *events);

/*
 * Starts watching a descriptor for these epoll events. `source` must outlive the watch. Returns
 * true also if the descriptor is watched already.
 */
bool events_watch(struct events *events, int fd, struct source *source, uint32_t mask);

/* Stops watching a descriptor. No effect if it is not watched. */
void events_unwatch(struct events *events, int fd);

/* Waits for at most this time and returns the number of events found; 0 also on an error. */
unsigned events_wait(
        struct events *events, struct epoll_event *found, unsigned capacity, int milliseconds);

/*
 * Returns whether the round has to end, because the descriptors have not been polled for 3 ms. Call
 * after anything that may take long.
 */
bool events_are_due(struct events *events);

/* Records a poll at this time, in ns. */
static inline void events_note_poll(struct events *events, uint64_t now)
{
    events->polled = now;
    events->due = false;
}

/* Returns whether this turn takes one command at a time, because commands recently took long. */
static inline bool events_slow_turn(struct events *events)
{
    if (events->slow_turns == 0)
        return false;
    --events->slow_turns;
    return true;
}

#endif /* JUROM_EVENTS_H_ */
