/* SPDX-License-Identifier: Apache-2.0 */
/* Whom a worker believes, and what it drops. */
#include <string.h>

#include "host.h"

#define MESSAGE_SIZE 4096
#define MAX_TASKS 8
#define RANDOM_MESSAGES 2000
#define SEED 20261120

static struct worker_process worker;
static struct host host, other;

static int set_up(void **state)
{
    (void)state;
    worker_start(&worker, MESSAGE_SIZE);
    host_open(&host, &worker);
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

static void send_attach(struct host *from, const uint8_t *token, uint32_t number)
{
    struct wire_frame frame = { .type = WIRE_ATTACH, .request_id = number };
    ucp_address_t *address;
    size_t length;

    assert_success(net_address(&from->net, &address, &length));
    frame.attach = (struct wire_attach){ token, MAX_TASKS, { (uint8_t *)address, length } };
    host_send_frame(from, &frame);
    net_free_address(&from->net, address);
}

static void the_token_opens_a_connection_that_lists_the_plugins(void **state)
{
    static const char *const plugins[] = { WORKER_GRAPH ":1", WORKER_SLEEPLESS ":4", NULL };

    (void)state;
    tear_down(NULL);
    worker_launch(&worker, plugins);
    worker_configure(&worker, MESSAGE_SIZE, NULL);
    worker_expect(&worker, WIRE_READY);
    host_open(&host, &worker);
    send_attach(&host, worker.token, 99);
    host_await(&host, 1);

    assert_int_equal(WIRE_ATTACHED, host.answers[0].type);
    assert_int_equal(99, host.answers[0].number);
    assert_int_not_equal(0, host.connection);
    assert_int_equal(2, host.plugin_count);
    assert_int_equal(1, host.plugins[0].plugin);
    assert_int_equal(0, host.plugins[0].length);
    assert_int_equal(4, host.plugins[1].plugin);
    assert_string_equal("sleepless", host.plugins[1].address);
    worker_stop(&worker);
}

static void a_wrong_token_opens_nothing(void **state)
{
    uint8_t token[WIRE_TOKEN_SIZE];

    (void)state;
    host_open(&other, &worker);
    host_attach(&other, worker.token, MAX_TASKS);
    memcpy(token, worker.token, sizeof(token));
    token[WIRE_TOKEN_SIZE - 1] ^= 1;

    send_attach(&host, token, 1);

    await((net_progress(&host.net), worker_has_logged(&worker, "without this worker's token")),
            ANSWER_MS);
    host_expect_nothing(&other);
    assert_int_equal(0, host.count);
    worker_stop(&worker);
}

static void a_command_of_an_unknown_connection_is_dropped(void **state)
{
    struct puppet_command command = { .act = PUPPET_ECHO };
    uint32_t connection;

    (void)state;
    host_attach(&host, worker.token, MAX_TASKS);
    connection = host.connection;

    host.connection = connection ^ 0x80000000; /* a place that is in use */
    host_command(&host, PUPPET, 1, &command, sizeof(command));
    host.connection = connection + 1; /* and one that is not */
    host_command(&host, PUPPET, 2, &command, sizeof(command));
    host.connection = 0;
    host_command(&host, PUPPET, 3, &command, sizeof(command));
    host.connection = connection;

    host_expect_nothing(&host);
    worker_stop(&worker);
}

static void a_connection_ends_with_detached(void **state)
{
    struct wire_frame detach = { .type = WIRE_DETACH };

    (void)state;
    host_open(&other, &worker);
    host_attach(&other, worker.token, MAX_TASKS);
    host_attach(&host, worker.token, MAX_TASKS);
    detach.request_id = (uint64_t)host.connection << 32 | 17;

    host_send_frame(&host, &detach);
    host_await(&host, 1);

    assert_int_equal(WIRE_DETACHED, host.answers[0].type);
    assert_int_equal(17, host.answers[0].number);
    assert_int_equal(host.connection, host.answers[0].connection);
    host_puppet(&host, 1, (struct puppet_command){ .act = PUPPET_ECHO }, NULL);
    host_send_frame(&host, &detach);
    host_expect_nothing(&other);
    assert_int_equal(1, host.count);
    worker_stop(&worker);
}

static void the_commands_of_a_host_that_detached_are_not_answered(void **state)
{
    struct wire_frame detach = { .type = WIRE_DETACH };

    (void)state;
    host_open(&other, &worker);
    host_attach(&other, worker.token, MAX_TASKS);
    host_attach(&host, worker.token, MAX_TASKS);
    host_puppet(&host, 1, (struct puppet_command){ .act = PUPPET_HOLD }, NULL);
    detach.request_id = (uint64_t)host.connection << 32;
    host_send_frame(&host, &detach);
    host_await(&host, 1);

    host_puppet(&other, 2, (struct puppet_command){ .act = PUPPET_LET_GO }, NULL);
    host_await(&other, 1);

    host_assert_answer(&other, 0, 2, DOCA_SUCCESS);
    host_expect_nothing(&other);
    assert_int_equal(1, host.count);
    worker_stop(&worker);
}

static void each_host_gets_its_own_answers_under_a_destination_of_its_own(void **state)
{
    uint64_t destination, other_destination;

    (void)state;
    host_attach(&host, worker.token, MAX_TASKS);
    host_open(&other, &worker);
    host_attach(&other, worker.token, MAX_TASKS);
    assert_int_not_equal(host.connection, other.connection);

    host_puppet(&host, 1, (struct puppet_command){ .act = PUPPET_ECHO }, "first");
    host_puppet(&other, 1, (struct puppet_command){ .act = PUPPET_ECHO }, "second");
    host_await(&host, 1);
    host_await(&other, 1);
    assert_memory_equal("first", host_puppet_answer(&host, 0)->bytes, 5);
    assert_memory_equal("second", host_puppet_answer(&other, 0)->bytes, 6);
    destination = host_puppet_answer(&host, 0)->dest_id;
    other_destination = host_puppet_answer(&other, 0)->dest_id;
    assert_int_not_equal(destination, other_destination);

    host_puppet(&host, 2, (struct puppet_command){ .act = PUPPET_ECHO }, NULL);
    host_await(&host, 2);
    assert_int_equal(destination, host_puppet_answer(&host, 1)->dest_id);
    worker_stop(&worker);
}

static void frames_that_no_host_sends_are_dropped(void **state)
{
    static const uint8_t zeros[WIRE_CPU_SET_SIZE];
    const struct wire_frame frames[] = {
        { .type = WIRE_HELLO, .hello = { .client_nonce = zeros, .max_message_size = 4096 } },
        { .type = WIRE_CHALLENGE, .server_nonce = zeros },
        { .type = WIRE_RELEASE, .worker_id = 7 },
        { .type = WIRE_CONFIGURE, .configure = { .token = zeros, .max_message_size = 4096 } },
        { .type = WIRE_READY, .ready = { .address = { zeros, 8 } } },
        { .type = WIRE_NOTIFICATION, .notification = { .payload = { zeros, 8 } } },
        { .type = WIRE_DETACHED },
        { .type = WIRE_ERROR, .error = { DOCA_ERROR_DRIVER, { (const uint8_t *)"no", 2 } } },
    };

    (void)state;
    host_attach(&host, worker.token, MAX_TASKS);
    for (size_t i = 0; i < sizeof(frames) / sizeof(frames[0]); ++i) {
        struct wire_frame frame = frames[i];

        frame.request_id = (uint64_t)host.connection << 32 | 1;
        host_send_frame(&host, &frame);
    }

    host_expect_nothing(&host);
    worker_stop(&worker);
}

static void a_command_over_the_maximum_message_size_is_dropped(void **state)
{
    uint8_t command[MESSAGE_SIZE] = { 0 };

    (void)state;
    host_attach(&host, worker.token, MAX_TASKS);

    host_command(&host, GRAPH, 1, command, MESSAGE_SIZE - WIRE_PREFIX_SIZE + 1);
    host_expect_nothing(&host);
    host_command(&host, GRAPH, 2, command, MESSAGE_SIZE - WIRE_PREFIX_SIZE - 8);
    host_await(&host, 1);

    host_assert_answer(&host, 0, 2, DOCA_SUCCESS);
    worker_stop(&worker);
}

static void sent(void *request, ucs_status_t status, void *user_data)
{
    (void)status;
    *(bool *)user_data = true;
    ucp_request_free(request);
}

static void a_message_by_rendezvous_is_dropped(void **state)
{
    static uint8_t command[MESSAGE_SIZE];
    bool over = false;
    ucp_request_param_t param = {
        .op_attr_mask = UCP_OP_ATTR_FIELD_FLAGS | UCP_OP_ATTR_FIELD_CALLBACK
                | UCP_OP_ATTR_FIELD_USER_DATA | UCP_OP_ATTR_FLAG_NO_IMM_CMPL,
        .flags = UCP_AM_SEND_FLAG_RNDV,
        .cb.send = sent,
        .user_data = &over,
    };
    ucs_status_ptr_t request;

    (void)state;
    host_attach(&host, worker.token, MAX_TASKS);
    wire_put_command(command, (uint64_t)host.connection << 32 | 1, GRAPH,
            sizeof(command) - WIRE_PREFIX_SIZE);
    request = ucp_am_send_nbx(host.endpoint.ep, WIRE_MESSAGE_DATA, NULL, 0, command,
            sizeof(command), &param);
    assert_true(UCS_PTR_IS_PTR(request));

    host_expect_nothing(&host);
    await((net_progress(&host.net), over), ANSWER_MS);
    worker_stop(&worker);
}

/* A fixed sequence: what fails once fails again. */
static uint32_t next_random(uint32_t *seed)
{
    *seed = *seed * 1664525 + 1013904223;
    return *seed >> 8;
}

static void bytes_that_are_no_frame_are_dropped(void **state)
{
    static const uint8_t places[] = { 0, 1, 2, 4, 5, 6, 7 };
    struct puppet_command echo = { .act = PUPPET_ECHO };
    uint8_t bytes[128];
    uint32_t seed = SEED;

    (void)state;
    host_attach(&host, worker.token, MAX_TASKS);
    for (unsigned i = 0; i < RANDOM_MESSAGES; ++i) {
        size_t length = next_random(&seed) % sizeof(bytes);

        /* A frame with a wrong bit in its magic, version or length, or nothing like it. */
        for (size_t at = 0; at < sizeof(bytes); ++at)
            bytes[at] = (uint8_t)next_random(&seed);
        if (i % 2 == 0) {
            wire_put_command(bytes, (uint64_t)host.connection << 32 | 1, PUPPET, sizeof(echo));
            memcpy(bytes + WIRE_PREFIX_SIZE, &echo, sizeof(echo));
            bytes[places[next_random(&seed) % sizeof(places)]] ^=
                    (uint8_t)(1u << next_random(&seed) % 8);
            length = WIRE_PREFIX_SIZE + sizeof(echo);
        }
        host_send(&host, bytes, length);
        if (i % 100 == 0)
            host_expect_nothing(&host);
    }

    host_expect_nothing(&host);
    worker_stop(&worker);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
        TEST(the_token_opens_a_connection_that_lists_the_plugins),
        TEST(a_wrong_token_opens_nothing),
        TEST(a_command_of_an_unknown_connection_is_dropped),
        TEST(a_connection_ends_with_detached),
        TEST(the_commands_of_a_host_that_detached_are_not_answered),
        TEST(each_host_gets_its_own_answers_under_a_destination_of_its_own),
        TEST(frames_that_no_host_sends_are_dropped),
        TEST(a_command_over_the_maximum_message_size_is_dropped),
        TEST(a_message_by_rendezvous_is_dropped),
        TEST(bytes_that_are_no_frame_are_dropped),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
