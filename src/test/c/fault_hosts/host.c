/* SPDX-License-Identifier: Apache-2.0 */
#include "host.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <doca_dev.h>

#define PLUGIN "worker_graph"
#define DOMAIN_PLUGIN "worker_sandbox"
#define LOOK_MS 1
#define LEAVING_MS 30000 /* as long as a start may take that is broken off */

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
    if (status == DOCA_SUCCESS)
        status = find_plugin(host, PLUGIN, &host->plugin);
    if (status == DOCA_SUCCESS && host->job->domain.members > 0)
        status = find_plugin(host, DOMAIN_PLUGIN, &host->domain.plugin);
    return status;
}

/* A service of which nothing is in flight stops at once, whether it is lost or not. */
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
        while (doca_pe_progress(host->pe) != 0) /* what was in flight has failed */
            continue;
        status = doca_urom_service_destroy(host->service);
    }
    if (status == DOCA_SUCCESS && host->pe != NULL)
        status = doca_pe_destroy(host->pe);
    if (status == DOCA_SUCCESS && host->dev != NULL)
        status = doca_dev_close(host->dev);
    if (status != DOCA_SUCCESS) {
        result_error(&host->result, "close", status);
        ++host->result.refused;
        host->result.idle = false;
    }
}

static unsigned news_of(const struct host *host)
{
    unsigned news = host->domain.news;

    for (unsigned i = 0; i < host->job->workers; ++i)
        news += host->courses[i].news;
    return news;
}

static bool is_done(const struct host *host)
{
    for (unsigned i = 0; i < host->job->workers; ++i) {
        const struct course *course = &host->courses[i];

        if (course->stage != COURSE_DONE && !course_rests(course))
            return false;
    }
    return host->domain.stage == DOMAIN_STAGE_DONE;
}

static unsigned commands_of(const struct job *job)
{
    unsigned commands = 0;

    for (unsigned i = 0; i < job->workers; ++i)
        commands += job->worker[i].commands;
    return commands;
}

/* Half of the answers have come: now, if it is one that leaves without a word. */
static void leave_abruptly(struct host *host)
{
    if (host->job->abrupt && host->result.answered >= commands_of(host->job) / 2) {
        host->result.abrupt = true;
        result_print(&host->result, host->job);
        for (unsigned i = 0; host->manner.deaf && i < host->job->workers; ++i)
            manner_stuff(&host->courses[i]);
        if (host->manner.deaf && host->manner.cuts && host->courses[0].stage == COURSE_RUNNING)
            manner_cut(host->job);
        _exit(EXIT_SUCCESS);
    }
}

/* What it does once, when a worker has let it in. */
static void behave(struct host *host)
{
    if (host->behaved || host->courses[0].stage != COURSE_RUNNING)
        return;
    host->behaved = true;
    if (host->manner.forks)
        manner_fork(host->leash);
    if (host->manner.again)
        manner_show_again(host->job);
}

void host_await_news(struct host *host, uint64_t deadline)
{
    struct pollfd handle = { .fd = -1, .events = POLLIN };
    uint64_t now = host_now_ms();

    if (domain_course_looks(&host->domain) && deadline > now + LOOK_MS)
        deadline = now + LOOK_MS;
    if (doca_pe_get_notification_handle(host->pe, &handle.fd) != DOCA_SUCCESS
            || doca_pe_request_notification(host->pe) != DOCA_SUCCESS)
        return;
    if (now < deadline)
        poll(&handle, 1, (int)(deadline - now));
    doca_pe_clear_notification(host->pe, handle.fd);
}

bool host_go_on(struct host *host, unsigned patience_ms)
{
    uint64_t deadline = host_now_ms() + patience_ms;
    unsigned news = news_of(host);

    for (;;) {
        bool progressed = doca_pe_progress(host->pe) != 0;

        if (host_now_ms() >= deadline) /* what is seen only now had woken nobody */
            return false;
        for (unsigned i = 0; i < host->job->workers; ++i)
            course_step(&host->courses[i]);
        domain_course_step(&host->domain);
        if (is_done(host))
            return true;
        behave(host);
        leave_abruptly(host);
        if (news_of(host) != news) {
            news = news_of(host);
            deadline = host_now_ms() + patience_ms;
            progressed = true;
        }
        if (!progressed && host->manner.polls)
            poll(NULL, 0, LOOK_MS);
        else if (!progressed)
            host_await_news(host, deadline);
    }
}

static void join_domain(struct host *host)
{
    const struct domain_job *job = &host->job->domain;
    struct domain_course *course = &host->domain;

    course->job = job;
    course->pe = host->pe;
    course->service = host->service;
    course->result = &host->result;
    course->gathering = (struct gathering){
        .run = host->job->run, .index = job->index, .participants = job->members
    };
    course->stage = job->members > 0 ? DOMAIN_STAGE_NEW : DOMAIN_STAGE_DONE;
}

void host_begin(struct host *host)
{
    const struct job *job = host->job;

    for (unsigned i = 0; i < job->workers; ++i) {
        host->courses[i] = (struct course){ .job = &job->worker[i],
            .seed = job->seed,
            .index = i,
            .pe = host->pe,
            .service = host->service,
            .plugin = host->plugin,
            .result = &host->result,
            .flushes = host->manner.flushes,
            .tasks = host->manner.deaf ? COURSE_TASKS_MAX : JOB_DEPTH_MAX,
            .until = job->worker[i].commands };
    }
    join_domain(host);
}

void host_end(struct host *host)
{
    for (unsigned i = 0; i < host->job->workers; ++i)
        course_give_up(&host->courses[i]);
    domain_course_give_up(&host->domain);
    host->result.idle = host_go_on(host, LEAVING_MS);
}

static void run_courses(struct host *host)
{
    host_begin(host);
    host->result.late = !host_go_on(host, host->job->patience_ms);
    if (host->result.late)
        host_end(host);
}

void host_run(const struct job *job, int leash)
{
    struct host host = {
        .job = job, .manner = manner_of(job), .leash = leash, .result = { .idle = true }
    };
    doca_error_t status = host_open(&host);

    if (status == DOCA_SUCCESS) {
        run_courses(&host);
    } else {
        result_error(&host.result, "service", status);
        ++host.result.refused;
    }
    if (host.result.idle)
        host_close(&host);
    result_print(&host.result, job);
}
