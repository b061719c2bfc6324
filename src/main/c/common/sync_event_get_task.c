/* SPDX-License-Identifier: Apache-2.0 */
/* Tasks that read the counter. Setters have no effect on a task in flight. */
#include "sync_event_task.h"

struct doca_sync_event_task_get {
    struct sync_event_task base;
};

static void call_back_get(
        struct doca_task *task, union doca_data task_data, union doca_data ctx_data)
{
    struct sync_event_task *base = sync_event_task_of(task);

    ((doca_sync_event_task_get_completion_cb_t)sync_event_callback(base))(
            CONTAINER_OF(base, struct doca_sync_event_task_get, base), task_data, ctx_data);
}

static const struct task_operations get_operations = {
    .submit = sync_event_submit,
    .execute = sync_event_execute,
    .call_back = call_back_get,
    .release = sync_event_release,
};

doca_error_t doca_sync_event_task_get_set_conf(struct doca_sync_event *event,
        doca_sync_event_task_get_completion_cb_t completion_cb,
        doca_sync_event_task_get_completion_cb_t error_cb, uint32_t num_tasks)
{
    return sync_event_configure(event, SYNC_EVENT_TASK_GET, (void (*)(void))completion_cb,
            (void (*)(void))error_cb, num_tasks);
}

doca_error_t doca_sync_event_task_get_alloc_init(struct doca_sync_event *event,
        uint64_t *ret_val_ptr, union doca_data user_data, struct doca_sync_event_task_get **task)
{
    struct sync_event_task *base;
    doca_error_t status;

    if (event == NULL || task == NULL || ret_val_ptr == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    status = sync_event_allocate(event, SYNC_EVENT_TASK_GET, &get_operations, user_data, &base);
    if (status != DOCA_SUCCESS)
        return status;

    base->result = ret_val_ptr;
    *task = CONTAINER_OF(base, struct doca_sync_event_task_get, base);
    return DOCA_SUCCESS;
}

struct doca_task *doca_sync_event_task_get_as_doca_task(struct doca_sync_event_task_get *task)
{
    return task == NULL ? NULL : &task->base.task;
}

void doca_sync_event_task_get_set_ret_val_ptr(
        struct doca_sync_event_task_get *task, uint64_t *ret_val_ptr)
{
    if (task != NULL && !task->base.task.inflight)
        task->base.result = ret_val_ptr;
}

uint64_t *doca_sync_event_task_get_get_ret_val_ptr(const struct doca_sync_event_task_get *task)
{
    return task == NULL ? NULL : task->base.result;
}
