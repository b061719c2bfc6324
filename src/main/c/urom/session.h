/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A session: one connection to a service, shared by the contexts of one progress engine. It opens in
 * the background and lives until its last user has gone.
 *
 *     OPENING -> OPEN -> LOST
 *
 * A look at its socket costs a system call, so it is polled once in a while when nothing is awaited
 * from it: often enough to learn of a worker's end within a few milliseconds. One thread.
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
     * The session is open (SUCCESS), or lost with this status. Runs inside doca_pe_progress or a
     * blocking start. The user may release the session.
     */
    void (*changed)(struct session_user *user, doca_error_t status);
};

struct sessions;

struct session {
    struct session *next; /* of its progress engine */
    struct sessions *all;
    struct service_location *location;
    struct channel *channel;
    struct channel_receiver receiver;
    struct pe_poller poller;
    struct requests requests;
    struct request handshake;
    enum session_state state;
    doca_error_t status;           /* why it was lost */
    struct counters_file counters; /* counting.h */
    char *refusal;                 /* why it did not open, as a sentence, or NULL */
    struct session_user *users;
    unsigned waiters; /* who await something from it: it is polled always */
    unsigned skips;   /* polls since the clock was read */
    uint64_t polled;  /* when, in ns */
    bool due;         /* somebody slept: poll it at once */
    bool polling;     /* it must not be closed now */
    /* What the service told, valid when OPEN. */
    uint32_t core_count;
    doca_cpu_set_t cpu_set;
    struct doca_urom_service_plugin_info *plugins;
    uint32_t plugin_count;
};

/*
 * Joins the progress engine's session with this service, or begins one. `why` gets a sentence if the
 * connection fails at once and is left as it is otherwise.
 */
doca_error_t session_acquire(struct doca_pe *pe, struct service_location *location,
        struct session_user *user, struct session **session, char why[SERVICE_WHY_MAX]);

/* Leaves the session; it is closed when nobody is left. */
void session_release(struct session *session, struct session_user *user);

/* Closes the channel to a worker, which the progress engine polls until it is closed. */
void session_close_channel(struct session *session, struct channel *channel);

/* Sends a frame to the service. */
doca_error_t session_send(struct session *session, const struct wire_frame *frame);

/* Waits until the session is no longer opening, for `ns` at most, and says what came of it. */
doca_error_t session_await(struct session *session, uint64_t ns);

/* While there are waiters, every progress call polls the session. */
static inline void session_wait(struct session *session)
{
    ++session->waiters;
}

static inline void session_unwait(struct session *session)
{
    --session->waiters;
}

#endif /* JUROM_SESSION_H_ */
