/* SPDX-License-Identifier: Apache-2.0 */
/* Batches: many commands submitted without DOCA_TASK_SUBMIT_FLAG_FLUSH and then flushed. */
#include <signal.h>
#include <string.h>

#include <testing/contexts.h>
#include <testing/daemon.h>

#define TASKS 256
#define FEW 7     /* too few to be published without a flush */
#define LONG 4000 /* bytes: TASKS of them are four times the size of a ring */
#define LOOKS 20

static struct test_service service;
static struct test_worker worker, watcher;
static struct doca_pe *pe; /* of `worker` only */
static struct test_command commands[TASKS];
static uint64_t puppet;

static int set_up(void **state)
{
    (void)state;
    service_open(&service);
    puppet = plugin_id(&service, "worker_puppet");
    assert_success(doca_pe_create(&pe));
    worker_new(&worker, pe, &service, "worker_puppet");
    assert_success(doca_urom_worker_set_max_inflight_tasks(worker.worker, TASKS));
    worker_run(&worker);
    worker_new(&watcher, service.pe, &service, "worker_puppet");
    assert_success(doca_urom_worker_set_id(watcher.worker, id_of(&worker)));
    worker_run(&watcher);
    for (unsigned i = 0; i < TASKS; ++i)
        command_new(&commands[i], &worker, puppet);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    for (unsigned i = 0; i < TASKS; ++i)
        command_release(&commands[i]);
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

static void hold_back(unsigned count, const char *text)
{
    for (unsigned i = 0; i < count; ++i) {
        command_write(&commands[i], (struct puppet_command){ .act = PUPPET_ECHO }, text);
        command_hold_back(&commands[i]);
    }
}

/* Checks the number of completions, and that completions and the plugin kept the order. */
static void assert_in_order(unsigned count, unsigned times)
{
    for (unsigned i = 0; i < count; ++i) {
        command_await(&commands[i], pe, times, DOCA_SUCCESS);
        assert_int_equal(commands[0].order + i, commands[i].order);
        assert_int_equal(answer_of(&commands[0])->sequence + i, answer_of(&commands[i])->sequence);
    }
}

static void what_is_held_back_is_not_seen_before_it_is_flushed(void **state)
{
    uint64_t before = given();
    unsigned looks = 0;

    (void)state;
    hold_back(FEW, NULL);
    while (looks < LOOKS)
        assert_int_equal(before + ++looks, given());
    doca_ctx_flush_tasks(worker.ctx);

    await(given() == before + FEW + ++looks, RUN_MS);
    assert_in_order(FEW, 1);
}

static void a_batch_is_carried_out_in_its_order(void **state)
{
    unsigned sizes[] = { 1, 2, 7, 8, 9, 16, 31, 100, TASKS };
    unsigned done[TASKS] = { 0 };

    (void)state;
    for (unsigned round = 0; round < sizeof(sizes) / sizeof(*sizes); ++round) {
        hold_back(sizes[round], "some text");
        if (round % 2 == 0)
            doca_ctx_flush_tasks(worker.ctx);
        for (unsigned i = 0; i < sizes[round]; ++i)
            command_await(&commands[i], pe, ++done[i], DOCA_SUCCESS);
        for (unsigned i = 0; i < sizes[round]; ++i)
            assert_int_equal(commands[0].order + i, commands[i].order);
    }
}

/* The worker is stopped until all commands are submitted. */
static void a_batch_may_be_longer_than_the_ring(void **state)
{
    static char text[LONG + 1];
    pid_t pid = process_of(&watcher, puppet);

    (void)state;
    memset(text, 'x', LONG);
    assert_int_equal(0, kill(pid, SIGSTOP));
    hold_back(TASKS, text);
    doca_ctx_flush_tasks(worker.ctx);
    assert_int_equal(0, kill(pid, SIGCONT));

    assert_in_order(TASKS, 1);
    for (unsigned i = 0; i < TASKS; ++i)
        assert_int_equal(LONG, text_length(&commands[i]));
}

static void progress_runs_one_callback_though_many_answers_are_there(void **state)
{
    unsigned completed = 0;
    uint64_t deadline = deadline_in(RUN_MS);

    (void)state;
    hold_back(TASKS, NULL);
    doca_ctx_flush_tasks(worker.ctx);
    while (completed < TASKS) {
        unsigned before = completed;
        uint8_t progressed = doca_pe_progress(pe);

        completed = 0;
        for (unsigned i = 0; i < TASKS; ++i)
            completed += commands[i].completions;
        assert_int_equal(progressed, completed - before);
        assert_false(deadline_has_passed(deadline));
    }
}

static void each_of_a_batch_fails_once_when_the_context_stops(void **state)
{
    (void)state;
    hold_back(TASKS, NULL);
    assert_status(DOCA_ERROR_IN_PROGRESS, doca_ctx_stop(worker.ctx));
    progress_until(pe, state_of(worker.ctx) == DOCA_CTX_STATE_IDLE, RUN_MS);

    for (unsigned i = 0; i < TASKS; ++i) {
        assert_int_equal(1, commands[i].completions);
        assert_int_equal(DOCA_ERROR_SHUTDOWN, commands[i].status);
    }
}

static void each_of_a_batch_fails_once_when_the_worker_is_killed(void **state)
{
    pid_t pid = process_of(&watcher, puppet);

    (void)state;
    assert_int_equal(0, kill(pid, SIGSTOP));
    hold_back(TASKS, NULL);
    assert_int_equal(0, kill(pid, SIGKILL));
    progress_until(pe, state_of(worker.ctx) == DOCA_CTX_STATE_IDLE, RUN_MS);
    progress_until(service.pe, state_of(watcher.ctx) == DOCA_CTX_STATE_IDLE, RUN_MS);

    for (unsigned i = 0; i < TASKS; ++i) {
        assert_int_equal(1, commands[i].completions);
        assert_int_equal(DOCA_ERROR_CONNECTION_RESET, commands[i].status);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
        TEST(what_is_held_back_is_not_seen_before_it_is_flushed),
        TEST(a_batch_is_carried_out_in_its_order),
        TEST(a_batch_may_be_longer_than_the_ring),
        TEST(progress_runs_one_callback_though_many_answers_are_there),
        TEST(each_of_a_batch_fails_once_when_the_context_stops),
        TEST(each_of_a_batch_fails_once_when_the_worker_is_killed),
    };

    return cmocka_run_group_tests(tests, daemon_set_up, daemon_tear_down);
}
