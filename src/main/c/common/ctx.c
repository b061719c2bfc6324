/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Contexts: the state machine that all libraries share. doca_ctx_start and doca_ctx_stop report
 * immediate transitions before they return; a posted transition is an event of the progress engine.
 */
#include <faults/faults.h>

#include "ctx.h"
#include "sdk_log.h"

SDK_LOG_REGISTER(DOCA::CTX)

static void enter(struct doca_ctx *ctx, enum doca_ctx_states next)
{
    enum doca_ctx_states previous = ctx->state;

    __atomic_store_n(&ctx->state, next, __ATOMIC_SEQ_CST); /* sync events read it from any thread */
    /* The callback may destroy an idle context. */
    if (ctx->state_changed != NULL && previous != next)
        ctx->state_changed(ctx->user_data, ctx, previous, next);
}

static void run_state_event(struct pe_event *event)
{
    struct doca_ctx *ctx = CONTAINER_OF(event, struct doca_ctx, state_event);
    enum doca_ctx_states next = ctx->posted;

    if (ctx->failing && next == DOCA_CTX_STATE_STOPPING)
        priv_doca_ctx_post_state(ctx, DOCA_CTX_STATE_IDLE);
    else
        ctx->failing = false;
    enter(ctx, next);
}

void priv_doca_ctx_init(struct doca_ctx *ctx, const struct ctx_operations *operations)
{
    *ctx = (struct doca_ctx){
        .operations = operations,
        .state = DOCA_CTX_STATE_IDLE,
        .state_event = { .run = run_state_event },
    };
}

doca_error_t priv_doca_ctx_fini(struct doca_ctx *ctx)
{
    if (!ctx_is_idle(ctx)) {
        SDK_LOG_DBG("The %s cannot be destroyed in state %d: stop it and progress its engine until "
                    "it is idle",
                ctx->operations->name, ctx->state);
        return DOCA_ERROR_NOT_PERMITTED;
    }

    if (ctx->pe != NULL) {
        priv_doca_pe_withdraw(ctx->pe, &ctx->state_event);
        pe_remove_context(ctx->pe, ctx);
        ctx->pe = NULL;
    }
    return DOCA_SUCCESS;
}

void priv_doca_ctx_post_state(struct doca_ctx *ctx, enum doca_ctx_states next)
{
    FAULT_REACH(context_changing);
    ctx->posted = next;
    priv_doca_pe_post(ctx->pe, &ctx->state_event);
}

void priv_doca_ctx_post_failure(struct doca_ctx *ctx)
{
    if (ctx->failing || ctx->state != DOCA_CTX_STATE_RUNNING)
        return;

    ctx->failing = true;
    priv_doca_ctx_post_state(ctx, DOCA_CTX_STATE_STOPPING);
}

void ctx_fail(struct doca_ctx *ctx)
{
    ctx->failing = true;
    if (ctx->state != DOCA_CTX_STATE_RUNNING)
        return;
    priv_doca_ctx_post_state(ctx, DOCA_CTX_STATE_IDLE);
    enter(ctx, DOCA_CTX_STATE_STOPPING);
}

doca_error_t doca_pe_connect_ctx(struct doca_pe *pe, struct doca_ctx *ctx)
{
    if (pe == NULL || ctx == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    if (!ctx_is_idle(ctx))
        return DOCA_ERROR_BAD_STATE;
    if (ctx->pe != NULL) {
        SDK_LOG_DBG("The %s is already connected to a progress engine and stays connected until it "
                    "is destroyed",
                ctx->operations->name);
        return DOCA_ERROR_NOT_PERMITTED;
    }

    pe_add_context(pe, ctx);
    ctx->pe = pe;
    return DOCA_SUCCESS;
}

doca_error_t doca_ctx_start(struct doca_ctx *ctx)
{
    doca_error_t status;

    if (ctx == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    if (ctx->pe == NULL) {
        SDK_LOG_ERR("The %s has no progress engine: call doca_pe_connect_ctx before doca_ctx_start",
                ctx->operations->name);
        return DOCA_ERROR_NOT_CONNECTED;
    }
    if (!ctx_is_idle(ctx))
        return DOCA_ERROR_BAD_STATE;

    ctx->failing = false;
    status = ctx->operations->start(ctx);
    if (status == DOCA_SUCCESS)
        enter(ctx, DOCA_CTX_STATE_RUNNING);
    else if (status == DOCA_ERROR_IN_PROGRESS)
        enter(ctx, DOCA_CTX_STATE_STARTING);
    return status;
}

/* A stop that ends at once reports the same transitions as one in progress. */
static void finish_stop(struct doca_ctx *ctx)
{
    enter(ctx, DOCA_CTX_STATE_STOPPING);
    enter(ctx, DOCA_CTX_STATE_IDLE);
}

/* A failing context is on its way to IDLE; give_up can complete that immediately. */
static doca_error_t stop_failing(struct doca_ctx *ctx)
{
    if (ctx->operations->give_up == NULL || !ctx->operations->give_up(ctx))
        return DOCA_ERROR_IN_PROGRESS;

    priv_doca_pe_withdraw(ctx->pe, &ctx->state_event);
    ctx->failing = false;
    finish_stop(ctx);
    return DOCA_SUCCESS;
}

doca_error_t doca_ctx_stop(struct doca_ctx *ctx)
{
    doca_error_t status;
    bool about_to_run;

    if (ctx == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    if (ctx->pe == NULL)
        return DOCA_ERROR_NOT_CONNECTED;
    if (ctx_is_idle(ctx))
        return DOCA_SUCCESS;
    if (ctx->failing)
        return stop_failing(ctx);
    if (ctx->state == DOCA_CTX_STATE_STOPPING
            || (ctx->state_event.queued && ctx->posted == DOCA_CTX_STATE_IDLE))
        return DOCA_ERROR_IN_PROGRESS;
    about_to_run = ctx->state_event.queued;
    priv_doca_pe_withdraw(ctx->pe, &ctx->state_event);

    status = ctx->operations->stop(ctx);
    if (status == DOCA_SUCCESS)
        finish_stop(ctx);
    else if (status == DOCA_ERROR_IN_PROGRESS)
        enter(ctx, DOCA_CTX_STATE_STOPPING);
    else if (about_to_run)
        priv_doca_ctx_post_state(ctx, DOCA_CTX_STATE_RUNNING);
    return status;
}

doca_error_t doca_ctx_get_num_inflight_tasks(const struct doca_ctx *ctx, size_t *num_inflight_tasks)
{
    if (ctx == NULL || num_inflight_tasks == NULL)
        return DOCA_ERROR_INVALID_VALUE;

    *num_inflight_tasks = ctx->inflight;
    return DOCA_SUCCESS;
}

doca_error_t doca_ctx_set_user_data(struct doca_ctx *ctx, union doca_data user_data)
{
    if (ctx == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    if (!ctx_is_idle(ctx))
        return DOCA_ERROR_BAD_STATE;

    ctx->user_data = user_data;
    return DOCA_SUCCESS;
}

doca_error_t doca_ctx_get_user_data(const struct doca_ctx *ctx, union doca_data *user_data)
{
    if (ctx == NULL || user_data == NULL)
        return DOCA_ERROR_INVALID_VALUE;

    *user_data = ctx->user_data;
    return DOCA_SUCCESS;
}

doca_error_t doca_ctx_set_state_changed_cb(
        struct doca_ctx *ctx, doca_ctx_state_changed_callback_t cb)
{
    if (ctx == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    if (!ctx_is_idle(ctx))
        return DOCA_ERROR_BAD_STATE;

    ctx->state_changed = cb;
    return DOCA_SUCCESS;
}

doca_error_t doca_ctx_get_state(const struct doca_ctx *ctx, enum doca_ctx_states *state)
{
    if (ctx == NULL || state == NULL)
        return DOCA_ERROR_INVALID_VALUE;

    *state = ctx->state;
    return DOCA_SUCCESS;
}

void doca_ctx_flush_tasks(struct doca_ctx *ctx)
{
    if (ctx != NULL && ctx->operations->flush != NULL)
        ctx->operations->flush(ctx);
}

doca_error_t doca_ctx_set_datapath_on_gpu(struct doca_ctx *ctx, struct doca_gpu *gpu_dev)
{
    (void)ctx;
    (void)gpu_dev;
    return DOCA_ERROR_NOT_SUPPORTED;
}

doca_error_t doca_ctx_set_datapath_on_dpa(struct doca_ctx *ctx, struct doca_dpa *dpa_dev)
{
    (void)ctx;
    (void)dpa_dev;
    return DOCA_ERROR_NOT_SUPPORTED;
}

doca_error_t doca_ctx_set_completion_vector(struct doca_ctx *ctx, uint32_t comp_vector)
{
    (void)ctx;
    (void)comp_vector;
    return DOCA_ERROR_NOT_SUPPORTED;
}

doca_error_t doca_ctx_cap_get_num_completion_vectors(
        const struct doca_devinfo *devinfo, uint32_t *num_comp_vectors)
{
    (void)devinfo;
    (void)num_comp_vectors;
    return DOCA_ERROR_NOT_SUPPORTED;
}
