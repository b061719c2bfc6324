/* SPDX-License-Identifier: Apache-2.0 */
/* Repeated, partial, slow and random tickets, from processes of the same user. */
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#include "intruder.h"

#define MESSAGE_SIZE 4096
#define AT_ONCE 8 /* hosts that present the same ticket */
#define GUESSES 1500
#define SLOW 16         /* of each kind */
#define STEP_MS 200     /* between two bytes of a slow ticket */
#define ARRIVAL_MS 5000 /* deadline of the worker for tickets */
#define SLACK_MS 2000

static struct worker_process worker;
static struct host hosts[AT_ONCE], other;

static int set_up(void **state)
{
    (void)state;
    worker_start(&worker, MESSAGE_SIZE);
    host_open(&other, &worker, MESSAGE_SIZE);
    host_attach(&other, 64);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    for (unsigned i = 0; i < AT_ONCE; ++i)
        host_close(&hosts[i]);
    host_close(&other);
    worker_clean_up(&worker);
    return 0;
}

static bool has_answer(struct host *host)
{
    host_progress(host);
    return host->count > 0 || host_has_ended(host);
}

static bool all_have_answers(void)
{
    bool all = true;

    for (unsigned i = 0; i < AT_ONCE; ++i)
        all &= has_answer(&hosts[i]);
    return all;
}

static void one_of_many_hosts_with_the_same_ticket_is_served(void **state)
{
    const struct wire_frame attach = {
        .type = WIRE_ATTACH, .request_id = 1, .attach.max_tasks = 8
    };
    struct channel_address address;
    struct channel_ticket ticket;
    unsigned served = 0;

    (void)state;
    worker_give_ticket(&worker, SESSION, TICKET_MS, &ticket, &address);
    for (unsigned i = 0; i < AT_ONCE; ++i) {
        host_connect(&hosts[i], &address, &ticket, MESSAGE_SIZE);
        host_send_frame(&hosts[i], &attach);
    }
    await(all_have_answers(), ANSWER_MS);

    for (unsigned i = 0; i < AT_ONCE; ++i)
        served += hosts[i].count > 0 && hosts[i].answers[0].type == WIRE_ATTACHED;
    assert_int_equal(1, served);
    host_expect_nothing(&other);
    worker_stop(&worker);
}

/* Includes the correct id with a wrong key, and random data of any length. */
static void guessed_tickets_are_rejected_and_consume_nothing(void **state)
{
    struct channel_address address;
    struct channel_ticket ticket;
    unsigned before;

    (void)state;
    before = worker_descriptors(&worker);
    worker_give_ticket(&worker, SESSION, TICKET_MS, &ticket, &address);
    for (unsigned i = 0; i < GUESSES; ++i) {
        uint8_t bytes[256];
        size_t length = i % 3 > 0 ? WIRE_TICKET_SIZE : 1 + intruder_random(sizeof(bytes));
        int fd = intruder_connect(worker.socket);

        assert_int_equal(sizeof(bytes), getrandom(bytes, sizeof(bytes), 0));
        if (i % 3 == 2)
            memcpy(bytes, ticket.id, sizeof(ticket.id));
        (void)!send(fd, bytes, length, MSG_NOSIGNAL);
        if (length >= WIRE_TICKET_SIZE)
            await(intruder_was_closed(fd), ANSWER_MS);
        close(fd);
    }

    host_connect(&hosts[0], &address, &ticket, MESSAGE_SIZE);
    host_await_open(&hosts[0]);
    host_close(&hosts[0]);
    host_expect_nothing(&other);
    await(worker_descriptors(&worker) <= before, ANSWER_MS);
    worker_stop(&worker);
}

static unsigned count_closed(int fds[], unsigned count)
{
    unsigned closed = 0;

    for (unsigned i = 0; i < count; ++i)
        closed += intruder_was_closed(fds[i]);
    return closed;
}

/* The deadline is for the complete ticket: single bytes do not extend it. */
static void silent_incomplete_and_slow_tickets_time_out(void **state)
{
    int fds[3 * SLOW];
    uint8_t bytes[WIRE_TICKET_SIZE] = { 1 };
    uint64_t late = deadline_in(ARRIVAL_MS + SLACK_MS);
    unsigned steps = 0;

    (void)state;
    for (unsigned i = 0; i < 3 * SLOW; ++i) {
        fds[i] = intruder_connect(worker.socket);
        if (i % 3 == 1)
            assert_int_equal(24, send(fds[i], bytes, 24, MSG_NOSIGNAL));
    }
    while (count_closed(fds, 3 * SLOW) < 3 * SLOW) {
        assert_false(deadline_has_passed(late));
        for (unsigned i = 2; i < 3 * SLOW && steps < WIRE_TICKET_SIZE - 1; i += 3)
            (void)!send(fds[i], bytes, 1, MSG_NOSIGNAL | MSG_DONTWAIT);
        ++steps;
        host_expect_nothing(&other);
        poll(NULL, 0, STEP_MS);
    }
    assert_true(steps < WIRE_TICKET_SIZE); /* the slow tickets were incomplete */
    for (unsigned i = 0; i < 3 * SLOW; ++i)
        close(fds[i]);
    worker_stop(&worker);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
        TEST(one_of_many_hosts_with_the_same_ticket_is_served),
        TEST(guessed_tickets_are_rejected_and_consume_nothing),
        TEST(silent_incomplete_and_slow_tickets_time_out),
    };

    for (unsigned i = 0; i < AT_ONCE; ++i)
        hosts[i].channel = NULL;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
