/* SPDX-License-Identifier: Apache-2.0 */
/* Tasks of sync events: the code that all kinds share. */
#ifndef JUROM_SYNC_EVENT_TASK_H_
#define JUROM_SYNC_EVENT_TASK_H_

#include "sync_event.h"

/* Start, stop and free the tasks of the context. */
doca_error_t sync_event_start_tasks(struct doca_sync_event *event);
doca_error_t sync_event_stop_tasks(struct doca_sync_event *event);
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

/* Task operations of all kinds. */
doca_error_t sync_event_submit(struct doca_task *task, uint32_t flags);
void sync_event_execute(struct doca_task *task);
void sync_event_release(struct doca_task *task);

/* Returns the callback for a completed task. */
void (*sync_event_callback(const struct sync_event_task *task))(void);

static inline struct sync_event_task *sync_event_task_of(struct doca_task *task)
{
    return CONTAINER_OF(task, struct sync_event_task, task);
}

#endif /* JUROM_SYNC_EVENT_TASK_H_ */
