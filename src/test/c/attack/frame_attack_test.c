/* SPDX-License-Identifier: Apache-2.0 */
/* Well-formed frames with invalid contents: ids of other hosts, too many domains. */
#include <stdlib.h>
#include <string.h>

#include <wire/domain.h>

#include "intruder.h"

#define MESSAGE_SIZE 4096
#define DOMAINS 4200
#define DOMAINS_KEPT 64 /* per connection, see docs/wire.md */
#define CONNECTIONS 80
#define COMMANDS 40
#define CANCELLATIONS 5000

static struct worker_process worker;
static struct host host, other;

static int set_up(void **state)
{
    (void)state;
    worker_start(&worker, MESSAGE_SIZE);
    host_open_as(&other, &worker, MESSAGE_SIZE, 1);
    host_attach(&other, 64);
    host_open_as(&host, &worker, MESSAGE_SIZE, 2);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    host_close(&host);
    host_close(&other);
    worker_clean_up(&worker);
    return 0;
}

/* Sends a domain with one worker of this id. Returns the status of the answer. */
static doca_error_t put_domain(struct host *from, uint64_t key, uint64_t worker_id)
{
    uint8_t body[128];
    size_t length = WIRE_DOMAIN_HEAD_SIZE;
    doca_error_t status;

    wire_put_domain_head(body, &(struct wire_domain_head){ key, 1 });
    assert_success(wire_add_part(body, sizeof(body), &length, 1, 0));
    assert_success(wire_add_part_worker(body, sizeof(body), &length, worker_id, 0));
    host_send_frame(from,
            &(struct wire_frame){
                    .type = WIRE_DOMAIN, .request_id = key, .domain = { body, length } });
    host_await(from, 1);
    assert_int_equal(key, from->answers[0].number);
    status = from->answers[0].type == WIRE_DOMAIN_READY ? DOCA_SUCCESS : from->answers[0].status;
    host_forget(from);
    return status;
}

static void excess_domains_are_rejected_and_others_accepted(void **state)
{
    (void)state;
    host_attach(&host, 64);
    for (uint64_t key = 1; key <= DOMAINS; ++key)
        assert_status(
                key <= DOMAINS_KEPT ? DOCA_SUCCESS : DOCA_ERROR_FULL, put_domain(&host, key, key));
    assert_success(put_domain(&host, 1, 77)); /* replaces the first */

    assert_success(put_domain(&other, 1, 1));
    host_expect_nothing(&other);
    worker_stop(&worker);
}

/* The limit is per connection, so domains must be removed with their connection. */
static void domains_are_removed_with_their_connection(void **state)
{
    (void)state;
    host_attach(&host, 64);
    host_detach(&host);
    for (uint64_t i = 0; i < CONNECTIONS; ++i) {
        host_open_as(&host, &worker, MESSAGE_SIZE, 3 + i);
        host_attach(&host, 64);
        for (uint64_t key = 1; key <= DOMAINS_KEPT; ++key)
            assert_success(put_domain(&host, key, i * 1000 + key));
        if (i % 2 == 0)
            host_detach(&host);
        else
            host_close(&host);
    }
    assert_success(put_domain(&other, 5, 5));
    worker_stop(&worker);
}

/* Both have commands with the same ids. Each receives the answers to its own commands. */
static void numbers_of_others_commands_reach_no_other(void **state)
{
    const struct puppet_command hold = { .act = PUPPET_HOLD };

    (void)state;
    host_attach(&host, 64);
    for (uint64_t number = 1; number <= COMMANDS; ++number) {
        host_puppet(&other, number, hold, "of the other");
        host_puppet(&host, number, hold, "of the intruder");
    }
    host_expect_nothing(&host);
    host_close(&host);

    host_puppet(&other, COMMANDS + 1, (struct puppet_command){ .act = PUPPET_LET_GO }, NULL);
    host_await(&other, COMMANDS + 1);
    for (unsigned i = 0; i < COMMANDS; ++i) {
        const struct puppet_notification *answer = host_puppet_answer(&other, i);

        assert_int_equal(other.connection, answer->dest_id);
        host_assert_answer(&other, i, COMMANDS - i, DOCA_SUCCESS);
    }
    worker_stop(&worker);
}

/*
 * One host cancels ids that are unknown, another's, or cancelled, thousands of times, and marks all
 * ids in the memory of its rings. Only its own commands end.
 */
static void cancellations_end_only_the_commands_of_their_host(void **state)
{
    const struct puppet_command hold = { .act = PUPPET_HOLD };

    (void)state;
    host_attach(&host, 64);
    for (uint64_t number = 1; number <= COMMANDS; ++number)
        host_puppet(&other, number, hold, "of the other");
    host_expect_nothing(&other);
    host_puppet(&host, COMMANDS / 2, hold, "of the intruder");
    host_expect_nothing(&host);
    for (uint64_t i = 0; i < CANCELLATIONS; ++i) {
        uint64_t number = i % (2 * COMMANDS) | (i / COMMANDS % 2) << 63;

        channel_mark_cancelled(host.channel, number);
        host_send_frame(&host, &(struct wire_frame){ .type = WIRE_CANCEL, .request_id = number });
        host_progress(&host);
    }
    host_await(&host, 1);
    host_assert_answer(&host, 0, COMMANDS / 2, DOCA_ERROR_SKIPPED);

    host_puppet(&other, COMMANDS + 1, (struct puppet_command){ .act = PUPPET_LET_GO }, NULL);
    host_await(&other, COMMANDS + 1);
    for (unsigned i = 0; i < COMMANDS; ++i)
        host_assert_answer(&other, i, COMMANDS - i, DOCA_SUCCESS);
    host_expect_nothing(&other);
    host_expect_nothing(&host);
    worker_stop(&worker);
}

static void a_host_that_says_nothing_but_notifications_and_answers_ends(void **state)
{
    static const uint8_t zeros[8];
    const struct wire_frame frames[] = {
        { .type = WIRE_NOTIFICATION, .request_id = 1, .notification.payload = { zeros, 8 } },
        { .type = WIRE_ATTACHED, .request_id = 5, .attached.connection = 1 },
        { .type = WIRE_DOMAIN_READY, .request_id = 5 },
        { .type = WIRE_HOST_GONE, .session = 1 },
        { .type = WIRE_SPAWN, .spawn = { .worker_id = 1, .plugins = 1 } },
        { .type = WIRE_GET_GROUP, .get_group = 1 },
        { .type = WIRE_PING },
        { .type = WIRE_LISTENING, .listening.port = 1 },
    };

    (void)state;
    for (size_t i = 0; i < 2 * sizeof(frames) / sizeof(frames[0]); ++i) {
        if (i % 2 == 0)
            host_attach(&host, 64);
        host_send_frame(&host, &frames[i / 2]);
        host_await_end(&host, DOCA_ERROR_CONNECTION_RESET);
        host_close(&host);
        host_expect_nothing(&other);
        host_open_as(&host, &worker, MESSAGE_SIZE, 10 + i);
    }
    worker_stop(&worker);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
        TEST(excess_domains_are_rejected_and_others_accepted),
        TEST(domains_are_removed_with_their_connection),
        TEST(numbers_of_others_commands_reach_no_other),
        TEST(cancellations_end_only_the_commands_of_their_host),
        TEST(a_host_that_says_nothing_but_notifications_and_answers_ends),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
