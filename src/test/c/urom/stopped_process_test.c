/* SPDX-License-Identifier: Apache-2.0 */
/* Stopped processes (SIGSTOP) block others at most until the deadlines. */
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include <testing/contexts.h>
#include <testing/daemon.h>
#include <testing/logged.h>

#include "other_host.h"

#define HANG_TIMEOUT "2"
#define HANG_MS 15000 /* until the end of a hung worker is detected, on a loaded machine */
#define STOP_MS 10000 /* 2 s for each of two answers, on a loaded machine */
#define COMMANDS 100
#define LATE_MS 200 /* from the worker's end until the service continues */

static struct test_service service;
static struct test_worker worker;
static uint64_t puppet;

static int group_set_up(void **state)
{
    static const char *const options[] = { "--hang-timeout", HANG_TIMEOUT, NULL };

    (void)state;
    daemon_start(&the_daemon, options);
    return 0;
}

static int set_up(void **state)
{
    (void)state;
    service_open(&service);
    puppet = plugin_id(&service, "worker_puppet");
    worker_open(&worker, service.pe, &service, "worker_puppet");
    log_keep();
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    worker_close(&worker);
    service_close(&service);
    return 0;
}

static void a_worker_that_does_not_answer_is_ended_and_its_hosts_hear_why(void **state)
{
    struct test_command command;
    pid_t pid = process_of(&worker, puppet);

    (void)state;
    command_new(&command, &worker, puppet);
    command_write(&command, (struct puppet_command){ .act = PUPPET_ECHO }, "text");
    assert_int_equal(0, kill(pid, SIGSTOP));
    command_submit(&command);
    progress_until(service.pe, command.completions == 1, HANG_MS);

    assert_int_equal(DOCA_ERROR_CONNECTION_RESET, command.status);
    assert_logged("did not answer for " HANG_TIMEOUT " s");
    command_release(&command);
    progress_until(service.pe, state_of(worker.ctx) == DOCA_CTX_STATE_IDLE, RUN_MS);
}

static void a_service_that_is_late_still_gives_the_reason(void **state)
{
    struct test_command command;
    pid_t pid = process_of(&worker, puppet);
    uint64_t late;

    (void)state;
    command_new(&command, &worker, puppet);
    command_write(&command, (struct puppet_command){ .act = PUPPET_HOLD }, "text");
    command_submit(&command);
    assert_int_equal(0, kill(the_daemon.pid, SIGSTOP));
    assert_int_equal(0, kill(pid, SIGKILL));
    late = deadline_in(LATE_MS);
    progress_until(service.pe, deadline_has_passed(late), RUN_MS);
    assert_int_equal(0, kill(the_daemon.pid, SIGCONT));
    progress_until(service.pe, state_of(worker.ctx) == DOCA_CTX_STATE_IDLE, RUN_MS);

    assert_int_equal(DOCA_ERROR_CONNECTION_RESET, command.status);
    assert_logged("was ended by signal 9 (SIGKILL)");
    command_release(&command);
}

static void a_worker_context_stops_though_its_worker_does_not_answer(void **state)
{
    pid_t pid = process_of(&worker, puppet);

    (void)state;
    assert_int_equal(0, kill(pid, SIGSTOP));
    assert_status(DOCA_ERROR_IN_PROGRESS, doca_ctx_stop(worker.ctx));
    progress_until(service.pe, state_of(worker.ctx) == DOCA_CTX_STATE_IDLE, STOP_MS);
    kill(pid, SIGCONT); /* it may already be killed */
}

static void a_stopped_host_does_not_affect_others_and_continues(void **state)
{
    struct test_command command;
    struct other_host other;
    char id[32];

    (void)state;
    snprintf(id, sizeof(id), "%lu", id_of(&worker));
    other_host_start(&other, (const char *const[]){ id, "flood", NULL });
    assert_int_equal(0, kill(other.pid, SIGSTOP));
    for (unsigned i = 0; i < COMMANDS; ++i) {
        command_run(&command, &worker, puppet, (struct puppet_command){ .act = PUPPET_ECHO }, "a");
        command_release(&command);
    }
    assert_int_equal(0, kill(other.pid, SIGCONT));
    other_host_stop(&other);
}

static void a_service_that_is_stopped_keeps_no_command_waiting(void **state)
{
    struct test_command command;

    (void)state;
    assert_int_equal(0, kill(the_daemon.pid, SIGSTOP));
    for (unsigned i = 0; i < COMMANDS; ++i) {
        command_run(&command, &worker, puppet, (struct puppet_command){ .act = PUPPET_ECHO }, "a");
        command_release(&command);
    }
    assert_status(DOCA_ERROR_IN_PROGRESS, doca_ctx_stop(worker.ctx));
    progress_until(service.pe, state_of(worker.ctx) == DOCA_CTX_STATE_IDLE, STOP_MS);
    assert_int_equal(0, kill(the_daemon.pid, SIGCONT));
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
        TEST(a_worker_that_does_not_answer_is_ended_and_its_hosts_hear_why),
        TEST(a_service_that_is_late_still_gives_the_reason),
        TEST(a_worker_context_stops_though_its_worker_does_not_answer),
        TEST(a_stopped_host_does_not_affect_others_and_continues),
        TEST(a_service_that_is_stopped_keeps_no_command_waiting),
    };

    return cmocka_run_group_tests(tests, group_set_up, daemon_tear_down);
}
