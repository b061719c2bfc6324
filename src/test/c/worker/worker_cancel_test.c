/* SPDX-License-Identifier: Apache-2.0 */
/* Deadlines and cancellation of commands, by single frames of a host. */
#include <stdlib.h>
#include <string.h>

#include <common/idle.h>

#include "host.h"

#define MESSAGE_SIZE 4096
#define FOREVER_MS 60000 /* longer than a test may take */
#define NEVER UINT64_MAX
#define TASKS 1024

static struct worker_process worker;
static struct host host, other;

static int set_up(void **state)
{
    (void)state;
    worker_start(&worker, MESSAGE_SIZE);
    host_open(&host, &worker, MESSAGE_SIZE);
    host_attach(&host, TASKS);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    host_close(&host);
    worker_clean_up(&worker);
    return 0;
}

static struct puppet_command act(uint32_t act, uint64_t count)
{
    return (struct puppet_command){ .act = act, .count = count };
}

/* Returns the number that a puppet answers with. */
static uint64_t ask(uint32_t what)
{
    unsigned before = host.count;
    uint64_t number;

    host_puppet(&host, 99, act(what, 0), NULL);
    host_await(&host, before + 1);
    memcpy(&number, host_puppet_answer(&host, before)->bytes, sizeof(number));
    free(host.answers[before].payload);
    host.count = before;
    return number;
}

/* Asserts the status of a command, whose answer may precede those of earlier commands. */
static void assert_answered(uint64_t number, doca_error_t status)
{
    unsigned index = 0;

    while (index < host.count && host.answers[index].number != number)
        ++index;
    host_assert_answer(&host, index, number, status);
}

static void attached_has_the_clock_of_the_worker(void **state)
{
    (void)state;
    assert_true(host.clock != 0 && host.clock <= idle_now_ns());
}

static void a_command_is_started_before_its_deadline(void **state)
{
    uint64_t deadline = idle_now_ns() + UINT64_C(3600000000000);
    uint64_t seen;

    (void)state;
    host_puppet_until(&host, 1, act(PUPPET_DEADLINE, 0), deadline);
    host_await(&host, 1);
    host_assert_answer(&host, 0, 1, DOCA_SUCCESS);
    memcpy(&seen, host_puppet_answer(&host, 0)->bytes, sizeof(seen));
    assert_true(seen == deadline);
    assert_int_equal(sizeof(struct puppet_command), host_puppet_answer(&host, 0)->len);
    assert_true(host_puppet_answer(&host, 0)->has_slack);
    assert_int_equal(0, ask(PUPPET_DEADLINE));
}

static void a_command_is_not_started_after_its_deadline(void **state)
{
    uint64_t given = host_count_given(&host);

    (void)state;
    host_puppet_until(&host, 1, act(PUPPET_ECHO, 0), 0);
    host_puppet_until(&host, 2, act(PUPPET_ECHO, 0), host.clock);
    host_await(&host, 2);
    host_assert_answer(&host, 0, 1, DOCA_ERROR_TIME_OUT);
    host_assert_answer(&host, 1, 2, DOCA_ERROR_TIME_OUT);
    assert_int_equal(given + 1, host_count_given(&host));
}

static void a_deadline_without_a_payload_is_a_command(void **state)
{
    const struct wire_frame frame = {
        .type = WIRE_COMMAND_UNTIL,
        .request_id = 3,
        .command = { PUPPET, { NULL, 0 }, NEVER },
    };

    (void)state;
    host_send_frame(&host, &frame);
    host_await(&host, 1);
    host_assert_answer(&host, 0, 3, DOCA_ERROR_INVALID_VALUE); /* of the plugin */
}

static void a_command_behind_a_long_one_is_not_started_after_its_deadline(void **state)
{
    (void)state;
    host_puppet(&host, 1, act(PUPPET_BUSY, 50), NULL);
    host_puppet_until(&host, 2, act(PUPPET_ECHO, 0), idle_now_ns() + 1000000);
    host_await(&host, 2);
    assert_answered(1, DOCA_SUCCESS);
    assert_answered(2, DOCA_ERROR_TIME_OUT);
}

static void a_plugin_learns_that_the_deadline_has_passed(void **state)
{
    (void)state;
    host_puppet_until(&host, 1, act(PUPPET_WORK, FOREVER_MS), idle_now_ns() + 20000000);
    host_await(&host, 1);
    /* Under load, it may have passed before the command has arrived. */
    if (host.answers[0].status != DOCA_ERROR_TIME_OUT)
        assert_answered(1, DOCA_ERROR_SKIPPED);
}

static void a_held_command_is_cancelled_by_its_plugin(void **state)
{
    (void)state;
    host_puppet(&host, 1, act(PUPPET_HOLD, 0), NULL);
    host_puppet(&host, 2, act(PUPPET_HOLD, 0), NULL);
    host_expect_nothing(&host);
    host_cancel(&host, 1);
    host_await(&host, 1);
    assert_answered(1, DOCA_ERROR_SKIPPED);
    assert_int_equal(1, ask(PUPPET_CANCELLED));
    host_puppet(&host, 3, act(PUPPET_LET_GO, 0), NULL);
    host_await(&host, 3);
    assert_answered(2, DOCA_SUCCESS);
}

static void a_command_that_its_plugin_has_left_is_cancelled_by_the_worker(void **state)
{
    uint64_t given = host_count_given(&host);

    (void)state;
    host_puppet(&host, 1,
            (struct puppet_command){ .act = PUPPET_LEAVE, .status = DOCA_ERROR_AGAIN }, NULL);
    host_puppet(&host, 2, act(PUPPET_ECHO, 0), NULL);
    host_cancel(&host, 1);
    host_await(&host, 2);
    assert_answered(1, DOCA_ERROR_SKIPPED);
    assert_answered(2, DOCA_SUCCESS);
    assert_int_equal(given + 2, host_count_given(&host));
}

/* Only over rings, where the mark is visible before the frames that precede CANCEL are read. */
static void a_running_command_learns_of_its_cancellation_over_rings(void **state)
{
    (void)state;
    if (worker_is_over_tcp())
        skip();
    host_puppet(&host, 1, act(PUPPET_WORK, FOREVER_MS), NULL);
    host_puppet(&host, 2, act(PUPPET_ECHO, 0), NULL);
    host_puppet(&host, 3, act(PUPPET_ECHO, 0), NULL);
    host_cancel(&host, 2);
    host_cancel(&host, 1);
    host_await(&host, 3);
    assert_answered(1, DOCA_ERROR_SKIPPED);
    assert_answered(2, DOCA_ERROR_SKIPPED);
    assert_answered(3, DOCA_SUCCESS);
}

/* Marks whose slots are the same replace each other; the frame cancels nevertheless. */
static void commands_whose_marks_share_a_slot_are_cancelled(void **state)
{
    (void)state;
    host_puppet(&host, 1, act(PUPPET_HOLD, 0), NULL);
    host_puppet(&host, 1 + 416, act(PUPPET_HOLD, 0), NULL);
    host_expect_nothing(&host);
    host_cancel(&host, 1);
    host_cancel(&host, 1 + 416);
    host_await(&host, 2);
    assert_answered(1, DOCA_ERROR_SKIPPED);
    assert_answered(1 + 416, DOCA_ERROR_SKIPPED);
}

static void unknown_answered_and_repeated_cancellations_are_ignored(void **state)
{
    (void)state;
    host_cancel(&host, 77);
    host_puppet(&host, 1, act(PUPPET_ECHO, 0), NULL);
    host_await(&host, 1);
    host_cancel(&host, 1);
    host_puppet(&host, 2, act(PUPPET_HOLD, 0), NULL);
    host_expect_nothing(&host);
    for (unsigned i = 0; i < 100; ++i)
        host_cancel(&host, 2);
    host_await(&host, 2);
    assert_answered(2, DOCA_ERROR_SKIPPED);
    assert_int_equal(1, ask(PUPPET_CANCELLED));
    host_expect_nothing(&host);
}

static void an_id_is_used_again_after_its_cancellation(void **state)
{
    (void)state;
    host_puppet(&host, 5, act(PUPPET_HOLD, 0), NULL);
    host_expect_nothing(&host);
    host_cancel(&host, 5);
    host_await(&host, 1);
    assert_answered(5, DOCA_ERROR_SKIPPED);
    host_forget(&host);
    /* The library never repeats an id. Over rings, the mark of this one remains. */
    host_puppet(&host, 5, act(PUPPET_ECHO, 0), NULL);
    host_await(&host, 1);
    assert_answered(5, worker_is_over_tcp() ? DOCA_SUCCESS : DOCA_ERROR_SKIPPED);
}

static void a_host_cannot_cancel_commands_of_another(void **state)
{
    (void)state;
    host_open_as(&other, &worker, MESSAGE_SIZE, SESSION + 1);
    host_attach(&other, TASKS);
    host_puppet(&host, 1, act(PUPPET_HOLD, 0), NULL);
    host_expect_nothing(&host);
    host_cancel(&other, 1);
    host_expect_nothing(&other);
    assert_int_equal(0, ask(PUPPET_CANCELLED));
    host_puppet(&host, 2, act(PUPPET_LET_GO, 0), NULL);
    host_await(&host, 2);
    assert_answered(1, DOCA_SUCCESS);
    host_close(&other);
}

static void a_cancellation_before_attach_ends_the_connection(void **state)
{
    (void)state;
    host_open_as(&other, &worker, MESSAGE_SIZE, SESSION + 1);
    host_send_frame(&other, &(struct wire_frame){ .type = WIRE_CANCEL, .request_id = 1 });
    host_await_end(&other, DOCA_ERROR_CONNECTION_RESET);
    host_close(&other);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
        TEST(attached_has_the_clock_of_the_worker),
        TEST(a_command_is_started_before_its_deadline),
        TEST(a_command_is_not_started_after_its_deadline),
        TEST(a_deadline_without_a_payload_is_a_command),
        TEST(a_command_behind_a_long_one_is_not_started_after_its_deadline),
        TEST(a_plugin_learns_that_the_deadline_has_passed),
        TEST(a_held_command_is_cancelled_by_its_plugin),
        TEST(a_command_that_its_plugin_has_left_is_cancelled_by_the_worker),
        TEST(a_running_command_learns_of_its_cancellation_over_rings),
        TEST(commands_whose_marks_share_a_slot_are_cancelled),
        TEST(unknown_answered_and_repeated_cancellations_are_ignored),
        TEST(an_id_is_used_again_after_its_cancellation),
        TEST(a_host_cannot_cancel_commands_of_another),
        TEST(a_cancellation_before_attach_ends_the_connection),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
