/* SPDX-License-Identifier: Apache-2.0 */
#include "host.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <doca_dev.h>

#define REMOTE_SERVICE_FILE "JUROM_RUN_REMOTE_SERVICE_FILE" /* an environment variable */
#define POLL_MS 1
#define STOP_TIMEOUT_MS 30000 /* includes the time of an aborted start */

uint64_t host_now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

static doca_error_t open_device(struct host *host)
{
    struct doca_devinfo **devices;
    uint32_t count;
    doca_error_t status = doca_devinfo_create_list(&devices, &count);

    if (status != DOCA_SUCCESS)
        return status;
    status = count == 0 ? DOCA_ERROR_NOT_FOUND : doca_dev_open(devices[0], &host->dev);
    doca_devinfo_destroy_list(devices);
    return status;
}

static doca_error_t find_plugin(const struct host *host, const char *name, uint64_t *id)
{
    const struct doca_urom_service_plugin_info *plugins;
    size_t count;
    doca_error_t status = doca_urom_service_get_plugins_list(host->service, &plugins, &count);

    for (size_t i = 0; status == DOCA_SUCCESS && i < count; ++i) {
        if (strcmp(plugins[i].plugin_name, name) == 0) {
            *id = plugins[i].id;
            return DOCA_SUCCESS;
        }
    }
    return status == DOCA_SUCCESS ? DOCA_ERROR_NOT_FOUND : status;
}

doca_error_t host_open(struct host *host)
{
    struct doca_ctx *ctx;
    doca_error_t status = open_device(host);

    if (host->job->remote && getenv(REMOTE_SERVICE_FILE) != NULL)
        setenv("DOCA_UROM_SERVICE_FILE", getenv(REMOTE_SERVICE_FILE), 1);
    if (status == DOCA_SUCCESS)
        status = doca_pe_create(&host->pe);
    if (status == DOCA_SUCCESS)
        status = doca_urom_service_create(&host->service);
    if (status != DOCA_SUCCESS)
        return status;
    ctx = doca_urom_service_as_ctx(host->service);
    status = doca_pe_connect_ctx(host->pe, ctx);
    if (status == DOCA_SUCCESS)
        status = doca_urom_service_set_dev(host->service, host->dev);
    if (status == DOCA_SUCCESS)
        status = doca_ctx_start(ctx);
    for (unsigned i = 0; i < host->job->workers && status == DOCA_SUCCESS; ++i)
        status = find_plugin(host, host->job->worker[i].plugin, &host->plugins[i]);
    return status;
}

/* A service without tasks in flight must stop immediately, even if the connection is lost. */
static void stop_service(struct host *host)
{
    struct doca_ctx *ctx = doca_urom_service_as_ctx(host->service);
    size_t inflight = 0;

    doca_ctx_get_num_inflight_tasks(ctx, &inflight);
    if (doca_ctx_stop(ctx) == DOCA_ERROR_IN_PROGRESS && inflight == 0)
        host->result.idle = false;
}

void host_close(struct host *host)
{
    doca_error_t status = DOCA_SUCCESS;

    if (host->service != NULL) {
        stop_service(host);
        while (doca_pe_progress(host->pe) != 0) /* completes failed tasks */
            continue;
        status = doca_urom_service_destroy(host->service);
    }
    if (status == DOCA_SUCCESS && host->pe != NULL)
        status = doca_pe_destroy(host->pe);
    if (status == DOCA_SUCCESS && host->dev != NULL)
        status = doca_dev_close(host->dev);
    if (status != DOCA_SUCCESS) {
        result_error(&host->result, 0, "close", status);
        host->result.idle = false;
    }
}

static unsigned changes_of(const struct host *host)
{
    unsigned changes = 0;

    for (unsigned i = 0; i < host->job->workers; ++i)
        changes += host->activities[i].changes;
    return changes;
}

static bool is_done(const struct host *host)
{
    for (unsigned i = 0; i < host->job->workers; ++i) {
        const struct worker_activity *activity = &host->activities[i];

        if (activity->stage != ACTIVITY_DONE && !worker_activity_is_paused(activity))
            return false;
    }
    return true;
}

static unsigned commands_of(const struct job *job)
{
    unsigned commands = 0;

    for (unsigned i = 0; i < job->workers; ++i)
        commands += job->worker[i].commands;
    return commands;
}

/* Exits after half of the answers if the job requires an abrupt end. */
static void leave_abruptly(struct host *host)
{
    if (host->job->abrupt && host->result.answered >= commands_of(host->job) / 2) {
        host->result.abrupt = true;
        result_print(&host->result, host->job);
        for (unsigned i = 0; host->behavior.overfills && i < host->job->workers; ++i)
            behavior_fill_ring(&host->activities[i]);
        if (host->behavior.overfills && host->behavior.closes
                && host->activities[0].stage == ACTIVITY_RUNNING)
            behavior_close(host->job);
        _exit(EXIT_SUCCESS);
    }
}

/* Performs one-time actions after a worker has accepted the host. */
static void apply_behavior(struct host *host)
{
    if (host->applied || host->activities[0].stage != ACTIVITY_RUNNING)
        return;
    host->applied = true;
    if (host->behavior.forks)
        behavior_fork(host->lifeline);
    if (host->behavior.replays)
        behavior_replay_ticket(host->job);
}

void host_await_change(struct host *host, uint64_t deadline)
{
    struct pollfd handle = { .fd = -1, .events = POLLIN };
    uint64_t now = host_now_ms();

    if (doca_pe_get_notification_handle(host->pe, &handle.fd) != DOCA_SUCCESS
            || doca_pe_request_notification(host->pe) != DOCA_SUCCESS)
        return;
    if (now < deadline)
        poll(&handle, 1, (int)(deadline - now));
    doca_pe_clear_notification(host->pe, handle.fd);
}

bool host_run_until_done(struct host *host, unsigned timeout_ms)
{
    uint64_t deadline = host_now_ms() + timeout_ms;
    unsigned changes = changes_of(host);

    for (;;) {
        bool progressed = doca_pe_progress(host->pe) != 0;

        if (host_now_ms() >= deadline) /* a change found only now did not wake this process */
            return false;
        for (unsigned i = 0; i < host->job->workers; ++i)
            worker_activity_step(&host->activities[i]);
        if (is_done(host))
            return true;
        apply_behavior(host);
        leave_abruptly(host);
        if (changes_of(host) != changes) {
            changes = changes_of(host);
            deadline = host_now_ms() + timeout_ms;
            progressed = true;
        }
        if (!progressed && host->behavior.polls)
            poll(NULL, 0, POLL_MS);
        else if (!progressed)
            host_await_change(host, deadline);
    }
}

void host_begin(struct host *host)
{
    const struct job *job = host->job;

    for (unsigned i = 0; i < job->workers; ++i) {
        host->activities[i] = (struct worker_activity){ .job = &job->worker[i],
            .seed = job->seed,
            .index = i,
            .pe = host->pe,
            .service = host->service,
            .plugin = host->plugins[i],
            .result = &host->result,
            .flushes = host->behavior.flushes,
            .tasks = host->behavior.overfills ? ACTIVITY_TASKS_MAX : JOB_DEPTH_MAX,
            .target = job->worker[i].commands };
    }
}

void host_end(struct host *host)
{
    for (unsigned i = 0; i < host->job->workers; ++i)
        worker_activity_abandon(&host->activities[i]);
    host->result.idle = host_run_until_done(host, STOP_TIMEOUT_MS);
}

static void run_activities(struct host *host)
{
    host_begin(host);
    host->result.late = !host_run_until_done(host, host->job->timeout_ms);
    if (host->result.late) {
        result_error(&host->result, 0, "late", DOCA_ERROR_TIME_OUT);
        host_end(host);
    }
}

void host_run(const struct job *job, int lifeline)
{
    struct host host = {
        .job = job, .behavior = behavior_of(job), .lifeline = lifeline, .result = { .idle = true }
    };
    doca_error_t status = host_open(&host);

    if (status == DOCA_SUCCESS) {
        run_activities(&host);
    } else {
        result_error(&host.result, 0, "service", status);
    }
    if (host.result.idle)
        host_close(&host);
    result_print(&host.result, job);
}
