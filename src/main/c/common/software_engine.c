/* SPDX-License-Identifier: Apache-2.0 */
#include "software_engine.h"

#include <stdlib.h>

#include "sdk_log.h"

SDK_LOG_REGISTER(DOCA::TASK)

doca_error_t priv_doca_task_pool_fill(struct task_pool *pool, uint32_t count, size_t size)
{
    doca_error_t status;
    uint32_t i;

    if (pool->count == count)
        return DOCA_SUCCESS;
    status = priv_doca_task_pool_empty(pool);
    if (status != DOCA_SUCCESS || count == 0)
        return status;

    pool->tasks = calloc(count, size);
    pool->free = calloc(count, sizeof(*pool->free));
    if (pool->tasks == NULL || pool->free == NULL) {
        free(pool->tasks);
        free(pool->free);
        *pool = (struct task_pool){ 0 };
        return DOCA_ERROR_NO_MEMORY;
    }
    for (i = 0; i < count; ++i)
        pool->free[i] = (char *)pool->tasks + (count - 1 - i) * size;
    pool->count = count;
    pool->free_count = count;
    return DOCA_SUCCESS;
}

void *priv_doca_task_pool_take(struct task_pool *pool)
{
    return pool->free_count == 0 ? NULL : pool->free[--pool->free_count];
}

void priv_doca_task_pool_give(struct task_pool *pool, void *task)
{
    pool->free[pool->free_count++] = task;
}

doca_error_t priv_doca_task_pool_empty(struct task_pool *pool)
{
    if (pool->free_count < pool->count) {
        SDK_LOG_DBG("%u tasks of the context are allocated: free them first",
                pool->count - pool->free_count);
        return DOCA_ERROR_IN_USE;
    }

    free(pool->tasks);
    free(pool->free);
    *pool = (struct task_pool){ 0 };
    return DOCA_SUCCESS;
}

doca_error_t priv_doca_engine_stop(struct doca_ctx *ctx)
{
    if (ctx->inflight == 0)
        return DOCA_SUCCESS;
    priv_doca_ctx_post_state(ctx, DOCA_CTX_STATE_IDLE);
    return DOCA_ERROR_IN_PROGRESS;
}
