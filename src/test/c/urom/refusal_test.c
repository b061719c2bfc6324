/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rejections by the service: the host logs the reason once, as an error, and the context has it.
 * Programs of the vendor's library read the log only, at the level WARNING.
 */
#include <stdlib.h>
#include <string.h>

#include <jurom.h>
#include <testing/contexts.h>
#include <testing/daemon.h>
#include <testing/logged.h>

#include "keyed_daemon.h"

static struct test_service service;

/* Waits until the daemon has detected the end of the previous connection. */
static int set_up(void **state)
{
    (void)state;
    service_new(&service);
    await(doca_ctx_start(service.ctx) == DOCA_SUCCESS, RUN_MS);
    log_keep();
    return 0;
}

static int set_up_remote(void **state)
{
    keyed_daemon_use_port(the_daemon.port);
    return set_up(state);
}

static int tear_down(void **state)
{
    (void)state;
    service_close(&service);
    daemon_use(&the_daemon);
    return 0;
}

static void assert_refusal(const struct test_worker *worker, doca_error_t error, const char *words)
{
    doca_error_t kind = DOCA_SUCCESS;
    const char *why = jurom_urom_worker_get_refusal(worker->worker, &kind);

    assert_int_equal(error, kind);
    if (strstr(why, words) == NULL)
        fail_msg("\"%s\" does not contain \"%s\"", why, words);
    assert_string_equal(why, jurom_urom_worker_get_refusal(worker->worker, NULL));
    assert_logged(why);
}

/* FULL: the daemon has not reaped the previous worker yet. */
static doca_error_t start(struct test_worker *worker)
{
    doca_error_t kind;

    worker->transitions.count = 0;
    assert_status(DOCA_ERROR_IN_PROGRESS, doca_ctx_start(worker->ctx));
    progress_until(worker->pe, state_of(worker->ctx) != DOCA_CTX_STATE_STARTING, RUN_MS);
    jurom_urom_worker_get_refusal(worker->worker, &kind);
    return kind;
}

/* Each progress engine has its own connection. */
static void a_connection_above_the_limit_is_rejected_with_one_message(void **state)
{
    struct test_service second;

    (void)state;
    service_new(&second);

    assert_status(DOCA_ERROR_FULL, doca_ctx_start(second.ctx));

    assert_int_equal(DOCA_CTX_STATE_IDLE, state_of(second.ctx));
    assert_logged_once("--max-connections-per-user");
    assert_logged_once("[ERR]");
    service_close(&second);
}

static void a_worker_above_the_limit_is_rejected_with_one_message(void **state)
{
    struct test_worker first, second;

    (void)state;
    worker_open(&first, service.pe, &service, "worker_puppet");
    worker_new(&second, service.pe, &service, "worker_puppet");

    assert_status(DOCA_ERROR_IN_PROGRESS, doca_ctx_start(second.ctx));
    progress_until(service.pe, state_of(second.ctx) == DOCA_CTX_STATE_IDLE, RUN_MS);

    assert_logged_once("--max-workers-per-user");
    assert_logged_once("[ERR]");
    assert_refusal(&second, DOCA_ERROR_FULL, "--max-workers-per-user");

    worker_close(&first);
    await(start(&second) != DOCA_ERROR_FULL, RUN_MS);
    assert_int_equal(DOCA_CTX_STATE_RUNNING, state_of(second.ctx));
    assert_refusal(&second, DOCA_SUCCESS, "");
    worker_close(&second);
}

static void a_data_path_that_the_service_does_not_offer_is_named(void **state)
{
    struct test_worker worker;

    (void)state;
    assert_int_equal(0, setenv("JUROM_DATA", "ucx", 1));
    worker_new(&worker, service.pe, &service, "worker_puppet");

    await(start(&worker) != DOCA_ERROR_FULL, RUN_MS);
    assert_int_equal(DOCA_CTX_STATE_IDLE, state_of(worker.ctx));

    assert_int_equal(0, unsetenv("JUROM_DATA"));
    assert_refusal(&worker, DOCA_ERROR_NOT_SUPPORTED, "--data ucx");
    worker_close(&worker);
}

static void a_start_that_the_host_itself_refuses_is_explained(void **state)
{
    struct test_worker worker;

    (void)state;
    worker_new(&worker, service.pe, &service, "worker_puppet");
    assert_success(doca_ctx_stop(service.ctx));

    assert_status(DOCA_ERROR_BAD_STATE, doca_ctx_start(worker.ctx));

    assert_refusal(&worker, DOCA_ERROR_BAD_STATE, "is not running");
    worker_close(&worker);
}

static int daemon_with_limits(void **state)
{
    static const char *const options[] = {
        "--max-connections-per-user",
        "1",
        "--max-workers-per-user",
        "1",
        NULL,
    };

    (void)state;
    keyed_daemon_start(options);
    return 0;
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
#define REMOTE_TEST(name) cmocka_unit_test_setup_teardown(name, set_up_remote, tear_down)
        TEST(a_connection_above_the_limit_is_rejected_with_one_message),
        REMOTE_TEST(a_connection_above_the_limit_is_rejected_with_one_message),
        TEST(a_worker_above_the_limit_is_rejected_with_one_message),
        REMOTE_TEST(a_worker_above_the_limit_is_rejected_with_one_message),
        REMOTE_TEST(a_data_path_that_the_service_does_not_offer_is_named),
        TEST(a_start_that_the_host_itself_refuses_is_explained),
    };

    return cmocka_run_group_tests(tests, daemon_with_limits, keyed_daemon_tear_down);
}
