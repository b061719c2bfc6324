/* SPDX-License-Identifier: Apache-2.0 */
/* Inline tagged messages between two workers, and within one. */
#include <stdlib.h>
#include <string.h>

#include "sandbox_host.h"

#define ONE 11 /* ids in the domain */
#define TWO 22
#define EXACT UINT64_MAX

static struct instance one, two;

static int set_up(void **state)
{
    (void)state;
    progress_with(NULL);
    instance_open(&one, PLUGIN_FILE, ONE);
    instance_open(&two, PLUGIN_FILE, TWO);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    progress_until_quiet();
    instance_close(&one);
    instance_close(&two);
    return 0;
}

static void assert_sent(struct instance *instance, uint64_t context)
{
    struct outcome sent = await_outcome(instance, context, UROM_WORKER_NOTIFY_SANDBOX_TAG_SEND);

    assert_status(DOCA_SUCCESS, sent.status);
    assert_int_equal(sent.notify.tag_send.status, UCS_OK);
    assert_int_equal(sent.inline_length, 0);
}

static void assert_received(
        struct instance *instance, uint64_t context, uint64_t tag, const void *bytes, size_t length)
{
    struct outcome received = await_outcome(instance, context, UROM_WORKER_NOTIFY_SANDBOX_TAG_RECV);

    assert_status(DOCA_SUCCESS, received.status);
    assert_int_equal(received.notify.tag_recv.status, UCS_OK);
    assert_int_equal(received.notify.tag_recv.sender_tag, tag);
    assert_int_equal(received.notify.tag_recv.count, length);
    assert_int_equal(received.inline_length, length);
    assert_memory_equal(received.inline_bytes, bytes, length);
}

static uint8_t *pattern(size_t length, unsigned seed)
{
    uint8_t *bytes = malloc(length + 1);

    assert_non_null(bytes);
    for (size_t i = 0; i < length; ++i)
        bytes[i] = (uint8_t)(i * 31 + seed + (i >> 8));
    return bytes;
}

static void messages_of_many_sizes_arrive_whole(void **state)
{
    static const size_t lengths[] = { 0, 1, 7, 8, 63, 64, 100, 1000, 4096, 8192, 8193, 60000 };

    (void)state;
    for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); ++i) {
        uint8_t *bytes = pattern(lengths[i], (unsigned)i);
        uint64_t received = receive_inline(&two, 5, EXACT, lengths[i]);

        assert_sent(&one, send_inline(&one, TWO, 5, bytes, lengths[i]));
        assert_received(&two, received, 5, bytes, lengths[i]);
        free(bytes);
    }
}

static void a_worker_sends_to_itself(void **state)
{
    uint64_t received;

    (void)state;
    received = receive_inline(&one, 5, EXACT, 100);
    assert_sent(&one, send_inline(&one, ONE, 5, "myself", 6));
    assert_received(&one, received, 5, "myself", 6);
}

static void a_receive_whose_message_is_there_already_completes(void **state)
{
    int rounds = 0;

    (void)state;
    assert_sent(&one, send_inline(&one, TWO, 5, "early", 5));
    await_progress(++rounds > 1000);
    assert_received(&two, receive_inline(&two, 5, EXACT, 100), 5, "early", 5);
    /* The same within one worker, where UCX completes the receive immediately. */
    assert_sent(&one, send_inline(&one, ONE, 6, "at once", 7));
    assert_received(&one, receive_inline(&one, 6, EXACT, 100), 6, "at once", 7);
}

static void the_mask_says_which_bits_of_the_tag_count(void **state)
{
    uint64_t exact, masked;

    (void)state;
    exact = receive_inline(&two, 0x1200000034, EXACT, 100);
    masked = receive_inline(&two, 0x34, 0xFF, 100);
    assert_sent(&one, send_inline(&one, TWO, 0x5600000034, "masked", 6));
    assert_received(&two, masked, 0x5600000034, "masked", 6);
    assert_false(has_notification(&two, exact));
    assert_sent(&one, send_inline(&one, TWO, 0x1200000034, "exact", 5));
    assert_received(&two, exact, 0x1200000034, "exact", 5);
}

static void messages_of_one_tag_arrive_in_the_order_in_which_they_were_sent(void **state)
{
    uint64_t sent[64], received[64];

    (void)state;
    for (unsigned i = 0; i < 64; ++i)
        sent[i] = send_inline(&one, TWO, 9, &i, sizeof(i));
    for (unsigned i = 0; i < 64; ++i)
        received[i] = receive_inline(&two, 9, EXACT, sizeof(i));
    for (unsigned i = 0; i < 64; ++i) {
        assert_sent(&one, sent[i]);
        assert_received(&two, received[i], 9, &i, sizeof(i));
    }
}

static void a_message_that_is_longer_than_its_room_is_truncated(void **state)
{
    struct outcome received;
    uint64_t context;

    (void)state;
    context = receive_inline(&two, 5, EXACT, 4);
    assert_sent(&one, send_inline(&one, TWO, 5, "too long", 8));
    received = await_outcome(&two, context, UROM_WORKER_NOTIFY_SANDBOX_TAG_RECV);
    assert_status(DOCA_ERROR_TOO_BIG, received.status);
    assert_int_equal(received.notify.tag_recv.status, UCS_ERR_MESSAGE_TRUNCATED);
    assert_null(received.notify.tag_recv.buffer);
    assert_int_equal(received.inline_length, 0);
}

static void a_message_too_long_for_a_notification_is_reported(void **state)
{
    size_t length = NOTIFY_MAX - sizeof(struct urom_worker_notify)
            - sizeof(struct urom_worker_notify_sandbox);
    uint8_t *bytes = pattern(length + 1, 3);
    struct outcome received;
    uint64_t context;

    (void)state;
    context = receive_inline(&two, 5, EXACT, length + 1);
    assert_sent(&one, send_inline(&one, TWO, 5, bytes, length));
    assert_received(&two, context, 5, bytes, length);

    context = receive_inline(&two, 5, EXACT, length + 1);
    assert_sent(&one, send_inline(&one, TWO, 5, bytes, length + 1));
    received = await_outcome(&two, context, UROM_WORKER_NOTIFY_SANDBOX_TAG_RECV);
    assert_status(DOCA_ERROR_TOO_BIG, received.status);
    assert_int_equal(received.notify.tag_recv.status, UCS_ERR_MESSAGE_TRUNCATED);
    assert_int_equal(received.notify.tag_recv.count, length + 1);
    assert_null(received.notify.tag_recv.buffer);
    free(bytes);
}

static void a_missing_destination_is_reported(void **state)
{
    struct outcome sent;

    (void)state;
    sent = await_outcome(
            &one, send_inline(&one, 33, 5, "nobody", 6), UROM_WORKER_NOTIFY_SANDBOX_TAG_SEND);
    assert_status(DOCA_ERROR_NOT_FOUND, sent.status);
    assert_int_equal(sent.notify.tag_send.status, UCS_ERR_NO_ELEM);
}

static void an_unknown_command_is_rejected(void **state)
{
    struct urom_worker_sandbox_cmd command = { .type = 3 };
    uint64_t context;

    (void)state;
    assert_status(DOCA_ERROR_INVALID_VALUE,
            instance_command(&one, HOST, &command, sizeof(command), &context));
    command.type = UROM_WORKER_CMD_SANDBOX_TAG_RECV;
    assert_status(DOCA_ERROR_INVALID_VALUE,
            instance_command(&one, HOST, &command, sizeof(command) - 1, &context));
    assert_status(DOCA_ERROR_INVALID_VALUE, instance_command(&one, HOST, &command, 0, &context));
}

static uint64_t receive_for(struct instance *instance, uint64_t host, uint64_t room)
{
    struct urom_worker_sandbox_cmd command = {
        .type = UROM_WORKER_CMD_SANDBOX_TAG_RECV,
        .tag_recv = { .context = CALLER, .count = room, .tag = 5, .tag_mask = EXACT },
    };
    uint64_t context;

    assert_success(instance_command(instance, host, &command, sizeof(command), &context));
    return context;
}

static void assert_full(struct instance *instance, uint64_t context)
{
    struct outcome received = await_outcome(instance, context, UROM_WORKER_NOTIFY_SANDBOX_TAG_RECV);

    assert_status(DOCA_ERROR_FULL, received.status);
    assert_int_equal(received.notify.tag_recv.status, UCS_ERR_EXCEEDS_LIMIT);
    assert_int_equal(received.inline_length, 0);
}

static void the_room_that_a_host_asks_for_is_limited(void **state)
{
    (void)state;
    assert_full(&one, receive_for(&one, HOST, UINT64_MAX));
    assert_full(&one, receive_for(&one, HOST, (256u << 20) + 1));
    for (uint64_t host = HOST; host < HOST + 8; ++host) {
        uint64_t last = 0;

        for (int i = 0; i < 4; ++i)
            last = receive_for(&one, host, 64u << 20);
        assert_full(&one, receive_for(&one, host, 1));
        assert_false(has_notification(&one, last));
        one.host_left(&one.ctx, host); /* and gives its room to the others */
    }
}

static void a_host_that_leaves_takes_its_receives_along(void **state)
{
    uint64_t abandoned, received;
    struct urom_worker_sandbox_cmd command = {
        .type = UROM_WORKER_CMD_SANDBOX_TAG_RECV,
        .tag_recv = { .count = 100, .tag = 5, .tag_mask = EXACT },
    };

    (void)state;
    assert_success(instance_command(&two, OTHER_HOST, &command, sizeof(command), &abandoned));
    received = receive_inline(&two, 5, EXACT, 100);
    two.host_left(&two.ctx, OTHER_HOST);
    assert_sent(&one, send_inline(&one, TWO, 5, "mine", 4));
    assert_received(&two, received, 5, "mine", 4);
}

static void the_plugin_is_armed_when_nothing_is_left_to_do(void **state)
{
    doca_error_t status = DOCA_ERROR_AGAIN;
    int fd = -1;

    (void)state;
    assert_sent(&one, send_inline(&one, TWO, 5, "x", 1));
    await_progress((status = two.arm(&two.ctx, &fd)) == DOCA_SUCCESS);
    assert_true(fd >= 0);
    /* Pending notifications keep the worker awake. */
    send_inline(&one, 33, 5, "nobody", 6);
    assert_status(DOCA_ERROR_AGAIN, one.arm(&one.ctx, &fd));
}

static void what_is_under_way_ends_with_the_plugin(void **state)
{
    (void)state;
    receive_inline(&one, 5, EXACT, 100);
    receive_inline(&two, 5, EXACT, 100);
    send_inline(&one, TWO, 6, "never received", 14);
    progress_all();
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(messages_of_many_sizes_arrive_whole),
        TEST(a_worker_sends_to_itself),
        TEST(a_receive_whose_message_is_there_already_completes),
        TEST(the_mask_says_which_bits_of_the_tag_count),
        TEST(messages_of_one_tag_arrive_in_the_order_in_which_they_were_sent),
        TEST(a_message_that_is_longer_than_its_room_is_truncated),
        TEST(a_message_too_long_for_a_notification_is_reported),
        TEST(a_missing_destination_is_reported),
        TEST(an_unknown_command_is_rejected),
        TEST(the_room_that_a_host_asks_for_is_limited),
        TEST(a_host_that_leaves_takes_its_receives_along),
        TEST(the_plugin_is_armed_when_nothing_is_left_to_do),
        TEST(what_is_under_way_ends_with_the_plugin),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
