/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the contexts share whose tasks are executed by the doca_pe_progress that completes them: a
 * pool of tasks, and how to stop. One thread.
 */
#ifndef JUROM_SOFTWARE_ENGINE_H_
#define JUROM_SOFTWARE_ENGINE_H_

#include <stddef.h>
#include <stdint.h>

#include <doca_error.h>

#include "ctx.h"
#include "private.h"

#define ENGINE_TASKS_MAX 65536 /* of one kind in one context */

/* Tasks of one kind: allocated when the context starts, given out and taken back after that. */
struct task_pool {
    void *tasks;
    void **free; /* a stack */
    uint32_t count;
    uint32_t free_count;
};

/*
 * Fills the pool with `count` tasks of `size` bytes each, for a context that starts; 0: none. Tasks
 * that the application still holds keep it as it is. IN_USE: they do, and `count` is another.
 */
DOCA_PRIVATE doca_error_t priv_doca_task_pool_fill(struct task_pool *pool, uint32_t count,
        size_t size);

/* A task of the pool, or NULL when all are in use. Its bytes are those of its last use. */
DOCA_PRIVATE void *priv_doca_task_pool_take(struct task_pool *pool);

/* Takes a task back. */
DOCA_PRIVATE void priv_doca_task_pool_give(struct task_pool *pool, void *task);

/* Frees the tasks of a context that is destroyed. IN_USE: the application still holds some. */
DOCA_PRIVATE doca_error_t priv_doca_task_pool_empty(struct task_pool *pool);

/* For ctx_operations.stop: IDLE behind the tasks in flight, which are all in the queue. */
DOCA_PRIVATE doca_error_t priv_doca_engine_stop(struct doca_ctx *ctx);

#endif /* JUROM_SOFTWARE_ENGINE_H_ */
