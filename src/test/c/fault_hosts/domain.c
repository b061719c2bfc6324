/* SPDX-License-Identifier: Apache-2.0 */
#include "domain.h"

#include <doca_buf.h>
#include <doca_types.h>

static void enter(struct domain_course *course, enum domain_stage stage)
{
    course->stage = stage;
    ++course->news;
}

static void note_error(struct domain_course *course, const char *call, doca_error_t status)
{
    result_error(course->result, call, status);
    ++course->result->refused;
}

static enum doca_ctx_states state_of(struct doca_ctx *ctx)
{
    enum doca_ctx_states state = DOCA_CTX_STATE_IDLE;

    if (ctx != NULL)
        doca_ctx_get_state(ctx, &state);
    return state;
}

static enum doca_ctx_states worker_state(const struct domain_course *course)
{
    return state_of(doca_urom_worker_as_ctx(course->worker));
}

static unsigned transfers_of(const struct domain_course *course)
{
    return 2 * course->job->messages;
}

static bool is_in_flight(const struct domain_course *course)
{
    for (unsigned i = 0; i < transfers_of(course); ++i) {
        if (course->transfers[i].in_flight)
            return true;
    }
    return course->group_in_flight;
}

/* The others are told, so that they do not wait for this one. */
static void end(struct domain_course *course)
{
    gathering_leave(&course->gathering);
    if (course->domain != NULL)
        doca_ctx_stop(doca_urom_domain_as_ctx(course->domain));
    enter(course, DOMAIN_STAGE_ENDING);
}

static void fail(struct domain_course *course, const char *call, doca_error_t status)
{
    note_error(course, call, status);
    end(course);
}

static void note_answer(struct domain_course *course, bool *in_flight, const char *call,
        doca_error_t status, bool own)
{
    struct result *result = course->result;

    ++course->news;
    if (!*in_flight) {
        ++result->duplicated;
        return;
    }
    *in_flight = false;
    if (status != DOCA_SUCCESS) {
        course->failed = true;
        ++result->failed;
        result_error(result, call, status);
    } else if (own) {
        ++result->answered;
    } else {
        ++result->wrong;
    }
}

static bool has_own_answer(const struct transfer *transfer)
{
    const struct doca_buf *response = doca_urom_worker_cmd_task_get_response(transfer->task);
    void *data;
    size_t length;

    if (doca_buf_get_data(response, &data) != DOCA_SUCCESS
            || doca_buf_get_data_len(response, &length) != DOCA_SUCCESS)
        return false;
    return transfer->sends ? message_was_sent(&transfer->message, data, length)
                           : message_was_received(&transfer->message, data, length);
}

static void transferred(
        struct doca_urom_worker_cmd_task *task, union doca_data task_data, union doca_data ctx_data)
{
    struct transfer *transfer = task_data.ptr;
    doca_error_t status = doca_task_get_status(doca_urom_worker_cmd_task_as_task(task));

    (void)ctx_data;
    note_answer(transfer->course, &transfer->in_flight, transfer->sends ? "send" : "receive",
            status, status == DOCA_SUCCESS && has_own_answer(transfer));
}

/* While all members have their workers, the group is these and no others. */
static void group_told(struct doca_urom_service_get_workers_by_gid_task *task,
        union doca_data task_data, union doca_data ctx_data)
{
    struct domain_course *course = task_data.ptr;
    const uint64_t *ids = doca_urom_service_get_workers_by_gid_task_get_worker_ids(task);
    size_t count = doca_urom_service_get_workers_by_gid_task_get_workers_count(task);
    doca_error_t status = doca_task_get_status(
            doca_urom_service_get_workers_by_gid_task_as_task(task));
    bool own = true;

    (void)ctx_data;
    if (status == DOCA_SUCCESS) {
        for (size_t i = 0; i < count; ++i)
            own = own && ids[i] - course->job->first_worker < course->job->members;
        if (own && count < course->job->members)
            status = DOCA_ERROR_NOT_FOUND;
        own = own && count == course->job->members;
    }
    note_answer(course, &course->group_in_flight, "group", status, own);
}

static doca_error_t start_worker(struct domain_course *course)
{
    doca_error_t status = doca_urom_worker_create(&course->worker);
    struct doca_ctx *ctx = doca_urom_worker_as_ctx(course->worker);

    if (status == DOCA_SUCCESS)
        status = doca_pe_connect_ctx(course->pe, ctx);
    if (status == DOCA_SUCCESS)
        status = doca_urom_worker_set_service(course->worker, course->service);
    if (status == DOCA_SUCCESS)
        status = doca_urom_worker_set_plugins(course->worker, course->plugin);
    if (status == DOCA_SUCCESS)
        status = doca_urom_worker_set_id(
                course->worker, course->job->first_worker + course->job->index);
    if (status == DOCA_SUCCESS)
        status = doca_urom_worker_set_gid(course->worker, course->gathering.run);
    if (status == DOCA_SUCCESS)
        status = doca_ctx_start(ctx);
    return status == DOCA_ERROR_IN_PROGRESS ? DOCA_SUCCESS : status;
}

static doca_error_t gather(void *send, void *receive, size_t length, void *info, void **request)
{
    *request = info;
    return gathering_begin(info, send, receive, length);
}

static doca_error_t test_gathering(void *request)
{
    return gathering_test(request);
}

static doca_error_t free_gathering(void *request)
{
    (void)request;
    return DOCA_SUCCESS;
}

static doca_error_t start_domain(struct domain_course *course)
{
    struct doca_urom_domain_oob_coll oob = { .allgather = gather,
        .req_test = test_gathering,
        .req_free = free_gathering,
        .coll_info = &course->gathering,
        .n_oob_indexes = course->job->members,
        .oob_index = course->job->index };
    uint64_t id = 1 + course->job->index;
    doca_error_t status = doca_urom_domain_create(&course->domain);
    struct doca_ctx *ctx = doca_urom_domain_as_ctx(course->domain);

    if (status == DOCA_SUCCESS)
        status = doca_pe_connect_ctx(course->pe, ctx);
    if (status == DOCA_SUCCESS)
        status = doca_urom_domain_set_oob(course->domain, &oob);
    if (status == DOCA_SUCCESS)
        status = doca_urom_domain_set_workers(course->domain, &id, &course->worker, 1);
    if (status == DOCA_SUCCESS)
        status = doca_ctx_start(ctx);
    return status == DOCA_ERROR_IN_PROGRESS ? DOCA_SUCCESS : status;
}

static doca_error_t ask_for_group(struct domain_course *course)
{
    doca_error_t status = doca_urom_service_get_workers_by_gid_task_allocate_init(
            course->service, course->gathering.run, group_told, &course->group);
    struct doca_task *task = doca_urom_service_get_workers_by_gid_task_as_task(course->group);

    if (status != DOCA_SUCCESS)
        return status;
    doca_task_set_user_data(task, (union doca_data){ .ptr = course });
    course->group_in_flight = true;
    status = doca_task_submit(task);
    course->group_in_flight = status == DOCA_SUCCESS;
    course->result->submitted += course->group_in_flight;
    return status;
}

static doca_error_t submit(struct transfer *transfer)
{
    struct domain_course *course = transfer->course;
    struct doca_buf *payload;
    doca_error_t status;
    size_t length;
    void *data;

    status = doca_urom_worker_cmd_task_allocate_init(
            course->worker, course->plugin, &transfer->task);
    if (status != DOCA_SUCCESS)
        return status;
    doca_urom_worker_cmd_task_set_cb(transfer->task, transferred);
    doca_task_set_user_data(doca_urom_worker_cmd_task_as_task(transfer->task),
            (union doca_data){ .ptr = transfer });
    payload = doca_urom_worker_cmd_task_get_payload(transfer->task);
    status = doca_buf_get_data(payload, &data);
    if (status != DOCA_SUCCESS)
        return status;
    length = transfer->sends ? message_write_send(&transfer->message, data)
                             : message_write_receive(&transfer->message, data);
    status = doca_buf_set_data(payload, data, length);
    if (status != DOCA_SUCCESS)
        return status;
    transfer->in_flight = true;
    status = doca_task_submit(doca_urom_worker_cmd_task_as_task(transfer->task));
    transfer->in_flight = status == DOCA_SUCCESS;
    course->result->submitted += transfer->in_flight;
    return status;
}

/* Asks for the group, and has all messages under way at once. */
static doca_error_t talk(struct domain_course *course)
{
    const struct domain_job *job = course->job;
    unsigned before = (job->index + job->members - 1) % job->members;
    doca_error_t status = ask_for_group(course);

    for (unsigned i = 0; i < transfers_of(course) && status == DOCA_SUCCESS; ++i) {
        bool sends = i % 2 == 1;

        course->transfers[i] = (struct transfer){ .course = course,
            .sends = sends,
            .message = message_of(job, sends ? job->index : before, i / 2) };
        status = submit(&course->transfers[i]);
    }
    return status;
}

static void begin(struct domain_course *course)
{
    doca_error_t status = start_worker(course);

    enter(course, DOMAIN_STAGE_STARTING);
    if (status != DOCA_SUCCESS)
        fail(course, "domain_worker", status);
}

static void step_starting(struct domain_course *course)
{
    doca_error_t status;

    if (worker_state(course) == DOCA_CTX_STATE_IDLE) {
        fail(course, "domain_worker", DOCA_ERROR_INITIALIZATION);
    } else if (worker_state(course) == DOCA_CTX_STATE_RUNNING) {
        enter(course, DOMAIN_STAGE_JOINING);
        status = start_domain(course);
        if (status != DOCA_SUCCESS)
            fail(course, "domain_start", status);
    }
}

static void step_joining(struct domain_course *course)
{
    enum doca_ctx_states state = state_of(doca_urom_domain_as_ctx(course->domain));
    doca_error_t status;

    if (state == DOCA_CTX_STATE_IDLE) {
        fail(course, "domain", DOCA_ERROR_INITIALIZATION);
    } else if (state == DOCA_CTX_STATE_RUNNING) {
        enter(course, DOMAIN_STAGE_TALKING);
        status = talk(course);
        if (status != DOCA_SUCCESS)
            fail(course, "talk", status);
    }
}

static void step_talking(struct domain_course *course)
{
    uint8_t sign = 1;
    doca_error_t status;

    if (worker_state(course) != DOCA_CTX_STATE_RUNNING) {
        fail(course, "domain_worker", DOCA_ERROR_SHUTDOWN);
    } else if (course->failed) {
        end(course);
    } else if (!is_in_flight(course)) {
        enter(course, DOMAIN_STAGE_PARTING);
        status = gathering_begin(&course->gathering, &sign, course->signs, sizeof(sign));
        if (status != DOCA_SUCCESS)
            fail(course, "parting", status);
    } else if (gathering_has_lost(&course->gathering)) {
        fail(course, "member", DOCA_ERROR_CONNECTION_RESET);
    }
}

static void step_parting(struct domain_course *course)
{
    doca_error_t status = gathering_test(&course->gathering);

    if (status == DOCA_SUCCESS)
        end(course);
    else if (status != DOCA_ERROR_IN_PROGRESS)
        fail(course, "parting", status);
}

static void free_tasks(struct domain_course *course)
{
    for (unsigned i = 0; i < transfers_of(course); ++i) {
        if (course->transfers[i].task != NULL && !course->transfers[i].in_flight)
            doca_urom_worker_cmd_task_release(course->transfers[i].task);
    }
    if (course->group != NULL && !course->group_in_flight)
        doca_urom_service_get_workers_by_gid_task_release(course->group);
}

static void destroy(struct domain_course *course, doca_error_t status)
{
    if (status == DOCA_SUCCESS)
        return;
    note_error(course, "destroy", status);
    course->result->idle = false;
}

/* The domain goes before its worker. */
static void step_ending(struct domain_course *course)
{
    if (course->domain != NULL) {
        if (state_of(doca_urom_domain_as_ctx(course->domain)) != DOCA_CTX_STATE_IDLE)
            return;
        destroy(course, doca_urom_domain_destroy(course->domain));
        course->domain = NULL;
    }
    if (!course->stopped && course->worker != NULL)
        doca_ctx_stop(doca_urom_worker_as_ctx(course->worker));
    course->stopped = true;
    if (worker_state(course) != DOCA_CTX_STATE_IDLE)
        return;
    free_tasks(course);
    if (course->worker != NULL)
        destroy(course, doca_urom_worker_destroy(course->worker));
    course->worker = NULL;
    enter(course, DOMAIN_STAGE_DONE);
}

void domain_course_step(struct domain_course *course)
{
    switch (course->stage) {
    case DOMAIN_STAGE_NEW:
        begin(course);
        break;
    case DOMAIN_STAGE_STARTING:
        step_starting(course);
        break;
    case DOMAIN_STAGE_JOINING:
        step_joining(course);
        break;
    case DOMAIN_STAGE_TALKING:
        step_talking(course);
        break;
    case DOMAIN_STAGE_PARTING:
        step_parting(course);
        break;
    case DOMAIN_STAGE_ENDING:
        step_ending(course);
        break;
    case DOMAIN_STAGE_DONE:
        break;
    }
}

bool domain_course_looks(const struct domain_course *course)
{
    return course->stage == DOMAIN_STAGE_JOINING || course->stage == DOMAIN_STAGE_TALKING
            || course->stage == DOMAIN_STAGE_PARTING;
}

void domain_course_give_up(struct domain_course *course)
{
    if (course->stage == DOMAIN_STAGE_NEW)
        course->stage = DOMAIN_STAGE_DONE;
    else if (course->stage < DOMAIN_STAGE_ENDING)
        end(course);
}
