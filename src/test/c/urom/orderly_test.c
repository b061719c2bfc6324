/* SPDX-License-Identifier: Apache-2.0 */
/* Hosts that disconnect in an orderly way cause no warnings in the logs of service and worker. */
#include <testing/contexts.h>
#include <testing/daemon.h>

#define STARTS 20

static const char *const complaints[] = { "[WRN]", "[ERR]", "[CRT]", NULL };
static const char *const lines_of_ucx[] = { "UCX  ", NULL };

static struct test_service service;
static struct test_worker worker;

static int set_up(void **state)
{
    (void)state;
    service_open(&service);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    worker_close(&worker);
    service_close(&service);
    await(daemon_workers(&the_daemon) == 0, RUN_MS);
    return 0;
}

static void a_host_that_stops_and_goes_is_no_complaint(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 5; ++i) {
        worker_open(&worker, service.pe, &service, "worker_puppet");
        process_of(&worker, plugin_id(&service, "worker_puppet"));
        worker_close(&worker);
        service_close(&service);
        service_open(&service);
    }
    await(daemon_workers(&the_daemon) == 0, RUN_MS);
    daemon_logs_lack(&the_daemon, complaints);
}

/* Stops some contexts during the request to the service, and some while connecting. */
static void a_host_that_stops_while_it_starts_is_no_complaint(void **state)
{
    (void)state;
    worker_new(&worker, service.pe, &service, "worker_puppet");
    for (unsigned i = 0; i < STARTS; ++i) {
        assert_status(DOCA_ERROR_IN_PROGRESS, doca_ctx_start(worker.ctx));
        await((doca_pe_progress(service.pe), daemon_workers(&the_daemon) > 0), RUN_MS);
        for (unsigned calls = 0; calls < i * i * i; ++calls)
            doca_pe_progress(service.pe);
        doca_ctx_stop(worker.ctx);
        progress_until(service.pe, state_of(worker.ctx) == DOCA_CTX_STATE_IDLE, RUN_MS);
        worker.transitions.count = 0;
        await(daemon_workers(&the_daemon) == 0, RUN_MS);
    }
    daemon_logs_lack(&the_daemon, complaints);
}

/* UCX logs warnings about unknown variables. */
static void what_ucx_prints_is_in_no_log(void **state)
{
    char variable[] = "UCX_NO_SUCH_SETTING=1";
    char *environment[] = { variable };

    (void)state;
    worker_new(&worker, service.pe, &service, "worker_sandbox");
    assert_success(doca_urom_worker_set_env(worker.worker, environment, 1));
    worker_run(&worker);
    worker_close(&worker);
    await(daemon_workers(&the_daemon) == 0, RUN_MS);
    daemon_logs_lack(&the_daemon, lines_of_ucx);
    daemon_logs_lack(&the_daemon, complaints);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
        TEST(a_host_that_stops_and_goes_is_no_complaint),
        TEST(a_host_that_stops_while_it_starts_is_no_complaint),
        TEST(what_ucx_prints_is_in_no_log),
    };

    return cmocka_run_group_tests(tests, daemon_set_up, daemon_tear_down);
}
