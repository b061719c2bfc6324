/* SPDX-License-Identifier: Apache-2.0 */
#include "contexts.h"

#include <string.h>

#include <doca_buf.h>

static _Thread_local unsigned completions;

static void note_transition(const union doca_data user_data, struct doca_ctx *ctx,
        enum doca_ctx_states previous, enum doca_ctx_states next)
{
    struct transitions *transitions = user_data.ptr;

    assert_true(transitions->count < TRANSITIONS_MAX);
    transitions->at[transitions->count++] = (struct transition){ previous, next, state_of(ctx) };
}

static void watch(struct doca_ctx *ctx, struct transitions *transitions)
{
    assert_success(doca_ctx_set_user_data(ctx, (union doca_data){ .ptr = transitions }));
    assert_success(doca_ctx_set_state_changed_cb(ctx, note_transition));
}

void progress_to_event(struct doca_pe *pe)
{
    uint64_t deadline = deadline_in(RUN_MS);
    uint8_t progressed = 0;
    unsigned idle = 0;

    while (progressed == 0) {
        progressed = doca_pe_progress(pe);
        give_way_when_idle(&idle);
        assert_in_range(progressed, 0, 1);
        assert_false(deadline_has_passed(deadline));
    }
}

struct doca_dev *open_device(void)
{
    struct doca_devinfo **devices;
    struct doca_dev *dev;
    uint32_t count;

    assert_success(doca_devinfo_create_list(&devices, &count));
    assert_success(doca_dev_open(devices[0], &dev));
    assert_success(doca_devinfo_destroy_list(devices));
    return dev;
}

void service_new(struct test_service *service)
{
    *service = (struct test_service){ .dev = open_device() };
    assert_success(doca_pe_create(&service->pe));
    assert_success(doca_urom_service_create(&service->service));
    service->ctx = doca_urom_service_as_ctx(service->service);
    assert_success(doca_pe_connect_ctx(service->pe, service->ctx));
    assert_success(doca_urom_service_set_dev(service->service, service->dev));
    watch(service->ctx, &service->transitions);
}

void service_open(struct test_service *service)
{
    service_new(service);
    assert_success(doca_ctx_start(service->ctx));
}

void service_close(struct test_service *service)
{
    if (service->service == NULL)
        return;
    assert_success(doca_ctx_stop(service->ctx));
    assert_success(doca_urom_service_destroy(service->service));
    assert_success(doca_pe_destroy(service->pe));
    assert_success(doca_dev_close(service->dev));
    service->service = NULL;
}

uint64_t plugin_id(const struct test_service *service, const char *name)
{
    const struct doca_urom_service_plugin_info *plugins;
    size_t count;

    assert_success(doca_urom_service_get_plugins_list(service->service, &plugins, &count));
    for (size_t i = 0; i < count; ++i) {
        if (strcmp(plugins[i].plugin_name, name) == 0)
            return plugins[i].id;
    }
    fail_msg("the service has no plugin %s", name);
    return 0;
}

void worker_new(struct test_worker *worker, struct doca_pe *pe, const struct test_service *service,
        const char *plugin)
{
    *worker = (struct test_worker){ .pe = pe };
    assert_success(doca_urom_worker_create(&worker->worker));
    worker->ctx = doca_urom_worker_as_ctx(worker->worker);
    assert_success(doca_pe_connect_ctx(pe, worker->ctx));
    assert_success(doca_urom_worker_set_service(worker->worker, service->service));
    assert_success(doca_urom_worker_set_plugins(worker->worker, plugin_id(service, plugin)));
    watch(worker->ctx, &worker->transitions);
}

void worker_run(struct test_worker *worker)
{
    assert_status(DOCA_ERROR_IN_PROGRESS, doca_ctx_start(worker->ctx));
    progress_until(worker->pe, state_of(worker->ctx) != DOCA_CTX_STATE_STARTING, RUN_MS);
    assert_int_equal(DOCA_CTX_STATE_RUNNING, state_of(worker->ctx));
}

void worker_open(struct test_worker *worker, struct doca_pe *pe, const struct test_service *service,
        const char *plugin)
{
    worker_new(worker, pe, service, plugin);
    worker_run(worker);
}

void worker_close(struct test_worker *worker)
{
    if (worker->worker == NULL)
        return;
    if (state_of(worker->ctx) != DOCA_CTX_STATE_IDLE)
        assert_status(DOCA_ERROR_IN_PROGRESS, doca_ctx_stop(worker->ctx));
    progress_until(worker->pe, state_of(worker->ctx) == DOCA_CTX_STATE_IDLE, RUN_MS);
    assert_success(doca_urom_worker_destroy(worker->worker));
    worker->worker = NULL;
}

enum doca_ctx_states state_of(const struct doca_ctx *ctx)
{
    enum doca_ctx_states state;

    assert_success(doca_ctx_get_state(ctx, &state));
    return state;
}

uint64_t id_of(const struct test_worker *worker)
{
    uint64_t id;

    assert_success(doca_urom_worker_get_id(worker->worker, &id));
    return id;
}

void assert_transition(const struct transitions *transitions, unsigned index,
        enum doca_ctx_states from, enum doca_ctx_states to)
{
    assert_true(index < transitions->count);
    assert_int_equal(from, transitions->at[index].from);
    assert_int_equal(to, transitions->at[index].to);
    assert_int_equal(to, transitions->at[index].seen);
}

static void completed(
        struct doca_urom_worker_cmd_task *task, union doca_data task_data, union doca_data ctx_data)
{
    struct test_command *command = task_data.ptr;

    (void)ctx_data;
    assert_ptr_equal(command->task, task);
    command->status = doca_task_get_status(doca_urom_worker_cmd_task_as_task(task));
    command->order = completions++;
    ++command->completions;
    if (command->on_completion != NULL)
        command->on_completion(command);
}

void command_new(struct test_command *command, const struct test_worker *worker, uint64_t plugin)
{
    *command = (struct test_command){ .task = NULL };
    assert_success(doca_urom_worker_cmd_task_allocate_init(worker->worker, plugin, &command->task));
    doca_urom_worker_cmd_task_set_cb(command->task, completed);
    doca_task_set_user_data(
            doca_urom_worker_cmd_task_as_task(command->task), (union doca_data){ .ptr = command });
}

void command_write(struct test_command *command, struct puppet_command what, const char *text)
{
    struct doca_buf *payload = doca_urom_worker_cmd_task_get_payload(command->task);
    size_t length = text == NULL ? 0 : strlen(text);
    void *data;

    assert_success(doca_buf_get_data(payload, &data));
    assert_success(doca_buf_set_data(payload, data, sizeof(what) + length));
    memcpy(data, &what, sizeof(what));
    memcpy((uint8_t *)data + sizeof(what), text == NULL ? "" : text, length);
}

void command_submit(struct test_command *command)
{
    assert_success(doca_task_submit(doca_urom_worker_cmd_task_as_task(command->task)));
}

void command_await(
        struct test_command *command, struct doca_pe *pe, unsigned expected, doca_error_t status)
{
    progress_until(pe, command->completions >= expected, RUN_MS);
    assert_int_equal(expected, command->completions);
    assert_int_equal(status, command->status);
}

void command_hold_back(struct test_command *command)
{
    assert_success(doca_task_submit_ex(
            doca_urom_worker_cmd_task_as_task(command->task), DOCA_TASK_SUBMIT_FLAG_NONE));
}

uint64_t commands_given(const struct test_worker *watcher, uint64_t plugin)
{
    struct test_command look;
    uint64_t sequence;

    command_run(&look, watcher, plugin, (struct puppet_command){ .act = PUPPET_ECHO }, NULL);
    sequence = answer_of(&look)->sequence;
    command_release(&look);
    return sequence;
}

void command_run(struct test_command *command, const struct test_worker *worker, uint64_t plugin,
        struct puppet_command what, const char *text)
{
    command_new(command, worker, plugin);
    command_write(command, what, text);
    command_submit(command);
    command_await(command, worker->pe, 1, DOCA_SUCCESS);
}

void command_release(struct test_command *command)
{
    if (command->task != NULL)
        assert_success(doca_urom_worker_cmd_task_release(command->task));
    command->task = NULL;
}

static size_t response_length(const struct test_command *command)
{
    size_t length;

    assert_success(
            doca_buf_get_data_len(doca_urom_worker_cmd_task_get_response(command->task), &length));
    return length;
}

const struct puppet_notification *answer_of(const struct test_command *command)
{
    void *data;

    assert_success(doca_buf_get_data(doca_urom_worker_cmd_task_get_response(command->task), &data));
    assert_true(response_length(command) >= sizeof(struct puppet_notification));
    return data;
}

size_t text_length(const struct test_command *command)
{
    return response_length(command) - sizeof(struct puppet_notification);
}

pid_t process_of(const struct test_worker *worker, uint64_t plugin)
{
    struct test_command command;
    pid_t pid;

    command_run(&command, worker, plugin, (struct puppet_command){ .act = PUPPET_ECHO }, NULL);
    pid = (pid_t)answer_of(&command)->process_id;
    command_release(&command);
    return pid;
}
