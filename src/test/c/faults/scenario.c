/* SPDX-License-Identifier: Apache-2.0 */
#include "scenario.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include <doca_buf.h>
#include <testing/contexts.h>

#define COMMANDS 6
#define ANSWER_MS 2000 /* for all commands; one may be lost by a plugin */
#define STOP_MS 25000  /* longer than any deadline in the library */
#define POLLS 64       /* empty polls before this host sleeps */
#define SLEEP_MS 20

struct scenario {
    struct doca_pe *pe;
    struct doca_dev *dev;
    struct doca_urom_service *service;
    struct doca_urom_worker *worker;
    struct doca_urom_domain *domain;
    struct test_command command[COMMANDS];
    bool submitted[COMMANDS];
    unsigned group_completions;
    const char *wrong;
};

static void report(struct scenario *scenario, const char *what)
{
    if (scenario->wrong == NULL)
        scenario->wrong = what;
}

static void require(struct scenario *scenario, doca_error_t status, const char *what)
{
    if (status != DOCA_SUCCESS)
        report(scenario, what);
}

/* Waits like an application: polls, then sleeps until it is woken. */
static void sleep_a_little(struct doca_pe *pe)
{
    struct pollfd wakes = { .events = POLLIN };

    if (doca_pe_get_notification_handle(pe, &wakes.fd) != DOCA_SUCCESS
            || doca_pe_request_notification(pe) != DOCA_SUCCESS)
        return;
    poll(&wakes, 1, SLEEP_MS);
    doca_pe_clear_notification(pe, wakes.fd);
}

static void progress(struct doca_pe *pe)
{
    for (unsigned i = 0; i < POLLS; ++i) {
        if (doca_pe_progress(pe) != 0)
            return;
    }
    sleep_a_little(pe);
}

/* Progresses until the context is in another state. */
static void progress_beyond(
        struct scenario *scenario, struct doca_ctx *ctx, enum doca_ctx_states state)
{
    uint64_t end = deadline_in(STOP_MS);

    while (state_of(ctx) == state && !deadline_has_passed(end))
        progress(scenario->pe);
    if (state_of(ctx) == state)
        report(scenario, "a context stays in its state");
}

static bool start(struct scenario *scenario, struct doca_ctx *ctx)
{
    doca_error_t status = doca_ctx_start(ctx);

    if (status == DOCA_ERROR_IN_PROGRESS)
        progress_beyond(scenario, ctx, DOCA_CTX_STATE_STARTING);
    return state_of(ctx) == DOCA_CTX_STATE_RUNNING;
}

static void stop(struct scenario *scenario, struct doca_ctx *ctx)
{
    uint64_t end = deadline_in(STOP_MS);

    if (state_of(ctx) != DOCA_CTX_STATE_IDLE)
        (void)doca_ctx_stop(ctx);
    while (state_of(ctx) != DOCA_CTX_STATE_IDLE && !deadline_has_passed(end))
        progress(scenario->pe);
    if (state_of(ctx) != DOCA_CTX_STATE_IDLE)
        report(scenario, "a context does not become idle");
}

static void count_completion(struct doca_urom_service_get_workers_by_gid_task *task,
        union doca_data task_data, union doca_data ctx_data)
{
    (void)task;
    (void)ctx_data;
    ++*(unsigned *)task_data.ptr;
}

static void query_group(struct scenario *scenario)
{
    struct doca_urom_service_get_workers_by_gid_task *task;
    uint64_t end = deadline_in(ANSWER_MS);
    struct doca_task *base;

    if (doca_urom_service_get_workers_by_gid_task_allocate_init(
                scenario->service, 1, count_completion, &task)
            != DOCA_SUCCESS)
        return;
    base = doca_urom_service_get_workers_by_gid_task_as_task(task);
    doca_task_set_user_data(base, (union doca_data){ .ptr = &scenario->group_completions });
    if (doca_task_submit(base) != DOCA_SUCCESS)
        return;
    while (scenario->group_completions == 0 && !deadline_has_passed(end))
        progress(scenario->pe);
    if (scenario->group_completions == 0)
        stop(scenario, doca_urom_service_as_ctx(scenario->service));
    if (scenario->group_completions != 1)
        report(scenario, "a group query did not complete exactly once");
}

static doca_error_t gather(void *send, void *receive, size_t length, void *info, void **request)
{
    (void)info;
    memcpy(receive, send, length);
    *request = receive;
    return DOCA_SUCCESS;
}

static doca_error_t gathered(void *request)
{
    (void)request;
    return DOCA_SUCCESS;
}

static bool start_domain(struct scenario *scenario)
{
    struct doca_urom_domain_oob_coll oob = { gather, gathered, gathered, NULL, 1, 0 };
    uint64_t id = 7;

    return doca_urom_domain_create(&scenario->domain) == DOCA_SUCCESS
            && doca_pe_connect_ctx(scenario->pe, doca_urom_domain_as_ctx(scenario->domain))
            == DOCA_SUCCESS
            && doca_urom_domain_set_workers(scenario->domain, &id, &scenario->worker, 1)
            == DOCA_SUCCESS
            && doca_urom_domain_set_oob(scenario->domain, &oob) == DOCA_SUCCESS
            && start(scenario, doca_urom_domain_as_ctx(scenario->domain));
}

static void completed(
        struct doca_urom_worker_cmd_task *task, union doca_data task_data, union doca_data ctx_data)
{
    struct test_command *command = task_data.ptr;

    (void)ctx_data;
    command->status = doca_task_get_status(doca_urom_worker_cmd_task_as_task(task));
    ++command->completions;
}

/* Submits a command whose text depends on its number. */
static void submit(struct scenario *scenario, unsigned number, uint64_t plugin)
{
    struct test_command *command = &scenario->command[number];
    char text[COMMANDS + 1] = "";

    if (doca_urom_worker_cmd_task_allocate_init(scenario->worker, plugin, &command->task)
            != DOCA_SUCCESS)
        return;
    memset(text, 'a' + (int)number, number);
    doca_urom_worker_cmd_task_set_cb(command->task, completed);
    doca_task_set_user_data(
            doca_urom_worker_cmd_task_as_task(command->task), (union doca_data){ .ptr = command });
    command_write(command, (struct puppet_command){ .act = PUPPET_ECHO }, text);
    scenario->submitted[number] = doca_task_submit(doca_urom_worker_cmd_task_as_task(command->task))
            == DOCA_SUCCESS;
}

static unsigned not_completed(const struct scenario *scenario)
{
    unsigned count = 0;

    for (unsigned i = 0; i < COMMANDS; ++i)
        count += scenario->submitted[i] && scenario->command[i].completions == 0;
    return count;
}

static void await_answers(struct scenario *scenario)
{
    uint64_t end = deadline_in(ANSWER_MS);

    while (not_completed(scenario) > 0 && !deadline_has_passed(end))
        progress(scenario->pe);
}

/* Runs one command, after which both sides sleep; then several at once. */
static void command(struct scenario *scenario, uint64_t plugin)
{
    submit(scenario, 0, plugin);
    await_answers(scenario);
    for (unsigned i = 0; i < 3; ++i)
        sleep_a_little(scenario->pe);
    for (unsigned i = 1; i < COMMANDS; ++i)
        submit(scenario, i, plugin);
    await_answers(scenario);
}

static void check_answer(struct scenario *scenario, unsigned number)
{
    struct test_command *command = &scenario->command[number];

    if (command->completions != (scenario->submitted[number] ? 1u : 0u))
        report(scenario, "a task did not complete exactly once");
    if (command->completions == 1 && command->status == DOCA_SUCCESS
            && (text_length(command) != number
                    || (number > 0 && answer_of(command)->bytes[0] != 'a' + number)))
        report(scenario, "a task has the answer of another");
    if (command->task != NULL)
        require(scenario, doca_urom_worker_cmd_task_release(command->task),
                "a task stays in flight");
}

static uint64_t puppet_of(struct scenario *scenario)
{
    const struct doca_urom_service_plugin_info *plugins;
    size_t count = 0;

    if (doca_urom_service_get_plugins_list(scenario->service, &plugins, &count) != DOCA_SUCCESS)
        return 0;
    for (size_t i = 0; i < count; ++i) {
        if (strcmp(plugins[i].plugin_name, "worker_puppet") == 0)
            return plugins[i].id;
    }
    return 0;
}

static void use_worker(struct scenario *scenario)
{
    uint64_t plugin = puppet_of(scenario);
    struct doca_ctx *ctx;

    if (plugin == 0 || doca_urom_worker_create(&scenario->worker) != DOCA_SUCCESS)
        return;
    ctx = doca_urom_worker_as_ctx(scenario->worker);
    if (doca_pe_connect_ctx(scenario->pe, ctx) == DOCA_SUCCESS
            && doca_urom_worker_set_service(scenario->worker, scenario->service) == DOCA_SUCCESS
            && doca_urom_worker_set_plugins(scenario->worker, plugin) == DOCA_SUCCESS
            && start(scenario, ctx)) {
        (void)start_domain(scenario);
        command(scenario, plugin);
    }
    if (scenario->domain != NULL)
        stop(scenario, doca_urom_domain_as_ctx(scenario->domain));
    stop(scenario, ctx);
    for (unsigned i = 0; i < COMMANDS; ++i)
        check_answer(scenario, i);
}

static void run(struct scenario *scenario)
{
    struct doca_ctx *ctx = doca_urom_service_as_ctx(scenario->service);

    require(scenario, doca_pe_connect_ctx(scenario->pe, ctx), "a service is not connected");
    require(scenario, doca_urom_service_set_dev(scenario->service, scenario->dev), "no device");
    if (start(scenario, ctx)) {
        query_group(scenario);
        use_worker(scenario);
    }
    stop(scenario, ctx);
}

static void destroy(struct scenario *scenario)
{
    if (scenario->domain != NULL)
        require(scenario, doca_urom_domain_destroy(scenario->domain), "a domain is not destroyed");
    if (scenario->worker != NULL)
        require(scenario, doca_urom_worker_destroy(scenario->worker), "a worker is not destroyed");
    require(scenario, doca_urom_service_destroy(scenario->service), "a service is not destroyed");
    require(scenario, doca_pe_destroy(scenario->pe), "an engine is not destroyed");
    require(scenario, doca_dev_close(scenario->dev), "a device is not closed");
}

const char *scenario_run(void)
{
    struct scenario scenario = { .dev = open_device() };

    if (doca_pe_create(&scenario.pe) != DOCA_SUCCESS) {
        doca_dev_close(scenario.dev);
        return NULL;
    }
    if (doca_urom_service_create(&scenario.service) == DOCA_SUCCESS) {
        run(&scenario);
        destroy(&scenario);
    }
    return scenario.wrong;
}
