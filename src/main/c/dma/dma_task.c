/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory copy tasks. The submission checks the buffers; the doca_pe_progress that runs the callback
 * copies.
 */
#include "dma.h"

#include <common/buf_data.h>
#include <common/sdk_log.h>

SDK_LOG_REGISTER(DOCA::DMA)

static struct doca_dma_task_memcpy *from_task(struct doca_task *task)
{
    return CONTAINER_OF(task, struct doca_dma_task_memcpy, task);
}

static doca_error_t check_buffers(const struct doca_dma_task_memcpy *copy)
{
    doca_error_t status = priv_doca_buf_check_source(copy->source, copy->dma->dev);

    if (status != DOCA_SUCCESS)
        return status;
    return priv_doca_buf_check_destination(
            copy->destination, copy->dma->dev, priv_doca_buf_total_data(copy->source));
}

static doca_error_t submit(struct doca_task *task, uint32_t flags)
{
    doca_error_t status = check_buffers(from_task(task));

    (void)flags;
    if (status == DOCA_SUCCESS)
        priv_doca_task_complete(task, DOCA_SUCCESS);
    return status;
}

/*
 * Check again: the application may have changed the buffers since the submission, although it must
 * not. A copy of 0 bytes fails here, as it does on a device.
 */
static void execute(struct doca_task *task)
{
    struct doca_dma_task_memcpy *copy = from_task(task);

    if (check_buffers(copy) != DOCA_SUCCESS || priv_doca_buf_total_data(copy->source) == 0)
        task->status = DOCA_ERROR_IO_FAILED;
    else
        task->status = priv_doca_buf_copy(copy->destination, copy->source);
}

static void call_back(struct doca_task *task, union doca_data task_data, union doca_data ctx_data)
{
    struct doca_dma_task_memcpy *copy = from_task(task);

    if (task->status == DOCA_SUCCESS)
        copy->dma->completed(copy, task_data, ctx_data);
    else
        copy->dma->failed(copy, task_data, ctx_data);
}

static void release(struct doca_task *task)
{
    struct doca_dma_task_memcpy *copy = from_task(task);

    priv_doca_task_pool_give(&copy->dma->tasks, copy);
}

static const struct task_operations operations = {
    .submit = submit,
    .execute = execute,
    .call_back = call_back,
    .release = release,
};

doca_error_t doca_dma_task_memcpy_alloc_init(struct doca_dma *dma, const struct doca_buf *src,
        struct doca_buf *dst, union doca_data user_data, struct doca_dma_task_memcpy **task)
{
    struct doca_dma_task_memcpy *copy;

    if (dma == NULL || src == NULL || dst == NULL || task == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    if (dma->ctx.state != DOCA_CTX_STATE_RUNNING)
        return DOCA_ERROR_BAD_STATE;
    copy = priv_doca_task_pool_take(&dma->tasks);
    if (copy == NULL) {
        SDK_LOG_DBG("All %u tasks of the DMA context are in use", dma->tasks_count);
        return DOCA_ERROR_NO_MEMORY;
    }

    priv_doca_task_init(&copy->task, &dma->ctx, &operations);
    copy->task.user_data = user_data;
    copy->dma = dma;
    copy->source = src;
    copy->destination = dst;
    *task = copy;
    return DOCA_SUCCESS;
}

struct doca_task *doca_dma_task_memcpy_as_task(struct doca_dma_task_memcpy *task)
{
    return task == NULL ? NULL : &task->task;
}

void doca_dma_task_memcpy_set_src(struct doca_dma_task_memcpy *task, const struct doca_buf *src)
{
    if (task != NULL && !task->task.inflight)
        task->source = src;
}

const struct doca_buf *doca_dma_task_memcpy_get_src(const struct doca_dma_task_memcpy *task)
{
    return task == NULL ? NULL : task->source;
}

void doca_dma_task_memcpy_set_dst(struct doca_dma_task_memcpy *task, struct doca_buf *dst)
{
    if (task != NULL && !task->task.inflight)
        task->destination = dst;
}

struct doca_buf *doca_dma_task_memcpy_get_dst(const struct doca_dma_task_memcpy *task)
{
    return task == NULL ? NULL : task->destination;
}
