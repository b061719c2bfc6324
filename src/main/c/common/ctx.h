/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The base of every context. A library embeds `struct doca_ctx` in its own object, gives it its
 * operations, and reports asynchronous transitions with priv_doca_ctx_post_state.
 *
 *     IDLE -> STARTING -> RUNNING -> STOPPING -> IDLE
 */
#ifndef JUROM_CTX_H_
#define JUROM_CTX_H_

#include <stdbool.h>
#include <stddef.h>

#include <doca_ctx.h>
#include <doca_error.h>
#include <doca_types.h>

#include "pe.h"
#include "private.h"

struct ctx_operations {
    const char *name; /* for messages: "worker", "DMA context" */
    /* SUCCESS: RUNNING now. IN_PROGRESS: STARTING, a posted state ends it. Else: stays IDLE. */
    doca_error_t (*start)(struct doca_ctx *ctx);
    /*
     * Called in RUNNING or STARTING. SUCCESS: IDLE now. IN_PROGRESS: STOPPING, a posted state ends
     * it. Else: nothing changes.
     */
    doca_error_t (*stop)(struct doca_ctx *ctx);
    /*
     * Optional: stops a context that priv_doca_ctx_post_failure is taking to IDLE. True: IDLE now.
     * False: it goes there as posted.
     */
    bool (*give_up)(struct doca_ctx *ctx);
    /* Optional: sends the tasks that were held back, and ends none. For doca_ctx_flush_tasks. */
    void (*flush)(struct doca_ctx *ctx);
};

struct doca_ctx {
    const struct ctx_operations *operations;
    struct doca_pe *pe;    /* NULL until connected */
    struct doca_ctx *next; /* in pe's list */
    enum doca_ctx_states state;
    enum doca_ctx_states posted; /* where state_event leads */
    bool failing;                /* on its way to IDLE by itself */
    struct pe_event state_event;
    union doca_data user_data;
    doca_ctx_state_changed_callback_t state_changed;
    size_t inflight; /* tasks submitted and not yet completed */
};

/* Makes `ctx` IDLE and unconnected. */
DOCA_PRIVATE void priv_doca_ctx_init(struct doca_ctx *ctx, const struct ctx_operations *operations);

/* Takes `ctx` from its progress engine. NOT_PERMITTED unless IDLE. Call before freeing it. */
DOCA_PRIVATE doca_error_t priv_doca_ctx_fini(struct doca_ctx *ctx);

/* Has a later doca_pe_progress move `ctx` to `next`, behind all events that are queued now. */
DOCA_PRIVATE void priv_doca_ctx_post_state(struct doca_ctx *ctx, enum doca_ctx_states next);

/*
 * Has later calls of doca_pe_progress move a RUNNING `ctx` to STOPPING and then, behind all events
 * that are queued by then, to IDLE: for a context whose peer is gone.
 */
DOCA_PRIVATE void priv_doca_ctx_post_failure(struct doca_ctx *ctx);

/*
 * For task.c: a task of `ctx` has failed for good, inside doca_pe_progress. STOPPING now, if it was
 * RUNNING, and IDLE behind the tasks in flight, which are all in the queue.
 */
void ctx_break(struct doca_ctx *ctx);

static inline bool ctx_is_idle(const struct doca_ctx *ctx)
{
    return ctx->state == DOCA_CTX_STATE_IDLE;
}

#endif /* JUROM_CTX_H_ */
