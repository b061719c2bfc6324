/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Base of all contexts. A library embeds `struct doca_ctx` in its own object, sets its operations,
 * and reports asynchronous transitions with priv_doca_ctx_post_state.
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
    /* SUCCESS: RUNNING now. IN_PROGRESS: STARTING until a posted state. Else: stays IDLE. */
    doca_error_t (*start)(struct doca_ctx *ctx);
    /*
     * Called in RUNNING or STARTING. SUCCESS: STOPPING and IDLE now. IN_PROGRESS: STOPPING until a posted state.
     * Else: the state is unchanged.
     */
    doca_error_t (*stop)(struct doca_ctx *ctx);
    /*
     * Optional: stops a context that is failing after priv_doca_ctx_post_failure. True: IDLE now.
     * False: the posted transitions continue.
     */
    bool (*give_up)(struct doca_ctx *ctx);
    /* Optional: sends deferred tasks without completing any. For doca_ctx_flush_tasks. */
    void (*flush)(struct doca_ctx *ctx);
};

struct doca_ctx {
    const struct ctx_operations *operations;
    struct doca_pe *pe;    /* NULL until connected */
    struct doca_ctx *next; /* in pe's list */
    enum doca_ctx_states state;
    enum doca_ctx_states posted; /* target of state_event */
    bool failing;                /* on its way to IDLE without a stop */
    struct pe_event state_event;
    union doca_data user_data;
    doca_ctx_state_changed_callback_t state_changed;
    size_t inflight; /* tasks submitted and not yet completed */
};

/* Initializes `ctx` as IDLE and unconnected. */
DOCA_PRIVATE void priv_doca_ctx_init(struct doca_ctx *ctx, const struct ctx_operations *operations);

/*
 * Disconnects `ctx` from its progress engine; call it before freeing the context. NOT_PERMITTED:
 * not IDLE.
 */
DOCA_PRIVATE doca_error_t priv_doca_ctx_fini(struct doca_ctx *ctx);

/*
 * Posts a transition to `next`, which a later doca_pe_progress makes after all events queued now.
 */
DOCA_PRIVATE void priv_doca_ctx_post_state(struct doca_ctx *ctx, enum doca_ctx_states next);

/*
 * Posts the failure of a RUNNING context whose peer is disconnected: later calls of
 * doca_pe_progress move it to STOPPING and then, after all events queued by then, to IDLE.
 */
DOCA_PRIVATE void priv_doca_ctx_post_failure(struct doca_ctx *ctx);

/*
 * For task.c: a task of `ctx` has failed fatally in doca_pe_progress. Moves a RUNNING context to
 * STOPPING now, and to IDLE after the tasks in flight, which are all queued.
 */
void ctx_fail(struct doca_ctx *ctx);

/* Returns whether the context is IDLE. */
static inline bool ctx_is_idle(const struct doca_ctx *ctx)
{
    return ctx->state == DOCA_CTX_STATE_IDLE;
}

#endif /* JUROM_CTX_H_ */
