/* SPDX-License-Identifier: Apache-2.0 */
/* The DMA context: appends the data of one buffer list to another. Not thread-safe. */
#ifndef JUROM_DMA_H_
#define JUROM_DMA_H_

#include <doca_dma.h>

#include <common/ctx.h>
#include <common/software_engine.h>
#include <common/task.h>

struct doca_dma {
    struct doca_ctx ctx;
    struct doca_dev *dev;
    doca_dma_task_memcpy_completion_cb_t completed;
    doca_dma_task_memcpy_completion_cb_t failed;
    uint32_t tasks_count; /* 0: not configured */
    struct task_pool tasks;
};

struct doca_dma_task_memcpy {
    struct doca_task task;
    struct doca_dma *dma;
    const struct doca_buf *source;
    struct doca_buf *destination;
};

#endif /* JUROM_DMA_H_ */
