/* SPDX-License-Identifier: Apache-2.0 */
/* Invalid answers of a plugin, injected where the worker receives them. */
#include <worker/host.h>

#include "fault_table.h"

#define MESSAGE_SIZE 4096
#define MAX_TASKS 8

static struct worker_process worker;
static struct host host;

static int set_up(void **state)
{
    (void)state;
    fault_table_clear();
    worker_start(&worker, MESSAGE_SIZE);
    host_open(&host, &worker, MESSAGE_SIZE);
    host_attach(&host, MAX_TASKS);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    host_close(&host);
    worker_clean_up(&worker);
    return 0;
}

static void echo_twice_with(enum fault_action action)
{
    fault_set(FAULT_ANSWER_plugin_answer, FAULT_ROLE_WORKER, action, 0);
    host_puppet(&host, 1, (struct puppet_command){ .act = PUPPET_ECHO }, "one");
    host_puppet(&host, 2, (struct puppet_command){ .act = PUPPET_ECHO }, "two");
}

static void assert_only_second_answered(void)
{
    host_await(&host, 1);
    host_assert_answer(&host, 0, 2, DOCA_SUCCESS);
    host_forget(&host);
    host_expect_nothing(&host);
    worker_stop(&worker);
}

static void a_missing_answer_does_not_delay_other_answers(void **state)
{
    (void)state;
    echo_twice_with(FAULT_SILENCE);
    assert_only_second_answered();
}

static void an_answer_with_a_wrong_context_is_dropped(void **state)
{
    (void)state;
    echo_twice_with(FAULT_WRONG_CONTEXT);
    assert_only_second_answered();
}

static void a_second_answer_to_a_command_is_dropped(void **state)
{
    (void)state;
    echo_twice_with(FAULT_TWICE);

    host_await(&host, 2);
    host_assert_answer(&host, 0, 1, DOCA_SUCCESS);
    host_assert_answer(&host, 1, 2, DOCA_SUCCESS);
    host_forget(&host);
    host_expect_nothing(&host);
    worker_stop(&worker);
}

static void an_answer_with_a_wrong_length_fails_the_command(void **state)
{
    (void)state;
    echo_twice_with(FAULT_WRONG_LENGTH);

    host_await(&host, 2);
    host_assert_answer(&host, 0, 1, DOCA_ERROR_UNEXPECTED);
    assert_int_equal(0, host.answers[0].length);
    host_assert_answer(&host, 1, 2, DOCA_SUCCESS);
    worker_stop(&worker);
}

#define test(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(int count, char **arguments)
{
    const struct CMUnitTest tests[] = {
        test(a_missing_answer_does_not_delay_other_answers),
        test(an_answer_with_a_wrong_context_is_dropped),
        test(a_second_answer_to_a_command_is_dropped),
        test(an_answer_with_a_wrong_length_fails_the_command),
    };

    (void)count;
    fault_table_begin(arguments);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
