/* SPDX-License-Identifier: Apache-2.0 */
/* Tasks that set the counter or add to it. Setters have no effect on a task in flight. */
#include "sync_event_task.h"

struct doca_sync_event_task_notify_set {
    struct sync_event_task base;
};

static void call_back_notify_set(
        struct doca_task *task, union doca_data task_data, union doca_data ctx_data)
{
    struct sync_event_task *base = sync_event_task_of(task);

    ((doca_sync_event_task_notify_set_completion_cb_t)sync_event_callback(base))(
            CONTAINER_OF(base, struct doca_sync_event_task_notify_set, base), task_data, ctx_data);
}

static const struct task_operations notify_set_operations = {
    .submit = sync_event_submit,
    .execute = sync_event_execute,
    .call_back = call_back_notify_set,
    .release = sync_event_release,
};

doca_error_t doca_sync_event_task_notify_set_set_conf(struct doca_sync_event *event,
        doca_sync_event_task_notify_set_completion_cb_t completion_cb,
        doca_sync_event_task_notify_set_completion_cb_t error_cb, uint32_t num_tasks)
{
    return sync_event_configure(event, SYNC_EVENT_TASK_NOTIFY_SET, (void (*)(void))completion_cb,
            (void (*)(void))error_cb, num_tasks);
}

doca_error_t doca_sync_event_task_notify_set_alloc_init(struct doca_sync_event *event,
        uint64_t set_val, union doca_data user_data, struct doca_sync_event_task_notify_set **task)
{
    struct sync_event_task *base;
    doca_error_t status;

    if (event == NULL || task == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    status = sync_event_allocate(
            event, SYNC_EVENT_TASK_NOTIFY_SET, &notify_set_operations, user_data, &base);
    if (status != DOCA_SUCCESS)
        return status;

    base->value = set_val;
    *task = CONTAINER_OF(base, struct doca_sync_event_task_notify_set, base);
    return DOCA_SUCCESS;
}

struct doca_task *doca_sync_event_task_notify_set_as_doca_task(
        struct doca_sync_event_task_notify_set *task)
{
    return task == NULL ? NULL : &task->base.task;
}

void doca_sync_event_task_notify_set_set_set_val(
        struct doca_sync_event_task_notify_set *task, uint64_t set_val)
{
    if (task != NULL && !task->base.task.inflight)
        task->base.value = set_val;
}

uint64_t doca_sync_event_task_notify_set_get_set_val(
        const struct doca_sync_event_task_notify_set *task)
{
    return task == NULL ? 0 : task->base.value;
}

struct doca_sync_event_task_notify_add {
    struct sync_event_task base;
};

static void call_back_notify_add(
        struct doca_task *task, union doca_data task_data, union doca_data ctx_data)
{
    struct sync_event_task *base = sync_event_task_of(task);

    ((doca_sync_event_task_notify_add_completion_cb_t)sync_event_callback(base))(
            CONTAINER_OF(base, struct doca_sync_event_task_notify_add, base), task_data, ctx_data);
}

static const struct task_operations notify_add_operations = {
    .submit = sync_event_submit,
    .execute = sync_event_execute,
    .call_back = call_back_notify_add,
    .release = sync_event_release,
};

doca_error_t doca_sync_event_task_notify_add_set_conf(struct doca_sync_event *event,
        doca_sync_event_task_notify_add_completion_cb_t completion_cb,
        doca_sync_event_task_notify_add_completion_cb_t error_cb, uint32_t num_tasks)
{
    return sync_event_configure(event, SYNC_EVENT_TASK_NOTIFY_ADD, (void (*)(void))completion_cb,
            (void (*)(void))error_cb, num_tasks);
}

doca_error_t doca_sync_event_task_notify_add_alloc_init(struct doca_sync_event *event,
        uint64_t inc_val, uint64_t *fetched_val_ptr, union doca_data user_data,
        struct doca_sync_event_task_notify_add **task)
{
    struct sync_event_task *base;
    doca_error_t status;

    if (event == NULL || task == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    status = sync_event_allocate(
            event, SYNC_EVENT_TASK_NOTIFY_ADD, &notify_add_operations, user_data, &base);
    if (status != DOCA_SUCCESS)
        return status;

    base->value = inc_val;
    base->result = fetched_val_ptr;
    *task = CONTAINER_OF(base, struct doca_sync_event_task_notify_add, base);
    return DOCA_SUCCESS;
}

struct doca_task *doca_sync_event_task_notify_add_as_doca_task(
        struct doca_sync_event_task_notify_add *task)
{
    return task == NULL ? NULL : &task->base.task;
}

void doca_sync_event_task_notify_add_set_inc_val(
        struct doca_sync_event_task_notify_add *task, uint64_t inc_val)
{
    if (task != NULL && !task->base.task.inflight)
        task->base.value = inc_val;
}

uint64_t doca_sync_event_task_notify_add_get_inc_val(
        const struct doca_sync_event_task_notify_add *task)
{
    return task == NULL ? 0 : task->base.value;
}

void doca_sync_event_task_notify_add_set_fetched_val_ptr(
        struct doca_sync_event_task_notify_add *task, uint64_t *fetched_val_ptr)
{
    if (task != NULL && !task->base.task.inflight)
        task->base.result = fetched_val_ptr;
}

uint64_t *doca_sync_event_task_notify_add_get_fetched_val_ptr(
        const struct doca_sync_event_task_notify_add *task)
{
    return task == NULL ? NULL : task->base.result;
}
