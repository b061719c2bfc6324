/* SPDX-License-Identifier: Apache-2.0 */
#include "worker_activity.h"

#include <doca_buf.h>
#include <doca_types.h>

#include "payload.h"

#define ATTEMPTS_MAX 3

static void enter(struct worker_activity *activity, enum worker_activity_stage stage)
{
    activity->stage = stage;
    ++activity->changes;
}

static void note_error(struct worker_activity *activity, const char *call, doca_error_t status)
{
    result_error(activity->result, activity->job->id, call, status);
}

static enum doca_ctx_states state_of(const struct worker_activity *activity)
{
    enum doca_ctx_states state = DOCA_CTX_STATE_IDLE;

    doca_ctx_get_state(activity->ctx, &state);
    return state;
}

static unsigned in_flight(const struct worker_activity *activity)
{
    unsigned count = 0;

    for (unsigned i = 0; i < activity->job->depth; ++i)
        count += activity->commands[i].in_flight;
    return count;
}

static bool has_expected_answer(const struct command *command)
{
    const struct doca_buf *response = doca_urom_worker_cmd_task_get_response(command->task);
    void *data;
    size_t length;

    return doca_buf_get_data(response, &data) == DOCA_SUCCESS
            && doca_buf_get_data_len(response, &length) == DOCA_SUCCESS
            && payload_answers(command->key, command->length, data, length);
}

static void completed(
        struct doca_urom_worker_cmd_task *task, union doca_data task_data, union doca_data ctx_data)
{
    struct command *command = task_data.ptr;
    struct result *result = command->activity->result;
    doca_error_t status = doca_task_get_status(doca_urom_worker_cmd_task_as_task(task));

    (void)ctx_data;
    ++command->activity->changes;
    if (!command->in_flight) {
        ++result->duplicated;
        return;
    }
    command->in_flight = false;
    if (status != DOCA_SUCCESS) {
        ++result->failed;
        result_error(result, command->activity->job->id, "task", status);
    } else if (has_expected_answer(command)) {
        ++result->answered;
    } else {
        ++result->wrong;
        result_error(result, command->activity->job->id, "wrong", DOCA_ERROR_UNEXPECTED);
    }
}

static doca_error_t create_worker(struct worker_activity *activity)
{
    doca_error_t status = doca_urom_worker_create(&activity->worker);

    if (status != DOCA_SUCCESS)
        return status;
    activity->ctx = doca_urom_worker_as_ctx(activity->worker);
    status = doca_pe_connect_ctx(activity->pe, activity->ctx);
    if (status == DOCA_SUCCESS)
        status = doca_urom_worker_set_service(activity->worker, activity->service);
    if (status == DOCA_SUCCESS)
        status = doca_urom_worker_set_plugins(activity->worker, activity->plugin);
    if (status == DOCA_SUCCESS)
        status = doca_urom_worker_set_id(activity->worker, activity->job->id);
    if (status == DOCA_SUCCESS)
        status = doca_urom_worker_set_max_inflight_tasks(activity->worker, activity->tasks);
    if (status == DOCA_SUCCESS) {
        status = doca_ctx_start(activity->ctx);
        return status == DOCA_ERROR_IN_PROGRESS ? DOCA_SUCCESS : status;
    }
    return status;
}

/* Releases the worker, and restarts if commands remain. */
static void release_worker(struct worker_activity *activity)
{
    doca_error_t status = DOCA_SUCCESS;

    for (unsigned i = 0; i < activity->job->depth; ++i) {
        struct command *command = &activity->commands[i];

        if (command->task != NULL && !command->in_flight) {
            doca_urom_worker_cmd_task_release(command->task);
            command->task = NULL;
        }
    }
    if (activity->worker != NULL)
        status = doca_urom_worker_destroy(activity->worker);
    if (status != DOCA_SUCCESS)
        note_error(activity, "destroy", status);
    activity->worker = NULL;
    enter(activity,
            activity->issued < activity->job->commands && activity->attempts < ATTEMPTS_MAX
                    ? ACTIVITY_NEW
                    : ACTIVITY_DONE);
}

static void begin(struct worker_activity *activity)
{
    doca_error_t status = create_worker(activity);

    ++activity->attempts;
    enter(activity, ACTIVITY_STARTING);
    if (status != DOCA_SUCCESS) {
        note_error(activity, "start", status);
        release_worker(activity);
    }
}

static doca_error_t provide_task(struct worker_activity *activity, struct command *command)
{
    doca_error_t status;

    if (command->task != NULL)
        return DOCA_SUCCESS;
    status = doca_urom_worker_cmd_task_allocate_init(
            activity->worker, activity->plugin, &command->task);
    if (status != DOCA_SUCCESS)
        return status;
    command->activity = activity;
    doca_urom_worker_cmd_task_set_cb(command->task, completed);
    doca_task_set_user_data(
            doca_urom_worker_cmd_task_as_task(command->task), (union doca_data){ .ptr = command });
    return DOCA_SUCCESS;
}

static doca_error_t submit(struct worker_activity *activity, struct command *command)
{
    struct doca_buf *payload = doca_urom_worker_cmd_task_get_payload(command->task);
    uint32_t flush = ++activity->batched % activity->job->batch == 0
                    || activity->issued + 1 == activity->job->commands
            ? DOCA_TASK_SUBMIT_FLAG_FLUSH
            : DOCA_TASK_SUBMIT_FLAG_NONE;
    doca_error_t status;
    void *data;

    command->key = payload_key(activity->seed, activity->index, activity->issued);
    command->length = payload_length(command->key, activity->job->bytes);
    status = doca_buf_get_data(payload, &data);
    if (status == DOCA_SUCCESS)
        status = doca_buf_set_data(payload, data, command->length);
    if (status != DOCA_SUCCESS)
        return status;
    payload_write(command->key, data, command->length);
    command->in_flight = true;
    status = doca_task_submit_ex(doca_urom_worker_cmd_task_as_task(command->task), flush);
    command->in_flight = status == DOCA_SUCCESS;
    activity->result->submitted += command->in_flight;
    return status;
}

/* Submits commands up to the maximum number in flight. */
static void submit_commands(struct worker_activity *activity)
{
    for (unsigned i = 0; i < activity->job->depth; ++i) {
        struct command *command = &activity->commands[i];
        doca_error_t status;

        if (activity->issued == activity->target)
            break;
        if (command->in_flight)
            continue;
        status = provide_task(activity, command);
        if (status == DOCA_SUCCESS)
            status = submit(activity, command);
        if (status == DOCA_ERROR_AGAIN)
            break;
        ++activity->issued;
        if (status != DOCA_SUCCESS) {
            ++activity->changes; /* since no answer will wake this process */
            note_error(activity, "submit", status);
        }
    }
    if (activity->flushes)
        doca_ctx_flush_tasks(activity->ctx);
}

static void stop(struct worker_activity *activity)
{
    doca_error_t status = doca_ctx_stop(activity->ctx);

    if (status != DOCA_SUCCESS && status != DOCA_ERROR_IN_PROGRESS
            && state_of(activity) == DOCA_CTX_STATE_RUNNING)
        note_error(activity, "stop", status);
    enter(activity, ACTIVITY_ENDING);
}

static void step_running(struct worker_activity *activity)
{
    if (state_of(activity) != DOCA_CTX_STATE_RUNNING) {
        note_error(activity, "worker", DOCA_ERROR_SHUTDOWN);
        enter(activity, ACTIVITY_ENDING);
        return;
    }
    submit_commands(activity);
    if (activity->issued == activity->job->commands && in_flight(activity) == 0)
        stop(activity);
}

void worker_activity_step(struct worker_activity *activity)
{
    switch (activity->stage) {
    case ACTIVITY_NEW:
        begin(activity);
        break;
    case ACTIVITY_STARTING:
        if (state_of(activity) == DOCA_CTX_STATE_RUNNING) {
            enter(activity, ACTIVITY_RUNNING);
        } else if (state_of(activity) == DOCA_CTX_STATE_IDLE) {
            note_error(activity, "start", DOCA_ERROR_INITIALIZATION);
            release_worker(activity);
        }
        break;
    case ACTIVITY_RUNNING:
        step_running(activity);
        break;
    case ACTIVITY_ENDING:
        if (state_of(activity) == DOCA_CTX_STATE_IDLE)
            release_worker(activity);
        break;
    case ACTIVITY_DONE:
        break;
    }
}

bool worker_activity_is_paused(const struct worker_activity *activity)
{
    return activity->stage == ACTIVITY_RUNNING && activity->issued == activity->target
            && activity->target < activity->job->commands && in_flight(activity) == 0;
}

void worker_activity_abandon(struct worker_activity *activity)
{
    activity->issued = activity->target = activity->job->commands;
    if (activity->stage == ACTIVITY_NEW)
        activity->stage = ACTIVITY_DONE;
    else if (activity->stage == ACTIVITY_STARTING || activity->stage == ACTIVITY_RUNNING)
        stop(activity);
}
