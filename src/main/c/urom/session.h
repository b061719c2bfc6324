/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A session: one connection to a service, shared by the contexts of one progress engine. It opens
 * in the background and exists until its last user releases it.
 *
 *     OPENING -> OPEN -> LOST
 *
 * Polling its socket costs a system call, so a session without waiters is polled only periodically,
 * often enough to detect the end of a worker within a few milliseconds. Used by one thread.
 */
#ifndef JUROM_SESSION_H_
#define JUROM_SESSION_H_

#include <stdint.h>

#include <channel/channel.h>
#include <common/pe.h>
#include <counters/host_counters.h>
#include <doca_urom.h>

#include "requests.h"
#include "service_location.h"

enum session_state {
    SESSION_OPENING,
    SESSION_OPEN,
    SESSION_LOST,
};

/* A context that uses a session. Embedded in its owner. */
struct session_user {
    struct session_user *next;
    /*
     * Called when the session is open (SUCCESS) or lost (another status), inside doca_pe_progress
     * or a blocking start. May release the session.
     */
    void (*changed)(struct session_user *user, doca_error_t status);
};

struct sessions;

struct session {
    struct session *next; /* of the same progress engine */
    struct sessions *all;
    struct service_location *location;
    struct channel *channel;
    struct channel_receiver receiver;
    struct pe_poller poller;
    struct requests requests;
    struct request handshake;
    enum session_state state;
    doca_error_t status;           /* why it was lost */
    struct counters_file counters; /* host_counters.c */
    char *refusal;                 /* why it did not open, as a sentence, or NULL */
    struct session_user *users;
    unsigned waiters; /* contexts that wait for a frame: polled by every progress call */
    unsigned skips;   /* progress calls since the clock was last read */
    uint64_t polled;  /* time of the last poll, in ns */
    bool due;         /* poll at the next progress call, after a sleep */
    bool polling;     /* must not be closed now */
    /* From the service, valid when OPEN. */
    uint32_t core_count;
    doca_cpu_set_t cpu_set;
    struct doca_urom_service_plugin_info *plugins;
    uint32_t plugin_count;
};

/*
 * Joins the progress engine's session with this service, or begins one. If connecting fails
 * immediately, writes a sentence to `reason`, which is otherwise unchanged.
 */
doca_error_t session_acquire(struct doca_pe *pe, struct service_location *location,
        struct session_user *user, struct session **session, char reason[SERVICE_REASON_MAX]);

/* Leaves the session, which the last user closes. */
void session_release(struct session *session, struct session_user *user);

/* Closes the channel to a worker. The progress engine polls it until it is closed. */
void session_close_channel(struct session *session, struct channel *channel);

/* Sends a frame to the service. */
doca_error_t session_send(struct session *session, const struct wire_frame *frame);

/* Waits for at most `ns` until the session is open (SUCCESS) or lost. Returns TIME_OUT. */
doca_error_t session_await(struct session *session, uint64_t ns);

/* Adds a waiter. While there are waiters, every progress call polls the session. */
static inline void session_wait(struct session *session)
{
    ++session->waiters;
}

/* Removes a waiter. */
static inline void session_unwait(struct session *session)
{
    --session->waiters;
}

#endif /* JUROM_SESSION_H_ */
