/* SPDX-License-Identifier: Apache-2.0 */
#include "course.h"

#include <doca_buf.h>
#include <doca_types.h>

#include "payload.h"

#define ATTEMPTS_MAX 3

static void enter(struct course *course, enum course_stage stage)
{
    course->stage = stage;
    ++course->news;
}

static void note_error(struct course *course, const char *call, doca_error_t status)
{
    result_error(course->result, call, status);
    ++course->result->refused;
}

static enum doca_ctx_states state_of(const struct course *course)
{
    enum doca_ctx_states state = DOCA_CTX_STATE_IDLE;

    doca_ctx_get_state(course->ctx, &state);
    return state;
}

static unsigned in_flight(const struct course *course)
{
    unsigned count = 0;

    for (unsigned i = 0; i < course->job->depth; ++i)
        count += course->commands[i].in_flight;
    return count;
}

static bool has_own_answer(const struct command *command)
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
    struct result *result = command->course->result;
    doca_error_t status = doca_task_get_status(doca_urom_worker_cmd_task_as_task(task));

    (void)ctx_data;
    ++command->course->news;
    if (!command->in_flight) {
        ++result->duplicated;
        return;
    }
    command->in_flight = false;
    if (status != DOCA_SUCCESS) {
        ++result->failed;
        result_error(result, "task", status);
    } else if (has_own_answer(command)) {
        ++result->answered;
    } else {
        ++result->wrong;
    }
}

static doca_error_t make(struct course *course)
{
    doca_error_t status = doca_urom_worker_create(&course->worker);

    if (status != DOCA_SUCCESS)
        return status;
    course->ctx = doca_urom_worker_as_ctx(course->worker);
    status = doca_pe_connect_ctx(course->pe, course->ctx);
    if (status == DOCA_SUCCESS)
        status = doca_urom_worker_set_service(course->worker, course->service);
    if (status == DOCA_SUCCESS)
        status = doca_urom_worker_set_plugins(course->worker, course->plugin);
    if (status == DOCA_SUCCESS)
        status = doca_urom_worker_set_id(course->worker, course->job->id);
    if (status == DOCA_SUCCESS)
        status = doca_urom_worker_set_max_inflight_tasks(course->worker, course->tasks);
    if (status == DOCA_SUCCESS) {
        status = doca_ctx_start(course->ctx);
        return status == DOCA_ERROR_IN_PROGRESS ? DOCA_SUCCESS : status;
    }
    return status;
}

/* What it had is gone; it begins anew if there is something left to do. */
static void leave(struct course *course)
{
    doca_error_t status = DOCA_SUCCESS;

    for (unsigned i = 0; i < course->job->depth; ++i) {
        struct command *command = &course->commands[i];

        if (command->task != NULL && !command->in_flight) {
            doca_urom_worker_cmd_task_release(command->task);
            command->task = NULL;
        }
    }
    if (course->worker != NULL)
        status = doca_urom_worker_destroy(course->worker);
    if (status != DOCA_SUCCESS)
        note_error(course, "destroy", status);
    course->worker = NULL;
    enter(course,
            course->given < course->job->commands && course->attempts < ATTEMPTS_MAX ? COURSE_NEW
                                                                                     : COURSE_DONE);
}

static void begin(struct course *course)
{
    doca_error_t status = make(course);

    ++course->attempts;
    enter(course, COURSE_STARTING);
    if (status != DOCA_SUCCESS) {
        note_error(course, "start", status);
        leave(course);
    }
}

static doca_error_t provide_task(struct course *course, struct command *command)
{
    doca_error_t status;

    if (command->task != NULL)
        return DOCA_SUCCESS;
    status = doca_urom_worker_cmd_task_allocate_init(
            course->worker, course->plugin, &command->task);
    if (status != DOCA_SUCCESS)
        return status;
    command->course = course;
    doca_urom_worker_cmd_task_set_cb(command->task, completed);
    doca_task_set_user_data(
            doca_urom_worker_cmd_task_as_task(command->task), (union doca_data){ .ptr = command });
    return DOCA_SUCCESS;
}

static doca_error_t submit(struct course *course, struct command *command)
{
    struct doca_buf *payload = doca_urom_worker_cmd_task_get_payload(command->task);
    uint32_t flush = ++course->held % course->job->batch == 0
                    || course->given + 1 == course->job->commands
            ? DOCA_TASK_SUBMIT_FLAG_FLUSH
            : DOCA_TASK_SUBMIT_FLAG_NONE;
    doca_error_t status;
    void *data;

    command->key = payload_key(course->seed, course->index, course->given);
    command->length = payload_length(command->key, course->job->bytes);
    status = doca_buf_get_data(payload, &data);
    if (status == DOCA_SUCCESS)
        status = doca_buf_set_data(payload, data, command->length);
    if (status != DOCA_SUCCESS)
        return status;
    payload_write(command->key, data, command->length);
    command->in_flight = true;
    status = doca_task_submit_ex(doca_urom_worker_cmd_task_as_task(command->task), flush);
    command->in_flight = status == DOCA_SUCCESS;
    course->result->submitted += command->in_flight;
    return status;
}

/* Submits as many commands as may be in flight. */
static void give(struct course *course)
{
    for (unsigned i = 0; i < course->job->depth; ++i) {
        struct command *command = &course->commands[i];
        doca_error_t status;

        if (course->given == course->until)
            break;
        if (command->in_flight)
            continue;
        status = provide_task(course, command);
        if (status == DOCA_SUCCESS)
            status = submit(course, command);
        if (status == DOCA_ERROR_AGAIN)
            break;
        ++course->given;
        if (status != DOCA_SUCCESS)
            note_error(course, "submit", status);
    }
    if (course->flushes)
        doca_ctx_flush_tasks(course->ctx);
}

static void stop(struct course *course)
{
    doca_error_t status = doca_ctx_stop(course->ctx);

    if (status != DOCA_SUCCESS && status != DOCA_ERROR_IN_PROGRESS
            && state_of(course) == DOCA_CTX_STATE_RUNNING)
        note_error(course, "stop", status);
    enter(course, COURSE_ENDING);
}

static void step_running(struct course *course)
{
    if (state_of(course) != DOCA_CTX_STATE_RUNNING) {
        result_error(course->result, "worker", DOCA_ERROR_SHUTDOWN);
        ++course->result->refused;
        enter(course, COURSE_ENDING);
        return;
    }
    give(course);
    if (course->given == course->job->commands && in_flight(course) == 0)
        stop(course);
}

void course_step(struct course *course)
{
    switch (course->stage) {
    case COURSE_NEW:
        begin(course);
        break;
    case COURSE_STARTING:
        if (state_of(course) == DOCA_CTX_STATE_RUNNING) {
            enter(course, COURSE_RUNNING);
        } else if (state_of(course) == DOCA_CTX_STATE_IDLE) {
            note_error(course, "start", DOCA_ERROR_INITIALIZATION);
            leave(course);
        }
        break;
    case COURSE_RUNNING:
        step_running(course);
        break;
    case COURSE_ENDING:
        if (state_of(course) == DOCA_CTX_STATE_IDLE)
            leave(course);
        break;
    case COURSE_DONE:
        break;
    }
}

bool course_rests(const struct course *course)
{
    return course->stage == COURSE_RUNNING && course->given == course->until
            && course->until < course->job->commands && in_flight(course) == 0;
}

void course_give_up(struct course *course)
{
    course->given = course->until = course->job->commands;
    if (course->stage == COURSE_NEW)
        course->stage = COURSE_DONE;
    else if (course->stage == COURSE_STARTING || course->stage == COURSE_RUNNING)
        stop(course);
}
