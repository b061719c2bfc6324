/* SPDX-License-Identifier: Apache-2.0 */
/* Plugins that reject, delay or hold commands, or pack incorrectly: each is answered once. */
#include <signal.h>
#include <string.h>
#include <sys/wait.h>

#include "host.h"

#define MESSAGE_SIZE 4096
#define MAX_TASKS 64
#define PUT_OFF 500

static struct worker_process worker;
static struct host host;

static int set_up(void **state)
{
    (void)state;
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

/* Sends `command`, which must be answered once with `status`. The next command is served. */
static void assert_answered(struct puppet_command command, doca_error_t status)
{
    host_puppet(&host, 1, command, "text");
    host_puppet(&host, 2, (struct puppet_command){ .act = PUPPET_ECHO }, NULL);
    host_await(&host, 2);
    host_expect_nothing(&host);

    for (unsigned i = 0; i < 2; ++i)
        host_assert_answer(&host, i, host.answers[i].number,
                host.answers[i].number == 1 ? status : DOCA_SUCCESS);
    assert_int_equal(3, host.answers[0].number + host.answers[1].number);
    worker_stop(&worker);
}

static void the_status_is_that_of_the_notification(void **state)
{
    (void)state;
    assert_answered((struct puppet_command){ PUPPET_FAIL, DOCA_ERROR_AUTHENTICATION, 0 },
            DOCA_ERROR_AUTHENTICATION);
}

static void a_status_that_is_no_doca_error_is_passed_on(void **state)
{
    (void)state;
    assert_answered((struct puppet_command){ PUPPET_FAIL, 12345, 0 }, 12345);
}

static void a_command_that_is_refused_without_a_notification_is_answered_with_the_error(
        void **state)
{
    (void)state;
    assert_answered((struct puppet_command){ PUPPET_REFUSE, DOCA_ERROR_NOT_PERMITTED, 0 },
            DOCA_ERROR_NOT_PERMITTED);
}

static void a_command_that_is_left_with_an_error_is_answered_with_the_error(void **state)
{
    (void)state;
    assert_answered((struct puppet_command){ PUPPET_LEAVE, DOCA_ERROR_NOT_PERMITTED, 0 },
            DOCA_ERROR_NOT_PERMITTED);
}

static void a_command_rejected_with_a_notification_is_answered_once(void **state)
{
    (void)state;
    assert_answered((struct puppet_command){ PUPPET_REFUSE_ALOUD, DOCA_ERROR_TIME_OUT, 0 },
            DOCA_ERROR_TIME_OUT + 1);
}

static void a_command_that_is_left_with_again_is_given_again(void **state)
{
    (void)state;
    assert_answered(
            (struct puppet_command){ PUPPET_POSTPONE, DOCA_ERROR_AGAIN, PUT_OFF }, DOCA_SUCCESS);
}

static void a_command_that_is_left_with_success_is_given_again(void **state)
{
    (void)state;
    assert_answered(
            (struct puppet_command){ PUPPET_POSTPONE, DOCA_SUCCESS, PUT_OFF }, DOCA_SUCCESS);
}

static void the_commands_behind_one_that_is_left_keep_their_order(void **state)
{
    (void)state;
    host_puppet(
            &host, 0, (struct puppet_command){ PUPPET_POSTPONE, DOCA_ERROR_AGAIN, PUT_OFF }, NULL);
    for (uint32_t i = 1; i < 10; ++i)
        host_puppet(&host, i, (struct puppet_command){ .act = PUPPET_ECHO }, NULL);
    host_await(&host, 10);

    for (uint32_t i = 0; i < 10; ++i) {
        host_assert_answer(&host, i, i, DOCA_SUCCESS);
        assert_int_equal(i, host_puppet_answer(&host, i)->sequence);
    }
    worker_stop(&worker);
}

static void a_plugin_is_progressed_until_it_has_an_answer(void **state)
{
    (void)state;
    assert_answered((struct puppet_command){ .act = PUPPET_LATER, .count = PUT_OFF }, DOCA_SUCCESS);
}

static void a_plugin_answers_in_an_order_of_its_own(void **state)
{
    static const uint32_t order[] = { 2, 1, 0, 3 };

    (void)state;
    for (uint32_t i = 0; i < 3; ++i)
        host_puppet(&host, i, (struct puppet_command){ .act = PUPPET_HOLD }, NULL);
    host_puppet(&host, 3, (struct puppet_command){ .act = PUPPET_LET_GO }, NULL);
    host_await(&host, 4);

    for (unsigned i = 0; i < 4; ++i)
        host_assert_answer(&host, i, order[i], DOCA_SUCCESS);
    worker_stop(&worker);
}

static void a_notification_that_cannot_be_packed_becomes_an_error(void **state)
{
    (void)state;
    assert_answered(
            (struct puppet_command){ PUPPET_PACK_FAILS, DOCA_ERROR_DRIVER, 0 }, DOCA_ERROR_DRIVER);
}

static void a_notification_that_was_packed_too_long_becomes_an_error(void **state)
{
    (void)state;
    assert_answered((struct puppet_command){ .act = PUPPET_PACK_TOO_LONG }, DOCA_ERROR_UNEXPECTED);
}

static void a_notification_that_was_packed_too_short_becomes_an_error(void **state)
{
    (void)state;
    assert_answered((struct puppet_command){ .act = PUPPET_PACK_TOO_SHORT }, DOCA_ERROR_UNEXPECTED);
}

static void a_notification_longer_than_the_maximum_becomes_too_big(void **state)
{
    (void)state;
    assert_answered((struct puppet_command){ .act = PUPPET_BIG, .count = MESSAGE_SIZE },
            DOCA_ERROR_TOO_BIG);
}

static void a_notification_without_a_host_is_dropped(void **state)
{
    (void)state;
    assert_answered((struct puppet_command){ .act = PUPPET_STRANGER }, DOCA_SUCCESS);
}

/* Command 1000 is held. Exactly `count` further commands fit. */
static void assert_room_for(unsigned count)
{
    for (uint32_t i = 0; i <= count; ++i)
        host_puppet(&host, 2000 + i, (struct puppet_command){ .act = PUPPET_HOLD }, NULL);
    host_await(&host, 1);
    host_assert_answer(&host, 0, 2000 + count, DOCA_ERROR_FULL);
}

static void a_plugin_that_answers_twice_is_heard_once(void **state)
{
    (void)state;
    host_puppet(&host, 1000, (struct puppet_command){ .act = PUPPET_HOLD }, NULL);

    host_puppet(&host, 1, (struct puppet_command){ .act = PUPPET_TWICE }, NULL);
    host_await(&host, 1);
    host_expect_nothing(&host);

    host_forget(&host);
    assert_room_for(MAX_TASKS - 1);
    worker_stop(&worker);
}

static void a_plugin_that_refuses_and_answers_later_is_heard_once(void **state)
{
    (void)state;
    host_puppet(&host, 1000, (struct puppet_command){ .act = PUPPET_HOLD }, NULL);

    host_puppet(
            &host, 1, (struct puppet_command){ PUPPET_REFUSE_LATER, DOCA_ERROR_DRIVER, 10 }, NULL);
    host_puppet(&host, 2, (struct puppet_command){ .act = PUPPET_LATER, .count = 100 }, NULL);
    host_await(&host, 2);
    host_expect_nothing(&host);
    host_assert_answer(&host, 0, 1, DOCA_ERROR_DRIVER);
    host_assert_answer(&host, 1, 2, DOCA_SUCCESS);

    host_forget(&host);
    assert_room_for(MAX_TASKS - 1);
    worker_stop(&worker);
}

static void a_plugin_that_crashes_ends_its_worker(void **state)
{
    (void)state;
    host_puppet(&host, 1, (struct puppet_command){ .act = PUPPET_CRASH, .count = SIGKILL }, NULL);

    assert_int_equal(128 + SIGKILL, worker_await_exit(&worker, EXIT_MS));
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
        TEST(the_status_is_that_of_the_notification),
        TEST(a_status_that_is_no_doca_error_is_passed_on),
        TEST(a_command_that_is_refused_without_a_notification_is_answered_with_the_error),
        TEST(a_command_that_is_left_with_an_error_is_answered_with_the_error),
        TEST(a_command_rejected_with_a_notification_is_answered_once),
        TEST(a_command_that_is_left_with_again_is_given_again),
        TEST(a_command_that_is_left_with_success_is_given_again),
        TEST(the_commands_behind_one_that_is_left_keep_their_order),
        TEST(a_plugin_is_progressed_until_it_has_an_answer),
        TEST(a_plugin_answers_in_an_order_of_its_own),
        TEST(a_notification_that_cannot_be_packed_becomes_an_error),
        TEST(a_notification_that_was_packed_too_long_becomes_an_error),
        TEST(a_notification_that_was_packed_too_short_becomes_an_error),
        TEST(a_notification_longer_than_the_maximum_becomes_too_big),
        TEST(a_notification_without_a_host_is_dropped),
        TEST(a_plugin_that_answers_twice_is_heard_once),
        TEST(a_plugin_that_refuses_and_answers_later_is_heard_once),
        TEST(a_plugin_that_crashes_ends_its_worker),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
