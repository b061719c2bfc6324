/* SPDX-License-Identifier: Apache-2.0 */
/* Tests that valid frames are decoded as encoded. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "any_frame.h"
#include "prefix.h"
#include "samples.h"

#include <doca_urom_plugin.h>

/*
 * Encodes `frame` into a block of exactly its size, so that a sanitizer detects every out-of-bounds
 * read.
 */
static uint8_t *encoded(const struct wire_frame *frame, size_t *length)
{
    uint8_t buffer[SAMPLE_MAX];
    uint8_t *exact;

    assert_int_equal(encode_any(frame, buffer, sizeof(buffer), length), DOCA_SUCCESS);
    exact = malloc(*length);
    assert_non_null(exact);
    return memcpy(exact, buffer, *length);
}

static void every_sample_is_encoded_to_the_same_bytes(void **state)
{
    const uint8_t *bytes;
    uint8_t *again;
    size_t length, length_again, i;

    (void)state;
    for (i = 0; i < sample_count(); ++i) {
        bytes = sample_bytes(i, &length);
        again = encoded(sample(i), &length_again);
        assert_int_equal(length, length_again);
        assert_memory_equal(bytes, again, length);
        free(again);
    }
}

/* Each side has only the half of the codec that it needs. */
static void frames_of_the_service_are_neither_encoded_nor_are_frames_for_it_decoded(void **state)
{
    const enum wire_type sent[] = { WIRE_WELCOME, WIRE_SPAWNED, WIRE_RELEASED, WIRE_WORKER_GONE,
        WIRE_GROUP, WIRE_LAUNCH, WIRE_CONFIGURE, WIRE_TICKET, WIRE_HOST_GONE, WIRE_PING,
        WIRE_DRAIN };
    const enum wire_type received[] = { WIRE_HELLO, WIRE_SPAWN, WIRE_RELEASE, WIRE_GET_GROUP,
        WIRE_READY, WIRE_LISTENING, WIRE_PONG };
    struct wire_frame decoded;
    uint8_t buffer[SAMPLE_MAX];
    const uint8_t *bytes;
    size_t length, i;

    (void)state;
    for (i = 0; i < sizeof(sent) / sizeof(sent[0]); ++i) {
        bytes = sample_bytes(sample_of(sent[i]), &length);
        assert_int_equal(wire_decode(bytes, length, SAMPLE_MAX, &decoded), DOCA_SUCCESS);
        assert_int_equal(
                wire_encode(&decoded, buffer, sizeof(buffer), &length), DOCA_ERROR_INVALID_VALUE);
    }
    for (i = 0; i < sizeof(received) / sizeof(received[0]); ++i) {
        bytes = sample_bytes(sample_of(received[i]), &length);
        assert_int_equal(
                wire_decode(bytes, length, SAMPLE_MAX, &decoded), DOCA_ERROR_INVALID_VALUE);
    }
}

static void a_spawn_keeps_its_fields(void **state)
{
    struct wire_frame spawn = { .type = WIRE_SPAWN, .request_id = 11 };
    uint8_t cpu_set[WIRE_CPU_SET_SIZE] = { 0xF0 };
    struct wire_frame decoded;
    uint8_t *bytes;
    size_t length;

    (void)state;
    spawn.spawn = (struct wire_spawn){ .worker_id = 0x1122334455667788,
        .plugins = 5,
        .flags = 7,
        .group = 42,
        .cpu_set = cpu_set,
        .environment_count = 2,
        .environment = { (const uint8_t *)"A=b\0C=", 7 } };
    bytes = encoded(&spawn, &length);
    assert_int_equal(decode_any(bytes, length, 0, &decoded), DOCA_SUCCESS);
    assert_int_equal(decoded.request_id, 11);
    assert_int_equal(decoded.spawn.worker_id, 0x1122334455667788);
    assert_int_equal(decoded.spawn.plugins, 5);
    assert_int_equal(decoded.spawn.flags, 7);
    assert_int_equal(decoded.spawn.group, 42);
    assert_memory_equal(decoded.spawn.cpu_set, cpu_set, sizeof(cpu_set));
    assert_int_equal(decoded.spawn.environment_count, 2);
    assert_int_equal(decoded.spawn.environment.length, 7);
    assert_memory_equal(decoded.spawn.environment.data, "A=b\0C=", 7);
    free(bytes);
}

static void a_launch_keeps_its_fields(void **state)
{
    uint8_t *bytes;
    struct wire_frame decoded;
    size_t length;

    (void)state;
    bytes = encoded(sample(sample_of(WIRE_LAUNCH)), &length);
    assert_int_equal(decode_any(bytes, length, 0, &decoded), DOCA_SUCCESS);
    assert_int_equal(decoded.launch.user_id, 1000);
    assert_int_equal(decoded.launch.group_id, 100);
    assert_int_equal(decoded.launch.flags, WIRE_FLAG_CHANGE_USER | WIRE_FLAG_LISTEN);
    assert_true(decoded.launch.capabilities == UINT64_MAX);
    assert_int_equal(decoded.launch.limit_count, 2);
    assert_true(wire_launch_limit(&decoded.launch, 0) == 1);
    assert_true(wire_launch_limit(&decoded.launch, 1) == UINT64_C(0x80) << 56);
    assert_int_equal(decoded.launch.socket_path.length, strlen("/run/w\xC3\xB6rker.7"));
    assert_memory_equal(decoded.launch.socket_path.data, "/run/w\xC3\xB6rker.7", 14);
    assert_int_equal(decoded.launch.cgroup.length, strlen("/sys/fs/cgroup/a"));
    assert_memory_equal(decoded.launch.cgroup.data, "/sys/fs/cgroup/a", 16);
    assert_int_equal(decoded.launch.environment_count, 3);
    assert_memory_equal(decoded.launch.environment.data, "A=1", sizeof("A=1"));
    free(bytes);
}

static void a_ticket_keeps_its_fields(void **state)
{
    uint8_t *bytes;
    struct wire_frame decoded;
    size_t length;

    (void)state;
    bytes = encoded(sample(sample_of(WIRE_TICKET)), &length);
    assert_int_equal(decode_any(bytes, length, 0, &decoded), DOCA_SUCCESS);
    assert_memory_equal(decoded.ticket.ticket, "0123456789abcdef", WIRE_TICKET_ID_SIZE);
    assert_memory_equal(decoded.ticket.ticket + WIRE_TICKET_ID_SIZE,
            "0123456789ABCDEF0123456789abcde", WIRE_TICKET_KEY_SIZE);
    assert_true(decoded.ticket.session == UINT64_MAX);
    assert_int_equal(decoded.ticket.lifetime_ms, 20000);
    assert_int_equal(decoded.ticket.flags, WIRE_FLAG_OVER_TCP);
    assert_int_equal(decoded.ticket.port_low, 1024);
    assert_int_equal(decoded.ticket.port_high, 65535);
    assert_int_equal(decoded.ticket.address.length, strlen("2001:db8::1"));
    assert_memory_equal(decoded.ticket.address.data, "2001:db8::1", 11);
    free(bytes);
}

static void fields_without_their_flag_are_written_as_zeros(void **state)
{
    uint8_t cpu_set[WIRE_CPU_SET_SIZE] = { 0xFF };
    uint8_t zeros[WIRE_CPU_SET_SIZE] = { 0 };
    struct wire_frame spawn = { .type = WIRE_SPAWN,
        .spawn = { .worker_id = 1, .plugins = 1, .group = 42, .cpu_set = cpu_set } };
    struct wire_frame decoded;
    uint8_t *bytes;
    size_t length;

    (void)state;
    bytes = encoded(&spawn, &length);
    assert_int_equal(decode_any(bytes, length, 0, &decoded), DOCA_SUCCESS);
    assert_int_equal(decoded.spawn.group, 0);
    assert_memory_equal(decoded.spawn.cpu_set, zeros, sizeof(zeros));
    free(bytes);
}

static void a_launch_and_a_ticket_without_flags_are_written_as_zeros(void **state)
{
    const uint8_t secret[WIRE_TICKET_SIZE] = { 7 };
    struct wire_frame launch = { .type = WIRE_LAUNCH,
        .launch = { .user_id = 1, .group_id = 1, .socket_path = { (const uint8_t *)"/a", 2 } } };
    struct wire_frame ticket = { .type = WIRE_TICKET,
        .ticket = { .ticket = secret,
                .port_low = 1,
                .port_high = 1,
                .address = { (const uint8_t *)"::", 2 } } };
    struct wire_frame decoded;
    uint8_t *bytes;
    size_t length;

    (void)state;
    bytes = encoded(&launch, &length);
    assert_int_equal(decode_any(bytes, length, 0, &decoded), DOCA_SUCCESS);
    assert_int_equal(decoded.launch.user_id, 0);
    assert_int_equal(decoded.launch.group_id, 0);
    assert_int_equal(decoded.launch.socket_path.length, 0);
    free(bytes);

    bytes = encoded(&ticket, &length);
    assert_int_equal(decode_any(bytes, length, 0, &decoded), DOCA_SUCCESS);
    assert_int_equal(decoded.ticket.port_high, 0);
    assert_int_equal(decoded.ticket.address.length, 0);
    free(bytes);
}

static void the_plugins_of_a_welcome_are_read_one_by_one(void **state)
{
    struct wire_frame decoded;
    struct wire_plugin plugin;
    uint8_t *bytes;
    size_t length;

    (void)state;
    bytes = encoded(sample(sample_of(WIRE_WELCOME)), &length);
    assert_int_equal(decode_any(bytes, length, 0, &decoded), DOCA_SUCCESS);
    assert_true(wire_welcome_plugin(&decoded.welcome, 1, &plugin));
    assert_int_equal(plugin.id, 2);
    assert_int_equal(plugin.version, 9);
    assert_string_equal(plugin.name, "sand");
    assert_false(wire_welcome_plugin(&decoded.welcome, 2, &plugin));
    free(bytes);
}

static void the_worker_ids_of_a_group_are_read_at_any_alignment(void **state)
{
    const uint8_t ids[] = { 0, 0xEF, 0xCD, 0xAB, 0x89, 0x67, 0x45, 0x23, 0x01, 7, 0, 0, 0, 0, 0, 0,
        0 };
    struct wire_group group = { 2, ids + 1 };

    (void)state;
    assert_int_equal(wire_group_worker(&group, 0), 0x0123456789ABCDEF);
    assert_int_equal(wire_group_worker(&group, 1), 7);
}

static void plugin_addresses_are_added_and_read_one_by_one(void **state)
{
    struct wire_plugin_address first = { 4, { (const uint8_t *)"abc", 3 } };
    struct wire_plugin_address second = { 8, { NULL, 0 } };
    struct wire_plugin_address read;
    uint8_t records[35];
    size_t length = 0, offset = 0;
    struct wire_attached attached;

    (void)state;
    assert_int_equal(
            wire_add_plugin_address(records, sizeof(records), &length, &first), DOCA_SUCCESS);
    assert_int_equal(
            wire_add_plugin_address(records, sizeof(records), &length, &second), DOCA_SUCCESS);
    assert_int_equal(length, sizeof(records));
    assert_int_equal(wire_add_plugin_address(records, sizeof(records), &length, &second),
            DOCA_ERROR_TOO_BIG);

    attached = (struct wire_attached){ 1, 2, 0, 0, { records, length } };
    assert_true(wire_next_plugin_address(&attached, &offset, &read));
    assert_int_equal(read.plugin, 4);
    assert_memory_equal(read.address.data, "abc", 3);
    assert_true(wire_next_plugin_address(&attached, &offset, &read));
    assert_int_equal(read.plugin, 8);
    assert_int_equal(read.address.length, 0);
    assert_false(wire_next_plugin_address(&attached, &offset, &read));
}

static void a_prefix_written_in_place_equals_that_of_the_encoded_frame(void **state)
{
    struct wire_frame command = { .type = WIRE_COMMAND,
        .request_id = 5,
        .command = { 2, { (const uint8_t *)"payload", 7 }, 0 } };
    struct wire_frame until = { .type = WIRE_COMMAND_UNTIL,
        .request_id = 7,
        .command = { 2, { (const uint8_t *)"payload", 7 }, 0x1122334455667788 } };
    struct wire_frame notification = { .type = WIRE_NOTIFICATION,
        .request_id = 6,
        .notification = { DOCA_ERROR_AGAIN, { (const uint8_t *)"answer", 6 } } };
    uint8_t prefix[WIRE_PREFIX_SIZE + 7 + WIRE_DEADLINE_SIZE];
    uint8_t *bytes;
    size_t length;

    (void)state;
    assert_int_equal(WIRE_PREFIX_SIZE, sizeof(struct urom_worker_cmd));
    assert_true(WIRE_PREFIX_SIZE <= sizeof(struct urom_worker_notify));

    bytes = encoded(&command, &length);
    wire_put_command(prefix, 5, 2, 7);
    assert_memory_equal(prefix, bytes, WIRE_PREFIX_SIZE);
    free(bytes);

    bytes = encoded(&until, &length);
    memcpy(prefix + WIRE_PREFIX_SIZE, "payload", 7);
    wire_put_command_until(prefix, 7, 2, 7, 0x1122334455667788);
    assert_int_equal(length, sizeof(prefix));
    assert_memory_equal(prefix, bytes, length);
    assert_true(wire_command_deadline(prefix + WIRE_PREFIX_SIZE, length - WIRE_PREFIX_SIZE)
            == 0x1122334455667788);
    free(bytes);

    bytes = encoded(&notification, &length);
    wire_put_notification(prefix, 6, DOCA_ERROR_AGAIN, 6);
    assert_memory_equal(prefix, bytes, WIRE_PREFIX_SIZE);
    free(bytes);
}

static void a_prefix_is_decoded_like_its_frame(void **state)
{
    const size_t limits[] = { 0, WIRE_PREFIX_SIZE, WIRE_PREFIX_SIZE + 5, SAMPLE_MAX };
    uint8_t *bytes;
    size_t length, i, j;

    (void)state;
    for (i = 0; i < sample_count(); ++i) {
        bytes = encoded(sample(i), &length);
        for (j = 0; j < sizeof(limits) / sizeof(limits[0]); ++j)
            assert_true(prefix_agrees(bytes, length, limits[j]));
        free(bytes);
    }
}

static void a_buffer_that_is_too_small_yields_the_required_size(void **state)
{
    uint8_t buffer[SAMPLE_MAX];
    size_t length, needed;
    size_t i;

    (void)state;
    for (i = 0; i < sample_count(); ++i) {
        memset(buffer, 0x5A, sizeof(buffer));
        assert_int_equal(encode_any(sample(i), buffer, sizeof(buffer), &length), DOCA_SUCCESS);
        memset(buffer, 0x5A, sizeof(buffer));
        assert_int_equal(encode_any(sample(i), buffer, length - 1, &needed), DOCA_ERROR_TOO_BIG);
        assert_int_equal(needed, length);
        assert_int_equal(buffer[0], 0x5A);
    }
}

static void a_frame_announces_its_length(void **state)
{
    uint8_t *bytes;
    size_t length, announced, i;

    (void)state;
    for (i = 0; i < sample_count(); ++i) {
        bytes = encoded(sample(i), &length);
        assert_int_equal(wire_frame_length(bytes, SAMPLE_MAX, &announced), DOCA_SUCCESS);
        assert_int_equal(announced, length);
        free(bytes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_sample_is_encoded_to_the_same_bytes),
        cmocka_unit_test(frames_of_the_service_are_neither_encoded_nor_are_frames_for_it_decoded),
        cmocka_unit_test(a_spawn_keeps_its_fields),
        cmocka_unit_test(a_launch_keeps_its_fields),
        cmocka_unit_test(a_ticket_keeps_its_fields),
        cmocka_unit_test(fields_without_their_flag_are_written_as_zeros),
        cmocka_unit_test(a_launch_and_a_ticket_without_flags_are_written_as_zeros),
        cmocka_unit_test(the_plugins_of_a_welcome_are_read_one_by_one),
        cmocka_unit_test(the_worker_ids_of_a_group_are_read_at_any_alignment),
        cmocka_unit_test(plugin_addresses_are_added_and_read_one_by_one),
        cmocka_unit_test(a_prefix_written_in_place_equals_that_of_the_encoded_frame),
        cmocka_unit_test(a_prefix_is_decoded_like_its_frame),
        cmocka_unit_test(a_buffer_that_is_too_small_yields_the_required_size),
        cmocka_unit_test(a_frame_announces_its_length),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
