/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Many commands in a single poll of the worker, which is stopped while they are sent.
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <common/idle.h>
#include <testing/process.h>

#include "host.h"

#define MESSAGE_SIZE 4096
#define MAX_TASKS 1000
#define A_TURN 8 /* commands per host and round */
#define MANY 64
#define HELD 20 /* commands of a batch that is never flushed: two steps, and a remainder */
#define LONGEST 900
#define KILLS 20
#define LONG_MS 20 /* duration of a long command */
#define LONG 16    /* number of long commands */
#define ATTEMPTS 10

static struct worker_process worker;
static struct host hosts[2];
static pid_t child;

static int set_up(void **state)
{
    (void)state;
    child = -1;
    worker_start(&worker, MESSAGE_SIZE);
    for (unsigned i = 0; i < 2; ++i) {
        host_open(&hosts[i], &worker, MESSAGE_SIZE);
        host_attach(&hosts[i], MAX_TASKS);
    }
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    end_child(&child);
    for (unsigned i = 0; i < 2; ++i)
        host_close(&hosts[i]);
    worker_clean_up(&worker);
    return 0;
}

static void stop_worker(void)
{
    assert_int_equal(0, kill(worker.pid, SIGSTOP));
    await(process_is_stopped(worker.pid), ANSWER_MS);
}

static void let_worker_go_on(void)
{
    assert_int_equal(0, kill(worker.pid, SIGCONT));
}

static void echo(struct host *host, uint64_t number, const char *text)
{
    host_puppet(host, number, (struct puppet_command){ .act = PUPPET_ECHO }, text);
}

/* The other host has just sent many commands, and this host a single one. */
static void a_host_with_many_commands_lets_another_have_its_turn(void **state)
{
    uint64_t given = host_count_given(&hosts[0]) + 1;

    (void)state;
    host_forget(&hosts[0]);
    for (unsigned loud = 0; loud < 2; ++loud) {
        stop_worker();
        for (uint64_t i = 0; i < MANY; ++i)
            echo(&hosts[loud], i, NULL);
        echo(&hosts[1 - loud], 0, NULL);
        let_worker_go_on();
        host_await(&hosts[loud], MANY);
        host_await(&hosts[1 - loud], 1);

        assert_in_range(host_puppet_answer(&hosts[1 - loud], 0)->sequence, given, given + A_TURN);
        given += MANY + 1;
        host_forget(&hosts[0]);
        host_forget(&hosts[1]);
    }
    worker_stop(&worker);
}

/* All lengths, so that freed blocks are reused for other commands. */
static void each_of_a_batch_is_given_as_it_was_sent_and_answered_in_order(void **state)
{
    static char text[MANY][LONGEST + 1];

    (void)state;
    for (unsigned round = 0; round < 4; ++round) {
        uint64_t given = host_count_given(&hosts[1]) + 1;

        stop_worker();
        for (uint64_t i = 0; i < MANY; ++i) {
            memset(text[i], 'a' + (int)(i % 26), LONGEST);
            text[i][(i * 577 + round * 131) % LONGEST] = '\0';
            echo(&hosts[0], i, text[i]);
        }
        let_worker_go_on();
        host_await(&hosts[0], MANY);

        for (unsigned i = 0; i < MANY; ++i) {
            const struct puppet_notification *answer = host_puppet_answer(&hosts[0], i);
            size_t length = strlen(text[i]);

            host_assert_answer(&hosts[0], i, i, DOCA_SUCCESS);
            assert_int_equal(given + i, answer->sequence);
            assert_int_equal(sizeof(struct puppet_command) + length, answer->len);
            assert_true(answer->is_aligned && answer->has_slack);
            assert_memory_equal(text[i], answer->bytes, length);
        }
        host_forget(&hosts[0]);
        host_forget(&hosts[1]);
    }
    worker_stop(&worker);
}

/* A rejected command does not affect those before and after it. */
static void an_error_in_a_batch_is_that_of_its_command(void **state)
{
    (void)state;
    stop_worker();
    for (uint64_t i = 0; i < MANY; ++i) {
        uint32_t act = i % 5 == 2 ? PUPPET_REFUSE : i % 5 == 4 ? PUPPET_LEAVE : PUPPET_ECHO;

        host_puppet(&hosts[0], i, (struct puppet_command){ act, DOCA_ERROR_DRIVER, 0 }, NULL);
    }
    let_worker_go_on();
    host_await(&hosts[0], MANY);

    for (unsigned i = 0; i < MANY; ++i)
        host_assert_answer(
                &hosts[0], i, i, i % 5 == 2 || i % 5 == 4 ? DOCA_ERROR_DRIVER : DOCA_SUCCESS);
    worker_stop(&worker);
}

static void what_was_sent_before_detach_is_answered_before_it(void **state)
{
    (void)state;
    stop_worker();
    for (uint64_t i = 0; i < A_TURN - 1; ++i)
        echo(&hosts[0], i, NULL);
    host_send_frame(&hosts[0], &(struct wire_frame){ .type = WIRE_DETACH, .request_id = 6 });
    let_worker_go_on();
    host_await(&hosts[0], A_TURN);

    for (unsigned i = 0; i < A_TURN - 1; ++i)
        host_assert_answer(&hosts[0], i, i, DOCA_SUCCESS);
    assert_int_equal(WIRE_DETACHED, hosts[0].answers[A_TURN - 1].type);
    worker_stop(&worker);
}

/* Sends long commands after `before` short ones, all in one poll; returns when the first is answered. */
static uint64_t first_answer_ns(unsigned before)
{
    uint64_t start, first;

    stop_worker();
    for (uint64_t i = 0; i < before; ++i)
        echo(&hosts[0], i, NULL);
    for (uint64_t i = before; i < before + LONG; ++i)
        host_puppet(&hosts[0], i, (struct puppet_command){ PUPPET_BUSY, 0, LONG_MS }, NULL);
    start = idle_now_ns();
    let_worker_go_on();
    await((host_progress(&hosts[0]), hosts[0].count > before), ANSWER_MS);
    first = idle_now_ns() - start;
    host_await(&hosts[0], before + LONG);
    host_forget(&hosts[0]);
    return first;
}

/* A busy machine may delay an answer, but makes no answer early: one of a few attempts suffices. */
static void assert_long_commands_are_answered_one_by_one(unsigned before)
{
    uint64_t limit = A_TURN / 2 * LONG_MS * 1000000, first = UINT64_MAX;

    for (unsigned i = 0; i < ATTEMPTS && first > limit; ++i)
        first = first_answer_ns(before);

    assert_in_range(first, LONG_MS * 1000000, limit);
}

static void the_answer_of_a_long_command_does_not_wait_for_the_next(void **state)
{
    (void)state;
    assert_long_commands_are_answered_one_by_one(0);
    assert_long_commands_are_answered_one_by_one(A_TURN / 2);
    assert_long_commands_are_answered_one_by_one(MANY);
    worker_stop(&worker);
}

static void nothing_sent(struct channel_message *message)
{
    (void)message;
}

/* Attaches in its own process. */
static struct host *attach(
        const struct channel_address *address, const struct channel_ticket *ticket)
{
    static struct host host;

    host_connect(&host, address, ticket, MESSAGE_SIZE);
    host_await_open(&host);
    host_attach(&host, MAX_TASKS);
    return &host;
}

static void tell_and_pause(int told)
{
    (void)!write(told, "", 1);
    pause();
    _exit(1);
}

/* Sends a command while the worker is stopped, asks to be woken by the answer, and waits to be killed. */
static void sleep_until_answered(
        const struct channel_address *address, const struct channel_ticket *ticket, int told)
{
    struct host *host = attach(address, ticket);

    if (kill(worker.pid, SIGSTOP) != 0)
        _exit(1);
    await(process_is_stopped(worker.pid), ANSWER_MS);
    echo(host, 1, NULL);
    channel_push(host->channel);
    if (channel_arm(host->channel, true) != DOCA_SUCCESS)
        _exit(1);
    tell_and_pause(told);
}

/* Sends a batch without a flush, and waits to be killed. */
static void hold_a_batch(
        const struct channel_address *address, const struct channel_ticket *ticket, int told)
{
    struct puppet_command command = { .act = PUPPET_HOLD };
    struct channel_message messages[HELD] = { 0 };
    uint8_t bytes[WIRE_PREFIX_SIZE + sizeof(command)];
    struct host *host = attach(address, ticket);

    memcpy(bytes + WIRE_PREFIX_SIZE, &command, sizeof(command));
    for (unsigned i = 0; i < HELD; ++i) {
        messages[i].done = nothing_sent;
        wire_put_command(bytes, i, PUPPET, sizeof(command));
        if (channel_send(host->channel, bytes, sizeof(bytes), &messages[i]) != DOCA_SUCCESS)
            _exit(1);
    }
    tell_and_pause(told);
}

static void start_child(void (*work)(
        const struct channel_address *address, const struct channel_ticket *ticket, int told))
{
    struct channel_address address;
    struct channel_ticket ticket;
    int told[2];
    char byte;

    worker_give_ticket(&worker, SESSION, TICKET_MS, &ticket, &address);
    assert_int_equal(0, pipe(told));
    child = fork();
    if (child == 0)
        work(&address, &ticket, told[1]);
    close(told[1]);
    assert_int_equal(1, read(told[0], &byte, 1));
    close(told[0]);
}

static void a_host_that_is_killed_in_a_batch_leaves_nothing(void **state)
{
    unsigned descriptors = worker_descriptors(&worker);
    uint64_t before = host_count_given(&hosts[0]);
    uint64_t left;

    (void)state;
    for (unsigned i = 0; i < KILLS; ++i) {
        start_child(hold_a_batch);
        end_child(&child);
        host_forget(&hosts[1]);
        echo(&hosts[1], i, NULL);
        host_await(&hosts[1], 1);
    }
    host_forget(&hosts[0]);
    await(worker_descriptors(&worker) <= descriptors, ANSWER_MS);

    /* The worker receives the published steps, and not the rest. */
    assert_in_range(
            host_count_given(&hosts[0]) - before, KILLS + 1, KILLS * (HELD / 8 * 8 + 1) + 1);
    host_forget(&hosts[0]);
    host_puppet(&hosts[0], 1, (struct puppet_command){ .act = PUPPET_LEFT }, NULL);
    host_await(&hosts[0], 1);
    memcpy(&left, host_puppet_answer(&hosts[0], 0)->bytes, sizeof(left));
    assert_int_equal(KILLS, left);
    worker_stop(&worker);
}

/* The worker notices the death when it publishes the answer, and must forget the host. */
static void an_answer_to_a_host_that_was_killed_reaches_nobody(void **state)
{
    (void)state;
    for (unsigned i = 0; i < KILLS; ++i) {
        start_child(sleep_until_answered);
        end_child(&child);
        let_worker_go_on();
        host_forget(&hosts[1]);
        echo(&hosts[1], i, NULL);
        host_await(&hosts[1], 1);
        host_assert_answer(&hosts[1], 0, i, DOCA_SUCCESS);
    }
    worker_stop(&worker);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
        TEST(a_host_with_many_commands_lets_another_have_its_turn),
        TEST(each_of_a_batch_is_given_as_it_was_sent_and_answered_in_order),
        TEST(an_error_in_a_batch_is_that_of_its_command),
        TEST(what_was_sent_before_detach_is_answered_before_it),
        TEST(the_answer_of_a_long_command_does_not_wait_for_the_next),
        TEST(a_host_that_is_killed_in_a_batch_leaves_nothing),
        TEST(an_answer_to_a_host_that_was_killed_reaches_nobody),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
