/* SPDX-License-Identifier: Apache-2.0 */
/* Worker contexts that run out of descriptors while they start or stop. */
#include <errno.h>

#include <jurom.h>
#include <testing/contexts.h>
#include <testing/daemon.h>

#include "fault_table.h"

#define PLUGIN "worker_puppet"
#define EXIT_MS 10000

static struct test_service service;
static struct test_worker worker;

static int set_up(void **state)
{
    (void)state;
    fault_table_clear();
    service_open(&service);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    fault_table_clear();
    worker_close(&worker);
    service_close(&service);
    return 0;
}

static void fail_timer(int64_t skip)
{
    fault_set(FAULT_CALL_deadline_timer_make, FAULT_ROLE_HOST, FAULT_FAIL, EMFILE);
    atomic_store(&fault_row(FAULT_CALL_deadline_timer_make)->skip, skip);
}

/* A stop waits for two answers, each with a deadline. */
static void a_stop_ends_without_a_timer_for_its_second_answer(void **state)
{
    (void)state;
    worker_open(&worker, service.pe, &service, PLUGIN);
    fail_timer(1);

    worker_close(&worker);

    await(daemon_workers(&the_daemon) == 0, EXIT_MS);
}

static void a_worker_is_released_without_a_timer(void **state)
{
    (void)state;
    worker_open(&worker, service.pe, &service, PLUGIN);
    fail_timer(0);

    worker_close(&worker);

    await(daemon_workers(&the_daemon) == 0, EXIT_MS);
    assert_int_equal(1, fault_events());
}

static void a_worker_that_cannot_be_connected_is_not_counted(void **state)
{
    struct jurom_urom_counters counters;

    (void)state;
    worker_new(&worker, service.pe, &service, PLUGIN);
    fault_set(FAULT_CALL_socket_connect, FAULT_ROLE_HOST, FAULT_FAIL, ECONNREFUSED);
    assert_status(DOCA_ERROR_IN_PROGRESS, doca_ctx_start(worker.ctx));
    progress_until(service.pe, state_of(worker.ctx) == DOCA_CTX_STATE_IDLE, RUN_MS);

    assert_int_equal(1, fault_events());
    assert_success(jurom_urom_service_get_counters(service.service, &counters));
    assert_int_equal(0, counters.workers);
}

#define test(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(int count, char **arguments)
{
    const struct CMUnitTest tests[] = {
        test(a_stop_ends_without_a_timer_for_its_second_answer),
        test(a_worker_is_released_without_a_timer),
        test(a_worker_that_cannot_be_connected_is_not_counted),
    };

    (void)count;
    fault_table_begin(arguments);
    return cmocka_run_group_tests(tests, daemon_set_up, daemon_tear_down);
}
