/* SPDX-License-Identifier: Apache-2.0 */
/* A service that says no: the host's log has its sentence once, as an error. */
#include <testing/contexts.h>
#include <testing/daemon.h>
#include <testing/logged.h>

#include "keyed_daemon.h"

static struct test_service service;

/* The daemon has room when it has noticed that the connection of the test before has gone. */
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

/* Another progress engine has a connection of its own. */
static void a_connection_too_many_is_refused_with_one_sentence(void **state)
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

static void a_worker_too_many_is_refused_with_one_sentence(void **state)
{
    struct test_worker first, second;

    (void)state;
    worker_open(&first, service.pe, &service, "worker_puppet");
    worker_new(&second, service.pe, &service, "worker_puppet");

    assert_status(DOCA_ERROR_IN_PROGRESS, doca_ctx_start(second.ctx));
    progress_until(service.pe, state_of(second.ctx) == DOCA_CTX_STATE_IDLE, RUN_MS);

    assert_logged_once("--max-workers-per-user");
    assert_logged_once("[ERR]");
    worker_close(&second);
    worker_close(&first);
}

static int daemon_with_limits(void **state)
{
    static const char *const options[] = {
        "--max-connections-per-user", "1", "--max-workers-per-user", "1", NULL,
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
        TEST(a_connection_too_many_is_refused_with_one_sentence),
        REMOTE_TEST(a_connection_too_many_is_refused_with_one_sentence),
        TEST(a_worker_too_many_is_refused_with_one_sentence),
        REMOTE_TEST(a_worker_too_many_is_refused_with_one_sentence),
    };

    return cmocka_run_group_tests(tests, daemon_with_limits, keyed_daemon_tear_down);
}
