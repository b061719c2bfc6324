/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Common part of all kinds of sync event tasks. The doca_pe_progress that runs the callback
 * executes reads and updates. Waiting tasks are in a list that the engine polls.
 *
 * An update through the same object wakes a sleeping engine. Other updates, of memory that the
 * application or another process can access, can only be polled for.
 */
#include "sync_event_task.h"

#include <jurom_sync_event.h>

#include "sdk_log.h"
#include "sync_event_value.h"

SDK_LOG_REGISTER(DOCA::SYNC_EVENT)

static bool is_satisfied(const struct sync_event_task *task)
{
    uint64_t counter = sync_event_read(task->event) & task->mask;

    return (counter == task->value) == (task->kind == SYNC_EVENT_TASK_WAIT_EQ);
}

/* Completes the tasks whose condition holds, in submission order. */
static unsigned poll_waiting(struct pe_poller *poller)
{
    struct doca_sync_event *event = CONTAINER_OF(poller, struct doca_sync_event, poller);
    struct sync_event_task **link = &event->waiting;
    struct sync_event_task *task;
    unsigned found = 0;

    if (atomic_load_explicit(&event->wants_wake, memory_order_relaxed))
        atomic_store(&event->wants_wake, false);
    while ((task = *link) != NULL) {
        if (is_satisfied(task)) {
            *link = task->next_waiting;
            priv_doca_task_complete(&task->task, DOCA_SUCCESS);
            found++;
        } else {
            link = &task->next_waiting;
        }
    }
    return found;
}

/* Returns whether all updates of the counter go through this object. */
static bool is_private(const struct doca_sync_event *event)
{
    return event->value == &event->own;
}

static doca_error_t arm(struct pe_poller *poller)
{
    struct doca_sync_event *event = CONTAINER_OF(poller, struct doca_sync_event, poller);
    const struct sync_event_task *task;

    if (event->waiting == NULL)
        return DOCA_SUCCESS;
    if (!is_private(event))
        return DOCA_ERROR_AGAIN;

    /*
     * Store the flag, then check the counter: a concurrent update is seen either by this check or
     * by the updating thread.
     */
    atomic_store(&event->wants_wake, true);
    for (task = event->waiting; task != NULL; task = task->next_waiting)
        if (is_satisfied(task))
            return DOCA_ERROR_AGAIN;
    return DOCA_SUCCESS;
}

doca_error_t sync_event_start_tasks(struct doca_sync_event *event)
{
    static const size_t size = sizeof(struct sync_event_task);
    doca_error_t status = DOCA_SUCCESS;
    uint32_t configured = 0;
    int kind;

    for (kind = 0; kind < SYNC_EVENT_TASK_KINDS && status == DOCA_SUCCESS; ++kind) {
        configured += event->tasks[kind].count;
        status = priv_doca_task_pool_fill(&event->tasks[kind].pool, event->tasks[kind].count, size);
    }
    if (status != DOCA_SUCCESS)
        return status;
    if (configured == 0) {
        SDK_LOG_ERR("The sync event has no tasks: configure some before doca_ctx_start, or use "
                    "doca_sync_event_start");
        return DOCA_ERROR_INVALID_VALUE;
    }

    event->poller = (struct pe_poller){ .poll = poll_waiting, .arm = arm, .fd = -1 };
    return priv_doca_pe_add_poller(event->ctx.pe, &event->poller);
}

static void end_waiting(struct doca_sync_event *event, doca_error_t status)
{
    struct sync_event_task *task;

    while ((task = event->waiting) != NULL) {
        event->waiting = task->next_waiting;
        priv_doca_task_complete(&task->task, status);
    }
}

/* Queued tasks use the event's own counter from now on. */
doca_error_t jurom_sync_event_leave_memory(struct doca_sync_event *event)
{
    if (event == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    if (event->address == NULL || event->value != event->address)
        return DOCA_ERROR_BAD_STATE;

    event->value = &event->own;
    end_waiting(event, DOCA_ERROR_IO_FAILED);
    return DOCA_SUCCESS;
}

/* Ends the waiting tasks; all other tasks in flight are already queued. */
doca_error_t sync_event_stop_tasks(struct doca_sync_event *event)
{
    end_waiting(event, DOCA_ERROR_SHUTDOWN);
    atomic_store(&event->wants_wake, false);
    priv_doca_pe_remove_poller(event->ctx.pe, &event->poller);
    return priv_doca_engine_stop(&event->ctx);
}

doca_error_t sync_event_free_tasks(struct doca_sync_event *event)
{
    doca_error_t status = DOCA_SUCCESS;
    int kind;

    for (kind = 0; kind < SYNC_EVENT_TASK_KINDS && status == DOCA_SUCCESS; ++kind)
        status = priv_doca_task_pool_empty(&event->tasks[kind].pool);
    return status;
}

doca_error_t sync_event_configure(struct doca_sync_event *event, enum sync_event_task_kind kind,
        void (*completed)(void), void (*failed)(void), uint32_t count)
{
    if (event == NULL || completed == NULL || failed == NULL || count == 0
            || count > ENGINE_TASKS_MAX)
        return DOCA_ERROR_INVALID_VALUE;
    if (!sync_event_is_configurable(event))
        return DOCA_ERROR_NOT_PERMITTED;

    event->tasks[kind].completed = completed;
    event->tasks[kind].failed = failed;
    event->tasks[kind].count = count;
    return DOCA_SUCCESS;
}

doca_error_t sync_event_allocate(struct doca_sync_event *event, enum sync_event_task_kind kind,
        const struct task_operations *operations, union doca_data user_data,
        struct sync_event_task **task)
{
    struct sync_event_task *allocated;

    if (event->ctx.state != DOCA_CTX_STATE_RUNNING)
        return DOCA_ERROR_BAD_STATE;
    allocated = priv_doca_task_pool_take(&event->tasks[kind].pool);
    if (allocated == NULL) {
        SDK_LOG_DBG(
                "All %u tasks of this kind of the sync event are in use", event->tasks[kind].count);
        return DOCA_ERROR_NO_MEMORY;
    }

    *allocated = (struct sync_event_task){ .event = event, .kind = kind };
    priv_doca_task_init(&allocated->task, &event->ctx, operations);
    allocated->task.user_data = user_data;
    *task = allocated;
    return DOCA_SUCCESS;
}

static void start_waiting(struct sync_event_task *task)
{
    struct sync_event_task **link = &task->event->waiting;

    while (*link != NULL)
        link = &(*link)->next_waiting;
    task->next_waiting = NULL;
    *link = task;
    pe_notify(task->event->ctx.pe); /* the poller is not armed if no other task waits */
}

doca_error_t sync_event_submit(struct doca_task *task, uint32_t flags)
{
    struct sync_event_task *submitted = sync_event_task_of(task);
    bool waits = submitted->kind == SYNC_EVENT_TASK_WAIT_EQ
            || submitted->kind == SYNC_EVENT_TASK_WAIT_NEQ;

    (void)flags;
    if (submitted->kind == SYNC_EVENT_TASK_GET && submitted->result == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    if (waits && !is_satisfied(submitted))
        start_waiting(submitted);
    else
        priv_doca_task_complete(task, DOCA_SUCCESS);
    return DOCA_SUCCESS;
}

void sync_event_execute(struct doca_task *task)
{
    struct sync_event_task *executed = sync_event_task_of(task);
    uint64_t read = 0;

    switch (executed->kind) {
    case SYNC_EVENT_TASK_GET:
        read = sync_event_read(executed->event);
        break;
    case SYNC_EVENT_TASK_NOTIFY_SET:
        sync_event_set(executed->event, executed->value);
        break;
    case SYNC_EVENT_TASK_NOTIFY_ADD:
        read = sync_event_add(executed->event, executed->value);
        break;
    default: /* a wait whose condition held */
        break;
    }
    if (executed->result != NULL)
        *executed->result = read;
}

void sync_event_release(struct doca_task *task)
{
    struct sync_event_task *released = sync_event_task_of(task);

    priv_doca_task_pool_give(&released->event->tasks[released->kind].pool, released);
}

void (*sync_event_callback(const struct sync_event_task *task))(void)
{
    const struct sync_event_tasks *tasks = &task->event->tasks[task->kind];

    return task->task.status == DOCA_SUCCESS ? tasks->completed : tasks->failed;
}
