/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Events that send commands submitted without DOCA_TASK_SUBMIT_FLAG_FLUSH. A second context of the
 * same worker process reads the plugin's count of received commands.
 */
#include <poll.h>

#include <testing/contexts.h>
#include <testing/daemon.h>

#define MANY 64 /* number of tasks of a context */
#define LOOKS 20

static struct test_service service;
static struct test_worker worker, watcher;
static struct doca_pe *pe; /* of `worker` only */
static struct test_command command;
static uint64_t puppet;

static int set_up(void **state)
{
    (void)state;
    service_open(&service);
    puppet = plugin_id(&service, "worker_puppet");
    assert_success(doca_pe_create(&pe));
    worker_open(&worker, pe, &service, "worker_puppet");
    worker_new(&watcher, service.pe, &service, "worker_puppet");
    assert_success(doca_urom_worker_set_id(watcher.worker, id_of(&worker)));
    worker_run(&watcher);
    command_new(&command, &worker, puppet);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    command_release(&command);
    worker_close(&worker);
    worker_close(&watcher);
    assert_success(doca_pe_destroy(pe));
    service_close(&service);
    return 0;
}

/* Returns the number of commands that the worker has received. Does not progress `worker`. */
static uint64_t given(void)
{
    return commands_given(&watcher, puppet);
}

static void submit_without_flush(struct test_command *submitted, enum puppet_act act)
{
    command_write(submitted, (struct puppet_command){ .act = act }, NULL);
    command_hold_back(submitted);
}

/* Submits `command`, which must not be sent. Returns the number of commands received before. */
static uint64_t hold_back(void)
{
    uint64_t before = given();

    submit_without_flush(&command, PUPPET_ECHO);
    for (unsigned i = 1; i <= LOOKS; ++i)
        assert_int_equal(before + i, given());
    return before + LOOKS;
}

/* Waits until the worker has received a command, not counting those that query the count. */
static void await_given(uint64_t before)
{
    unsigned looks = 0;

    await(given() > before + ++looks, RUN_MS);
}

static void a_flush_sends_what_was_held_back(void **state)
{
    uint64_t before = hold_back();

    (void)state;
    doca_ctx_flush_tasks(worker.ctx);

    await_given(before);
    command_await(&command, pe, 1, DOCA_SUCCESS);
}

static void progress_sends_what_was_held_back(void **state)
{
    uint64_t before = hold_back();

    (void)state;
    doca_pe_progress(pe); /* the answer may arrive in the same call */

    await_given(before);
    command_await(&command, pe, 1, DOCA_SUCCESS);
}

static void a_request_for_a_notification_sends_what_was_held_back(void **state)
{
    struct pollfd wait = { .events = POLLIN };

    (void)state;
    hold_back();
    assert_success(doca_pe_get_notification_handle(pe, &wait.fd));

    do {
        assert_success(doca_pe_request_notification(pe));
        assert_int_equal(1, poll(&wait, 1, RUN_MS));
        assert_success(doca_pe_clear_notification(pe, wait.fd));
        while (doca_pe_progress(pe) != 0)
            ;
    } while (command.completions == 0);
    assert_int_equal(DOCA_SUCCESS, command.status);
}

static void a_submission_with_flush_sends_those_before_it(void **state)
{
    uint64_t before = hold_back();
    struct test_command flushing;

    (void)state;
    command_new(&flushing, &worker, puppet);
    command_write(&flushing, (struct puppet_command){ .act = PUPPET_ECHO }, NULL);
    command_submit(&flushing);

    await_given(before);
    command_await(&flushing, pe, 1, DOCA_SUCCESS);
    assert_int_equal(1, command.completions);
    command_release(&flushing);
}

static void one_flush_is_enough_for_all_tasks_again_and_again(void **state)
{
    static struct test_command commands[MANY];
    unsigned count = MANY - 1; /* `command` has one */

    (void)state;
    for (unsigned i = 0; i < count; ++i)
        command_new(&commands[i], &worker, puppet);
    for (unsigned round = 1; round <= 20; ++round) {
        for (unsigned i = 0; i < count; ++i)
            submit_without_flush(&commands[i], PUPPET_ECHO);
        doca_ctx_flush_tasks(worker.ctx);
        for (unsigned i = 0; i < count; ++i)
            command_await(&commands[i], pe, round, DOCA_SUCCESS);
    }
    for (unsigned i = 0; i < count; ++i)
        command_release(&commands[i]);
}

static void a_flush_ends_nothing(void **state)
{
    struct test_command release;
    size_t inflight;

    (void)state;
    submit_without_flush(&command, PUPPET_HOLD);
    for (unsigned i = 0; i < LOOKS; ++i) {
        doca_ctx_flush_tasks(worker.ctx);
        given();
        assert_int_equal(0, doca_pe_progress(pe));
    }
    assert_success(doca_ctx_get_num_inflight_tasks(worker.ctx, &inflight));
    assert_int_equal(1, inflight);

    command_run(&release, &watcher, puppet, (struct puppet_command){ .act = PUPPET_LET_GO }, NULL);
    command_await(&command, pe, 1, DOCA_SUCCESS);
    command_release(&release);
}

static void what_is_held_back_when_the_context_stops_fails(void **state)
{
    (void)state;
    hold_back();

    assert_status(DOCA_ERROR_IN_PROGRESS, doca_ctx_stop(worker.ctx));
    doca_ctx_flush_tasks(worker.ctx);
    progress_until(pe, state_of(worker.ctx) == DOCA_CTX_STATE_IDLE, RUN_MS);

    assert_int_equal(1, command.completions);
    assert_int_equal(DOCA_ERROR_SHUTDOWN, command.status);
    doca_ctx_flush_tasks(worker.ctx);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
        TEST(a_flush_sends_what_was_held_back),
        TEST(progress_sends_what_was_held_back),
        TEST(a_request_for_a_notification_sends_what_was_held_back),
        TEST(a_submission_with_flush_sends_those_before_it),
        TEST(one_flush_is_enough_for_all_tasks_again_and_again),
        TEST(a_flush_ends_nothing),
        TEST(what_is_held_back_when_the_context_stops_fails),
    };

    return cmocka_run_group_tests(tests, daemon_set_up, daemon_tear_down);
}
