/* SPDX-License-Identifier: Apache-2.0 */
/* Tests that frames with fields out of range are neither encoded nor decoded. */
#include "damage.h"

static doca_error_t encode_error(doca_error_t status, const char *text, size_t text_length)
{
    struct wire_frame error = { .type = WIRE_ERROR,
        .error = { status, { (const uint8_t *)text, text_length } } };
    uint8_t bytes[SAMPLE_MAX];
    size_t length;

    return encode_any(&error, bytes, sizeof(bytes), &length);
}

static void an_error_has_a_known_status_and_a_text(void **state)
{
    const char *const bad[] = { "\x80", "\xC0\x80", "\xC1\xBF", "\xC3", "\xE0\x9F\xBF",
        "\xED\xA0\x80", "\xE2\x82", "\xF0\x8F\xBF\xBF", "\xF4\x90\x80\x80", "\xF5\x80\x80\x80",
        "\xFF", "a\xC3(b", "\xE2\x82(", "\xF0\x9F\x98\xC0" };
    size_t i;

    (void)state;
    assert_int_equal(encode_error(DOCA_ERROR_IN_USE, "\xED\x9F\xBF\xEE\x80\x80", 6), DOCA_SUCCESS);
    assert_int_equal(encode_error(DOCA_SUCCESS, "fine", 4), DOCA_ERROR_INVALID_VALUE);
    assert_int_equal(encode_error((doca_error_t)31, "new", 3), DOCA_ERROR_INVALID_VALUE);
    assert_int_equal(encode_error(DOCA_ERROR_IN_USE, "a\0b", 3), DOCA_ERROR_INVALID_VALUE);
    for (i = 0; i < sizeof(bad) / sizeof(bad[0]); ++i)
        assert_int_equal(
                encode_error(DOCA_ERROR_IN_USE, bad[i], strlen(bad[i])), DOCA_ERROR_INVALID_VALUE);
}

static doca_error_t encode_environment(const char *strings, size_t size, uint32_t count)
{
    struct wire_frame spawn = { .type = WIRE_SPAWN,
        .spawn = { .flags = WIRE_FLAG_HAS_ENVIRONMENT,
                .environment_count = count,
                .environment = { (const uint8_t *)strings, size } } };
    uint8_t bytes[SAMPLE_MAX];
    size_t length;

    return encode_any(&spawn, bytes, sizeof(bytes), &length);
}

static void an_environment_consists_of_names_and_values(void **state)
{
    (void)state;
    assert_int_equal(encode_environment("A=", 3, 1), DOCA_SUCCESS);
    assert_int_equal(encode_environment("A=\0B==", 7, 2), DOCA_SUCCESS);
    assert_int_equal(encode_environment("A=", 2, 1), DOCA_ERROR_INVALID_VALUE); /* missing NUL */
    assert_int_equal(encode_environment("A", 2, 1), DOCA_ERROR_INVALID_VALUE);
    assert_int_equal(encode_environment("=A", 3, 1), DOCA_ERROR_INVALID_VALUE);
    assert_int_equal(encode_environment("", 1, 1), DOCA_ERROR_INVALID_VALUE);
    assert_int_equal(encode_environment("A=\0", 4, 1), DOCA_ERROR_INVALID_VALUE);
    assert_int_equal(encode_environment("A=\xFF", 4, 1), DOCA_ERROR_INVALID_VALUE);
    assert_int_equal(encode_environment(NULL, 0, 0),
            DOCA_ERROR_INVALID_VALUE); /* flag without an environment */
}

static doca_error_t encode_launch(uint32_t flags, const char *socket, const char *cgroup)
{
    struct wire_frame launch = { .type = WIRE_LAUNCH,
        .launch = { .flags = flags,
                .socket_path = { (const uint8_t *)socket, strlen(socket) },
                .cgroup = { (const uint8_t *)cgroup, strlen(cgroup) } } };
    uint8_t bytes[SAMPLE_MAX];
    size_t length;

    return encode_any(&launch, bytes, sizeof(bytes), &length);
}

static void the_paths_of_a_launch_are_absolute(void **state)
{
    char longest[WIRE_SOCKET_PATH_MAX + 2] = { '/' };

    (void)state;
    assert_int_equal(encode_launch(0, "", ""), DOCA_SUCCESS);
    assert_int_equal(encode_launch(WIRE_FLAG_LISTEN, "/s", "/"), DOCA_SUCCESS);
    assert_int_equal(encode_launch(WIRE_FLAG_LISTEN, "", ""), DOCA_ERROR_INVALID_VALUE);
    assert_int_equal(encode_launch(WIRE_FLAG_LISTEN, "s", ""), DOCA_ERROR_INVALID_VALUE);
    assert_int_equal(encode_launch(WIRE_FLAG_LISTEN, "/\xFF", ""), DOCA_ERROR_INVALID_VALUE);
    assert_int_equal(encode_launch(0, "", "group"), DOCA_ERROR_INVALID_VALUE);
    assert_int_equal(encode_launch(0, "", "/\xC0\x80"), DOCA_ERROR_INVALID_VALUE);

    memset(longest + 1, 'x', WIRE_SOCKET_PATH_MAX - 1);
    assert_int_equal(encode_launch(WIRE_FLAG_LISTEN, longest, ""), DOCA_SUCCESS);
    longest[WIRE_SOCKET_PATH_MAX] = 'x';
    assert_int_equal(encode_launch(WIRE_FLAG_LISTEN, longest, ""), DOCA_ERROR_INVALID_VALUE);
}

static void a_launch_has_at_most_one_limit_per_resource(void **state)
{
    static const uint8_t limits[8 * (WIRE_LIMITS_MAX + 1)];
    struct wire_frame launch = { .type = WIRE_LAUNCH, .launch = { .limits = limits } };
    uint8_t bytes[SAMPLE_MAX];
    size_t length;

    (void)state;
    launch.launch.limit_count = WIRE_LIMITS_MAX;
    assert_int_equal(encode_any(&launch, bytes, sizeof(bytes), &length), DOCA_SUCCESS);
    launch.launch.limit_count = WIRE_LIMITS_MAX + 1;
    assert_int_equal(encode_any(&launch, bytes, sizeof(bytes), &length), DOCA_ERROR_INVALID_VALUE);
}

static void paths_do_not_contain_nul(void **state)
{
    const size_t launch = sample_of(WIRE_LAUNCH), socket_path = 80, cgroup = 80 + 14;

    (void)state;
    assert_int_equal(decode_changed(launch, socket_path + 1, 0), DOCA_ERROR_INVALID_VALUE);
    assert_int_equal(decode_changed(launch, cgroup + 1, 0), DOCA_ERROR_INVALID_VALUE);
}

static doca_error_t encode_ticket(uint32_t port_low, uint32_t port_high, const char *address)
{
    const uint8_t secret[WIRE_TICKET_SIZE] = { 7 };
    struct wire_frame ticket = { .type = WIRE_TICKET,
        .ticket = { secret, 1, 1, WIRE_FLAG_OVER_TCP, port_low, port_high,
                { (const uint8_t *)address, strlen(address) } } };
    uint8_t bytes[SAMPLE_MAX];
    size_t length;

    return encode_any(&ticket, bytes, sizeof(bytes), &length);
}

static void a_ticket_over_tcp_has_ports_and_an_address(void **state)
{
    (void)state;
    assert_int_equal(encode_ticket(0, 0, "::1"), DOCA_SUCCESS);
    assert_int_equal(encode_ticket(1, 1, "::1"), DOCA_SUCCESS);
    assert_int_equal(encode_ticket(1, 65535, "::1"), DOCA_SUCCESS);
    assert_int_equal(encode_ticket(0, 1, "::1"), DOCA_ERROR_INVALID_VALUE);
    assert_int_equal(encode_ticket(2, 1, "::1"), DOCA_ERROR_INVALID_VALUE);
    assert_int_equal(encode_ticket(1, 65536, "::1"), DOCA_ERROR_INVALID_VALUE);
    assert_int_equal(encode_ticket(65536, 65536, "::1"), DOCA_ERROR_INVALID_VALUE);
    assert_int_equal(encode_ticket(0, 0, ""), DOCA_ERROR_INVALID_VALUE);
    assert_int_equal(encode_ticket(0, 0, "\xFF"), DOCA_ERROR_INVALID_VALUE);
}

static void an_address_of_one_byte_is_decoded(void **state)
{
    const uint8_t secret[WIRE_TICKET_SIZE] = { 7 };
    struct wire_frame ticket = { .type = WIRE_TICKET,
        .ticket = { secret, 1, 1, WIRE_FLAG_OVER_TCP, 0, 0, { (const uint8_t *)"a", 1 } } };
    uint8_t bytes[SAMPLE_MAX];
    size_t length;

    (void)state;
    assert_int_equal(encode_any(&ticket, bytes, sizeof(bytes), &length), DOCA_SUCCESS);
    assert_int_equal(decode_copy(bytes, length, 0), DOCA_SUCCESS);
}

static void a_ticket_for_a_local_host_has_no_ports(void **state)
{
    uint8_t bytes[SAMPLE_MAX];
    size_t length;

    (void)state;
    assert_int_equal(encode_any(sample(sample_of(WIRE_TICKET) + 2), bytes, sizeof(bytes), &length),
            DOCA_SUCCESS);
    assert_int_equal(decode_copy(bytes, length, 0), DOCA_SUCCESS);
    bytes[80] = 1; /* the lowest port */
    bytes[84] = 1; /* the highest */
    assert_int_equal(decode_copy(bytes, length, 0), DOCA_ERROR_INVALID_VALUE);
}

static void a_listening_port_is_in_range(void **state)
{
    const size_t listening = sample_of(WIRE_LISTENING);
    struct wire_frame none = { .type = WIRE_LISTENING };
    uint8_t bytes[SAMPLE_MAX];
    size_t length;

    (void)state;
    assert_int_equal(decode_changed(listening, 18, 1), DOCA_ERROR_INVALID_VALUE);
    assert_int_equal(encode_any(&none, bytes, sizeof(bytes), &length), DOCA_ERROR_INVALID_VALUE);
}

static void addresses_and_exit_reasons_are_not_empty(void **state)
{
    const uint8_t secret[WIRE_TICKET_SIZE] = { 7 };
    struct wire_frame spawned = { .type = WIRE_SPAWNED,
        .spawned = { 1, 1, 0, 0, secret, { NULL, 0 } } };
    struct wire_frame gone = { .type = WIRE_WORKER_GONE,
        .worker_gone = { 1, 1, 0, { (const uint8_t *)"\xFF", 1 } } };
    uint8_t bytes[SAMPLE_MAX];
    size_t length;

    (void)state;
    assert_int_equal(encode_any(&spawned, bytes, sizeof(bytes), &length), DOCA_ERROR_INVALID_VALUE);
    assert_int_equal(decode_changed(sample_of(WIRE_SPAWNED), 88, 0xFF), DOCA_ERROR_INVALID_VALUE);
    assert_int_equal(decode_changed(sample_of(WIRE_SPAWNED), 88, 0), DOCA_ERROR_INVALID_VALUE);
    assert_int_equal(encode_any(&gone, bytes, sizeof(bytes), &length), DOCA_ERROR_INVALID_VALUE);
}

static void a_release_is_terminated_in_its_field(void **state)
{
    const size_t hello = sample_of(WIRE_HELLO), release = 16 + 8;
    uint8_t bytes[SAMPLE_MAX];
    size_t length;

    (void)state;
    assert_int_equal(decode_changed(hello, release, 0), DOCA_ERROR_INVALID_VALUE);
    assert_int_equal(decode_changed(hello, release, 0xFF), DOCA_ERROR_INVALID_VALUE);
    assert_int_equal(decode_changed(hello, release + 15, 'x'), DOCA_ERROR_INVALID_VALUE);
    assert_int_equal(encode_any(sample(hello), bytes, sizeof(bytes), &length), DOCA_SUCCESS);
    memset(bytes + release, 'x', WIRE_RELEASE_SIZE);
    assert_int_equal(decode_copy(bytes, length, 0), DOCA_ERROR_INVALID_VALUE);
}

static void a_plugin_name_is_terminated_in_its_field(void **state)
{
    const size_t welcome = sample_of(WIRE_WELCOME), first_name = 16 + 144 + 16;
    uint8_t bytes[SAMPLE_MAX];
    size_t length;

    (void)state;
    assert_int_equal(decode_changed(welcome, first_name, 0), DOCA_ERROR_INVALID_VALUE);
    assert_int_equal(decode_changed(welcome, first_name, 0xFF), DOCA_ERROR_INVALID_VALUE);
    assert_int_equal(decode_changed(welcome, first_name + 47, 'x'), DOCA_ERROR_INVALID_VALUE);
    assert_int_equal(encode_any(sample(welcome), bytes, sizeof(bytes), &length), DOCA_SUCCESS);
    memset(bytes + first_name, 'x', WIRE_PLUGIN_NAME_SIZE);
    assert_int_equal(decode_copy(bytes, length, 0), DOCA_ERROR_INVALID_VALUE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_error_has_a_known_status_and_a_text),
        cmocka_unit_test(an_environment_consists_of_names_and_values),
        cmocka_unit_test(a_release_is_terminated_in_its_field),
        cmocka_unit_test(a_plugin_name_is_terminated_in_its_field),
        cmocka_unit_test(the_paths_of_a_launch_are_absolute),
        cmocka_unit_test(a_launch_has_at_most_one_limit_per_resource),
        cmocka_unit_test(paths_do_not_contain_nul),
        cmocka_unit_test(a_ticket_over_tcp_has_ports_and_an_address),
        cmocka_unit_test(an_address_of_one_byte_is_decoded),
        cmocka_unit_test(a_ticket_for_a_local_host_has_no_ports),
        cmocka_unit_test(a_listening_port_is_in_range),
        cmocka_unit_test(addresses_and_exit_reasons_are_not_empty),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
