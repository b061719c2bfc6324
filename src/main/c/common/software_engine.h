/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shared by contexts whose tasks execute in the doca_pe_progress that completes them: the task pool
 * and the stop operation. Not thread-safe.
 */
#ifndef JUROM_SOFTWARE_ENGINE_H_
#define JUROM_SOFTWARE_ENGINE_H_

#include <stddef.h>
#include <stdint.h>

#include <doca_error.h>

#include "ctx.h"
#include "private.h"

#define ENGINE_TASKS_MAX 65536 /* maximum tasks of one kind per context */

/*
 * Limits that capabilities report, for programs that allocate as much; together 128 MiB. Tasks that
 * exceed them are executed.
 */
#define ENGINE_SIZE_REPORTED (UINT64_C(2) << 20) /* bytes of one buffer */
#define ENGINE_LIST_REPORTED 64                  /* buffers of one list */

/* Tasks of one kind, allocated when the context starts. */
struct task_pool {
    void *tasks;
    void **free; /* a stack */
    uint32_t count;
    uint32_t free_count;
};

/*
 * Fills the pool with `count` tasks of `size` bytes for a context that starts; 0: none. If the
 * count is unchanged, existing tasks are kept, which the application may hold. IN_USE: the count
 * has changed, and the application holds tasks.
 */
DOCA_PRIVATE doca_error_t priv_doca_task_pool_fill(
        struct task_pool *pool, uint32_t count, size_t size);

/*
 * Returns a task of the pool, or NULL if all are allocated. It retains the bytes of its last use.
 */
DOCA_PRIVATE void *priv_doca_task_pool_take(struct task_pool *pool);

/* Returns a task to the pool. */
DOCA_PRIVATE void priv_doca_task_pool_give(struct task_pool *pool, void *task);

/* Frees the tasks of a context that is destroyed. IN_USE: the application holds tasks. */
DOCA_PRIVATE doca_error_t priv_doca_task_pool_empty(struct task_pool *pool);

/* For ctx_operations.stop: posts IDLE after the tasks in flight, which are all queued. */
DOCA_PRIVATE doca_error_t priv_doca_engine_stop(struct doca_ctx *ctx);

#endif /* JUROM_SOFTWARE_ENGINE_H_ */
