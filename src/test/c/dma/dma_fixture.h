/* SPDX-License-Identifier: Apache-2.0 */
/* A running DMA context that records the results of its tasks. */
#ifndef JUROM_DMA_FIXTURE_H_
#define JUROM_DMA_FIXTURE_H_

#include "memory.h"
#include "progress.h"

#include <doca_dma.h>

#define DMA_TASKS 8

struct dma_fixture {
    struct memory memory;
    struct doca_pe *pe;
    struct doca_dma *dma;
    struct doca_ctx *ctx;
    int completed;
    int failed;
    uint64_t last_task_data;
    uint64_t last_ctx_data;
    doca_error_t last_status;
};

static struct dma_fixture dma;

static inline void remember(
        struct doca_dma_task_memcpy *task, union doca_data task_data, union doca_data ctx_data)
{
    dma.last_task_data = task_data.u64;
    dma.last_ctx_data = ctx_data.u64;
    dma.last_status = doca_task_get_status(doca_dma_task_memcpy_as_task(task));
}

static inline void on_completed(
        struct doca_dma_task_memcpy *task, union doca_data task_data, union doca_data ctx_data)
{
    dma.completed++;
    remember(task, task_data, ctx_data);
}

static inline void on_failed(
        struct doca_dma_task_memcpy *task, union doca_data task_data, union doca_data ctx_data)
{
    dma.failed++;
    remember(task, task_data, ctx_data);
}

static inline int start_dma(void **state)
{
    union doca_data ctx_data = { .u64 = 77 };

    (void)state;
    memset(&dma, 0, sizeof(dma));
    memory_open(&dma.memory);
    assert_ok(doca_pe_create(&dma.pe));
    assert_ok(doca_dma_create(dma.memory.dev, &dma.dma));
    dma.ctx = doca_dma_as_ctx(dma.dma);
    assert_ok(doca_ctx_set_user_data(dma.ctx, ctx_data));
    assert_ok(doca_dma_task_memcpy_set_conf(dma.dma, on_completed, on_failed, DMA_TASKS));
    assert_ok(doca_pe_connect_ctx(dma.pe, dma.ctx));
    assert_ok(doca_ctx_start(dma.ctx));
    return 0;
}

/* Fails if a task or a buffer was not released. */
static inline int stop_dma(void **state)
{
    (void)state;
    stop_context(dma.pe, dma.ctx);
    assert_ok(doca_dma_destroy(dma.dma));
    assert_ok(doca_pe_destroy(dma.pe));
    memory_close(&dma.memory);
    return 0;
}

static inline struct doca_dma_task_memcpy *make_copy(
        const struct doca_buf *source, struct doca_buf *destination, uint64_t user_data)
{
    struct doca_dma_task_memcpy *task;

    assert_ok(doca_dma_task_memcpy_alloc_init(
            dma.dma, source, destination, (union doca_data){ .u64 = user_data }, &task));
    return task;
}

static inline doca_error_t submit(struct doca_dma_task_memcpy *task)
{
    return doca_task_submit(doca_dma_task_memcpy_as_task(task));
}

static inline void free_copy(struct doca_dma_task_memcpy *task)
{
    doca_task_free(doca_dma_task_memcpy_as_task(task));
}

/* Copies, and returns the task's status. */
static inline doca_error_t copy(const struct doca_buf *source, struct doca_buf *destination)
{
    struct doca_dma_task_memcpy *task = make_copy(source, destination, 0);

    assert_ok(submit(task));
    progress_one(dma.pe);
    free_copy(task);
    return dma.last_status;
}

static inline void release(struct doca_buf *buf)
{
    assert_ok(doca_buf_dec_refcount(buf, NULL));
}

#endif /* JUROM_DMA_FIXTURE_H_ */
