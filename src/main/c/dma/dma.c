/* SPDX-License-Identifier: Apache-2.0 */
/* Creation, configuration, start, stop and capabilities of the DMA context. */
#include "dma.h"

#include <stdlib.h>

#include <common/dev.h>
#include <common/sdk_log.h>

SDK_LOG_REGISTER(DOCA::DMA)

static doca_error_t start(struct doca_ctx *ctx)
{
    struct doca_dma *dma = CONTAINER_OF(ctx, struct doca_dma, ctx);

    if (dma->tasks_count == 0) {
        SDK_LOG_ERR("The DMA context has no tasks: call doca_dma_task_memcpy_set_conf before "
                    "doca_ctx_start");
        return DOCA_ERROR_INVALID_VALUE;
    }
    return priv_doca_task_pool_fill(
            &dma->tasks, dma->tasks_count, sizeof(struct doca_dma_task_memcpy));
}

static const struct ctx_operations operations = {
    .name = "DMA context",
    .start = start,
    .stop = priv_doca_engine_stop,
};

doca_error_t doca_dma_create(struct doca_dev *dev, struct doca_dma **dma)
{
    struct doca_dma *created;

    if (dev == NULL || dma == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    created = calloc(1, sizeof(*created));
    if (created == NULL)
        return DOCA_ERROR_NO_MEMORY;

    priv_doca_ctx_init(&created->ctx, &operations);
    priv_doca_dev_acquire(dev);
    created->dev = dev;
    *dma = created;
    return DOCA_SUCCESS;
}

doca_error_t doca_dma_destroy(struct doca_dma *dma)
{
    doca_error_t status;

    if (dma == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    if (!ctx_is_idle(&dma->ctx))
        return DOCA_ERROR_IN_USE;
    status = priv_doca_task_pool_empty(&dma->tasks);
    if (status != DOCA_SUCCESS)
        return status;

    priv_doca_ctx_fini(&dma->ctx);
    priv_doca_dev_release(dma->dev);
    free(dma);
    return DOCA_SUCCESS;
}

struct doca_ctx *doca_dma_as_ctx(struct doca_dma *dma)
{
    return dma == NULL ? NULL : &dma->ctx;
}

doca_error_t doca_dma_cap_get_max_num_tasks(struct doca_dma *dma, uint32_t *max_num_tasks)
{
    if (dma == NULL || max_num_tasks == NULL)
        return DOCA_ERROR_INVALID_VALUE;

    *max_num_tasks = ENGINE_TASKS_MAX;
    return DOCA_SUCCESS;
}

doca_error_t doca_dma_task_memcpy_set_conf(struct doca_dma *dma,
        doca_dma_task_memcpy_completion_cb_t task_completion_cb,
        doca_dma_task_memcpy_completion_cb_t task_error_cb, uint32_t num_memcpy_tasks)
{
    if (dma == NULL || task_completion_cb == NULL || task_error_cb == NULL || num_memcpy_tasks == 0
            || num_memcpy_tasks > ENGINE_TASKS_MAX)
        return DOCA_ERROR_INVALID_VALUE;
    if (!ctx_is_idle(&dma->ctx))
        return DOCA_ERROR_BAD_STATE;

    dma->completed = task_completion_cb;
    dma->failed = task_error_cb;
    dma->tasks_count = num_memcpy_tasks;
    return DOCA_SUCCESS;
}

doca_error_t doca_dma_get_gpu_handle(struct doca_dma *dma, struct doca_gpu_dma **gpu_dma)
{
    if (dma == NULL || gpu_dma == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    return DOCA_ERROR_NOT_SUPPORTED;
}

/* Capabilities: the same on every device, since the CPU copies. */
doca_error_t doca_dma_cap_task_memcpy_is_supported(const struct doca_devinfo *devinfo)
{
    return devinfo == NULL ? DOCA_ERROR_INVALID_VALUE : DOCA_SUCCESS;
}

doca_error_t doca_dma_cap_task_memcpy_get_max_buf_list_len(
        const struct doca_devinfo *devinfo, uint32_t *max_buf_list_len)
{
    if (devinfo == NULL || max_buf_list_len == NULL)
        return DOCA_ERROR_INVALID_VALUE;

    *max_buf_list_len = ENGINE_LIST_REPORTED;
    return DOCA_SUCCESS;
}

doca_error_t doca_dma_cap_task_memcpy_get_max_buf_size(
        const struct doca_devinfo *devinfo, uint64_t *buf_size)
{
    if (devinfo == NULL || buf_size == NULL)
        return DOCA_ERROR_INVALID_VALUE;

    *buf_size = ENGINE_SIZE_REPORTED;
    return DOCA_SUCCESS;
}
