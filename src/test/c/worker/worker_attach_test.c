/* SPDX-License-Identifier: Apache-2.0 */
/* Attaching and detaching, and hosts that send invalid frames: only their connections end. */
#include <string.h>

#include <wire/domain.h>

#include "host.h"

#define MESSAGE_SIZE 4096
#define MAX_TASKS 8
#define ATTACHES 4200 /* more than the maximum number of connections */
#define ATTACHES_BY_TLS 200
#define RANDOM_MESSAGES 100
#define SEED 20261120

static struct worker_process worker;
static struct host host, other;

static int set_up(void **state)
{
    (void)state;
    worker_start(&worker, MESSAGE_SIZE);
    host_open(&host, &worker, MESSAGE_SIZE);
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

static void open_other(void)
{
    host_open(&other, &worker, MESSAGE_SIZE);
    host_attach(&other, MAX_TASKS);
}

static void attaching_gives_a_connection_and_lists_the_plugins(void **state)
{
    static const char *const plugins[] = { WORKER_GRAPH ":1", WORKER_SLEEPLESS ":4", NULL };

    (void)state;
    tear_down(NULL);
    worker_launch(&worker, plugins);
    worker_configure(&worker, MESSAGE_SIZE, NULL);
    worker_expect(&worker, WIRE_READY);
    host_open(&host, &worker, MESSAGE_SIZE);
    host_send_frame(&host,
            &(struct wire_frame){
                    .type = WIRE_ATTACH, .request_id = UINT64_MAX, .attach.max_tasks = MAX_TASKS });
    host_await(&host, 1);

    assert_int_equal(WIRE_ATTACHED, host.answers[0].type);
    assert_int_equal(UINT64_MAX, host.answers[0].number);
    assert_int_equal(1, host.connection);
    assert_int_equal(2, host.plugin_count);
    assert_int_equal(1, host.plugins[0].plugin);
    assert_int_equal(0, host.plugins[0].length);
    assert_int_equal(4, host.plugins[1].plugin);
    assert_string_equal("sleepless", host.plugins[1].address);
    worker_stop(&worker);
}

static void a_connection_ends_with_detached(void **state)
{
    (void)state;
    open_other();
    host_attach(&host, MAX_TASKS);

    host_send_frame(&host, &(struct wire_frame){ .type = WIRE_DETACH, .request_id = 17 });
    host_puppet(&host, 1, (struct puppet_command){ .act = PUPPET_ECHO }, NULL);
    host_await(&host, 1);

    assert_int_equal(WIRE_DETACHED, host.answers[0].type);
    assert_int_equal(17, host.answers[0].number);
    host_await_end(&host, DOCA_ERROR_CONNECTION_RESET);
    assert_int_equal(1, host.count);
    host_expect_nothing(&other);
    worker_stop(&worker);
}

static void what_was_answered_before_a_host_detached_reaches_it(void **state)
{
    (void)state;
    host_attach(&host, MAX_TASKS);
    for (unsigned i = 0; i < MAX_TASKS; ++i)
        host_puppet(&host, i, (struct puppet_command){ .act = PUPPET_BIG, .count = 4000 }, NULL);
    host_send_frame(&host, &(struct wire_frame){ .type = WIRE_DETACH, .request_id = 17 });

    host_await(&host, MAX_TASKS + 1);

    assert_int_equal(WIRE_DETACHED, host.answers[MAX_TASKS].type);
    worker_stop(&worker);
}

static void the_commands_of_a_host_that_detached_are_not_answered(void **state)
{
    (void)state;
    open_other();
    host_attach(&host, MAX_TASKS);
    host_puppet(&host, 1, (struct puppet_command){ .act = PUPPET_HOLD }, NULL);
    host_detach(&host);

    host_puppet(&other, 2, (struct puppet_command){ .act = PUPPET_LET_GO }, NULL);
    host_await(&other, 1);

    host_assert_answer(&other, 0, 2, DOCA_SUCCESS);
    host_expect_nothing(&other);
    worker_stop(&worker);
}

static void plugins_are_told_that_a_host_has_left(void **state)
{
    uint64_t left;

    (void)state;
    open_other();
    host_attach(&host, MAX_TASKS);
    host_detach(&host);

    host_puppet(&other, 1, (struct puppet_command){ .act = PUPPET_LEFT }, NULL);
    host_await(&other, 1);

    memcpy(&left, host_puppet_answer(&other, 0)->bytes, sizeof(left));
    assert_int_equal(1, left);
    worker_stop(&worker);
}

static void each_host_gets_its_own_answers_under_a_destination_of_its_own(void **state)
{
    (void)state;
    host_attach(&host, MAX_TASKS);
    open_other();
    assert_int_equal(host.connection + 1, other.connection);

    host_puppet(&host, 1, (struct puppet_command){ .act = PUPPET_ECHO }, "first");
    host_puppet(&other, 1, (struct puppet_command){ .act = PUPPET_ECHO }, "second");
    host_await(&host, 1);
    host_await(&other, 1);

    assert_memory_equal("first", host_puppet_answer(&host, 0)->bytes, 5);
    assert_memory_equal("second", host_puppet_answer(&other, 0)->bytes, 6);
    assert_int_equal(host.connection, host_puppet_answer(&host, 0)->dest_id);
    assert_int_equal(other.connection, host_puppet_answer(&other, 0)->dest_id);
    worker_stop(&worker);
}

static void one_host_after_another_attaches_and_no_serial_number_comes_again(void **state)
{
    unsigned attaches = worker_is_over_tcp() ? ATTACHES_BY_TLS : ATTACHES;
    uint64_t last = 0;

    (void)state;
    for (unsigned i = 0; i < attaches; ++i) {
        open_other();
        assert_int_equal(last + 1, other.connection);
        last = other.connection;
        host_detach(&other);
    }

    open_other();
    host_expect_nothing(&other);
    worker_stop(&worker);
}

/* Sends an invalid frame. Its connection must end, but no other one. */
static void assert_ends(const struct wire_frame *frame, bool attach)
{
    open_other();
    if (attach)
        host_attach(&host, MAX_TASKS);

    host_send_frame(&host, frame);

    host_await_end(&host, DOCA_ERROR_CONNECTION_RESET);
    assert_int_equal(0, host.count);
    host_expect_nothing(&other);
    host_detach(&other);
    host_close(&host);
    host_open(&host, &worker, MESSAGE_SIZE);
}

static void a_host_that_says_what_no_host_says_loses_its_connection(void **state)
{
    static const uint8_t zeros[WIRE_CPU_SET_SIZE];
    const struct wire_frame frames[] = {
        { .type = WIRE_HELLO, .hello = { 4096, JUROM_RELEASE } },
        { .type = WIRE_RELEASE, .worker_id = 7 },
        { .type = WIRE_CONFIGURE, .configure.max_message_size = 4096 },
        { .type = WIRE_READY, .ready.process_id = 1 },
        { .type = WIRE_TICKET, .ticket = { .ticket = zeros, .lifetime_ms = 1000 } },
        { .type = WIRE_DRAIN }, { .type = WIRE_NOTIFICATION, .notification.payload = { zeros, 8 } },
        { .type = WIRE_DETACHED },
        { .type = WIRE_ERROR, .error = { DOCA_ERROR_DRIVER, { (const uint8_t *)"no", 2 } } },
        { .type = WIRE_ATTACH, .attach.max_tasks = 1 }, /* for the second time */
    };

    (void)state;
    for (size_t i = 0; i < sizeof(frames) / sizeof(frames[0]); ++i)
        assert_ends(&frames[i], true);
    worker_stop(&worker);
}

static void a_host_that_does_not_attach_first_loses_its_connection(void **state)
{
    static const uint8_t zeros[8];
    const struct wire_frame frames[] = {
        { .type = WIRE_COMMAND, .command = { GRAPH, { zeros, 8 } } },
        { .type = WIRE_DETACH },
        { .type = WIRE_DOMAIN, .domain = { zeros, 8 } },
    };

    (void)state;
    for (size_t i = 0; i < sizeof(frames) / sizeof(frames[0]); ++i)
        assert_ends(&frames[i], false);
    worker_stop(&worker);
}

static void two_commands_of_one_number_end_the_connection(void **state)
{
    (void)state;
    open_other();
    host_attach(&host, MAX_TASKS);
    host_puppet(&host, 1, (struct puppet_command){ .act = PUPPET_HOLD }, NULL);

    host_puppet(&host, 1, (struct puppet_command){ .act = PUPPET_ECHO }, NULL);

    host_await_end(&host, DOCA_ERROR_CONNECTION_RESET);
    host_expect_nothing(&other);
    worker_stop(&worker);
}

static void a_command_over_the_maximum_message_size_ends_the_connection(void **state)
{
    uint8_t command[MESSAGE_SIZE] = { 0 };

    (void)state;
    open_other();
    host_attach(&host, MAX_TASKS);
    host_command(&host, GRAPH, 2, command, MESSAGE_SIZE - WIRE_PREFIX_SIZE - 8);
    host_await(&host, 1);
    host_assert_answer(&host, 0, 2, DOCA_SUCCESS);

    host_command(&host, GRAPH, 1, command, MESSAGE_SIZE - WIRE_PREFIX_SIZE + 1);

    host_await_end(&host, DOCA_ERROR_CONNECTION_RESET);
    host_expect_nothing(&other);
    worker_stop(&worker);
}

/* Returns numbers of a fixed sequence, so that failures are reproducible. */
static uint32_t next_random(uint32_t *seed)
{
    *seed = *seed * 1664525 + 1013904223;
    return *seed >> 8;
}

/* A frame with a wrong bit in its magic, version or length, or random bytes. */
static size_t make_nonsense(uint8_t bytes[128], bool nearly, uint32_t *seed)
{
    static const uint8_t places[] = { 0, 1, 2, 6, 7 };
    struct puppet_command echo = { .act = PUPPET_ECHO };

    for (size_t at = 0; at < 128; ++at)
        bytes[at] = (uint8_t)next_random(seed);
    if (!nearly)
        return WIRE_HEADER_SIZE + next_random(seed) % (128 - WIRE_HEADER_SIZE);
    wire_put_command(bytes, 1, PUPPET, sizeof(echo));
    memcpy(bytes + WIRE_PREFIX_SIZE, &echo, sizeof(echo));
    bytes[places[next_random(seed) % sizeof(places)]] ^= (uint8_t)(1u << next_random(seed) % 8);
    return WIRE_PREFIX_SIZE + sizeof(echo);
}

static void bytes_that_are_no_frame_end_the_connection(void **state)
{
    uint8_t bytes[128];
    uint32_t seed = SEED;

    (void)state;
    open_other();
    for (unsigned i = 0; i < RANDOM_MESSAGES; ++i) {
        size_t length = make_nonsense(bytes, i % 2 == 0, &seed);

        host_attach(&host, MAX_TASKS);
        host_send(&host, bytes, length);
        host_await_end(&host, DOCA_ERROR_CONNECTION_RESET);
        assert_int_equal(0, host.count);
        host_close(&host);
        host_open(&host, &worker, MESSAGE_SIZE);
    }

    host_expect_nothing(&other);
    worker_stop(&worker);
}

static void a_domain_is_accepted_or_rejected_with_a_reason(void **state)
{
    uint8_t body[64];
    size_t length = WIRE_DOMAIN_HEAD_SIZE;

    (void)state;
    host_attach(&host, MAX_TASKS);
    wire_put_domain_head(body, &(struct wire_domain_head){ 1, 1 });
    assert_success(wire_add_part(body, sizeof(body), &length, 1, 0));
    assert_success(wire_add_part_worker(body, sizeof(body), &length, 7, 0));

    host_send_frame(&host,
            &(struct wire_frame){
                    .type = WIRE_DOMAIN, .request_id = 8, .domain = { body, length } });
    host_send_frame(&host,
            &(struct wire_frame){
                    .type = WIRE_DOMAIN, .request_id = 9, .domain = { body, length - 1 } });
    host_await(&host, 2);

    assert_int_equal(WIRE_DOMAIN_READY, host.answers[0].type);
    assert_int_equal(8, host.answers[0].number);
    assert_int_equal(WIRE_ERROR, host.answers[1].type);
    assert_int_equal(9, host.answers[1].number);
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, host.answers[1].status);
    worker_stop(&worker);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
        TEST(attaching_gives_a_connection_and_lists_the_plugins),
        TEST(a_connection_ends_with_detached),
        TEST(what_was_answered_before_a_host_detached_reaches_it),
        TEST(the_commands_of_a_host_that_detached_are_not_answered),
        TEST(plugins_are_told_that_a_host_has_left),
        TEST(each_host_gets_its_own_answers_under_a_destination_of_its_own),
        TEST(one_host_after_another_attaches_and_no_serial_number_comes_again),
        TEST(a_host_that_says_what_no_host_says_loses_its_connection),
        TEST(a_host_that_does_not_attach_first_loses_its_connection),
        TEST(two_commands_of_one_number_end_the_connection),
        TEST(a_command_over_the_maximum_message_size_ends_the_connection),
        TEST(bytes_that_are_no_frame_end_the_connection),
        TEST(a_domain_is_accepted_or_rejected_with_a_reason),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
