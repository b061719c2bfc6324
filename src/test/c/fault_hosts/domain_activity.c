/* SPDX-License-Identifier: Apache-2.0 */
#include "domain_activity.h"

#include <doca_buf.h>
#include <doca_types.h>

static void enter(struct domain_activity *activity, enum domain_stage stage)
{
    activity->stage = stage;
    ++activity->changes;
}

static uint64_t worker_id(const struct domain_activity *activity)
{
    return activity->job->first_worker + activity->job->index;
}

static void note_error(struct domain_activity *activity, const char *call, doca_error_t status)
{
    result_error(activity->result, worker_id(activity), call, status);
}

static enum doca_ctx_states state_of(struct doca_ctx *ctx)
{
    enum doca_ctx_states state = DOCA_CTX_STATE_IDLE;

    if (ctx != NULL)
        doca_ctx_get_state(ctx, &state);
    return state;
}

static enum doca_ctx_states worker_state(const struct domain_activity *activity)
{
    return state_of(doca_urom_worker_as_ctx(activity->worker));
}

static unsigned transfers_of(const struct domain_activity *activity)
{
    return 2 * activity->job->messages;
}

static bool is_in_flight(const struct domain_activity *activity)
{
    for (unsigned i = 0; i < transfers_of(activity); ++i) {
        if (activity->transfers[i].in_flight)
            return true;
    }
    return activity->group_in_flight;
}

/* Leaves the domain and notifies the other members, so that they do not wait for this one. */
static void end(struct domain_activity *activity)
{
    allgather_leave(activity->allgather.index);
    if (activity->domain != NULL)
        doca_ctx_stop(doca_urom_domain_as_ctx(activity->domain));
    enter(activity, DOMAIN_STAGE_ENDING);
}

static void fail(struct domain_activity *activity, const char *call, doca_error_t status)
{
    note_error(activity, call, status);
    end(activity);
}

static void note_answer(struct domain_activity *activity, bool *in_flight, const char *call,
        doca_error_t status, bool own)
{
    struct result *result = activity->result;

    ++activity->changes;
    if (!*in_flight) {
        ++result->duplicated;
        return;
    }
    *in_flight = false;
    if (status != DOCA_SUCCESS) {
        activity->failed = true;
        ++result->failed;
        note_error(activity, call, status);
    } else if (own) {
        ++result->answered;
    } else {
        ++result->wrong;
        note_error(activity, "wrong", DOCA_ERROR_UNEXPECTED);
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
    note_answer(transfer->activity, &transfer->in_flight, transfer->sends ? "send" : "receive",
            status, status == DOCA_SUCCESS && has_own_answer(transfer));
}

/* The group must consist of the workers of all members. */
static void group_received(struct doca_urom_service_get_workers_by_gid_task *task,
        union doca_data task_data, union doca_data ctx_data)
{
    struct domain_activity *activity = task_data.ptr;
    const uint64_t *ids = doca_urom_service_get_workers_by_gid_task_get_worker_ids(task);
    size_t count = doca_urom_service_get_workers_by_gid_task_get_workers_count(task);
    doca_error_t status = doca_task_get_status(
            doca_urom_service_get_workers_by_gid_task_as_task(task));
    bool own = true;

    (void)ctx_data;
    if (status == DOCA_SUCCESS) {
        for (size_t i = 0; i < count; ++i)
            own = own && ids[i] - activity->job->first_worker < activity->job->members;
        if (own && count < activity->job->members)
            status = DOCA_ERROR_NOT_FOUND;
        own = own && count == activity->job->members;
    }
    note_answer(activity, &activity->group_in_flight, "group", status, own);
}

static doca_error_t start_worker(struct domain_activity *activity)
{
    doca_error_t status = doca_urom_worker_create(&activity->worker);
    struct doca_ctx *ctx = doca_urom_worker_as_ctx(activity->worker);

    if (status == DOCA_SUCCESS)
        status = doca_pe_connect_ctx(activity->pe, ctx);
    if (status == DOCA_SUCCESS)
        status = doca_urom_worker_set_service(activity->worker, activity->service);
    if (status == DOCA_SUCCESS)
        status = doca_urom_worker_set_plugins(activity->worker, activity->plugin);
    if (status == DOCA_SUCCESS)
        status = doca_urom_worker_set_id(activity->worker, worker_id(activity));
    if (status == DOCA_SUCCESS)
        status = doca_urom_worker_set_gid(activity->worker, activity->run);
    if (status == DOCA_SUCCESS)
        status = doca_ctx_start(ctx);
    return status == DOCA_ERROR_IN_PROGRESS ? DOCA_SUCCESS : status;
}

static doca_error_t gather(void *send, void *receive, size_t length, void *info, void **request)
{
    *request = info;
    return allgather_begin(info, send, receive, length);
}

static doca_error_t test_allgather(void *request)
{
    return allgather_test(request);
}

static doca_error_t free_allgather(void *request)
{
    (void)request;
    return DOCA_SUCCESS;
}

static doca_error_t start_domain(struct domain_activity *activity)
{
    struct doca_urom_domain_oob_coll oob = { .allgather = gather,
        .req_test = test_allgather,
        .req_free = free_allgather,
        .coll_info = &activity->allgather,
        .n_oob_indexes = activity->job->members,
        .oob_index = activity->job->index };
    uint64_t id = 1 + activity->job->index;
    doca_error_t status = doca_urom_domain_create(&activity->domain);
    struct doca_ctx *ctx = doca_urom_domain_as_ctx(activity->domain);

    if (status == DOCA_SUCCESS)
        status = doca_pe_connect_ctx(activity->pe, ctx);
    if (status == DOCA_SUCCESS)
        status = doca_urom_domain_set_oob(activity->domain, &oob);
    if (status == DOCA_SUCCESS)
        status = doca_urom_domain_set_workers(activity->domain, &id, &activity->worker, 1);
    if (status == DOCA_SUCCESS)
        status = doca_ctx_start(ctx);
    return status == DOCA_ERROR_IN_PROGRESS ? DOCA_SUCCESS : status;
}

static doca_error_t request_group(struct domain_activity *activity)
{
    doca_error_t status = doca_urom_service_get_workers_by_gid_task_allocate_init(
            activity->service, activity->run, group_received, &activity->group);
    struct doca_task *task = doca_urom_service_get_workers_by_gid_task_as_task(activity->group);

    if (status != DOCA_SUCCESS)
        return status;
    doca_task_set_user_data(task, (union doca_data){ .ptr = activity });
    activity->group_in_flight = true;
    status = doca_task_submit(task);
    activity->group_in_flight = status == DOCA_SUCCESS;
    activity->result->submitted += activity->group_in_flight;
    return status;
}

static doca_error_t submit(struct transfer *transfer)
{
    struct domain_activity *activity = transfer->activity;
    struct doca_buf *payload;
    doca_error_t status;
    size_t length;
    void *data;

    status = doca_urom_worker_cmd_task_allocate_init(
            activity->worker, activity->plugin, &transfer->task);
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
    activity->result->submitted += transfer->in_flight;
    return status;
}

/* Requests the group and submits all messages at once. */
static doca_error_t send_messages(struct domain_activity *activity)
{
    const struct domain_job *job = activity->job;
    unsigned before = (job->index + job->members - 1) % job->members;
    doca_error_t status = request_group(activity);

    for (unsigned i = 0; i < transfers_of(activity) && status == DOCA_SUCCESS; ++i) {
        bool sends = i % 2 == 1;

        activity->transfers[i] = (struct transfer){ .activity = activity,
            .sends = sends,
            .message = message_of(job, sends ? job->index : before, i / 2) };
        status = submit(&activity->transfers[i]);
    }
    return status;
}

static void begin(struct domain_activity *activity)
{
    doca_error_t status = start_worker(activity);

    enter(activity, DOMAIN_STAGE_STARTING);
    if (status != DOCA_SUCCESS)
        fail(activity, "domain_worker", status);
}

static void step_starting(struct domain_activity *activity)
{
    doca_error_t status;

    if (worker_state(activity) == DOCA_CTX_STATE_IDLE) {
        fail(activity, "domain_worker", DOCA_ERROR_INITIALIZATION);
    } else if (worker_state(activity) == DOCA_CTX_STATE_RUNNING) {
        enter(activity, DOMAIN_STAGE_JOINING);
        status = start_domain(activity);
        if (status != DOCA_SUCCESS)
            fail(activity, "domain_start", status);
    }
}

static void step_joining(struct domain_activity *activity)
{
    enum doca_ctx_states state = state_of(doca_urom_domain_as_ctx(activity->domain));
    doca_error_t status;

    if (state == DOCA_CTX_STATE_IDLE) {
        fail(activity, "domain", DOCA_ERROR_INITIALIZATION);
    } else if (state == DOCA_CTX_STATE_RUNNING) {
        enter(activity, DOMAIN_STAGE_MESSAGING);
        status = send_messages(activity);
        if (status != DOCA_SUCCESS)
            fail(activity, "messaging", status);
    }
}

static void step_messaging(struct domain_activity *activity)
{
    uint8_t sign = 1;
    doca_error_t status;

    if (worker_state(activity) != DOCA_CTX_STATE_RUNNING) {
        fail(activity, "domain_worker", DOCA_ERROR_SHUTDOWN);
    } else if (activity->failed) {
        end(activity);
    } else if (!is_in_flight(activity)) {
        enter(activity, DOMAIN_STAGE_LEAVING);
        status = allgather_begin(&activity->allgather, &sign, activity->done, sizeof(sign));
        if (status != DOCA_SUCCESS)
            fail(activity, "leaving", status);
    } else if (allgather_has_member_left(&activity->allgather)) {
        fail(activity, "member", DOCA_ERROR_CONNECTION_RESET);
    }
}

static void step_leaving(struct domain_activity *activity)
{
    doca_error_t status = allgather_test(&activity->allgather);

    if (status == DOCA_SUCCESS)
        end(activity);
    else if (status != DOCA_ERROR_IN_PROGRESS)
        fail(activity, "leaving", status);
}

static void free_tasks(struct domain_activity *activity)
{
    for (unsigned i = 0; i < transfers_of(activity); ++i) {
        if (activity->transfers[i].task != NULL && !activity->transfers[i].in_flight)
            doca_urom_worker_cmd_task_release(activity->transfers[i].task);
    }
    if (activity->group != NULL && !activity->group_in_flight)
        doca_urom_service_get_workers_by_gid_task_release(activity->group);
}

static void destroy(struct domain_activity *activity, doca_error_t status)
{
    if (status == DOCA_SUCCESS)
        return;
    note_error(activity, "destroy", status);
    activity->result->idle = false;
}

/* Stops the domain before its worker. */
static void step_ending(struct domain_activity *activity)
{
    if (activity->domain != NULL) {
        if (state_of(doca_urom_domain_as_ctx(activity->domain)) != DOCA_CTX_STATE_IDLE)
            return;
        destroy(activity, doca_urom_domain_destroy(activity->domain));
        activity->domain = NULL;
    }
    if (!activity->stopped && activity->worker != NULL)
        doca_ctx_stop(doca_urom_worker_as_ctx(activity->worker));
    activity->stopped = true;
    if (worker_state(activity) != DOCA_CTX_STATE_IDLE)
        return;
    free_tasks(activity);
    if (activity->worker != NULL)
        destroy(activity, doca_urom_worker_destroy(activity->worker));
    activity->worker = NULL;
    enter(activity, DOMAIN_STAGE_DONE);
}

void domain_activity_step(struct domain_activity *activity)
{
    switch (activity->stage) {
    case DOMAIN_STAGE_NEW:
        begin(activity);
        break;
    case DOMAIN_STAGE_STARTING:
        step_starting(activity);
        break;
    case DOMAIN_STAGE_JOINING:
        step_joining(activity);
        break;
    case DOMAIN_STAGE_MESSAGING:
        step_messaging(activity);
        break;
    case DOMAIN_STAGE_LEAVING:
        step_leaving(activity);
        break;
    case DOMAIN_STAGE_ENDING:
        step_ending(activity);
        break;
    case DOMAIN_STAGE_DONE:
        break;
    }
}

bool domain_activity_must_poll(const struct domain_activity *activity)
{
    return activity->stage == DOMAIN_STAGE_JOINING || activity->stage == DOMAIN_STAGE_MESSAGING
            || activity->stage == DOMAIN_STAGE_LEAVING;
}

void domain_activity_give_up(struct domain_activity *activity)
{
    if (activity->stage == DOMAIN_STAGE_NEW)
        activity->stage = DOMAIN_STAGE_DONE;
    else if (activity->stage < DOMAIN_STAGE_ENDING)
        end(activity);
}
