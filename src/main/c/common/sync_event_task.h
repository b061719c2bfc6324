/* SPDX-License-Identifier: Apache-2.0 */
/* Tasks of sync events: the code that all kinds share. */
#ifndef JUROM_SYNC_EVENT_TASK_H_
#define JUROM_SYNC_EVENT_TASK_H_

#include "sync_event.h"

/* Allocates the tasks and adds the poller of waits. INVALID_VALUE: none is configured. */
doca_error_t sync_event_start_tasks(struct doca_sync_event *event);

/* Fails waits with SHUTDOWN, and posts IDLE after the tasks in flight. */
doca_error_t sync_event_stop_tasks(struct doca_sync_event *event);

/* Frees the tasks. IN_USE: the application holds some. */
doca_error_t sync_event_free_tasks(struct doca_sync_event *event);

/* Implements set_conf of each kind. */
doca_error_t sync_event_configure(struct doca_sync_event *event, enum sync_event_task_kind kind,
        void (*completed)(void), void (*failed)(void), uint32_t count);

/*
 * Implements alloc_init of each kind: allocates a task with those operations. The caller sets
 * value, mask and result.
 */
doca_error_t sync_event_allocate(struct doca_sync_event *event, enum sync_event_task_kind kind,
        const struct task_operations *operations, union doca_data user_data,
        struct sync_event_task **task);

/* Task operation: completes the task, or adds a wait to the list that the engine polls. */
doca_error_t sync_event_submit(struct doca_task *task, uint32_t flags);

/* Task operation: executes a read or an update. */
void sync_event_execute(struct doca_task *task);

/* Task operation: returns the task to its pool. */
void sync_event_release(struct doca_task *task);

/* Returns the callback for a completed task. */
void (*sync_event_callback(const struct sync_event_task *task))(void);

/* Returns the sync event task that embeds `task`. */
static inline struct sync_event_task *sync_event_task_of(struct doca_task *task)
{
    return CONTAINER_OF(task, struct sync_event_task, task);
}

#endif /* JUROM_SYNC_EVENT_TASK_H_ */
