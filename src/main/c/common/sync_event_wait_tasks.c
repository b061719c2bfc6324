/* SPDX-License-Identifier: Apache-2.0 */
/* Tasks that wait for a value of the masked counter. Setters have no effect on a task in flight. */
#include "sync_event_task.h"

struct doca_sync_event_task_wait_eq {
    struct sync_event_task base;
};

static void call_back_wait_eq(
        struct doca_task *task, union doca_data task_data, union doca_data ctx_data)
{
    struct sync_event_task *base = sync_event_task_of(task);

    ((doca_sync_event_task_wait_eq_completion_cb_t)sync_event_callback(base))(
            CONTAINER_OF(base, struct doca_sync_event_task_wait_eq, base), task_data, ctx_data);
}

static const struct task_operations wait_eq_operations = {
    .submit = sync_event_submit,
    .execute = sync_event_execute,
    .call_back = call_back_wait_eq,
    .release = sync_event_release,
};

doca_error_t doca_sync_event_task_wait_eq_set_conf(struct doca_sync_event *event,
        doca_sync_event_task_wait_eq_completion_cb_t completion_cb,
        doca_sync_event_task_wait_eq_completion_cb_t error_cb, uint32_t num_tasks)
{
    return sync_event_configure(event, SYNC_EVENT_TASK_WAIT_EQ, (void (*)(void))completion_cb,
            (void (*)(void))error_cb, num_tasks);
}

doca_error_t doca_sync_event_task_wait_eq_alloc_init(struct doca_sync_event *event,
        uint64_t wait_val, uint64_t mask, union doca_data user_data,
        struct doca_sync_event_task_wait_eq **task)
{
    struct sync_event_task *base;
    doca_error_t status;

    if (event == NULL || task == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    status = sync_event_allocate(
            event, SYNC_EVENT_TASK_WAIT_EQ, &wait_eq_operations, user_data, &base);
    if (status != DOCA_SUCCESS)
        return status;

    base->value = wait_val;
    base->mask = mask;
    *task = CONTAINER_OF(base, struct doca_sync_event_task_wait_eq, base);
    return DOCA_SUCCESS;
}

struct doca_task *doca_sync_event_task_wait_eq_as_doca_task(
        struct doca_sync_event_task_wait_eq *task)
{
    return task == NULL ? NULL : &task->base.task;
}

void doca_sync_event_task_wait_eq_set_wait_val(
        struct doca_sync_event_task_wait_eq *task, uint64_t wait_val)
{
    if (task != NULL && !task->base.task.inflight)
        task->base.value = wait_val;
}

uint64_t doca_sync_event_task_wait_eq_get_wait_val(const struct doca_sync_event_task_wait_eq *task)
{
    return task == NULL ? 0 : task->base.value;
}

void doca_sync_event_task_wait_eq_set_mask(struct doca_sync_event_task_wait_eq *task, uint64_t mask)
{
    if (task != NULL && !task->base.task.inflight)
        task->base.mask = mask;
}

uint64_t doca_sync_event_task_wait_eq_get_mask(const struct doca_sync_event_task_wait_eq *task)
{
    return task == NULL ? 0 : task->base.mask;
}

struct doca_sync_event_task_wait_neq {
    struct sync_event_task base;
};

static void call_back_wait_neq(
        struct doca_task *task, union doca_data task_data, union doca_data ctx_data)
{
    struct sync_event_task *base = sync_event_task_of(task);

    ((doca_sync_event_task_wait_neq_completion_cb_t)sync_event_callback(base))(
            CONTAINER_OF(base, struct doca_sync_event_task_wait_neq, base), task_data, ctx_data);
}

static const struct task_operations wait_neq_operations = {
    .submit = sync_event_submit,
    .execute = sync_event_execute,
    .call_back = call_back_wait_neq,
    .release = sync_event_release,
};

doca_error_t doca_sync_event_task_wait_neq_set_conf(struct doca_sync_event *event,
        doca_sync_event_task_wait_neq_completion_cb_t completion_cb,
        doca_sync_event_task_wait_neq_completion_cb_t error_cb, uint32_t num_tasks)
{
    return sync_event_configure(event, SYNC_EVENT_TASK_WAIT_NEQ, (void (*)(void))completion_cb,
            (void (*)(void))error_cb, num_tasks);
}

doca_error_t doca_sync_event_task_wait_neq_alloc_init(struct doca_sync_event *event,
        uint64_t wait_val, uint64_t mask, union doca_data user_data,
        struct doca_sync_event_task_wait_neq **task)
{
    struct sync_event_task *base;
    doca_error_t status;

    if (event == NULL || task == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    status = sync_event_allocate(
            event, SYNC_EVENT_TASK_WAIT_NEQ, &wait_neq_operations, user_data, &base);
    if (status != DOCA_SUCCESS)
        return status;

    base->value = wait_val;
    base->mask = mask;
    *task = CONTAINER_OF(base, struct doca_sync_event_task_wait_neq, base);
    return DOCA_SUCCESS;
}

struct doca_task *doca_sync_event_task_wait_neq_as_doca_task(
        struct doca_sync_event_task_wait_neq *task)
{
    return task == NULL ? NULL : &task->base.task;
}

void doca_sync_event_task_wait_neq_set_wait_val(
        struct doca_sync_event_task_wait_neq *task, uint64_t wait_val)
{
    if (task != NULL && !task->base.task.inflight)
        task->base.value = wait_val;
}

uint64_t doca_sync_event_task_wait_neq_get_wait_val(
        const struct doca_sync_event_task_wait_neq *task)
{
    return task == NULL ? 0 : task->base.value;
}

void doca_sync_event_task_wait_neq_set_mask(
        struct doca_sync_event_task_wait_neq *task, uint64_t mask)
{
    if (task != NULL && !task->base.task.inflight)
        task->base.mask = mask;
}

uint64_t doca_sync_event_task_wait_neq_get_mask(const struct doca_sync_event_task_wait_neq *task)
{
    return task == NULL ? 0 : task->base.mask;
}
