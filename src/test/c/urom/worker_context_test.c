/* SPDX-License-Identifier: Apache-2.0 */
/* The worker context: states and settings. */
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include <testing/contexts.h>
#include <testing/daemon.h>
#include <testing/logged.h>

static struct test_service service;
static struct test_worker worker;

static int set_up(void **state)
{
    (void)state;
    service_open(&service);
    worker_new(&worker, service.pe, &service, "worker_puppet");
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

static void a_worker_starts_inside_a_progress_call_that_returns_1(void **state)
{
    (void)state;
    assert_status(DOCA_ERROR_IN_PROGRESS, doca_ctx_start(worker.ctx));
    assert_int_equal(DOCA_CTX_STATE_STARTING, state_of(worker.ctx));
    assert_transition(&worker.transitions, 0, DOCA_CTX_STATE_IDLE, DOCA_CTX_STATE_STARTING);

    progress_to_event(service.pe); /* handshakes return 0 */

    assert_int_equal(2, worker.transitions.count);
    assert_transition(&worker.transitions, 1, DOCA_CTX_STATE_STARTING, DOCA_CTX_STATE_RUNNING);
}

static void a_worker_stops_inside_a_progress_call_that_returns_1(void **state)
{
    (void)state;
    worker_run(&worker);

    assert_status(DOCA_ERROR_IN_PROGRESS, doca_ctx_stop(worker.ctx));
    assert_int_equal(DOCA_CTX_STATE_STOPPING, state_of(worker.ctx));
    assert_transition(&worker.transitions, 2, DOCA_CTX_STATE_RUNNING, DOCA_CTX_STATE_STOPPING);
    assert_status(DOCA_ERROR_IN_PROGRESS, doca_ctx_stop(worker.ctx));

    progress_to_event(service.pe);

    assert_int_equal(4, worker.transitions.count);
    assert_transition(&worker.transitions, 3, DOCA_CTX_STATE_STOPPING, DOCA_CTX_STATE_IDLE);
    assert_success(doca_ctx_stop(worker.ctx));
}

static void a_worker_that_is_stopped_while_it_starts_does_not_run(void **state)
{
    (void)state;
    for (unsigned calls = 0; calls < 3; ++calls) {
        assert_status(DOCA_ERROR_IN_PROGRESS, doca_ctx_start(worker.ctx));
        for (unsigned i = 0; i < calls; ++i)
            assert_int_equal(0, doca_pe_progress(service.pe));

        assert_status(DOCA_ERROR_IN_PROGRESS, doca_ctx_stop(worker.ctx));
        progress_until(service.pe, state_of(worker.ctx) == DOCA_CTX_STATE_IDLE, RUN_MS);

        assert_transition(&worker.transitions, 3 * calls + 1, DOCA_CTX_STATE_STARTING,
                DOCA_CTX_STATE_STOPPING);
        assert_transition(
                &worker.transitions, 3 * calls + 2, DOCA_CTX_STATE_STOPPING, DOCA_CTX_STATE_IDLE);
    }
    await(daemon_workers(&the_daemon) == 0, RUN_MS);
}

static void a_worker_that_is_stopped_before_anybody_saw_it_run_does_not_run(void **state)
{
    (void)state;
    assert_status(DOCA_ERROR_IN_PROGRESS, doca_ctx_start(worker.ctx));
    await(daemon_workers(&the_daemon) == 1, RUN_MS);

    assert_status(DOCA_ERROR_IN_PROGRESS, doca_ctx_stop(worker.ctx));
    progress_until(service.pe, state_of(worker.ctx) == DOCA_CTX_STATE_IDLE, RUN_MS);

    assert_int_equal(3, worker.transitions.count);
    await(daemon_workers(&the_daemon) == 0, RUN_MS);
}

static void a_worker_runs_again_after_its_stop(void **state)
{
    uint64_t plugin = plugin_id(&service, "worker_puppet");

    (void)state;
    for (unsigned i = 0; i < 3; ++i) {
        worker_run(&worker);
        assert_int_not_equal(0, process_of(&worker, plugin));
        assert_status(DOCA_ERROR_IN_PROGRESS, doca_ctx_stop(worker.ctx));
        progress_until(service.pe, state_of(worker.ctx) == DOCA_CTX_STATE_IDLE, RUN_MS);
    }
}

static void a_worker_is_destroyed_only_while_it_is_idle(void **state)
{
    (void)state;
    assert_status(DOCA_ERROR_IN_PROGRESS, doca_ctx_start(worker.ctx));
    assert_status(DOCA_ERROR_NOT_PERMITTED, doca_urom_worker_destroy(worker.worker));
    progress_until(service.pe, state_of(worker.ctx) == DOCA_CTX_STATE_RUNNING, RUN_MS);
    assert_status(DOCA_ERROR_NOT_PERMITTED, doca_urom_worker_destroy(worker.worker));
    assert_status(DOCA_ERROR_IN_PROGRESS, doca_ctx_stop(worker.ctx));
    assert_status(DOCA_ERROR_NOT_PERMITTED, doca_urom_worker_destroy(worker.worker));
    assert_status(DOCA_ERROR_INVALID_VALUE, doca_urom_worker_destroy(NULL));
}

static void a_service_does_not_stop_before_its_workers(void **state)
{
    (void)state;
    worker_run(&worker);

    assert_status(DOCA_ERROR_IN_USE, doca_ctx_stop(service.ctx));

    assert_int_equal(DOCA_CTX_STATE_RUNNING, state_of(service.ctx));
    assert_logged("Stop them first");
    process_of(&worker, plugin_id(&service, "worker_puppet"));
}

static void a_worker_outlives_the_service_object_while_it_is_idle(void **state)
{
    (void)state;
    worker_run(&worker);
    assert_status(DOCA_ERROR_IN_PROGRESS, doca_ctx_stop(worker.ctx));
    progress_until(service.pe, state_of(worker.ctx) == DOCA_CTX_STATE_IDLE, RUN_MS);
    assert_success(doca_ctx_stop(service.ctx));
    assert_success(doca_urom_service_destroy(service.service));

    assert_status(DOCA_ERROR_BAD_STATE, doca_ctx_start(worker.ctx));

    assert_success(doca_urom_worker_destroy(worker.worker));
    worker.worker = NULL;
    assert_success(doca_pe_destroy(service.pe));
    assert_success(doca_dev_close(service.dev));
    service.service = NULL;
}

/* Checks that every setter returns BAD_STATE. */
static void assert_unchangeable(void)
{
    static char *const environment[] = { "NAME=value" };
    doca_cpu_set_t cpus;

    memset(&cpus, 0, sizeof(cpus));
    DOCA_CPU_SET(0, &cpus);
    assert_status(
            DOCA_ERROR_BAD_STATE, doca_urom_worker_set_service(worker.worker, service.service));
    assert_status(DOCA_ERROR_BAD_STATE, doca_urom_worker_set_id(worker.worker, 1));
    assert_status(DOCA_ERROR_BAD_STATE, doca_urom_worker_set_plugins(worker.worker, 1));
    assert_status(DOCA_ERROR_BAD_STATE, doca_urom_worker_set_cpuset(worker.worker, cpus));
    assert_status(DOCA_ERROR_BAD_STATE, doca_urom_worker_set_gid(worker.worker, 1));
    assert_status(DOCA_ERROR_BAD_STATE, doca_urom_worker_set_max_inflight_tasks(worker.worker, 1));
    assert_status(DOCA_ERROR_BAD_STATE, doca_urom_worker_set_env(worker.worker, environment, 1));
    assert_status(DOCA_ERROR_BAD_STATE, doca_pe_connect_ctx(service.pe, worker.ctx));
    assert_status(DOCA_ERROR_BAD_STATE, doca_ctx_set_state_changed_cb(worker.ctx, NULL));
}

static void settings_are_changed_only_while_the_worker_is_idle(void **state)
{
    (void)state;
    assert_status(DOCA_ERROR_IN_PROGRESS, doca_ctx_start(worker.ctx));
    assert_unchangeable();
    progress_until(service.pe, state_of(worker.ctx) == DOCA_CTX_STATE_RUNNING, RUN_MS);
    assert_unchangeable();
    assert_status(DOCA_ERROR_IN_PROGRESS, doca_ctx_stop(worker.ctx));
    assert_unchangeable();
    progress_until(service.pe, state_of(worker.ctx) == DOCA_CTX_STATE_IDLE, RUN_MS);
    assert_success(doca_urom_worker_set_gid(worker.worker, 1));
}

static void a_missing_argument_is_an_invalid_value(void **state)
{
    static char *const environment[] = { "NAME=value" };
    doca_cpu_set_t cpus;
    uint64_t id;
    uint32_t group;

    (void)state;
    memset(&cpus, 0, sizeof(cpus));
    assert_status(DOCA_ERROR_INVALID_VALUE, doca_urom_worker_create(NULL));
    assert_status(DOCA_ERROR_INVALID_VALUE, doca_urom_worker_set_service(worker.worker, NULL));
    assert_status(DOCA_ERROR_INVALID_VALUE, doca_urom_worker_set_service(NULL, service.service));
    assert_status(DOCA_ERROR_INVALID_VALUE, doca_urom_worker_set_id(NULL, 1));
    assert_status(DOCA_ERROR_INVALID_VALUE, doca_urom_worker_set_plugins(NULL, 1));
    assert_status(DOCA_ERROR_INVALID_VALUE, doca_urom_worker_set_cpuset(NULL, cpus));
    assert_status(DOCA_ERROR_INVALID_VALUE, doca_urom_worker_set_gid(NULL, 1));
    assert_status(DOCA_ERROR_INVALID_VALUE, doca_urom_worker_set_max_inflight_tasks(NULL, 1));
    assert_status(DOCA_ERROR_INVALID_VALUE, doca_urom_worker_set_env(NULL, environment, 1));
    assert_status(DOCA_ERROR_INVALID_VALUE, doca_urom_worker_get_id(NULL, &id));
    assert_status(DOCA_ERROR_INVALID_VALUE, doca_urom_worker_get_id(worker.worker, NULL));
    assert_status(DOCA_ERROR_INVALID_VALUE, doca_urom_worker_get_gid(NULL, &group));
    assert_status(DOCA_ERROR_INVALID_VALUE, doca_urom_worker_get_gid(worker.worker, NULL));
    assert_null(doca_urom_worker_as_ctx(NULL));
}

static void a_worker_starts_only_with_a_service_that_runs(void **state)
{
    struct doca_urom_worker *bare;
    struct doca_ctx *ctx;

    (void)state;
    assert_success(doca_urom_worker_create(&bare));
    ctx = doca_urom_worker_as_ctx(bare);
    assert_status(DOCA_ERROR_NOT_CONNECTED, doca_ctx_start(ctx));
    assert_success(doca_pe_connect_ctx(service.pe, ctx));
    assert_success(doca_urom_worker_set_plugins(bare, plugin_id(&service, "worker_puppet")));
    assert_status(DOCA_ERROR_INVALID_VALUE, doca_ctx_start(ctx));
    assert_logged("no service");

    assert_success(doca_urom_worker_set_service(bare, service.service));
    assert_success(doca_ctx_stop(service.ctx));
    assert_status(DOCA_ERROR_BAD_STATE, doca_ctx_start(ctx));
    assert_logged("not running");

    assert_int_equal(DOCA_CTX_STATE_IDLE, state_of(ctx));
    assert_success(doca_urom_worker_destroy(bare));
}

static void plugins_that_the_service_does_not_have_are_an_invalid_value(void **state)
{
    struct doca_urom_worker *bare;
    struct doca_ctx *ctx;

    (void)state;
    assert_status(DOCA_ERROR_INVALID_VALUE, doca_urom_worker_set_plugins(worker.worker, 0));
    assert_status(DOCA_ERROR_INVALID_VALUE,
            doca_urom_worker_set_plugins(worker.worker, UINT64_C(1) << 61));

    /* Without a service connection, they are rejected by the start. */
    assert_success(doca_urom_worker_create(&bare));
    ctx = doca_urom_worker_as_ctx(bare);
    assert_success(doca_pe_connect_ctx(service.pe, ctx));
    assert_success(doca_urom_worker_set_plugins(bare, UINT64_C(1) << 61));
    assert_success(doca_urom_worker_set_service(bare, service.service));
    assert_status(DOCA_ERROR_INVALID_VALUE, doca_ctx_start(ctx));
    assert_int_equal(DOCA_CTX_STATE_IDLE, state_of(ctx));
    assert_logged("names plugins that the service does not have");
    assert_success(doca_urom_worker_destroy(bare));
}

static void a_worker_starts_only_with_plugins(void **state)
{
    struct doca_urom_worker *bare;
    struct doca_ctx *ctx;

    (void)state;
    assert_success(doca_urom_worker_create(&bare));
    ctx = doca_urom_worker_as_ctx(bare);
    assert_success(doca_pe_connect_ctx(service.pe, ctx));
    assert_success(doca_urom_worker_set_service(bare, service.service));

    assert_status(DOCA_ERROR_INVALID_VALUE, doca_ctx_start(ctx));

    assert_success(doca_urom_worker_destroy(bare));
}

static void the_service_takes_no_more_workers_than_its_maximum(void **state)
{
    struct test_worker others[2];

    (void)state;
    assert_success(doca_ctx_stop(service.ctx));
    assert_success(doca_urom_service_set_max_workers(service.service, 2));
    assert_success(doca_ctx_start(service.ctx));
    worker_run(&worker);
    worker_open(&others[0], service.pe, &service, "worker_puppet");
    worker_new(&others[1], service.pe, &service, "worker_puppet");

    assert_status(DOCA_ERROR_FULL, doca_ctx_start(others[1].ctx));
    assert_int_equal(DOCA_CTX_STATE_IDLE, state_of(others[1].ctx));
    worker_close(&others[0]);
    worker_run(&others[1]);

    worker_close(&others[1]);
}

/* Limits this process to `more` additional descriptors. Returns the previous limit. */
static struct rlimit limit_descriptors(rlim_t more)
{
    struct rlimit before, now;
    int next = dup(STDERR_FILENO);

    assert_true(next >= 0);
    close(next);
    assert_int_equal(0, getrlimit(RLIMIT_NOFILE, &before));
    now = before;
    now.rlim_cur = (rlim_t)next + more;
    assert_int_equal(0, setrlimit(RLIMIT_NOFILE, &now));
    return before;
}

static void a_worker_for_which_there_are_no_descriptors_does_not_run(void **state)
{
    struct rlimit before = limit_descriptors(2);

    (void)state;
    assert_status(DOCA_ERROR_IN_PROGRESS, doca_ctx_start(worker.ctx));
    progress_until(service.pe, state_of(worker.ctx) == DOCA_CTX_STATE_IDLE, RUN_MS);
    assert_logged("Too many open files");

    assert_int_equal(0, setrlimit(RLIMIT_NOFILE, &before));
    worker_run(&worker);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
        TEST(a_worker_starts_inside_a_progress_call_that_returns_1),
        TEST(a_worker_stops_inside_a_progress_call_that_returns_1),
        TEST(a_worker_that_is_stopped_while_it_starts_does_not_run),
        TEST(a_worker_that_is_stopped_before_anybody_saw_it_run_does_not_run),
        TEST(a_worker_runs_again_after_its_stop),
        TEST(a_worker_is_destroyed_only_while_it_is_idle),
        TEST(a_service_does_not_stop_before_its_workers),
        TEST(a_worker_outlives_the_service_object_while_it_is_idle),
        TEST(settings_are_changed_only_while_the_worker_is_idle),
        TEST(a_missing_argument_is_an_invalid_value),
        TEST(a_worker_starts_only_with_a_service_that_runs),
        TEST(plugins_that_the_service_does_not_have_are_an_invalid_value),
        TEST(a_worker_starts_only_with_plugins),
        TEST(the_service_takes_no_more_workers_than_its_maximum),
        TEST(a_worker_for_which_there_are_no_descriptors_does_not_run),
    };

    return cmocka_run_group_tests(tests, daemon_set_up, daemon_tear_down);
}
