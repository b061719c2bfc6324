/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include <common/sdk_log.h>
#include <faults/faults.h>

#include "urom_counters.h"
#include "worker_context.h"

SDK_LOG_REGISTER(UROM::WORKER_LINK)

#define START_DEADLINE_MS 20000
#define STOP_DEADLINE_MS 2000 /* for each of the two responses */
#define REASON_MS 500         /* for the service to report why a worker has exited */
#define CHANNEL_END_MS 50     /* for the channel of an exited worker to end */
#define LAST_RESULTS_MS 2500  /* for a worker that lost its service to publish its results */
#define FRAMES_A_POLL 64
#define ATTEMPTS_MAX 16 /* SPAWNs of one start, if each worker exits before it is attached */

/* Releases all resources of the link. */
static void unlink_worker(struct doca_urom_worker *worker)
{
    deadline_clear(&worker->link.deadline);
    worker_channel_disconnect(worker);
    worker_channel_reset(&worker->channel);
    worker->link.data.id = 0;
    if (worker->link.session != NULL) {
        requests_close(&worker->link.session->requests, &worker->link.control);
        session_release(worker->link.session, &worker->link.session_user);
    }
    worker->link.session = NULL;
    service_location_release(worker->link.location);
    worker->link.location = NULL;
    worker_settings_release(&worker->settings);
    worker->link.state = LINK_NONE;
    worker_end_notify(&worker->end, false);
}

/* Completes a stop, or a start that failed. The context waits for the session. */
static void finish(struct doca_urom_worker *worker)
{
    session_unwait(worker->link.session);
    unlink_worker(worker);
    priv_doca_ctx_post_state(&worker->ctx, DOCA_CTX_STATE_IDLE);
}

/* Records the loss, with the reason of the connection that has ended: that to the worker or that to the service. */
static void record_loss(struct doca_urom_worker *worker)
{
    const char *verb = "was lost: ";
    const char *reason = channel_reason(worker->channel.handle);

    if (reason[0] == '\0' && worker->link.session->state == SESSION_LOST) {
        verb = "was lost with the connection to its service: ";
        reason = channel_reason(worker->link.session->channel);
    }
    worker_end_lost(worker, verb, reason, strlen(reason));
}

/*
 * Fails a context whose worker or service is lost. Completes its tasks before it changes its state,
 * because applications count completions.
 */
static void fail(struct doca_urom_worker *worker)
{
    record_loss(worker);
    SDK_LOG_WARN("A worker was lost: %s", worker_end_loss(&worker->end));
    counting_loss(worker);
    worker_tasks_fail(&worker->tasks, DOCA_ERROR_CONNECTION_RESET);
    session_unwait(worker->link.session);
    unlink_worker(worker);
    if (worker->ctx.state == DOCA_CTX_STATE_RUNNING)
        priv_doca_ctx_post_failure(&worker->ctx);
    else /* RUNNING is posted, but has not been reached */
        priv_doca_ctx_post_state(&worker->ctx, DOCA_CTX_STATE_IDLE);
}

static bool channel_has_ended(const struct doca_urom_worker *worker)
{
    doca_error_t status = channel_status(worker->channel.handle);

    return status != DOCA_SUCCESS && status != DOCA_ERROR_IN_PROGRESS;
}

static void losing_passed(struct deadline *deadline)
{
    fail(CONTAINER_OF(deadline, struct doca_urom_worker, link.deadline));
}

/* Waits until the loss is confirmed by channel and service, or for this time. */
static void lose(struct doca_urom_worker *worker, unsigned milliseconds)
{
    if (worker->link.state != LINK_LOSING)
        session_wait(worker->link.session);
    worker->link.state = LINK_LOSING;
    if (deadline_set(&worker->link.deadline, worker->ctx.pe, milliseconds, losing_passed)
            != DOCA_SUCCESS)
        fail(worker);
}

static void release_passed(struct deadline *deadline)
{
    struct doca_urom_worker *worker = CONTAINER_OF(
            deadline, struct doca_urom_worker, link.deadline);

    SDK_LOG_WARN("The service did not confirm the release of worker %lu within %d ms",
            worker->link.spawned_id, STOP_DEADLINE_MS);
    finish(worker);
}

/* Releases the reference on the worker. Returns false if the service cannot be reached. */
static bool send_release(struct doca_urom_worker *worker)
{
    struct wire_frame frame = {
        .type = WIRE_RELEASE,
        .request_id = worker->link.control.id,
        .worker_id = worker->link.spawned_id,
    };

    FAULT_REACH(host_release_sending);
    if (session_send(worker->link.session, &frame) != DOCA_SUCCESS
            || deadline_set(
                       &worker->link.deadline, worker->ctx.pe, STOP_DEADLINE_MS, release_passed)
                    != DOCA_SUCCESS)
        return false;
    worker->link.state = LINK_RELEASING;
    FAULT_DROP(host_release_sent, channel_socket(worker->link.session->channel));
    return true;
}

static void release_or_finish(struct doca_urom_worker *worker)
{
    if (!send_release(worker))
        finish(worker);
}

static void detach_passed(struct deadline *deadline)
{
    struct doca_urom_worker *worker = CONTAINER_OF(
            deadline, struct doca_urom_worker, link.deadline);

    SDK_LOG_WARN("Worker %lu did not confirm the detachment within %d ms", worker->link.spawned_id,
            STOP_DEADLINE_MS);
    release_or_finish(worker);
}

static void start_passed(struct deadline *deadline)
{
    struct doca_urom_worker *worker = CONTAINER_OF(
            deadline, struct doca_urom_worker, link.deadline);

    WORKER_END_REFUSE(&worker->end, DOCA_ERROR_TIME_OUT, "The worker did not start within %d s",
            START_DEADLINE_MS / 1000);
    if (worker->link.state == LINK_ATTACHING)
        release_or_finish(worker);
    else
        finish(worker);
}

static doca_error_t spawn(struct doca_urom_worker *worker)
{
    struct wire_frame frame = {
        .type = WIRE_SPAWN,
        .request_id = worker->link.control.id,
        .spawn = worker->settings.spawn,
    };
    doca_error_t status;

    worker->link.state = LINK_SPAWNING;
    ++worker->link.attempts;
    FAULT_REACH(host_spawn_sending);
    status = session_send(worker->link.session, &frame);
    FAULT_DROP(host_spawn_sent, channel_socket(worker->link.session->channel));
    if (status != DOCA_SUCCESS)
        WORKER_END_REFUSE(&worker->end, status, "The request for a worker could not be sent: %s",
                channel_reason(worker->link.session->channel));
    return status;
}

/* Returns whether the start may request another worker, because an existing one has exited. */
static bool may_retry(const struct doca_urom_worker *worker)
{
    return worker->ctx.state == DOCA_CTX_STATE_STARTING && !worker->link.is_new
            && worker->link.attempts < ATTEMPTS_MAX;
}

/*
 * Requests a worker again with a new request id, so that responses to the first are dropped. If the
 * reference on the first worker is still held, releases it.
 */
static void retry(struct doca_urom_worker *worker, bool held)
{
    struct wire_frame release = {
        .type = WIRE_RELEASE,
        .request_id = worker->link.control.id,
        .worker_id = worker->link.spawned_id,
    };
    doca_error_t status = held ? session_send(worker->link.session, &release) : DOCA_SUCCESS;

    SDK_LOG_INFO("Worker %lu exited before the connection was established; requesting another",
            worker->link.spawned_id);
    worker_channel_disconnect(worker);
    worker_end_clear(&worker->end);
    requests_close(&worker->link.session->requests, &worker->link.control);
    if (status == DOCA_SUCCESS)
        status = requests_open(&worker->link.session->requests, &worker->link.control);
    if (status == DOCA_SUCCESS)
        status = spawn(worker);
    if (status != DOCA_SUCCESS)
        finish(worker);
}

/* Handles an assigned worker that has exited or rejects the connection. */
static void attach_failed(
        struct doca_urom_worker *worker, doca_error_t status, const char *reason, bool held)
{
    if (may_retry(worker)) {
        retry(worker, held);
        return;
    }
    worker_end_lost(worker, "could not be connected to: ", reason, strlen(reason));
    WORKER_END_REFUSE(&worker->end, status, "The %s", worker_end_loss(&worker->end));
    if (held)
        release_or_finish(worker);
    else
        finish(worker);
}

/* Pushes commands, receives frames, and detects the end of the channel. */
static unsigned poll_channel(struct pe_poller *poller)
{
    struct doca_urom_worker *worker = CONTAINER_OF(poller, struct doca_urom_worker, channel.poller);
    unsigned found;

    worker_tasks_push(worker);
    found = channel_poll(worker->channel.handle, FRAMES_A_POLL);
    if (found > 0 || !channel_has_ended(worker))
        return found;
    switch (worker->link.state) {
    case LINK_UP:
        lose(worker, REASON_MS);
        break;
    case LINK_LOSING:
        if (worker->end.loss != NULL || worker->link.session->state == SESSION_LOST)
            fail(worker);
        break;
    case LINK_ATTACHING:
        attach_failed(worker, channel_status(worker->channel.handle),
                channel_reason(worker->channel.handle), true);
        break;
    case LINK_DETACHING:
        release_or_finish(worker);
        break;
    default:
        break;
    }
    return 1;
}

/* After the end of the channel has been handled, other pollers wake the progress engine. */
static doca_error_t arm_channel(struct pe_poller *poller)
{
    struct doca_urom_worker *worker = CONTAINER_OF(poller, struct doca_urom_worker, channel.poller);

    worker_tasks_push(worker);
    if (!channel_has_ended(worker))
        return channel_arm(worker->channel.handle, true);
    return worker->link.state == LINK_UP || worker->link.state == LINK_ATTACHING
                    || worker->link.state == LINK_DETACHING
            ? DOCA_ERROR_AGAIN
            : DOCA_SUCCESS;
}

static doca_error_t attach(struct doca_urom_worker *worker, const struct wire_spawned *spawned)
{
    struct wire_frame frame = {
        .type = WIRE_ATTACH,
        .request_id = worker->link.data.id,
        .attach = { .max_tasks = worker->settings.max_tasks },
    };
    doca_error_t status;

    status = worker_channel_connect(worker, spawned, poll_channel, arm_channel);
    if (status != DOCA_SUCCESS)
        return status;
    FAULT_DROP(host_attach_sending, channel_socket(worker->channel.handle));
    status = channel_send_frame(worker->channel.handle, &frame);
    FAULT_DROP(host_attach_sent, channel_socket(worker->channel.handle));
    return status;
}

static void handle_spawned(struct doca_urom_worker *worker, const struct wire_spawned *spawned)
{
    doca_error_t status = DOCA_SUCCESS;
    bool starting = worker->ctx.state == DOCA_CTX_STATE_STARTING;

    worker->link.spawned_id = spawned->worker_id;
    worker->link.is_new = spawned->flags & WIRE_FLAG_NEW_PROCESS;
    worker->link.has_spawned_group = spawned->flags & WIRE_FLAG_HAS_GROUP;
    worker->link.spawned_group = spawned->group;
    worker->link.state = LINK_ATTACHING;
    if (starting)
        status = attach(worker, spawned);
    if (!starting || status == DOCA_ERROR_NOT_SUPPORTED) /* its reason is recorded */
        release_or_finish(worker);
    else if (status != DOCA_SUCCESS)
        attach_failed(worker, status, doca_error_get_descr(status), true);
}

/* The service reports that the process has exited; its channel has ended, or will soon. */
static void handle_gone(struct doca_urom_worker *worker, const struct wire_worker_gone *gone)
{
    worker_end_gone(worker, gone);
    switch (worker->link.state) {
    case LINK_ATTACHING:
        attach_failed(worker, DOCA_ERROR_CONNECTION_RESET, worker_end_loss(&worker->end), false);
        break;
    case LINK_UP:
        lose(worker, CHANNEL_END_MS);
        break;
    case LINK_LOSING:
        if (channel_has_ended(worker))
            fail(worker);
        break;
    default:
        SDK_LOG_ERR("A worker was lost: %s", worker_end_loss(&worker->end));
        finish(worker);
        break;
    }
}

/* Records the error with which the service or the worker has answered the start. */
static void refuse(struct doca_urom_worker *worker, const struct wire_frame *frame)
{
    worker_end_refuse(&worker->end, frame->error.status, "%.*s", (int)frame->error.text.length,
            (const char *)frame->error.text.data);
}

static void control_answered(struct request *request, const struct wire_frame *frame)
{
    struct doca_urom_worker *worker = CONTAINER_OF(request, struct doca_urom_worker, link.control);

    if (frame->type == WIRE_SPAWNED && worker->link.state == LINK_SPAWNING) {
        FAULT_DROP(host_spawned_received, channel_socket(worker->link.session->channel));
        handle_spawned(worker, &frame->spawned);
    } else if (frame->type == WIRE_RELEASED && worker->link.state == LINK_RELEASING) {
        FAULT_REACH(host_released_received);
        finish(worker);
    } else if (frame->type == WIRE_WORKER_GONE && worker->link.state >= LINK_ATTACHING) {
        FAULT_REACH(host_gone_received);
        handle_gone(worker, &frame->worker_gone);
    } else if (frame->type == WIRE_ERROR && worker->link.state == LINK_SPAWNING
            && frame->error.status == DOCA_ERROR_CONNECTION_RESET && may_retry(worker)) {
        if (spawn(worker) != DOCA_SUCCESS)
            finish(worker);
    } else if (frame->type == WIRE_ERROR) {
        SDK_LOG_ERR("The service rejected a request for a worker: %.*s (%s)",
                (int)frame->error.text.length, (const char *)frame->error.text.data,
                doca_error_get_name(frame->error.status));
        if (worker->link.state == LINK_SPAWNING)
            refuse(worker, frame);
        if (worker->link.state == LINK_SPAWNING || worker->link.state == LINK_RELEASING)
            finish(worker);
    }
}

/* Must not close the channel. If the service cannot be reached, the deadline ends the start. */
static void handle_attached(struct doca_urom_worker *worker, const struct wire_attached *attached)
{
    if (worker_channel_store_addresses(&worker->channel, attached) != DOCA_SUCCESS) {
        WORKER_END_REFUSE(&worker->end, DOCA_ERROR_NO_MEMORY,
                "Worker %lu cannot be used: out of memory", worker->link.spawned_id);
        send_release(worker);
        return;
    }
    deadline_clear(&worker->link.deadline);
    session_unwait(worker->link.session);
    worker->link.state = LINK_UP;
    priv_doca_ctx_post_state(&worker->ctx, DOCA_CTX_STATE_RUNNING);
}

static void data_answered(struct request *request, const struct wire_frame *frame)
{
    struct doca_urom_worker *worker = CONTAINER_OF(request, struct doca_urom_worker, link.data);

    if (frame->type == WIRE_ATTACHED && worker->link.state == LINK_ATTACHING) {
        FAULT_DROP(host_attached_received, channel_socket(worker->channel.handle));
        handle_attached(worker, &frame->attached);
    } else if (frame->type == WIRE_ERROR && worker->link.state == LINK_ATTACHING) {
        SDK_LOG_ERR("Worker %lu rejected the connection: %.*s", worker->link.spawned_id,
                (int)frame->error.text.length, (const char *)frame->error.text.data);
        refuse(worker, frame);
        send_release(worker);
    } else if (frame->type == WIRE_DETACHED && worker->link.state == LINK_DETACHING) {
        FAULT_DROP(host_detached_received, channel_socket(worker->link.session->channel));
        send_release(worker);
    }
}

/*
 * Records why the session did not open. The session has logged it, but at a lower level if its
 * service has further addresses.
 */
static void refuse_unopened(
        struct doca_urom_worker *worker, doca_error_t status, const char *reason)
{
    if (worker->link.location->others != NULL)
        SDK_LOG_WARN("A worker was not requested: %s", reason);
    worker_end_refuse(&worker->end, status, "%s", reason);
}

/* Records the error of a start whose session did not open, or was lost. */
static void refuse_without_session(struct doca_urom_worker *worker, doca_error_t status)
{
    const struct session *session = worker->link.session;

    if (session->refusal != NULL)
        refuse_unopened(worker, status, session->refusal);
    else
        WORKER_END_REFUSE(
                &worker->end, status, "The service was lost: %s", channel_reason(session->channel));
}

/* If the session is lost, an attached worker first publishes its last results. */
static void session_changed(struct session_user *user, doca_error_t status)
{
    struct doca_urom_worker *worker = CONTAINER_OF(
            user, struct doca_urom_worker, link.session_user);

    if (status == DOCA_SUCCESS) {
        if (worker->link.state == LINK_OPENING && spawn(worker) != DOCA_SUCCESS)
            finish(worker);
    } else if (worker->link.state == LINK_UP || worker->link.state == LINK_LOSING) {
        lose(worker, LAST_RESULTS_MS);
    } else {
        if (worker->ctx.state == DOCA_CTX_STATE_STARTING)
            refuse_without_session(worker, status);
        finish(worker);
    }
}

static doca_error_t open_session(struct doca_urom_worker *worker)
{
    char reason[SERVICE_REASON_MAX] = "";
    doca_error_t status;

    worker->link.control.answered = control_answered;
    worker->link.session_user.changed = session_changed;
    status = session_acquire(worker->ctx.pe, worker->link.location, &worker->link.session_user,
            &worker->link.session, reason);
    if (status != DOCA_SUCCESS && reason[0] != '\0')
        refuse_unopened(worker, status, reason);
    if (status == DOCA_SUCCESS)
        status = requests_open(&worker->link.session->requests, &worker->link.control);
    if (status == DOCA_SUCCESS)
        status = deadline_set(
                &worker->link.deadline, worker->ctx.pe, START_DEADLINE_MS, start_passed);
    worker->link.state = LINK_OPENING;
    if (status == DOCA_SUCCESS && worker->link.session->state == SESSION_OPEN)
        status = spawn(worker);
    return status;
}

static doca_error_t open_link(struct doca_urom_worker *worker)
{
    doca_error_t status = worker_tasks_make(
            worker, worker->settings.max_tasks, worker->link.location->max_message_size);

    worker->link.data.answered = data_answered;
    if (status == DOCA_SUCCESS)
        status = requests_open(&worker->channel.requests, &worker->link.data);
    return status == DOCA_SUCCESS ? open_session(worker) : status;
}

doca_error_t worker_link_start(struct doca_ctx *ctx)
{
    struct doca_urom_worker *worker = CONTAINER_OF(ctx, struct doca_urom_worker, ctx);
    struct service_offer offer;
    doca_error_t status;

    worker_end_clear(&worker->end);
    if (worker->settings.service == NULL)
        return WORKER_END_REFUSE(&worker->end, DOCA_ERROR_INVALID_VALUE,
                "The worker has no service: call doca_urom_worker_set_service");
    if (!service_get_offer(worker->settings.service, &offer))
        return WORKER_END_REFUSE(&worker->end, DOCA_ERROR_BAD_STATE,
                "The worker's service is not running: start it first");

    worker->link.attempts = 0;
    worker->link.is_new = false;
    worker->link.location = offer.location;
    status = worker_settings_admit(worker, &offer);
    if (status == DOCA_SUCCESS)
        status = open_link(worker);
    if (status != DOCA_SUCCESS) {
        unlink_worker(worker);
        return status;
    }
    session_wait(worker->link.session);
    return DOCA_ERROR_IN_PROGRESS;
}

static void begin_detach(struct doca_urom_worker *worker)
{
    struct wire_frame detach = { .type = WIRE_DETACH, .request_id = worker->link.data.id };

    session_wait(worker->link.session);
    worker->link.state = LINK_DETACHING;
    FAULT_DROP(host_detach_sending, channel_socket(worker->channel.handle));
    if (deadline_set(&worker->link.deadline, worker->ctx.pe, STOP_DEADLINE_MS, detach_passed)
                    != DOCA_SUCCESS
            || channel_send_frame(worker->channel.handle, &detach) != DOCA_SUCCESS)
        release_or_finish(worker);
    FAULT_REACH(host_detach_sent);
}

doca_error_t worker_link_stop(struct doca_ctx *ctx)
{
    struct doca_urom_worker *worker = CONTAINER_OF(ctx, struct doca_urom_worker, ctx);

    worker_tasks_fail(&worker->tasks, DOCA_ERROR_SHUTDOWN);
    switch (worker->link.state) {
    case LINK_NONE:      /* failed; IDLE is posted */
    case LINK_SPAWNING:  /* continues when the service answers */
    case LINK_RELEASING: /* a failed start is being undone */
    case LINK_DETACHING:
        break;
    case LINK_OPENING:
    case LINK_LOSING:
        finish(worker);
        break;
    case LINK_ATTACHING:
        release_or_finish(worker);
        break;
    case LINK_UP:
        begin_detach(worker);
        break;
    }
    return DOCA_ERROR_IN_PROGRESS;
}
