/* SPDX-License-Identifier: Apache-2.0 */
/* Deadlines and cancellation of command tasks, by the functions of jurom.h. */
#include <signal.h>
#include <string.h>
#include <time.h>

#include <common/idle.h>
#include <doca_buf.h>
#include <jurom.h>
#include <testing/contexts.h>
#include <testing/daemon.h>

#define TASKS 256
#define LONG 4000 /* bytes: TASKS of them are four times the size of a ring */
#define FOREVER_MS 60000

static struct test_service service;
static struct test_worker worker;
static struct test_command commands[TASKS];
static uint64_t puppet;

static int set_up(void **state)
{
    (void)state;
    service_open(&service);
    puppet = plugin_id(&service, "worker_puppet");
    worker_new(&worker, service.pe, &service, "worker_puppet");
    assert_success(doca_urom_worker_set_max_inflight_tasks(worker.worker, TASKS));
    worker_run(&worker);
    for (unsigned i = 0; i < TASKS - 1; ++i)
        command_new(&commands[i], &worker, puppet);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    for (unsigned i = 0; i < TASKS - 1; ++i)
        command_release(&commands[i]);
    worker_close(&worker);
    service_close(&service);
    return 0;
}

static void start(unsigned index, uint32_t act, uint64_t count, const char *text)
{
    command_write(&commands[index], (struct puppet_command){ .act = act, .count = count }, text);
    command_submit(&commands[index]);
}

static void cancel(unsigned index)
{
    assert_success(jurom_urom_worker_cmd_task_cancel(commands[index].task));
}

static void a_command_is_not_started_after_its_deadline(void **state)
{
    (void)state;
    assert_success(jurom_urom_worker_cmd_task_set_deadline(commands[0].task, 1));
    start(0, PUPPET_ECHO, 0, "late");
    command_await(&commands[0], service.pe, 1, DOCA_ERROR_TIME_OUT);
    start(0, PUPPET_ECHO, 0, "without a deadline");
    command_await(&commands[0], service.pe, 2, DOCA_SUCCESS);
}

/* The worker's clock is that of this process, and the host may take it for earlier. */
static void a_plugin_reads_the_deadline(void **state)
{
    uint64_t deadline = idle_now_ns() + UINT64_C(3600000000000);
    uint64_t seen;

    (void)state;
    assert_success(jurom_urom_worker_cmd_task_set_deadline(commands[0].task, deadline));
    start(0, PUPPET_DEADLINE, 0, NULL);
    command_await(&commands[0], service.pe, 1, DOCA_SUCCESS);
    memcpy(&seen, answer_of(&commands[0])->bytes, sizeof(seen));
    assert_true(seen >= deadline && seen <= deadline + UINT64_C(20000000000));
}

static void the_bytes_behind_a_payload_are_kept(void **state)
{
    struct doca_buf *payload = doca_urom_worker_cmd_task_get_payload(commands[0].task);
    void *data;
    size_t length;

    (void)state;
    assert_success(jurom_urom_worker_cmd_task_set_deadline(commands[0].task, UINT64_MAX / 4));
    command_write(&commands[0], (struct puppet_command){ .act = PUPPET_ECHO }, "text");
    assert_success(doca_buf_get_data(payload, &data));
    assert_success(doca_buf_get_data_len(payload, &length));
    memcpy((uint8_t *)data + length, "behind it", 9);
    command_submit(&commands[0]);
    command_await(&commands[0], service.pe, 1, DOCA_SUCCESS);
    assert_memory_equal((uint8_t *)data + length, "behind it", 9);
    assert_int_equal(4, text_length(&commands[0]));
}

static void a_held_command_completes_when_it_is_cancelled(void **state)
{
    (void)state;
    start(0, PUPPET_HOLD, 0, NULL);
    start(1, PUPPET_ECHO, 0, NULL);
    command_await(&commands[1], service.pe, 1, DOCA_SUCCESS);
    cancel(0);
    cancel(0); /* no effect */
    command_await(&commands[0], service.pe, 1, DOCA_ERROR_SKIPPED);
    assert_status(DOCA_ERROR_BAD_STATE, jurom_urom_worker_cmd_task_cancel(commands[0].task));
    start(1, PUPPET_CANCELLED, 0, NULL);
    command_await(&commands[1], service.pe, 2, DOCA_SUCCESS);
    assert_int_equal(1, *(const uint8_t *)answer_of(&commands[1])->bytes);
    assert_int_equal(1, commands[0].completions);
}

static void a_running_command_detects_its_cancellation(void **state)
{
    (void)state;
    start(0, PUPPET_WORK, FOREVER_MS, NULL);
    start(1, PUPPET_ECHO, 0, NULL);
    cancel(1);
    cancel(0);
    command_await(&commands[0], service.pe, 1, DOCA_ERROR_SKIPPED);
    command_await(&commands[1], service.pe, 1, DOCA_ERROR_SKIPPED);
}

/* More commands than the ring has room for: the last ones wait in the library. */
static void a_command_of_which_no_byte_was_sent_completes_without_the_worker(void **state)
{
    pid_t process = process_of(&worker, puppet);
    static char text[LONG + 1];

    (void)state;
    memset(text, 'x', LONG);
    assert_int_equal(0, kill(process, SIGSTOP));
    for (unsigned i = 0; i < TASKS - 1; ++i)
        start(i, PUPPET_ECHO, 0, text);
    for (unsigned i = TASKS / 2; i < TASKS - 1; i += 2)
        cancel(i);
    for (unsigned i = TASKS / 2; i < TASKS - 1; i += 2)
        command_await(&commands[i], service.pe, 1, DOCA_ERROR_SKIPPED);
    assert_int_equal(0, kill(process, SIGCONT));
    for (unsigned i = 0; i < TASKS - 1; ++i)
        command_await(&commands[i], service.pe, 1,
                i >= TASKS / 2 && (i - TASKS / 2) % 2 == 0 ? DOCA_ERROR_SKIPPED : DOCA_SUCCESS);
}

/* Cancellations race with the answers. Each command completes once, and none has another's answer. */
static void cancellations_race_with_answers(void **state)
{
    (void)state;
    for (unsigned round = 1; round <= 200; ++round) {
        for (unsigned i = 0; i < 8; ++i)
            start(i, PUPPET_LATER, i % 3, "race");
        for (unsigned i = 0; i < round % 50; ++i)
            doca_pe_progress(service.pe);
        for (unsigned i = 0; i < 8; ++i)
            jurom_urom_worker_cmd_task_cancel(commands[i].task);
        for (unsigned i = 0; i < 8; ++i)
            progress_until(service.pe, commands[i].completions >= round, RUN_MS);
        for (unsigned i = 0; i < 8; ++i) {
            assert_int_equal(round, commands[i].completions);
            assert_true(
                    commands[i].status == DOCA_SUCCESS || commands[i].status == DOCA_ERROR_SKIPPED);
        }
    }
}

static void invalid_calls_return_errors(void **state)
{
    (void)state;
    assert_status(DOCA_ERROR_INVALID_VALUE, jurom_urom_worker_cmd_task_cancel(NULL));
    assert_status(DOCA_ERROR_INVALID_VALUE, jurom_urom_worker_cmd_task_set_deadline(NULL, 1));
    assert_status(DOCA_ERROR_BAD_STATE, jurom_urom_worker_cmd_task_cancel(commands[0].task));
    start(0, PUPPET_HOLD, 0, NULL);
    assert_status(
            DOCA_ERROR_BAD_STATE, jurom_urom_worker_cmd_task_set_deadline(commands[0].task, 1));
    cancel(0);
    command_await(&commands[0], service.pe, 1, DOCA_ERROR_SKIPPED);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
        TEST(a_command_is_not_started_after_its_deadline),
        TEST(a_plugin_reads_the_deadline),
        TEST(the_bytes_behind_a_payload_are_kept),
        TEST(a_held_command_completes_when_it_is_cancelled),
        TEST(a_running_command_detects_its_cancellation),
        TEST(a_command_of_which_no_byte_was_sent_completes_without_the_worker),
        TEST(cancellations_race_with_answers),
        TEST(invalid_calls_return_errors),
    };

    return cmocka_run_group_tests(tests, daemon_set_up, daemon_tear_down);
}
