/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include <common/sdk_log.h>
#include <faults/faults.h>

#include <jurom.h>

#include "urom_counters.h"
#include "worker_context.h"

SDK_LOG_REGISTER(UROM::WORKER_TASK)

#define ALIGNMENT 64
#define PREFIX_PAD (ALIGNMENT - WIRE_PREFIX_SIZE)
#define FAILED_RESPONSE 64 /* minimum length of a failed command's response, zero-padded */

static struct doca_urom_worker_cmd_task *from_base(struct doca_task *base)
{
    return CONTAINER_OF(base, struct doca_urom_worker_cmd_task, base);
}

/* Completes the task if the status is known and the payload has been sent. */
static void complete_if_over(struct doca_urom_worker_cmd_task *task)
{
    if (!task->answered || task->sending)
        return;
    counting_completion(task);
    priv_doca_task_complete(&task->base, task->base.status);
}

/* Pads the response of a failed command with zeros, so that applications can read a struct. */
static void pad_failed_response(struct doca_urom_worker_cmd_task *task)
{
    counting_error(task->worker->counters, task->base.status);
    if (task->response.data_len < FAILED_RESPONSE) {
        memset(task->response.head + task->response.data_len, 0,
                FAILED_RESPONSE - task->response.data_len);
        task->response.data_len = FAILED_RESPONSE;
    }
}

static void fail(struct doca_urom_worker_cmd_task *task, doca_error_t status)
{
    if (task->worker->tasks.arriving == task) {
        channel_drop_payload(task->worker->channel.handle, task->response.head);
        task->worker->tasks.arriving = NULL;
    }
    task->id = request_id_after(task->id);
    task->base.status = status;
    task->response.data = task->response.head;
    task->response.data_len = 0;
    pad_failed_response(task);
    task->answered = true;
    complete_if_over(task);
}

/* Restores the bytes of the application behind a payload that has been sent. */
static void restore_behind(struct doca_urom_worker_cmd_task *task)
{
    if (task->deadline_at == NULL)
        return;
    memcpy(task->deadline_at, &task->behind, sizeof(task->behind));
    task->deadline_at = NULL;
}

static void stop_sending(struct doca_urom_worker_cmd_task *task)
{
    task->sending = false;
    restore_behind(task);
}

static void sent(struct channel_message *message)
{
    struct doca_urom_worker_cmd_task *task = CONTAINER_OF(
            message, struct doca_urom_worker_cmd_task, message);

    stop_sending(task);
    complete_if_over(task);
}

void worker_tasks_channel_closed(struct worker_tasks *tasks)
{
    tasks->arriving = NULL;
    for (uint32_t i = 0; i < tasks->count; ++i) {
        if (tasks->at[i].sending)
            sent(&tasks->at[i].message);
    }
}

/* Returns the task in flight that the notification answers, or NULL. */
static struct doca_urom_worker_cmd_task *find(
        const struct worker_tasks *tasks, const struct wire_frame *frame)
{
    uint32_t index = (uint32_t)frame->request_id;
    struct doca_urom_worker_cmd_task *task = index < tasks->count ? &tasks->at[index] : NULL;

    return task != NULL && task->id == frame->request_id && !task->answered ? task : NULL;
}

void *worker_tasks_place_answer(
        struct doca_urom_worker *worker, const uint8_t prefix[WIRE_PREFIX_SIZE], size_t length)
{
    struct doca_urom_worker_cmd_task *task;
    struct wire_frame frame;

    if (wire_decode_prefix(prefix, length, worker->tasks.message_size, &frame) != DOCA_SUCCESS
            || frame.type != WIRE_NOTIFICATION) {
        channel_end(worker->channel.handle, DOCA_ERROR_UNEXPECTED,
                "the worker sent a frame that is not for hosts");
        return NULL;
    }
    task = find(&worker->tasks, &frame);
    if (task == NULL)
        return NULL;
    if (frame.notification.payload.length > task->response.len) {
        fail(task, DOCA_ERROR_TOO_BIG);
        return NULL;
    }
    FAULT_REACH(host_answer_beginning);
    worker->tasks.arriving = task;
    task->base.status = frame.notification.status;
    task->response.data = task->response.head;
    task->response.data_len = frame.notification.payload.length;
    return task->response.head;
}

void worker_tasks_answer_placed(struct doca_urom_worker *worker)
{
    struct doca_urom_worker_cmd_task *task = worker->tasks.arriving;

    if (task == NULL)
        return;

    FAULT_DROP(host_answer_received, channel_socket(worker->channel.handle));
    worker->tasks.arriving = NULL;
    if (task->base.status != DOCA_SUCCESS)
        pad_failed_response(task);
    task->answered = true;
    complete_if_over(task);
}

void worker_tasks_push(struct doca_urom_worker *worker)
{
    if (worker->tasks.unpushed && worker->channel.handle != NULL)
        channel_push(worker->channel.handle);
    worker->tasks.unpushed = false;
}

/* Writes the prefix and, if there is one, the deadline. Returns the length of the frame. */
static size_t put_frame(struct doca_urom_worker_cmd_task *task, uint8_t *prefix)
{
    const struct worker_channel *channel = &task->worker->channel;
    uint64_t deadline = task->deadline;
    size_t length = task->payload.data_len;

    task->deadline = 0;
    if (deadline == 0 || !channel->accepts_deadlines) {
        wire_put_command(prefix, task->id, task->plugin, length);
        return WIRE_PREFIX_SIZE + length;
    }
    task->deadline_at = task->payload.head + length;
    memcpy(&task->behind, task->deadline_at, sizeof(task->behind));
    wire_put_command_until(
            prefix, task->id, task->plugin, length, deadline + channel->clock_offset);
    return WIRE_PREFIX_SIZE + length + WIRE_DEADLINE_SIZE;
}

/* Without DOCA_TASK_SUBMIT_FLAG_FLUSH, the command may stay unpublished until a later push. */
static doca_error_t send_command(struct doca_urom_worker_cmd_task *task, uint32_t flags)
{
    uint8_t *prefix = task->payload.head - WIRE_PREFIX_SIZE;
    size_t length;
    doca_error_t status;

    FAULT_REACH(host_command_sending);
    length = put_frame(task, prefix);
    FAULT_BYTES(host_command_header, prefix, WIRE_PREFIX_SIZE);
    status = channel_send(task->worker->channel.handle, prefix, length, &task->message);
    task->worker->tasks.unpushed = true;
    if (flags & DOCA_TASK_SUBMIT_FLAG_FLUSH)
        worker_tasks_push(task->worker);
    FAULT_DROP(host_command_sent, channel_socket(task->worker->channel.handle));
    return status;
}

static doca_error_t submit(struct doca_task *base, uint32_t flags)
{
    struct doca_urom_worker_cmd_task *task = from_base(base);
    doca_error_t status;

    if (task->plugin == 0 || (task->plugin & (task->plugin - 1)) != 0
            || (task->plugin & ~task->worker->settings.spawn.plugins) != 0) {
        SDK_LOG_DBG("The command's plugin 0x%lx is not a single plugin of its worker (0x%lx)",
                task->plugin, task->worker->settings.spawn.plugins);
        task->deadline = 0;
        return DOCA_ERROR_INVALID_VALUE;
    }

    /* The frame's prefix must directly precede the data, whose start the application may change. */
    if (task->payload.data != task->payload.head) {
        memmove(task->payload.head, task->payload.data, task->payload.data_len);
        task->payload.data = task->payload.head;
    }
    task->id = request_id_after(task->id);
    task->answered = false;
    task->cancelled = false;
    counting_submit(task);
    status = send_command(task, flags);
    task->sending = status == DOCA_ERROR_IN_PROGRESS;
    if (!task->sending)
        restore_behind(task);
    if (status != DOCA_ERROR_BAD_STATE)
        return DOCA_SUCCESS; /* if the connection has ended, the task fails once the cause is known */

    /* This is a child of the process that has opened the channel. */
    task->answered = true;
    counting_not_sent(task->worker->counters, status);
    return status;
}

static void call_back(struct doca_task *base, union doca_data task_data, union doca_data ctx_data)
{
    struct doca_urom_worker_cmd_task *task = from_base(base);

    if (task->callback != NULL)
        task->callback(task, task_data, ctx_data);
}

static void release(struct doca_task *base)
{
    struct doca_urom_worker_cmd_task *task = from_base(base);
    struct doca_urom_worker *worker = task->worker;

    if (!task->allocated)
        return;
    task->allocated = false;
    task->next_free = worker->tasks.free;
    worker->tasks.free = task;
}

static const struct task_operations operations = {
    .submit = submit,
    .call_back = call_back,
    .release = release,
};

void worker_tasks_fail(struct worker_tasks *tasks, doca_error_t status)
{
    for (uint32_t i = 0; i < tasks->count; ++i) {
        if (tasks->at[i].base.inflight && !tasks->at[i].answered)
            fail(&tasks->at[i], status);
    }
}

void worker_tasks_free(struct worker_tasks *tasks)
{
    for (uint32_t i = 0; i < tasks->count; ++i) {
        release(&tasks->at[i].base);
        free(tasks->at[i].memory);
    }
    free(tasks->at);
    tasks->at = NULL;
    tasks->free = NULL;
    tasks->count = 0;
}

doca_error_t worker_tasks_make(
        struct doca_urom_worker *worker, uint32_t max_tasks, uint32_t message_size)
{
    struct worker_tasks *tasks = &worker->tasks;

    if (tasks->count == max_tasks && tasks->message_size == message_size)
        return DOCA_SUCCESS;

    worker_tasks_free(tasks);
    tasks->at = FAULT_ALLOCATE(tasks_memory, calloc(max_tasks, sizeof(*tasks->at)));
    if (tasks->at == NULL)
        return DOCA_ERROR_NO_MEMORY;

    tasks->count = max_tasks;
    tasks->message_size = message_size;
    for (uint32_t i = max_tasks; i-- > 0;) {
        tasks->at[i].worker = worker;
        tasks->at[i].id = i;
        tasks->at[i].next_free = tasks->free;
        tasks->free = &tasks->at[i];
    }
    return DOCA_SUCCESS;
}

static size_t round_up(size_t length)
{
    return (length + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
}

/* Initialises the buffers of the task, and allocates its memory at first use. */
static doca_error_t prepare(struct doca_urom_worker_cmd_task *task)
{
    size_t capacity = task->worker->tasks.message_size - WIRE_PREFIX_SIZE;
    size_t response = task->worker->tasks.message_size - sizeof(struct urom_worker_notify);
    uint8_t *payload_start;
    uint8_t *response_start;

    if (task->memory == NULL)
        task->memory = FAULT_ALLOCATE(task_memory,
                aligned_alloc(ALIGNMENT,
                        ALIGNMENT + round_up(capacity + WIRE_DEADLINE_SIZE) + round_up(capacity)));
    if (task->memory == NULL)
        return DOCA_ERROR_NO_MEMORY;

    payload_start = task->memory + PREFIX_PAD + WIRE_PREFIX_SIZE;
    priv_doca_buf_init(&task->payload, payload_start, capacity, payload_start, capacity);
    response_start = payload_start + round_up(capacity + WIRE_DEADLINE_SIZE);
    priv_doca_buf_init(&task->response, response_start, response, response_start, 0);
    memset(task->response.head, 0, FAILED_RESPONSE);
    memset(task->user_data, 0, sizeof(task->user_data));
    return DOCA_SUCCESS;
}

doca_error_t doca_urom_worker_cmd_task_allocate(
        struct doca_urom_worker *worker_ctx, struct doca_urom_worker_cmd_task **task)
{
    struct doca_urom_worker_cmd_task *made;
    doca_error_t status;

    if (worker_ctx == NULL || task == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    if (worker_ctx->ctx.state != DOCA_CTX_STATE_RUNNING || worker_ctx->link.state != LINK_UP)
        return DOCA_ERROR_BAD_STATE;
    made = worker_ctx->tasks.free;
    if (made == NULL) {
        SDK_LOG_DBG("All %u tasks of worker %lu are in use", worker_ctx->settings.max_tasks,
                worker_ctx->link.spawned_id);
        counters_add(worker_ctx->counters, COUNTERS_NO_TASK, 1);
        return DOCA_ERROR_NO_MEMORY;
    }
    status = prepare(made);
    if (status != DOCA_SUCCESS)
        return status;

    worker_ctx->tasks.free = made->next_free;
    priv_doca_task_init(&made->base, &worker_ctx->ctx, &operations);
    made->message.done = sent;
    made->answered = true; /* no answer is pending */
    made->allocated = true;
    made->plugin = 0;
    made->callback = NULL;
    made->deadline = 0;
    *task = made;
    return DOCA_SUCCESS;
}

doca_error_t doca_urom_worker_cmd_task_allocate_init(struct doca_urom_worker *worker_ctx,
        uint64_t plugin, struct doca_urom_worker_cmd_task **task)
{
    doca_error_t status = doca_urom_worker_cmd_task_allocate(worker_ctx, task);

    if (status == DOCA_SUCCESS)
        (*task)->plugin = plugin;
    return status;
}

doca_error_t doca_urom_worker_cmd_task_release(struct doca_urom_worker_cmd_task *task)
{
    if (task == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    if (task->base.inflight)
        return DOCA_ERROR_NOT_PERMITTED;

    release(&task->base);
    return DOCA_SUCCESS;
}

void doca_urom_worker_cmd_task_set_plugin(struct doca_urom_worker_cmd_task *task, uint64_t plugin)
{
    if (task != NULL && !task->base.inflight)
        task->plugin = plugin;
}

void doca_urom_worker_cmd_task_set_cb(
        struct doca_urom_worker_cmd_task *task, doca_urom_worker_cmd_task_completion_cb_t cb)
{
    if (task != NULL && !task->base.inflight)
        task->callback = cb;
}

struct doca_buf *doca_urom_worker_cmd_task_get_payload(struct doca_urom_worker_cmd_task *task)
{
    return task == NULL ? NULL : &task->payload;
}

struct doca_buf *doca_urom_worker_cmd_task_get_response(struct doca_urom_worker_cmd_task *task)
{
    return task == NULL ? NULL : &task->response;
}

void *doca_urom_worker_cmd_task_get_user_data(struct doca_urom_worker_cmd_task *task)
{
    return task == NULL ? NULL : task->user_data;
}

doca_error_t jurom_urom_worker_cmd_task_set_deadline(
        struct doca_urom_worker_cmd_task *task, uint64_t deadline)
{
    if (task == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    if (task->base.inflight)
        return DOCA_ERROR_BAD_STATE;

    task->deadline = deadline;
    return DOCA_SUCCESS;
}

static doca_error_t send_cancel(struct doca_urom_worker_cmd_task *task)
{
    const struct wire_frame frame = { .type = WIRE_CANCEL, .request_id = task->id };
    struct channel *channel = task->worker->channel.handle;
    doca_error_t status;

    if (!task->worker->channel.accepts_deadlines)
        return DOCA_ERROR_NOT_SUPPORTED;
    if (task->cancelled || channel == NULL)
        return DOCA_SUCCESS;
    channel_mark_cancelled(channel, task->id);
    status = channel_send_frame(channel, &frame);
    task->cancelled = status == DOCA_SUCCESS;
    return status;
}

doca_error_t jurom_urom_worker_cmd_task_cancel(struct doca_urom_worker_cmd_task *task)
{
    if (task == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    if (!task->base.inflight)
        return DOCA_ERROR_BAD_STATE;
    if (task->answered)
        return DOCA_SUCCESS;
    if (!task->sending || !channel_withdraw(task->worker->channel.handle, &task->message))
        return send_cancel(task);

    stop_sending(task);
    fail(task, DOCA_ERROR_SKIPPED);
    return DOCA_SUCCESS;
}

struct doca_task *doca_urom_worker_cmd_task_as_task(struct doca_urom_worker_cmd_task *task)
{
    return task == NULL ? NULL : &task->base;
}
