/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include <doca_pe.h>

#include "memory_device.h"

#define SECOND 1000000000u

struct doca_urom_worker_cmd_task {
    struct doca_task task;
};

static void require(bool holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "%s\n", what);
    abort();
}

static void enter(struct doca_pe *pe)
{
    require(atomic_fetch_add(&pe->inside, 1) == 0, "two threads use the progress engine");
}

static void leave(struct doca_pe *pe)
{
    atomic_fetch_sub(&pe->inside, 1);
}

uint64_t device_now(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * SECOND + (uint64_t)now.tv_nsec;
}

uint64_t device_random(uint64_t *sequence, uint64_t limit)
{
    *sequence ^= *sequence << 13;
    *sequence ^= *sequence >> 7;
    *sequence ^= *sequence << 17;
    return *sequence % limit;
}

static void watch(const struct doca_pe *pe, int descriptor)
{
    struct epoll_event interest = { .events = EPOLLIN };

    require(epoll_ctl(pe->handle, EPOLL_CTL_ADD, descriptor, &interest) == 0, "no descriptor");
}

void device_open(struct doca_pe *pe, uint64_t delay)
{
    memset(pe, 0, sizeof(*pe));
    pe->timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
    pe->event = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    pe->handle = epoll_create1(EPOLL_CLOEXEC);
    watch(pe, pe->timer);
    watch(pe, pe->event);
    pe->last = &pe->first;
    pe->delay = delay;
    pe->random = 88172645463325252u;
}

void device_close(struct doca_pe *pe)
{
    require(pe->first == NULL, "a task is in flight");
    require(pe->tasks == 0, "a task was not released");
    close(pe->timer);
    close(pe->event);
    close(pe->handle);
}

static void set_timer(struct doca_pe *pe, uint64_t due)
{
    struct itimerspec when = {
        .it_value = { .tv_sec = (time_t)(due / SECOND), .tv_nsec = (long)(due % SECOND) },
    };

    require(timerfd_settime(pe->timer, TFD_TIMER_ABSTIME, &when, NULL) == 0, "no timer is set");
}

static doca_error_t request_notification(struct doca_pe *pe)
{
    uint64_t due = UINT64_MAX;

    enter(pe);
    for (const struct doca_task *task = pe->first; task != NULL; task = task->next) {
        if (task->due < due)
            due = task->due;
    }
    ++pe->requests;
    set_timer(pe, due == UINT64_MAX ? 0 : due);
    if (pe->busy_every != 0 && pe->requests % pe->busy_every == 0)
        require(eventfd_write(pe->event, 1) == 0, "no event");
    leave(pe);
    return DOCA_SUCCESS;
}

static doca_error_t clear_notification(struct doca_pe *pe, int handle)
{
    eventfd_t count;

    enter(pe);
    require(handle == pe->handle, "another handle is cleared");
    (void)!eventfd_read(pe->event, &count);
    leave(pe);
    return DOCA_SUCCESS;
}

static uint8_t progress(struct doca_pe *pe)
{
    struct doca_task **place = &pe->first;
    struct doca_task *task;
    uint64_t number;
    uint64_t now = device_now();

    enter(pe);
    if (pe->also != NULL)
        pe->also(pe);
    while (*place != NULL && (*place)->due > now)
        place = &(*place)->next;
    task = *place;
    if (task == NULL) {
        leave(pe);
        return 0;
    }
    *place = task->next;
    if (task->next == NULL)
        pe->last = place;
    task->flying = false;
    memcpy(&number, task->payload.data, sizeof(number));
    ++number;
    memcpy(&task->response.bytes, &number, sizeof(number));
    task->response.data = &task->response.bytes;
    task->response.length = sizeof(number);
    task->callback(task, task->user_data, (union doca_data){ .u64 = 0 });
    leave(pe);
    return 1;
}

static doca_error_t submit_ex(struct doca_task *task, uint32_t flags)
{
    struct doca_pe *pe = task->worker->pe;
    doca_error_t status = DOCA_SUCCESS;

    enter(pe);
    ++pe->submissions;
    if (flags & DOCA_TASK_SUBMIT_FLAG_FLUSH)
        ++pe->flushes;
    if (pe->refuse_every != 0 && pe->submissions % pe->refuse_every == 0) {
        status = DOCA_ERROR_NO_MEMORY;
    } else {
        require(!task->flying, "a task is submitted twice");
        task->flying = true;
        task->due = pe->delay == 0 ? 0 : device_now() + device_random(&pe->random, pe->delay);
        task->next = NULL;
        *pe->last = task;
        pe->last = &task->next;
    }
    leave(pe);
    return status;
}

static struct doca_ctx *task_context(const struct doca_task *task)
{
    return (struct doca_ctx *)task->worker;
}

static doca_error_t task_status(const struct doca_task *task)
{
    (void)task;
    return DOCA_SUCCESS;
}

static doca_error_t buf_data(const struct doca_buf *buf, void **data)
{
    *data = buf->data;
    return DOCA_SUCCESS;
}

static doca_error_t buf_data_len(const struct doca_buf *buf, size_t *length)
{
    *length = buf->length;
    return DOCA_SUCCESS;
}

const struct jurom_completion_functions device_functions = {
    .progress = progress,
    .submit_ex = submit_ex,
    .task_context = task_context,
    .task_status = task_status,
    .buf_data = buf_data,
    .buf_data_len = buf_data_len,
};

static doca_error_t allocate_task(
        struct doca_urom_worker *worker, uint64_t plugin, struct doca_urom_worker_cmd_task **task)
{
    struct doca_pe *pe = worker->pe;
    struct doca_urom_worker_cmd_task *made;

    if (pe->tasks_max != 0 && pe->tasks == pe->tasks_max)
        return DOCA_ERROR_NO_MEMORY;
    made = calloc(1, sizeof(*made));
    require(made != NULL, "no memory");
    ++pe->tasks;
    made->task.worker = worker;
    made->task.plugin = plugin;
    made->task.payload.data = &made->task.payload.bytes;
    made->task.payload.length = PAYLOAD;
    *task = made;
    return DOCA_SUCCESS;
}

static doca_error_t release_task(struct doca_urom_worker_cmd_task *task)
{
    require(!task->task.flying, "a task in flight is released");
    --task->task.worker->pe->tasks;
    free(task);
    return DOCA_SUCCESS;
}

static struct doca_task *as_task(struct doca_urom_worker_cmd_task *task)
{
    return &task->task;
}

static struct doca_buf *payload_of(struct doca_urom_worker_cmd_task *task)
{
    return &task->task.payload;
}

static struct doca_buf *response_of(struct doca_urom_worker_cmd_task *task)
{
    return &task->task.response;
}

static void set_plugin(struct doca_urom_worker_cmd_task *task, uint64_t plugin)
{
    task->task.plugin = plugin;
}

static void set_callback(struct doca_urom_worker_cmd_task *task,
        void (*callback)(void *task, union doca_data task_user_data, union doca_data ctx_user_data))
{
    task->task.callback = callback;
}

static void set_user_data(struct doca_task *task, union doca_data user_data)
{
    task->user_data = user_data;
}

static doca_error_t set_data(struct doca_buf *buf, void *data, size_t length)
{
    if (length > PAYLOAD)
        return DOCA_ERROR_INVALID_VALUE;
    buf->data = data;
    buf->length = length;
    return DOCA_SUCCESS;
}

/* The device answers all commands soon, as if it had not received the cancellation. */
static doca_error_t cancel(struct doca_urom_worker_cmd_task *task)
{
    (void)task;
    return DOCA_SUCCESS;
}

const struct jurom_engine_functions device_engine_functions = {
    .request_notification = request_notification,
    .clear_notification = clear_notification,
    .allocate_task = allocate_task,
    .release_task = release_task,
    .as_task = as_task,
    .payload = payload_of,
    .response = response_of,
    .set_plugin = set_plugin,
    .set_callback = set_callback,
    .set_user_data = set_user_data,
    .set_data = set_data,
    .cancel = cancel,
};
