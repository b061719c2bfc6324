/* SPDX-License-Identifier: Apache-2.0 */
/* A daemon that exits while a service context runs, before or after the context detects it. */
#include <signal.h>

#include <jurom.h>

#include <testing/contexts.h>
#include <testing/daemon.h>
#include <testing/logged.h>

static struct test_service service;

static int set_up(void **state)
{
    (void)state;
    daemon_start(&the_daemon, NULL);
    service_open(&service);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    service_close(&service);
    daemon_stop(&the_daemon);
    return 0;
}

static void assert_stops_at_once(unsigned changes)
{
    unsigned transitions = service.transitions.count;

    assert_success(doca_ctx_stop(service.ctx));

    assert_int_equal(DOCA_CTX_STATE_IDLE, state_of(service.ctx));
    assert_int_equal(transitions + changes, service.transitions.count);
    for (unsigned i = 0; i < 100; ++i)
        assert_int_equal(0, doca_pe_progress(service.pe));
}

static void a_service_stops_at_once_that_has_not_noticed_the_end_of_its_daemon(void **state)
{
    (void)state;
    daemon_kill(&the_daemon);

    assert_stops_at_once(2);
}

static void a_service_stops_at_once_whose_failure_is_under_way(void **state)
{
    (void)state;
    daemon_kill(&the_daemon);
    progress_until(service.pe, state_of(service.ctx) == DOCA_CTX_STATE_STOPPING, RUN_MS);

    assert_stops_at_once(1);
}

static void starts_that_fail_do_not_count_as_workers(void **state)
{
    struct test_worker worker;
    struct doca_pe *pe; /* connects separately */
    doca_error_t failure;

    (void)state;
    assert_success(doca_ctx_stop(service.ctx));
    assert_success(doca_urom_service_set_max_workers(service.service, 1));
    assert_success(doca_ctx_start(service.ctx));
    assert_success(doca_pe_create(&pe));
    worker_new(&worker, pe, &service, "worker_puppet");
    daemon_kill(&the_daemon);

    failure = doca_ctx_start(worker.ctx);

    assert_int_not_equal(DOCA_ERROR_IN_PROGRESS, failure);
    assert_int_not_equal(DOCA_ERROR_FULL, failure);
    assert_status(failure, doca_ctx_start(worker.ctx));
    worker_close(&worker);
    assert_success(doca_pe_destroy(pe));
}

/* Programs of the vendor's library learn the reason from the log only. */
static void a_start_that_ends_with_the_daemon_is_explained_in_the_log(void **state)
{
    struct test_worker worker;
    doca_error_t error;
    const char *why;

    (void)state;
    log_keep();
    worker_new(&worker, service.pe, &service, "worker_puppet");
    assert_int_equal(0, kill(the_daemon.pid, SIGSTOP)); /* so that it does not answer */
    assert_status(DOCA_ERROR_IN_PROGRESS, doca_ctx_start(worker.ctx));
    daemon_kill(&the_daemon);

    progress_until(service.pe, state_of(worker.ctx) == DOCA_CTX_STATE_IDLE, RUN_MS);

    why = jurom_urom_worker_get_refusal(worker.worker, &error);
    assert_status(DOCA_ERROR_CONNECTION_RESET, error);
    assert_string_not_equal("", why);
    assert_logged(why);
    worker_close(&worker);
}

static void keep_status(struct doca_urom_service_get_workers_by_gid_task *task,
        union doca_data task_data, union doca_data ctx_data)
{
    doca_error_t *status = task_data.ptr;

    (void)ctx_data;
    *status = doca_task_get_status(doca_urom_service_get_workers_by_gid_task_as_task(task));
}

static void a_request_for_a_group_fails_when_its_daemon_ends(void **state)
{
    struct doca_urom_service_get_workers_by_gid_task *task;
    doca_error_t status = DOCA_ERROR_UNKNOWN;
    struct doca_task *base;

    (void)state;
    assert_int_equal(0, kill(the_daemon.pid, SIGSTOP)); /* so that it does not answer */
    assert_success(doca_urom_service_get_workers_by_gid_task_allocate_init(
            service.service, 1, keep_status, &task));
    base = doca_urom_service_get_workers_by_gid_task_as_task(task);
    doca_task_set_user_data(base, (union doca_data){ .ptr = &status });
    assert_success(doca_task_submit(base));
    daemon_kill(&the_daemon);

    progress_until(service.pe, status != DOCA_ERROR_UNKNOWN, RUN_MS);

    assert_status(DOCA_ERROR_CONNECTION_RESET, status);
    assert_success(doca_urom_service_get_workers_by_gid_task_release(task));
}

/* The connection of a stopped worker does not end, as that over a cut link. */
static void a_worker_whose_connection_does_not_end_is_lost_with_its_service(void **state)
{
    struct test_worker worker;
    pid_t pid;

    (void)state;
    log_keep();
    worker_open(&worker, service.pe, &service, "worker_puppet");
    pid = process_of(&worker, plugin_id(&service, "worker_puppet"));
    assert_int_equal(0, kill(pid, SIGSTOP));
    daemon_kill(&the_daemon);

    progress_until(service.pe, state_of(worker.ctx) == DOCA_CTX_STATE_STOPPING, RUN_MS);

    assert_logged("was lost with the connection to its service: The peer has disconnected");
    kill(pid, SIGKILL);
    worker_close(&worker);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
        TEST(a_service_stops_at_once_that_has_not_noticed_the_end_of_its_daemon),
        TEST(a_service_stops_at_once_whose_failure_is_under_way),
        TEST(starts_that_fail_do_not_count_as_workers),
        TEST(a_start_that_ends_with_the_daemon_is_explained_in_the_log),
        TEST(a_request_for_a_group_fails_when_its_daemon_ends),
        TEST(a_worker_whose_connection_does_not_end_is_lost_with_its_service),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
