/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Base of all tasks. A library embeds `struct doca_task` in its own task and sets its operations. A
 * task is in flight from a successful submission until its completion callback starts, and idle
 * otherwise.
 */
#ifndef JUROM_TASK_H_
#define JUROM_TASK_H_

#include <stdbool.h>
#include <stdint.h>

#include <doca_error.h>
#include <doca_pe.h>
#include <doca_types.h>

#include "ctx.h"
#include "pe.h"
#include "private.h"

struct task_operations {
    /*
     * Starts the work; the context is RUNNING. On success, the library calls
     * priv_doca_task_complete, possibly before this returns. On failure, the task remains idle.
     * AGAIN: resources are temporarily unavailable.
     */
    doca_error_t (*submit)(struct doca_task *task, uint32_t flags);
    /*
     * Optional: runs in doca_pe_progress, immediately before the callback, if the task completes
     * with SUCCESS; may set the status. IO_FAILED and DRIVER are fatal: the context becomes
     * STOPPING, its unexecuted tasks complete with SHUTDOWN, and it becomes IDLE.
     */
    void (*execute)(struct doca_task *task);
    /* Calls the user's completion callback with its own type. */
    void (*call_back)(struct doca_task *task, union doca_data task_data, union doca_data ctx_data);
    /* Returns an idle task to its context. */
    void (*release)(struct doca_task *task);
};

struct doca_task {
    const struct task_operations *operations;
    struct doca_ctx *ctx;
    struct pe_event completion;
    union doca_data user_data;
    doca_error_t status;
    bool inflight;
    /* If set, called instead of call_back: a graph runs this task as a node. */
    void (*observer)(struct doca_task *task, void *argument);
    void *observer_argument;
};

/* Initializes an idle task of `ctx`. */
DOCA_PRIVATE void priv_doca_task_init(
        struct doca_task *task, struct doca_ctx *ctx, const struct task_operations *operations);

/* Queues the completion of an in-flight task; a later doca_pe_progress runs its callback. */
DOCA_PRIVATE void priv_doca_task_complete(struct doca_task *task, doca_error_t status);

#endif /* JUROM_TASK_H_ */
