/* SPDX-License-Identifier: Apache-2.0 */
/* Worker ids, and workers shared by several contexts and processes. */
#include <stdio.h>

#include <testing/contexts.h>
#include <testing/daemon.h>
#include <testing/logged.h>
#include <testing/process.h>

#include "other_host.h"

#define GONE_MS 5000
#define SHARED_ID UINT64_C(0x1234567890abcdef)

static struct test_service service;
static struct test_worker first, second;
static uint64_t puppet;

static int set_up(void **state)
{
    (void)state;
    service_open(&service);
    puppet = plugin_id(&service, "worker_puppet");
    worker_new(&first, service.pe, &service, "worker_puppet");
    worker_new(&second, service.pe, &service, "worker_puppet");
    log_keep();
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    worker_close(&first);
    worker_close(&second);
    await(daemon_workers(&the_daemon) == 0, GONE_MS);
    service_close(&service);
    return 0;
}

static void share(void)
{
    assert_success(doca_urom_worker_set_id(first.worker, SHARED_ID));
    assert_success(doca_urom_worker_set_id(second.worker, SHARED_ID));
}

/* Starts `worker`, which must return to IDLE with a reason in the log. */
static void assert_start_fails(struct test_worker *worker, const char *why)
{
    assert_status(DOCA_ERROR_IN_PROGRESS, doca_ctx_start(worker->ctx));
    progress_to_event(worker->pe);

    assert_int_equal(DOCA_CTX_STATE_IDLE, state_of(worker->ctx));
    assert_transition(&worker->transitions, 1, DOCA_CTX_STATE_STARTING, DOCA_CTX_STATE_IDLE);
    assert_logged(why);
}

static void any_id_becomes_one_of_the_workers_own_when_it_runs(void **state)
{
    (void)state;
    assert_success(doca_urom_worker_set_id(first.worker, DOCA_UROM_WORKER_ID_ANY));
    assert_true(id_of(&first) == DOCA_UROM_WORKER_ID_ANY);

    worker_run(&first);
    worker_run(&second); /* also the default */

    assert_false(id_of(&first) == DOCA_UROM_WORKER_ID_ANY);
    assert_false(id_of(&second) == DOCA_UROM_WORKER_ID_ANY);
    assert_int_not_equal(id_of(&first), id_of(&second));
    assert_int_not_equal(process_of(&first, puppet), process_of(&second, puppet));
}

static void a_given_id_is_the_workers(void **state)
{
    (void)state;
    assert_success(doca_urom_worker_set_id(first.worker, SHARED_ID));
    worker_run(&first);
    assert_true(id_of(&first) == SHARED_ID);
}

static void a_second_context_with_an_id_that_exists_reaches_the_same_process(void **state)
{
    struct test_command mine, others;

    (void)state;
    share();
    worker_run(&first);
    worker_run(&second);

    await(daemon_workers(&the_daemon) == 1, GONE_MS); /* those of earlier tests may still exit */
    command_run(&mine, &first, puppet, (struct puppet_command){ .act = PUPPET_ECHO }, "mine");
    command_run(&others, &second, puppet, (struct puppet_command){ .act = PUPPET_ECHO }, "others");
    assert_int_equal(answer_of(&mine)->process_id, answer_of(&others)->process_id);
    assert_int_not_equal(answer_of(&mine)->dest_id, answer_of(&others)->dest_id);
    assert_memory_equal("mine", answer_of(&mine)->bytes, 4);
    assert_memory_equal("others", answer_of(&others)->bytes, 6);
    command_release(&mine);
    command_release(&others);
}

static void two_contexts_that_start_at_once_with_one_id_share_a_worker(void **state)
{
    (void)state;
    share();
    assert_status(DOCA_ERROR_IN_PROGRESS, doca_ctx_start(first.ctx));
    assert_status(DOCA_ERROR_IN_PROGRESS, doca_ctx_start(second.ctx));
    progress_until(service.pe,
            state_of(first.ctx) == DOCA_CTX_STATE_RUNNING
                    && state_of(second.ctx) == DOCA_CTX_STATE_RUNNING,
            RUN_MS);

    assert_int_equal(process_of(&first, puppet), process_of(&second, puppet));
}

static void a_shared_worker_lives_until_its_last_connection_goes(void **state)
{
    pid_t pid;

    (void)state;
    share();
    worker_run(&first);
    worker_run(&second);
    pid = process_of(&second, puppet);

    worker_close(&first);
    assert_int_equal(pid, process_of(&second, puppet));
    assert_false(process_is_gone(pid));

    worker_close(&second);
    await(process_is_gone(pid), GONE_MS);
}

static void another_process_shares_a_worker_and_leaves_it(void **state)
{
    const char *arguments[] = { NULL, "rest", NULL };
    struct other_host other;
    char id[32];

    (void)state;
    worker_run(&first);
    snprintf(id, sizeof(id), "%lu", id_of(&first));
    arguments[0] = id;

    other_host_start(&other, arguments);
    assert_int_equal(process_of(&first, puppet), other.worker_pid);
    other_host_stop(&other);
    assert_int_equal(other.worker_pid, process_of(&first, puppet));

    other_host_start(&other, arguments);
    worker_close(&first); /* now only the other one uses it */
    assert_false(process_is_gone(other.worker_pid));
    other_host_stop(&other);
    await(process_is_gone(other.worker_pid), GONE_MS);
}

__attribute__((unused)) static void a_shared_worker_outlives_a_process_that_was_killed(void **state)
{
    const char *arguments[] = { NULL, "flood", NULL };
    struct other_host other;
    char id[32];

    (void)state;
    worker_run(&first);
    snprintf(id, sizeof(id), "%lu", id_of(&first));
    arguments[0] = id;
    for (unsigned i = 0; i < 3; ++i) {
        other_host_start(&other, arguments);
        other_host_kill(&other);
        assert_int_equal(other.worker_pid, process_of(&first, puppet));
    }
}

static void an_id_can_be_reused_after_its_worker_has_exited(void **state)
{
    pid_t pid;

    (void)state;
    share();
    worker_run(&first);
    pid = process_of(&first, puppet);
    worker_close(&first);

    worker_run(&second);

    assert_int_not_equal(pid, process_of(&second, puppet));
}

static void an_environment_for_a_worker_that_exists_fails_the_start(void **state)
{
    static char *const environment[] = { "NAME=value" };

    (void)state;
    share();
    worker_run(&first);
    assert_success(doca_urom_worker_set_env(second.worker, environment, 1));

    assert_start_fails(&second, "environment cannot be set any more");

    process_of(&first, puppet);
}

static void plugins_that_an_existing_worker_does_not_have_fail_the_start(void **state)
{
    (void)state;
    share();
    worker_run(&first);
    assert_success(doca_urom_worker_set_plugins(
            second.worker, puppet | plugin_id(&service, "worker_graph")));

    assert_start_fails(&second, "use another worker id");

    process_of(&first, puppet);
}

static void a_worker_whose_plugin_cannot_be_opened_fails_the_start(void **state)
{
    (void)state;
    assert_success(doca_urom_worker_set_plugins(first.worker, plugin_id(&service, "worker_moody")));

    assert_start_fails(&first, "worker_moody");

    assert_success(doca_urom_worker_destroy(first.worker)); /* without doca_ctx_stop */
    first.worker = NULL;
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
        TEST(any_id_becomes_one_of_the_workers_own_when_it_runs),
        TEST(a_given_id_is_the_workers),
        TEST(a_second_context_with_an_id_that_exists_reaches_the_same_process),
        TEST(two_contexts_that_start_at_once_with_one_id_share_a_worker),
        TEST(a_shared_worker_lives_until_its_last_connection_goes),
        TEST(another_process_shares_a_worker_and_leaves_it),
        TEST(an_id_can_be_reused_after_its_worker_has_exited),
        TEST(an_environment_for_a_worker_that_exists_fails_the_start),
        TEST(plugins_that_an_existing_worker_does_not_have_fail_the_start),
        TEST(a_worker_whose_plugin_cannot_be_opened_fails_the_start),
    };

    return cmocka_run_group_tests(tests, daemon_set_up, daemon_tear_down);
}
