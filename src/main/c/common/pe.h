/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The progress engine's inside: a queue of events, each of which is one completion callback or one
 * context state transition, and the pollers that fill it. One thread; only priv_doca_pe_wake may be
 * called from others.
 */
#ifndef JUROM_PE_H_
#define JUROM_PE_H_

#include <stdbool.h>
#include <stddef.h>

#include <doca_error.h>
#include <doca_pe.h>

#include "private.h"

/* Something that doca_pe_progress runs once and then counts as one. Embedded in its owner. */
struct pe_event {
    struct pe_event *next;
    /* Runs the user's callback. The event's owner may be gone when it returns. */
    void (*run)(struct pe_event *event);
    bool queued;
    bool silent; /* internal: the call that runs it answers 0 */
};

/* A source of events, polled by doca_pe_progress. Embedded in its owner. */
struct pe_poller {
    struct pe_poller *next;
    /* Looks for work and posts events; returns how much it found, 0 for nothing. Never blocks. */
    unsigned (*poll)(struct pe_poller *poller);
    /*
     * Called before the application sleeps on the notification handle. SUCCESS: `fd` becomes
     * readable when there is work. AGAIN: there is work now, or it can only be polled for.
     */
    doca_error_t (*arm)(struct pe_poller *poller);
    /* Watched by the notification handle; -1 for none. Constant while attached. */
    int fd;
};

/*
 * Something that belongs to a progress engine and is shared by contexts of one library (its
 * transport, for example). Destroyed with the engine.
 */
struct pe_attachment {
    struct pe_attachment *next;
    const void *key; /* identifies the kind: the address of a static object */
    void (*destroy)(struct pe_attachment *attachment);
};

/*
 * Queues `event` behind all that are queued, and notifies the application if it requested that. No
 * effect when it is queued already.
 */
DOCA_PRIVATE void priv_doca_pe_post(struct doca_pe *pe, struct pe_event *event);

/* Takes `event` out of the queue if it is there. */
DOCA_PRIVATE void priv_doca_pe_withdraw(struct doca_pe *pe, struct pe_event *event);

/* Adds or removes a poller. Both may be called from inside a callback or a poll. */
DOCA_PRIVATE doca_error_t priv_doca_pe_add_poller(struct doca_pe *pe, struct pe_poller *poller);
DOCA_PRIVATE void priv_doca_pe_remove_poller(struct doca_pe *pe, struct pe_poller *poller);

/*
 * Makes the notification handle readable if the application requested a notification: a source has
 * work now, or has to be armed anew.
 */
void pe_notify(struct doca_pe *pe);

/* Makes the notification handle readable, from any thread. */
DOCA_PRIVATE void priv_doca_pe_wake(struct doca_pe *pe);

/* The attachment with `key`, or NULL; and adding one, which the engine then owns. */
DOCA_PRIVATE struct pe_attachment *priv_doca_pe_attachment(struct doca_pe *pe, const void *key);
DOCA_PRIVATE void priv_doca_pe_attach(struct doca_pe *pe, struct pe_attachment *attachment);

#endif /* JUROM_PE_H_ */
