/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Worker context: the way to the worker process and back, told here from end to end.
 *
 *     start: session open -> SPAWN / SPAWNED -> channel open -> ATTACH / ATTACHED -> RUNNING
 *     stop:  DETACH / DETACHED -> RELEASE / RELEASED -> IDLE
 *
 * A start that fails takes the rest of the way back. One that was given a process which was there
 * before, and has just died, asks again. When the worker or the service is gone there is
 * nobody to tell: what the worker had published is completed, the service is given a moment to say
 * why, and then the context fails.
 */
#include <stdlib.h>
#include <string.h>

#include <common/sdk_log.h>
#include <faults/faults.h>

#include "counting.h"
#include "worker.h"

SDK_LOG_REGISTER(UROM::WORKER_LINK)

#define START_DEADLINE_MS 20000
#define STOP_DEADLINE_MS 2000 /* for each of the two answers */
#define REASON_MS 500         /* for the service to report why a worker has exited */
#define CHANNEL_END_MS 50     /* for the channel of an exited worker to end */
#define LAST_WORDS_MS 2500    /* for a worker without a service to publish what is finished */
#define FRAMES_A_POLL 64
#define MOST_ASKED 16 /* SPAWNs of one start: a worker that always dies is an error */

/* Lets go of everything that the link holds. */
static void unlink_worker(struct doca_urom_worker *worker)
{
    deadline_clear(&worker->deadline);
    worker_disconnect(worker);
    requests_free(&worker->requests);
    worker->data.id = 0;
    if (worker->session != NULL) {
        requests_close(&worker->session->requests, &worker->control);
        session_release(worker->session, &worker->session_user);
    }
    worker->session = NULL;
    service_location_release(worker->location);
    worker->location = NULL;
    worker_forget_addresses(worker);
    if (worker->counted)
        atomic_fetch_sub(&worker->service->workers, 1);
    worker->counted = false;
    worker->link = LINK_NONE;
    worker_tell_gone(worker, false);
}

/* The end of a stop, or of a start that failed. The session was waited for. */
static void finish(struct doca_urom_worker *worker)
{
    session_unwait(worker->session);
    unlink_worker(worker);
    priv_doca_ctx_post_state(&worker->ctx, DOCA_CTX_STATE_IDLE);
}

/*
 * The end of a context whose worker or service is gone. Its tasks' completions come before its own
 * change of state: applications count completions.
 */
static void fail(struct doca_urom_worker *worker)
{
    worker_note_loss(worker, "is gone: ", channel_why(worker->channel),
            strlen(channel_why(worker->channel)));
    SDK_LOG_WARN("A worker was lost: %s", worker_loss(worker));
    counting_loss(worker);
    worker_fail_tasks(worker, DOCA_ERROR_CONNECTION_RESET);
    session_unwait(worker->session);
    unlink_worker(worker);
    if (worker->ctx.state == DOCA_CTX_STATE_RUNNING)
        priv_doca_ctx_post_failure(&worker->ctx);
    else /* RUNNING is posted and will not be reached */
        priv_doca_ctx_post_state(&worker->ctx, DOCA_CTX_STATE_IDLE);
}

static bool channel_has_ended(const struct doca_urom_worker *worker)
{
    doca_error_t status = channel_status(worker->channel);

    return status != DOCA_SUCCESS && status != DOCA_ERROR_IN_PROGRESS;
}

static void losing_passed(struct deadline *deadline)
{
    fail(CONTAINER_OF(deadline, struct doca_urom_worker, deadline));
}

/* An end of the link was seen; its other end will be seen too, or the deadline passes. */
static void lose(struct doca_urom_worker *worker, unsigned milliseconds)
{
    if (worker->link != LINK_LOSING)
        session_wait(worker->session);
    worker->link = LINK_LOSING;
    if (deadline_set(&worker->deadline, worker->ctx.pe, milliseconds, losing_passed)
            != DOCA_SUCCESS)
        fail(worker);
}

static void release_passed(struct deadline *deadline)
{
    struct doca_urom_worker *worker = CONTAINER_OF(deadline, struct doca_urom_worker, deadline);

    SDK_LOG_WARN("The service did not confirm the release of worker %lu within %d ms",
            worker->spawned_id, STOP_DEADLINE_MS);
    finish(worker);
}

/* Gives the reference on the worker back. False: there is nobody to give it to. */
static bool send_release(struct doca_urom_worker *worker)
{
    struct wire_frame frame = {
        .type = WIRE_RELEASE,
        .request_id = worker->control.id,
        .worker_id = worker->spawned_id,
    };

    FAULT_REACH(host_release_sending);
    if (session_send(worker->session, &frame) != DOCA_SUCCESS
            || deadline_set(&worker->deadline, worker->ctx.pe, STOP_DEADLINE_MS, release_passed)
                    != DOCA_SUCCESS)
        return false;
    worker->link = LINK_RELEASING;
    FAULT_DROP(host_release_sent, channel_socket(worker->session->channel));
    return true;
}

static void release_or_finish(struct doca_urom_worker *worker)
{
    if (!send_release(worker))
        finish(worker);
}

static void detach_passed(struct deadline *deadline)
{
    struct doca_urom_worker *worker = CONTAINER_OF(deadline, struct doca_urom_worker, deadline);

    SDK_LOG_WARN("Worker %lu did not confirm the end of the connection within %d ms",
            worker->spawned_id, STOP_DEADLINE_MS);
    release_or_finish(worker);
}

static void start_passed(struct deadline *deadline)
{
    struct doca_urom_worker *worker = CONTAINER_OF(deadline, struct doca_urom_worker, deadline);

    WORKER_REFUSE(worker, DOCA_ERROR_TIME_OUT, "The worker did not start within %d s",
            START_DEADLINE_MS / 1000);
    if (worker->link == LINK_ATTACHING)
        release_or_finish(worker);
    else
        finish(worker);
}

static doca_error_t spawn(struct doca_urom_worker *worker)
{
    struct wire_frame frame = {
        .type = WIRE_SPAWN,
        .request_id = worker->control.id,
        .spawn = {
            .worker_id = worker->id,
            .plugins = worker->plugins,
            .flags = (worker->has_group ? WIRE_FLAG_HAS_GROUP : 0)
                    | (worker->has_cpu_set ? WIRE_FLAG_HAS_CPU_SET : 0)
                    | (worker->environment_count > 0 ? WIRE_FLAG_HAS_ENVIRONMENT : 0),
            .group = worker->has_group ? worker->group : 0,
            .cpu_set = (const uint8_t *)&worker->cpu_set,
            .environment_count = worker->environment_count,
            .environment = { (const uint8_t *)worker->environment, worker->environment_length },
        },
    };
    doca_error_t status;

    worker->link = LINK_SPAWNING;
    ++worker->asked;
    FAULT_REACH(host_spawn_sending);
    status = session_send(worker->session, &frame);
    FAULT_DROP(host_spawn_sent, channel_socket(worker->session->channel));
    if (status != DOCA_SUCCESS)
        worker_refuse(worker, status, "The request for a worker could not be sent: %s",
                channel_why(worker->session->channel));
    return status;
}

/* Whether the worker may be asked for once more: the one that was there before has died. */
static bool may_ask_again(const struct doca_urom_worker *worker)
{
    return worker->ctx.state == DOCA_CTX_STATE_STARTING && !worker->is_new
            && worker->asked < MOST_ASKED;
}

/*
 * Asks for the worker once more, as another request: what answers the first is dropped. Its
 * reference is given back if it is still held.
 */
static void ask_again(struct doca_urom_worker *worker, bool held)
{
    struct wire_frame release = {
        .type = WIRE_RELEASE,
        .request_id = worker->control.id,
        .worker_id = worker->spawned_id,
    };
    doca_error_t status = held ? session_send(worker->session, &release) : DOCA_SUCCESS;

    SDK_LOG_INFO("Worker %lu has ended before it was connected to: asking for another",
            worker->spawned_id);
    worker_disconnect(worker);
    worker_forget_end(worker);
    requests_close(&worker->session->requests, &worker->control);
    if (status == DOCA_SUCCESS)
        status = requests_open(&worker->session->requests, &worker->control);
    if (status == DOCA_SUCCESS)
        status = spawn(worker);
    if (status != DOCA_SUCCESS)
        finish(worker);
}

/* The worker that was spawned is not there, or does not let us in. */
static void attach_failed(
        struct doca_urom_worker *worker, doca_error_t status, const char *why, bool held)
{
    if (may_ask_again(worker)) {
        ask_again(worker, held);
        return;
    }
    worker_note_loss(worker, "could not be connected to: ", why, strlen(why));
    worker_refuse(worker, status, "The %s", worker_loss(worker));
    SDK_LOG_ERR(
            "Worker %lu was spawned and could not be connected to: %s", worker->spawned_id, why);
    if (held)
        release_or_finish(worker);
    else
        finish(worker);
}

/* Sends what was held back, and takes what came in, or that the channel has ended. */
static unsigned poll_channel(struct pe_poller *poller)
{
    struct doca_urom_worker *worker = CONTAINER_OF(poller, struct doca_urom_worker, poller);
    unsigned found;

    worker_push(worker);
    found = channel_poll(worker->channel, FRAMES_A_POLL);
    if (found > 0 || !channel_has_ended(worker))
        return found;
    switch (worker->link) {
    case LINK_UP:
        lose(worker, REASON_MS);
        break;
    case LINK_LOSING:
        if (worker->loss != NULL || worker->session->state == SESSION_LOST)
            fail(worker);
        break;
    case LINK_ATTACHING:
        attach_failed(worker, channel_status(worker->channel), channel_why(worker->channel), true);
        break;
    case LINK_DETACHING:
        release_or_finish(worker);
        break;
    default:
        break;
    }
    return 1;
}

/* Once the end of the channel is dealt with, what else there is to come wakes by others. */
static doca_error_t arm_channel(struct pe_poller *poller)
{
    struct doca_urom_worker *worker = CONTAINER_OF(poller, struct doca_urom_worker, poller);

    worker_push(worker);
    if (!channel_has_ended(worker))
        return channel_arm(worker->channel, true);
    return worker->link == LINK_UP || worker->link == LINK_ATTACHING
                    || worker->link == LINK_DETACHING
            ? DOCA_ERROR_AGAIN
            : DOCA_SUCCESS;
}

static doca_error_t attach(struct doca_urom_worker *worker, const struct wire_spawned *spawned)
{
    struct wire_frame frame = {
        .type = WIRE_ATTACH,
        .request_id = worker->data.id,
        .attach = { .max_tasks = worker->max_tasks },
    };
    doca_error_t status;

    worker->poller = (struct pe_poller){ .poll = poll_channel, .arm = arm_channel };
    status = worker_connect(worker, spawned);
    if (status != DOCA_SUCCESS)
        return status;
    FAULT_DROP(host_attach_sending, channel_socket(worker->channel));
    status = channel_send_frame(worker->channel, &frame);
    FAULT_DROP(host_attach_sent, channel_socket(worker->channel));
    return status;
}

static void take_spawned(struct doca_urom_worker *worker, const struct wire_spawned *spawned)
{
    doca_error_t status = DOCA_SUCCESS;
    bool starting = worker->ctx.state == DOCA_CTX_STATE_STARTING;

    worker->spawned_id = spawned->worker_id;
    worker->is_new = spawned->flags & WIRE_FLAG_NEW_PROCESS;
    worker->has_spawned_group = spawned->flags & WIRE_FLAG_HAS_GROUP;
    worker->spawned_group = spawned->group;
    worker->link = LINK_ATTACHING;
    if (starting)
        status = attach(worker, spawned);
    if (!starting || status == DOCA_ERROR_NOT_SUPPORTED) /* whose reason was given */
        release_or_finish(worker);
    else if (status != DOCA_SUCCESS)
        attach_failed(worker, status, doca_error_get_descr(status), true);
}

/* The service says that the process has ended; its channel has ended too, or is about to. */
static void take_gone(struct doca_urom_worker *worker, const struct wire_worker_gone *gone)
{
    worker_note_end(worker, gone);
    switch (worker->link) {
    case LINK_ATTACHING:
        attach_failed(worker, DOCA_ERROR_CONNECTION_RESET, worker_loss(worker), false);
        break;
    case LINK_UP:
        lose(worker, CHANNEL_END_MS);
        break;
    case LINK_LOSING:
        if (channel_has_ended(worker))
            fail(worker);
        break;
    default:
        SDK_LOG_ERR("A worker is gone: %s", worker_loss(worker));
        finish(worker);
        break;
    }
}

/* The service or the worker has answered the start with an error. */
static void refuse(struct doca_urom_worker *worker, const struct wire_frame *frame)
{
    worker_refuse(worker, frame->error.status, "%.*s", (int)frame->error.text.length,
            (const char *)frame->error.text.data);
}

static void control_answered(struct request *request, const struct wire_frame *frame)
{
    struct doca_urom_worker *worker = CONTAINER_OF(request, struct doca_urom_worker, control);

    if (frame->type == WIRE_SPAWNED && worker->link == LINK_SPAWNING) {
        FAULT_DROP(host_spawned_taken, channel_socket(worker->session->channel));
        take_spawned(worker, &frame->spawned);
    } else if (frame->type == WIRE_RELEASED && worker->link == LINK_RELEASING) {
        FAULT_REACH(host_released_taken);
        finish(worker);
    } else if (frame->type == WIRE_WORKER_GONE && worker->link >= LINK_ATTACHING) {
        FAULT_REACH(host_gone_taken);
        take_gone(worker, &frame->worker_gone);
    } else if (frame->type == WIRE_ERROR && worker->link == LINK_SPAWNING
            && frame->error.status == DOCA_ERROR_CONNECTION_RESET && may_ask_again(worker)) {
        if (spawn(worker) != DOCA_SUCCESS)
            finish(worker);
    } else if (frame->type == WIRE_ERROR) {
        SDK_LOG_ERR("The service answered for a worker: %.*s (%s)", (int)frame->error.text.length,
                (const char *)frame->error.text.data, doca_error_get_name(frame->error.status));
        if (worker->link == LINK_SPAWNING)
            refuse(worker, frame);
        if (worker->link == LINK_SPAWNING || worker->link == LINK_RELEASING)
            finish(worker);
    }
}

/* Nothing can be closed in here: without a service to tell, the deadline ends a failed start. */
static void take_attached(struct doca_urom_worker *worker, const struct wire_attached *attached)
{
    if (worker_take_addresses(worker, attached) != DOCA_SUCCESS) {
        WORKER_REFUSE(worker, DOCA_ERROR_NO_MEMORY, "Worker %lu cannot be used: no memory",
                worker->spawned_id);
        send_release(worker);
        return;
    }
    deadline_clear(&worker->deadline);
    session_unwait(worker->session);
    worker->link = LINK_UP;
    priv_doca_ctx_post_state(&worker->ctx, DOCA_CTX_STATE_RUNNING);
}

static void data_answered(struct request *request, const struct wire_frame *frame)
{
    struct doca_urom_worker *worker = CONTAINER_OF(request, struct doca_urom_worker, data);

    if (frame->type == WIRE_ATTACHED && worker->link == LINK_ATTACHING) {
        FAULT_DROP(host_attached_taken, channel_socket(worker->channel));
        take_attached(worker, &frame->attached);
    } else if (frame->type == WIRE_ERROR && worker->link == LINK_ATTACHING) {
        SDK_LOG_ERR("Worker %lu refused the connection: %.*s", worker->spawned_id,
                (int)frame->error.text.length, (const char *)frame->error.text.data);
        refuse(worker, frame);
        send_release(worker);
    } else if (frame->type == WIRE_DETACHED && worker->link == LINK_DETACHING) {
        FAULT_DROP(host_detached_taken, channel_socket(worker->session->channel));
        send_release(worker);
    }
}

/* A start fails because its session did not open, or was lost. */
static void refuse_without_session(struct doca_urom_worker *worker, doca_error_t status)
{
    const struct session *session = worker->session;

    if (session->refusal != NULL)
        worker_refuse(worker, status, "%s", session->refusal);
    else
        worker_refuse(worker, status, "The service was lost: %s", channel_why(session->channel));
}

/* A worker without its service says its last words and leaves. */
static void session_changed(struct session_user *user, doca_error_t status)
{
    struct doca_urom_worker *worker = CONTAINER_OF(user, struct doca_urom_worker, session_user);

    if (status == DOCA_SUCCESS) {
        if (worker->link == LINK_OPENING && spawn(worker) != DOCA_SUCCESS)
            finish(worker);
    } else if (worker->link == LINK_UP || worker->link == LINK_LOSING) {
        lose(worker, LAST_WORDS_MS);
    } else {
        if (worker->ctx.state == DOCA_CTX_STATE_STARTING)
            refuse_without_session(worker, status);
        finish(worker);
    }
}

static doca_error_t open_session(struct doca_urom_worker *worker)
{
    char why[SERVICE_WHY_MAX] = "";
    doca_error_t status;

    worker->control.answered = control_answered;
    worker->session_user.changed = session_changed;
    status = session_acquire(
            worker->ctx.pe, worker->location, &worker->session_user, &worker->session, why);
    if (status != DOCA_SUCCESS && why[0] != '\0')
        worker_refuse(worker, status, "%s", why);
    if (status == DOCA_SUCCESS)
        status = requests_open(&worker->session->requests, &worker->control);
    if (status == DOCA_SUCCESS)
        status = deadline_set(&worker->deadline, worker->ctx.pe, START_DEADLINE_MS, start_passed);
    worker->link = LINK_OPENING;
    if (status == DOCA_SUCCESS && worker->session->state == SESSION_OPEN)
        status = spawn(worker);
    return status;
}

static doca_error_t open_link(struct doca_urom_worker *worker)
{
    doca_error_t status = worker_make_tasks(worker, worker->location->max_message_size);

    worker->data.answered = data_answered;
    if (status == DOCA_SUCCESS)
        status = requests_open(&worker->requests, &worker->data);
    return status == DOCA_SUCCESS ? open_session(worker) : status;
}

doca_error_t worker_start(struct doca_ctx *ctx)
{
    struct doca_urom_worker *worker = CONTAINER_OF(ctx, struct doca_urom_worker, ctx);
    struct service_offer offer;
    doca_error_t status;

    worker_forget_end(worker);
    if (worker->service == NULL)
        return WORKER_REFUSE(worker, DOCA_ERROR_INVALID_VALUE,
                "The worker has no service: call doca_urom_worker_set_service");
    if (!service_get_offer(worker->service, &offer))
        return WORKER_REFUSE(worker, DOCA_ERROR_BAD_STATE,
                "The worker's service is not running: start it first");

    worker->asked = 0;
    worker->is_new = false;
    worker->location = offer.location;
    status = worker_admit(worker, &offer);
    if (status == DOCA_SUCCESS)
        status = open_link(worker);
    if (status != DOCA_SUCCESS) {
        unlink_worker(worker);
        return status;
    }
    session_wait(worker->session);
    return DOCA_ERROR_IN_PROGRESS;
}

static void begin_detach(struct doca_urom_worker *worker)
{
    struct wire_frame detach = { .type = WIRE_DETACH, .request_id = worker->data.id };

    session_wait(worker->session);
    worker->link = LINK_DETACHING;
    FAULT_DROP(host_detach_sending, channel_socket(worker->channel));
    if (deadline_set(&worker->deadline, worker->ctx.pe, STOP_DEADLINE_MS, detach_passed)
                    != DOCA_SUCCESS
            || channel_send_frame(worker->channel, &detach) != DOCA_SUCCESS)
        release_or_finish(worker);
    FAULT_REACH(host_detach_sent);
}

doca_error_t worker_stop(struct doca_ctx *ctx)
{
    struct doca_urom_worker *worker = CONTAINER_OF(ctx, struct doca_urom_worker, ctx);

    worker_fail_tasks(worker, DOCA_ERROR_SHUTDOWN);
    switch (worker->link) {
    case LINK_NONE:      /* failed, and about to be IDLE */
    case LINK_SPAWNING:  /* what the service answers leads back */
    case LINK_RELEASING: /* a start that failed is on its way back */
    case LINK_DETACHING:
        break;
    case LINK_OPENING:
    case LINK_LOSING: /* its session is waited for */
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
