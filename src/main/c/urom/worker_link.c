/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Worker context: the way to the worker process and back.
 *
 *     start: session open -> SPAWN / SPAWNED -> connect -> ATTACH / ATTACHED -> RUNNING
 *     stop:  DETACH / DETACHED -> RELEASE / RELEASED -> IDLE
 *
 * A start that fails takes the rest of the way back. When the worker or the service is gone there
 * is nobody to tell: the context fails at once.
 */
#include <stdlib.h>
#include <string.h>

#include <common/sdk_log.h>

#include "worker.h"

SDK_LOG_REGISTER(UROM::WORKER_LINK)

#define START_DEADLINE_MS 20000
#define FLUSHES 8 /* whose commands a worker may have yet to answer when it is given more */
#define STOP_DEADLINE_MS 2000 /* for each of the two answers */

static void forget_addresses(struct doca_urom_worker *worker)
{
    for (uint32_t i = 0; i < worker->addresses_count; ++i)
        free(worker->addresses[i].bytes);
    free(worker->addresses);
    worker->addresses = NULL;
    worker->addresses_count = 0;
}

/* Lets go of everything that the link holds. Must not run inside the inbox's progress. */
static void unlink_worker(struct doca_urom_worker *worker)
{
    deadline_clear(&worker->deadline);
    net_disconnect(&worker->endpoint);
    if (worker->inbox != NULL)
        inbox_release(worker->inbox, worker->detached);
    worker->inbox = NULL;
    worker->detached = false;
    if (worker->engine != NULL) {
        requests_close(&worker->engine->requests, &worker->control);
        requests_close(&worker->engine->requests, &worker->data);
    }
    if (worker->session != NULL)
        session_release(worker->session, &worker->session_user);
    worker->session = NULL;
    forget_addresses(worker);
    if (worker->counted)
        atomic_fetch_sub(&worker->service->workers, 1);
    worker->counted = false;
    worker->link = LINK_NONE;
    worker_tell_gone(worker, false);
}

static void stop_waiting(struct doca_urom_worker *worker)
{
    deadline_clear(&worker->deadline);
    engine_unwait_control(worker->engine);
}

/* The end of a stop, or of a start that failed. */
static void finish(struct doca_urom_worker *worker)
{
    stop_waiting(worker);
    unlink_worker(worker);
    priv_doca_ctx_post_state(&worker->ctx, DOCA_CTX_STATE_IDLE);
}

/* The worker or its service has gone. */
static void fail(struct doca_urom_worker *worker)
{
    bool up = worker->link == LINK_UP;

    if (up && worker->ctx.state == DOCA_CTX_STATE_RUNNING)
        priv_doca_ctx_post_failure(&worker->ctx);
    else if (up) /* RUNNING is posted and will not be reached */
        priv_doca_ctx_post_state(&worker->ctx, DOCA_CTX_STATE_IDLE);
    net_disconnect(&worker->endpoint);
    worker_fail_tasks(worker, DOCA_ERROR_CONNECTION_RESET);
    if (up)
        unlink_worker(worker);
    else
        finish(worker);
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

    if (session_send(worker->session, &frame) != DOCA_SUCCESS
            || deadline_set(&worker->deadline, worker->ctx.pe, STOP_DEADLINE_MS, release_passed)
                    != DOCA_SUCCESS)
        return false;
    worker->link = LINK_RELEASING;
    return true;
}

static void detach_passed(struct deadline *deadline)
{
    struct doca_urom_worker *worker = CONTAINER_OF(deadline, struct doca_urom_worker, deadline);

    SDK_LOG_WARN("Worker %lu did not confirm the end of the connection within %d ms",
            worker->spawned_id, STOP_DEADLINE_MS);
    if (!send_release(worker))
        finish(worker);
}

static void start_passed(struct deadline *deadline)
{
    struct doca_urom_worker *worker = CONTAINER_OF(deadline, struct doca_urom_worker, deadline);

    SDK_LOG_ERR("The worker did not start within %d s", START_DEADLINE_MS / 1000);
    if (worker->link != LINK_ATTACHING || !send_release(worker))
        finish(worker);
}

doca_error_t worker_send(struct doca_urom_worker *worker, const struct wire_frame *frame)
{
    return net_send_frame(&worker->endpoint, frame);
}

static doca_error_t send_spawn(struct doca_urom_worker *worker)
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

    worker->link = LINK_SPAWNING;
    return session_send(worker->session, &frame);
}

/* Sends SPAWN, and makes the inbox while the process starts; its lack is noticed afterwards. */
static doca_error_t spawn(struct doca_urom_worker *worker)
{
    const char *devices = worker->service->location->net_devices;
    doca_error_t status = send_spawn(worker);

    if (status == DOCA_SUCCESS)
        worker->inbox = inbox_acquire(worker->engine, &worker->ctx,
                devices[0] == '\0' ? NULL : devices);
    return status;
}

static doca_error_t send_attach(struct doca_urom_worker *worker, const struct wire_spawned *spawned)
{
    struct wire_frame frame = { .type = WIRE_ATTACH, .request_id = worker->data.id };
    ucp_address_t *address;
    doca_error_t status;
    size_t length;

    if (worker->inbox == NULL)
        return DOCA_ERROR_INITIALIZATION;
    status = net_connect(&worker->endpoint, &worker->inbox->net, spawned->address.data);
    if (status == DOCA_SUCCESS)
        status = net_address(&worker->inbox->net, &address, &length);
    if (status != DOCA_SUCCESS)
        return status;

    frame.attach = (struct wire_attach){
        .token = spawned->token,
        .max_tasks = FLUSHES * worker->max_tasks,
        .address = { (const uint8_t *)address, length },
    };
    status = worker_send(worker, &frame);
    net_free_address(&worker->inbox->net, address);
    return status;
}

static void take_spawned(struct doca_urom_worker *worker, const struct wire_spawned *spawned)
{
    doca_error_t status;

    worker->spawned_id = spawned->worker_id;
    worker->has_spawned_group = spawned->flags & WIRE_FLAG_HAS_GROUP;
    worker->spawned_group = spawned->group;
    worker->link = LINK_ATTACHING;
    status = worker->ctx.state == DOCA_CTX_STATE_STARTING ? send_attach(worker, spawned)
                                                          : DOCA_ERROR_SHUTDOWN;
    if (status == DOCA_SUCCESS)
        return;
    if (status != DOCA_ERROR_SHUTDOWN)
        SDK_LOG_ERR("Worker %lu was spawned and could not be connected to: %s",
                worker->spawned_id, doca_error_get_descr(status));
    if (!send_release(worker))
        finish(worker);
}

static void control_answered(struct request *request, const struct wire_frame *frame)
{
    struct doca_urom_worker *worker = CONTAINER_OF(request, struct doca_urom_worker, control);

    if (frame->type == WIRE_SPAWNED && worker->link == LINK_SPAWNING) {
        take_spawned(worker, &frame->spawned);
    } else if (frame->type == WIRE_RELEASED && worker->link == LINK_RELEASING) {
        finish(worker);
    } else if (frame->type == WIRE_WORKER_GONE && worker->link >= LINK_ATTACHING) {
        SDK_LOG_WARN("Worker %lu has ended by itself with exit status %u", worker->spawned_id,
                frame->worker_gone.exit_status);
        fail(worker);
    } else if (frame->type == WIRE_ERROR) {
        SDK_LOG_ERR("The service answered for a worker: %.*s (%s)",
                (int)frame->error.text.length, (const char *)frame->error.text.data,
                doca_error_get_name(frame->error.status));
        if (worker->link == LINK_SPAWNING || worker->link == LINK_RELEASING)
            finish(worker);
    }
}

static doca_error_t take_addresses(struct doca_urom_worker *worker,
        const struct wire_attached *attached)
{
    struct wire_plugin_address address;
    size_t offset = 0;

    worker->addresses = calloc(attached->plugin_count + 1, sizeof(*worker->addresses));
    if (worker->addresses == NULL)
        return DOCA_ERROR_NO_MEMORY;

    while (wire_next_plugin_address(attached, &offset, &address)) {
        struct worker_plugin_address *copy = &worker->addresses[worker->addresses_count];

        copy->bytes = malloc(address.address.length + 1);
        if (copy->bytes == NULL)
            return DOCA_ERROR_NO_MEMORY;
        memcpy(copy->bytes, address.address.data, address.address.length);
        copy->length = address.address.length;
        copy->plugin = address.plugin;
        ++worker->addresses_count;
    }
    return DOCA_SUCCESS;
}

static void take_attached(struct doca_urom_worker *worker, const struct wire_attached *attached)
{
    worker->connection = attached->connection;
    if (take_addresses(worker, attached) != DOCA_SUCCESS) {
        if (!send_release(worker))
            SDK_LOG_ERR("Worker %lu cannot be used: no memory", worker->spawned_id);
        return;
    }
    stop_waiting(worker);
    worker->link = LINK_UP;
    priv_doca_ctx_post_state(&worker->ctx, DOCA_CTX_STATE_RUNNING);
}

static void data_answered(struct request *request, const struct wire_frame *frame)
{
    struct doca_urom_worker *worker = CONTAINER_OF(request, struct doca_urom_worker, data);

    if (frame->type == WIRE_ATTACHED && worker->link == LINK_ATTACHING) {
        take_attached(worker, &frame->attached);
    } else if (frame->type == WIRE_ERROR && worker->link == LINK_ATTACHING) {
        SDK_LOG_ERR("Worker %lu refused the connection: %.*s", worker->spawned_id,
                (int)frame->error.text.length, (const char *)frame->error.text.data);
        /* Without a service to tell, the deadline ends it: nothing can be closed in here. */
        send_release(worker);
    } else if (frame->type == WIRE_DETACHED && worker->link == LINK_DETACHING) {
        worker->detached = true;
        send_release(worker);
    }
}

static void session_changed(struct session_user *user, doca_error_t status)
{
    struct doca_urom_worker *worker = CONTAINER_OF(user, struct doca_urom_worker, session_user);

    if (status != DOCA_SUCCESS)
        fail(worker);
    else if (worker->link == LINK_OPENING && spawn(worker) != DOCA_SUCCESS)
        finish(worker);
}

static doca_error_t open_link(struct doca_urom_worker *worker)
{
    struct service_location *location = worker->service->location;
    doca_error_t status;

    status = engine_of(worker->ctx.pe, &worker->engine);
    if (status != DOCA_SUCCESS)
        return status;
    if (worker->engine->max_message_size < location->max_message_size)
        worker->engine->max_message_size = location->max_message_size;
    status = worker_make_tasks(worker, location->max_message_size);
    worker->control.answered = control_answered;
    worker->data.answered = data_answered;
    worker->session_user.changed = session_changed;
    if (status == DOCA_SUCCESS)
        status = requests_open(&worker->engine->requests, &worker->control);
    if (status == DOCA_SUCCESS)
        status = requests_open(&worker->engine->requests, &worker->data);
    if (status == DOCA_SUCCESS)
        status = session_acquire(worker->engine, location, &worker->session_user,
                &worker->session);
    if (status == DOCA_SUCCESS)
        status = deadline_set(&worker->deadline, worker->ctx.pe, START_DEADLINE_MS, start_passed);
    worker->link = LINK_OPENING;
    if (status == DOCA_SUCCESS && worker->session->state == SESSION_OPEN)
        status = spawn(worker);
    return status;
}

doca_error_t worker_start(struct doca_ctx *ctx)
{
    struct doca_urom_worker *worker = CONTAINER_OF(ctx, struct doca_urom_worker, ctx);
    doca_error_t status = worker_admit(worker);

    if (status != DOCA_SUCCESS)
        return status;

    status = open_link(worker);
    if (status != DOCA_SUCCESS) {
        unlink_worker(worker);
        return status;
    }
    engine_wait_control(worker->engine);
    return DOCA_ERROR_IN_PROGRESS;
}

doca_error_t worker_stop(struct doca_ctx *ctx)
{
    struct doca_urom_worker *worker = CONTAINER_OF(ctx, struct doca_urom_worker, ctx);
    struct wire_frame detach = {
        .type = WIRE_DETACH,
        .request_id = (uint64_t)worker->connection << 32 | worker->data.id,
    };

    worker_fail_tasks(worker, DOCA_ERROR_SHUTDOWN);
    switch (worker->link) {
    case LINK_NONE:    /* failed, and about to be IDLE */
    case LINK_RELEASING: /* a start that failed is on its way back */
        break;
    case LINK_OPENING:
        finish(worker);
        break;
    case LINK_SPAWNING: /* what the service answers leads back */
        break;
    case LINK_ATTACHING:
        if (!send_release(worker))
            finish(worker);
        break;
    default:
        engine_wait_control(worker->engine);
        worker->link = LINK_DETACHING;
        if (deadline_set(&worker->deadline, ctx->pe, STOP_DEADLINE_MS, detach_passed)
                        != DOCA_SUCCESS
                || worker_send(worker, &detach) != DOCA_SUCCESS)
            finish(worker);
        break;
    }
    return DOCA_ERROR_IN_PROGRESS;
}
