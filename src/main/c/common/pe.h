/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Internals of the progress engine: a queue of events, each of which runs one completion callback
 * or context state transition, and the pollers that fill it. One thread at a time; only
 * priv_doca_pe_wake is thread-safe.
 */
#ifndef JUROM_PE_H_
#define JUROM_PE_H_

#include <stdbool.h>
#include <stddef.h>

#include <doca_error.h>
#include <doca_pe.h>

#include "private.h"

struct doca_ctx;

/* An event that one call of doca_pe_progress runs and counts. Embedded in its owner. */
struct pe_event {
    struct pe_event *next;
    /* Runs the user's callback, which may free the event's owner. */
    void (*run)(struct pe_event *event);
    bool queued;
    bool silent; /* internal event: the doca_pe_progress that runs it returns 0 */
};

/* A source of events, polled by doca_pe_progress. Embedded in its owner. */
struct pe_poller {
    struct pe_poller *next;
    /* Polls for work and posts events; returns the number found. Never blocks. */
    unsigned (*poll)(struct pe_poller *poller);
    /*
     * Called before the application sleeps on the notification handle. SUCCESS: `fd` becomes
     * readable when there is work. AGAIN: there is work now, or the source can only be polled.
     */
    doca_error_t (*arm)(struct pe_poller *poller);
    /* Descriptor that the notification handle watches; -1 for none. Constant while attached. */
    int fd;
};

/*
 * An object that belongs to a progress engine and is shared by contexts of one library, such as its
 * transport. Destroyed with the engine.
 */
struct pe_attachment {
    struct pe_attachment *next;
    const void *key; /* identifies the kind: the address of a static object */
    void (*destroy)(struct pe_attachment *attachment);
};

/*
 * Appends `event` to the queue, and notifies the application if it requested that. No effect on a
 * queued event.
 */
DOCA_PRIVATE void priv_doca_pe_post(struct doca_pe *pe, struct pe_event *event);

/* Removes `event` from the queue if it is queued. */
DOCA_PRIVATE void priv_doca_pe_withdraw(struct doca_pe *pe, struct pe_event *event);

/* Adds a poller; may be called from inside a callback or a poll. */
DOCA_PRIVATE doca_error_t priv_doca_pe_add_poller(struct doca_pe *pe, struct pe_poller *poller);

/* Removes a poller; may be called from inside a callback or a poll. */
DOCA_PRIVATE void priv_doca_pe_remove_poller(struct doca_pe *pe, struct pe_poller *poller);

/*
 * Makes the notification handle readable if the application requested a notification: a source has
 * work, or must be armed again.
 */
void pe_notify(struct doca_pe *pe);

/* Makes the notification handle readable. Thread-safe. */
DOCA_PRIVATE void priv_doca_pe_wake(struct doca_pe *pe);

/* Returns the attachment with `key`, or NULL. */
DOCA_PRIVATE struct pe_attachment *priv_doca_pe_attachment(struct doca_pe *pe, const void *key);

/* Adds an attachment, which the engine then owns. */
DOCA_PRIVATE void priv_doca_pe_attach(struct doca_pe *pe, struct pe_attachment *attachment);

/* For ctx.c: adds `ctx` to the list of connected contexts. */
void pe_add_context(struct doca_pe *pe, struct doca_ctx *ctx);

/* For ctx.c: removes `ctx`, which must be in the list. */
void pe_remove_context(struct doca_pe *pe, struct doca_ctx *ctx);

#endif /* JUROM_PE_H_ */
