/* SPDX-License-Identifier: Apache-2.0 */
/* Commands to a plugin and back: sizes, order, layout, limits. */
#include <stdlib.h>
#include <string.h>

#include <doca_urom_plugin.h>
#include <jurom/urom_graph.h>

#include "host.h"

#define MEBIBYTE (1u << 20)
#define MESSAGE_SIZE (MEBIBYTE + 4096)
#define MAX_TASKS 64
#define ROUNDS 4

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

/* A loopback command with `extra` bytes that depend on `seed`; to be freed. */
static struct urom_worker_graph_cmd *make_loopback(uint64_t seed, size_t extra)
{
    struct urom_worker_graph_cmd *command = malloc(sizeof(*command) + extra);
    uint8_t *bytes = (uint8_t *)(command + 1);

    assert_non_null(command);
    command->type = UROM_WORKER_CMD_GRAPH_LOOPBACK;
    command->loopback.data = seed;
    for (size_t i = 0; i < extra; ++i)
        bytes[i] = (uint8_t)(seed + i * 7 + (i >> 8));
    return command;
}

static void commands_of_every_size_come_back_whole(void **state)
{
    static const size_t extras[] = { 0, 1, 7, 8, 48, 84, 85, 1000, 4072, 8192, 65536, MEBIBYTE - 16,
        MEBIBYTE, MESSAGE_SIZE - sizeof(struct urom_worker_notify) - 16 };

    (void)state;
    for (size_t i = 0; i < sizeof(extras) / sizeof(extras[0]); ++i) {
        size_t length = sizeof(struct urom_worker_graph_cmd) + extras[i];
        struct urom_worker_graph_cmd *command = make_loopback(i, extras[i]);

        host_command(&host, GRAPH, i, command, length);
        host_await(&host, 1);

        host_assert_answer(&host, 0, i, DOCA_SUCCESS);
        assert_int_equal(length, host.answers[0].length);
        assert_memory_equal(command, host.answers[0].payload, length);
        host_forget(&host);
        free(command);
    }
    worker_stop(&worker);
}

static void a_plugin_sees_large_and_small_commands_in_the_order_in_which_they_were_sent(
        void **state)
{
    static const size_t sizes[] = { 65536, 16, MEBIBYTE, 16, 9000, 40, 300000, 8000, MEBIBYTE, 24 };
    unsigned count = sizeof(sizes) / sizeof(sizes[0]);
    struct puppet_command *command = calloc(1, MEBIBYTE);

    (void)state;
    assert_non_null(command);
    command->act = PUPPET_ECHO;
    for (unsigned i = 0; i < ROUNDS * count; ++i)
        host_command(&host, PUPPET, i, command, sizes[i % count]);
    host_await(&host, ROUNDS * count);

    for (unsigned i = 0; i < ROUNDS * count; ++i) {
        uint64_t number = host.answers[i].number;

        host_assert_answer(&host, i, number, DOCA_SUCCESS);
        assert_int_equal(number, host_puppet_answer(&host, i)->sequence);
        assert_int_equal(sizes[number % count], host_puppet_answer(&host, i)->len);
    }
    free(command);
    worker_stop(&worker);
}

static void a_command_block_is_aligned_and_has_slack_and_says_its_length(void **state)
{
    static const char text[] = "one odd number of bytes";

    (void)state;
    for (unsigned length = 0; length < sizeof(text); ++length) {
        char part[sizeof(text)];
        const struct puppet_notification *seen;

        memcpy(part, text, sizeof(text));
        part[length] = '\0';
        host_puppet(&host, length, (struct puppet_command){ .act = PUPPET_ECHO }, part);
        host_await(&host, 1);

        seen = host_puppet_answer(&host, 0);
        assert_true(seen->is_aligned);
        assert_true(seen->has_slack);
        assert_int_equal(PUPPET, seen->type);
        assert_int_equal(sizeof(struct puppet_command) + length, seen->len);
        assert_int_equal(sizeof(*seen) + length, host.answers[0].length);
        assert_memory_equal(part, seen->bytes, length);
        host_forget(&host);
    }
    worker_stop(&worker);
}

static void a_large_command_block_has_slack_too(void **state)
{
    struct puppet_command *command = malloc(MEBIBYTE);

    (void)state;
    assert_non_null(command);
    memset(command, 0xff, MEBIBYTE);
    *command = (struct puppet_command){ .act = PUPPET_ECHO };

    host_command(&host, PUPPET, 1, command, MEBIBYTE - 3);
    host_await(&host, 1);

    assert_true(host_puppet_answer(&host, 0)->is_aligned);
    assert_true(host_puppet_answer(&host, 0)->has_slack);
    assert_int_equal(0xff, host_puppet_answer(&host, 0)->bytes[MEBIBYTE / 2]);
    free(command);
    worker_stop(&worker);
}

static void a_command_without_a_payload_reaches_its_plugin(void **state)
{
    (void)state;
    host_command(&host, GRAPH, 1, "", 0);
    host_await(&host, 1);

    host_assert_answer(&host, 0, 1, DOCA_ERROR_INVALID_VALUE); /* the status of the plugin */
    worker_stop(&worker);
}

static void a_command_for_a_plugin_that_is_not_there_is_answered_with_not_found(void **state)
{
    static const uint64_t plugins[] = { 0, GRAPH | PUPPET, 4, UINT64_C(1) << 63, UINT64_MAX };
    static uint8_t large[20000];

    (void)state;
    for (uint32_t i = 0; i < sizeof(plugins) / sizeof(plugins[0]); ++i) {
        host_command(&host, plugins[i], i, "12345678", 8);
        host_await(&host, 1);
        host_assert_answer(&host, 0, i, DOCA_ERROR_NOT_FOUND);
        host_forget(&host);
        host_command(&host, plugins[i], i, large, sizeof(large));
        host_await(&host, 1);
        host_assert_answer(&host, 0, i, DOCA_ERROR_NOT_FOUND);
        host_forget(&host);
    }
    worker_stop(&worker);
}

static void commands_beyond_the_agreed_number_are_answered_with_full(void **state)
{
    (void)state;
    for (unsigned i = 0; i < MAX_TASKS; ++i)
        host_puppet(&host, i, (struct puppet_command){ .act = PUPPET_HOLD }, NULL);
    host_puppet(&host, MAX_TASKS, (struct puppet_command){ .act = PUPPET_LET_GO }, NULL);
    host_await(&host, 1);
    host_assert_answer(&host, 0, MAX_TASKS, DOCA_ERROR_FULL);
    host_forget(&host);

    /* Another host is not affected, and releases the held commands. */
    static struct host other;
    host_open(&other, &worker, MESSAGE_SIZE);
    host_attach(&other, 1);
    host_puppet(&other, 1, (struct puppet_command){ .act = PUPPET_LET_GO }, NULL);
    host_await(&other, 1);
    host_await(&host, MAX_TASKS);
    host_forget(&host);
    host_puppet(&host, 5, (struct puppet_command){ .act = PUPPET_ECHO }, NULL);
    host_await(&host, 1);

    host_assert_answer(&host, 0, 5, DOCA_SUCCESS);
    host_close(&other);
    worker_stop(&worker);
}

static void large_notifications_come_back_whole(void **state)
{
    static const size_t sizes[] = { 1, 8000, 8192, 65536, MEBIBYTE };

    (void)state;
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); ++i) {
        const struct puppet_notification *seen;

        host_puppet(
                &host, 1, (struct puppet_command){ .act = PUPPET_BIG, .count = sizes[i] }, NULL);
        host_await(&host, 1);

        host_assert_answer(&host, 0, 1, DOCA_SUCCESS);
        assert_int_equal(sizeof(*seen) + sizes[i], host.answers[0].length);
        seen = host_puppet_answer(&host, 0);
        for (size_t at = 0; at < sizes[i]; ++at)
            assert_true(seen->bytes[at] == (uint8_t)at);
        host_forget(&host);
    }
    worker_stop(&worker);
}

static void a_worker_leaves_though_a_host_takes_no_answers(void **state)
{
    struct puppet_command *command = calloc(1, MEBIBYTE);

    (void)state;
    assert_non_null(command);
    command->act = PUPPET_ECHO;
    for (unsigned i = 0; i < MAX_TASKS; ++i)
        host_command(&host, PUPPET, i, command, MEBIBYTE);
    await((host_progress(&host), host.count > 0), ANSWER_MS);

    free(command);
    worker_stop(&worker);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
        TEST(commands_of_every_size_come_back_whole),
        TEST(a_plugin_sees_large_and_small_commands_in_the_order_in_which_they_were_sent),
        TEST(a_command_block_is_aligned_and_has_slack_and_says_its_length),
        TEST(a_large_command_block_has_slack_too),
        TEST(a_command_without_a_payload_reaches_its_plugin),
        TEST(a_command_for_a_plugin_that_is_not_there_is_answered_with_not_found),
        TEST(commands_beyond_the_agreed_number_are_answered_with_full),
        TEST(large_notifications_come_back_whole),
        TEST(a_worker_leaves_though_a_host_takes_no_answers),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
