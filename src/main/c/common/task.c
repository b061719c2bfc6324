/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tasks: submission, completion and release, common to all libraries. A task belongs to its context
 * and to the thread of its progress engine; the application owns it while it is not in flight.
 */
#include "sdk_log.h"
#include "task.h"

SDK_LOG_REGISTER(DOCA::TASK)

/* The state of the engine or of its memory is unknown after these errors. */
static bool is_fatal(doca_error_t status)
{
    return status == DOCA_ERROR_IO_FAILED || status == DOCA_ERROR_DRIVER;
}

/* A fatal failure ends the context; later tasks are not executed. */
static void execute(struct doca_task *task)
{
    if (task->ctx->failing) {
        task->status = DOCA_ERROR_SHUTDOWN;
    } else {
        task->operations->execute(task);
        if (is_fatal(task->status))
            ctx_fail(task->ctx);
    }
}

static void run_completion(struct pe_event *event)
{
    struct doca_task *task = CONTAINER_OF(event, struct doca_task, completion);

    if (task->operations->execute != NULL && task->status == DOCA_SUCCESS)
        execute(task);
    task->inflight = false;
    --task->ctx->inflight;
    /* The callback may submit or release the task. */
    if (task->observer != NULL)
        task->observer(task, task->observer_argument);
    else
        task->operations->call_back(task, task->user_data, task->ctx->user_data);
}

void priv_doca_task_init(
        struct doca_task *task, struct doca_ctx *ctx, const struct task_operations *operations)
{
    *task = (struct doca_task){
        .operations = operations,
        .ctx = ctx,
        .completion = { .run = run_completion },
    };
}

void priv_doca_task_complete(struct doca_task *task, doca_error_t status)
{
    task->status = status;
    priv_doca_pe_post(task->ctx->pe, &task->completion);
}

doca_error_t doca_task_submit_ex(struct doca_task *task, uint32_t flags)
{
    doca_error_t status;

    if (task == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    if (task->ctx->state != DOCA_CTX_STATE_RUNNING || task->ctx->failing || task->inflight) {
        SDK_LOG_DBG("A task of the %s was not submitted: %s", task->ctx->operations->name,
                task->inflight ? "it is in flight" : "the context is not running");
        return DOCA_ERROR_BAD_STATE;
    }

    task->inflight = true;
    ++task->ctx->inflight;
    status = task->operations->submit(task, flags);
    if (status != DOCA_SUCCESS) {
        task->inflight = false;
        --task->ctx->inflight;
    }
    return status;
}

doca_error_t doca_task_submit(struct doca_task *task)
{
    return doca_task_submit_ex(task, DOCA_TASK_SUBMIT_FLAG_FLUSH);
}

doca_error_t doca_task_try_submit(struct doca_task *task)
{
    return doca_task_submit_ex(task, DOCA_TASK_SUBMIT_FLAG_FLUSH);
}

void doca_task_free(struct doca_task *task)
{
    if (task == NULL)
        return;
    if (task->inflight) {
        SDK_LOG_ERR("A task of the %s in flight was not freed: free it in or after its completion "
                    "callback",
                task->ctx->operations->name);
        return;
    }

    task->operations->release(task);
}

doca_error_t doca_task_get_status(const struct doca_task *task)
{
    return task == NULL ? DOCA_ERROR_INVALID_VALUE : task->status;
}

void doca_task_set_user_data(struct doca_task *task, union doca_data user_data)
{
    if (task != NULL)
        task->user_data = user_data;
}

union doca_data doca_task_get_user_data(const struct doca_task *task)
{
    return task == NULL ? (union doca_data){ 0 } : task->user_data;
}

struct doca_ctx *doca_task_get_ctx(const struct doca_task *task)
{
    return task == NULL ? NULL : task->ctx;
}
