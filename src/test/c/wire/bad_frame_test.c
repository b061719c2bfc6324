/* SPDX-License-Identifier: Apache-2.0 */
/* Hostile and damaged frames: each is refused, and none is read past its end. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "samples.h"

/* Decodes a copy of exactly `length` bytes, so that a sanitizer sees every over-read. */
static doca_error_t decode_copy(const uint8_t *bytes, size_t length, size_t max_message_size)
{
    struct wire_frame frame;
    uint8_t *copy = malloc(length > 0 ? length : 1);
    doca_error_t result;

    assert_non_null(copy);
    memcpy(copy, bytes, length);
    result = wire_decode(copy, length, max_message_size, &frame);
    free(copy);
    return result;
}

/* Sample `index`, with `value` at `offset`. */
static doca_error_t decode_changed(size_t index, size_t offset, uint8_t value)
{
    uint8_t bytes[SAMPLE_MAX];
    size_t length;

    assert_int_equal(wire_encode(sample(index), bytes, sizeof(bytes), &length), DOCA_SUCCESS);
    assert_true(offset < length && bytes[offset] != value);
    bytes[offset] = value;
    return decode_copy(bytes, length, SAMPLE_MAX);
}

/* The number of the first sample of `type`. */
static size_t sample_of(enum wire_type type)
{
    size_t i = 0;

    while (sample(i)->type != type)
        i++;
    return i;
}

static void a_frame_cut_short_is_refused(void **state)
{
    uint8_t bytes[SAMPLE_MAX];
    size_t length, cut, i;

    (void)state;
    for (i = 0; i < sample_count(); i++) {
        assert_int_equal(wire_encode(sample(i), bytes, sizeof(bytes), &length), DOCA_SUCCESS);
        for (cut = 0; cut < length; cut++)
            assert_int_equal(decode_copy(bytes, cut, SAMPLE_MAX), DOCA_ERROR_INVALID_VALUE);
        assert_int_equal(decode_copy(bytes, length + 1, SAMPLE_MAX), DOCA_ERROR_INVALID_VALUE);
    }
}

/*
 * Also when the header's length agrees with the cut. Only bodies that may have any length remain.
 */
static void a_body_cut_short_is_refused(void **state)
{
    uint8_t bytes[SAMPLE_MAX];
    size_t length, cut, i, smallest;
    doca_error_t expected;

    (void)state;
    for (i = 0; i < sample_count(); i++) {
        smallest = SIZE_MAX;
        if (sample(i)->type == WIRE_COMMAND || sample(i)->type == WIRE_NOTIFICATION)
            smallest = WIRE_PREFIX_SIZE;
        else if (sample(i)->type == WIRE_DOMAIN)
            smallest = WIRE_HEADER_SIZE;
        assert_int_equal(wire_encode(sample(i), bytes, sizeof(bytes), &length), DOCA_SUCCESS);
        for (cut = WIRE_HEADER_SIZE; cut < length; cut++) {
            bytes[4] = (uint8_t)(cut - WIRE_HEADER_SIZE);
            bytes[5] = (uint8_t)((cut - WIRE_HEADER_SIZE) >> 8);
            expected = cut >= smallest ? DOCA_SUCCESS : DOCA_ERROR_INVALID_VALUE;
            assert_int_equal(decode_copy(bytes, cut, SAMPLE_MAX), expected);
        }
    }
}

static void a_foreign_header_is_refused(void **state)
{
    (void)state;
    assert_int_equal(decode_changed(0, 0, 'X'), DOCA_ERROR_INVALID_VALUE);
    assert_int_equal(decode_changed(0, 1, 'X'), DOCA_ERROR_INVALID_VALUE);
    assert_int_equal(decode_changed(0, 2, 2), DOCA_ERROR_UNSUPPORTED_VERSION);
    assert_int_equal(decode_changed(sample_of(WIRE_DETACH), 3, 0), DOCA_ERROR_INVALID_VALUE);
    assert_int_equal(decode_changed(sample_of(WIRE_DETACH), 3, 13), DOCA_ERROR_INVALID_VALUE);
    assert_int_equal(decode_changed(sample_of(WIRE_DETACH), 3, 38), DOCA_ERROR_INVALID_VALUE);
    assert_int_equal(decode_changed(sample_of(WIRE_DETACH), 3, 255), DOCA_ERROR_INVALID_VALUE);
}

static void commands_and_notifications_keep_to_the_maximum_message_size(void **state)
{
    const enum wire_type types[] = {WIRE_COMMAND, WIRE_NOTIFICATION};
    uint8_t bytes[SAMPLE_MAX];
    size_t length, i;

    (void)state;
    for (i = 0; i < 2; i++) {
        assert_int_equal(wire_encode(sample(sample_of(types[i])), bytes, sizeof(bytes), &length),
                DOCA_SUCCESS);
        assert_int_equal(decode_copy(bytes, length, length), DOCA_SUCCESS);
        assert_int_equal(decode_copy(bytes, length, length - 1), DOCA_ERROR_TOO_BIG);
    }
}

static void other_frames_keep_to_one_mebibyte(void **state)
{
    struct wire_frame domain = {.type = WIRE_DOMAIN};
    uint8_t *payload = calloc(1, WIRE_CONTROL_MAX);
    uint8_t *bytes = malloc(2 * WIRE_CONTROL_MAX);
    size_t length;

    (void)state;
    assert_true(payload != NULL && bytes != NULL);
    domain.domain = (struct wire_bytes){payload, WIRE_CONTROL_MAX - WIRE_HEADER_SIZE};
    assert_int_equal(wire_encode(&domain, bytes, 2 * WIRE_CONTROL_MAX, &length), DOCA_SUCCESS);
    assert_int_equal(length, WIRE_CONTROL_MAX);
    domain.domain.length++;
    assert_int_equal(wire_encode(&domain, bytes, 2 * WIRE_CONTROL_MAX, &length),
            DOCA_ERROR_INVALID_VALUE);
    assert_int_equal(decode_copy(bytes, length, SIZE_MAX), DOCA_ERROR_TOO_BIG);
    free(payload);
    free(bytes);
}

static void reserved_and_unannounced_fields_are_zero(void **state)
{
    (void)state;
    assert_int_equal(decode_changed(sample_of(WIRE_WELCOME), 60, 1), DOCA_ERROR_INVALID_VALUE);
    assert_int_equal(decode_changed(sample_of(WIRE_WORKER_GONE), 28, 1), DOCA_ERROR_INVALID_VALUE);
    assert_int_equal(decode_changed(sample_of(WIRE_GET_GROUP), 20, 1), DOCA_ERROR_INVALID_VALUE);
    assert_int_equal(decode_changed(sample_of(WIRE_GROUP), 20, 1), DOCA_ERROR_INVALID_VALUE);
    assert_int_equal(decode_changed(sample_of(WIRE_NOTIFICATION), 20, 1),
            DOCA_ERROR_INVALID_VALUE);
    assert_int_equal(decode_changed(sample_of(WIRE_ATTACHED), 36, 1), DOCA_ERROR_INVALID_VALUE);
    /* The sample's flags lose one at a time, or gain one that nobody knows. */
    assert_int_equal(decode_changed(sample_of(WIRE_SPAWN), 32, 6), DOCA_ERROR_INVALID_VALUE);
    assert_int_equal(decode_changed(sample_of(WIRE_SPAWN), 32, 5), DOCA_ERROR_INVALID_VALUE);
    assert_int_equal(decode_changed(sample_of(WIRE_SPAWN), 32, 3), DOCA_ERROR_INVALID_VALUE);
    assert_int_equal(decode_changed(sample_of(WIRE_SPAWN), 32, 15), DOCA_ERROR_INVALID_VALUE);
    assert_int_equal(decode_changed(sample_of(WIRE_SPAWNED), 28, 2), DOCA_ERROR_INVALID_VALUE);
    assert_int_equal(decode_changed(sample_of(WIRE_SPAWNED), 28, 7), DOCA_ERROR_INVALID_VALUE);
    assert_int_equal(decode_changed(sample_of(WIRE_CONFIGURE), 60, 0), DOCA_ERROR_INVALID_VALUE);
    assert_int_equal(decode_changed(sample_of(WIRE_CONFIGURE), 60, 3), DOCA_ERROR_INVALID_VALUE);
}

static void counts_agree_with_what_is_there(void **state)
{
    (void)state;
    assert_int_equal(decode_changed(sample_of(WIRE_WELCOME), 56, 3), DOCA_ERROR_INVALID_VALUE);
    assert_int_equal(decode_changed(sample_of(WIRE_GROUP), 16, 1), DOCA_ERROR_INVALID_VALUE);
    assert_int_equal(decode_changed(sample_of(WIRE_GROUP), 19, 0xFF), DOCA_ERROR_INVALID_VALUE);
    assert_int_equal(decode_changed(sample_of(WIRE_ATTACHED), 20, 3), DOCA_ERROR_INVALID_VALUE);
    assert_int_equal(decode_changed(sample_of(WIRE_ATTACHED), 35, 0xFF), DOCA_ERROR_INVALID_VALUE);
    assert_int_equal(decode_changed(sample_of(WIRE_SPAWN), 168, 2), DOCA_ERROR_INVALID_VALUE);
    assert_int_equal(decode_changed(sample_of(WIRE_SPAWN), 172, 1), DOCA_ERROR_INVALID_VALUE);
    assert_int_equal(decode_changed(sample_of(WIRE_READY), 20, 4), DOCA_ERROR_INVALID_VALUE);
    assert_int_equal(decode_changed(sample_of(WIRE_ERROR), 20, 0xFF), DOCA_ERROR_INVALID_VALUE);
}

static doca_error_t encode_error(doca_error_t status, const char *text, size_t text_length)
{
    struct wire_frame error = {.type = WIRE_ERROR,
        .error = {status, {(const uint8_t *)text, text_length}}};
    uint8_t bytes[SAMPLE_MAX];
    size_t length;

    return wire_encode(&error, bytes, sizeof(bytes), &length);
}

static void an_error_has_a_known_status_and_a_text(void **state)
{
    const char *const bad[] = {"\x80", "\xC0\x80", "\xC1\xBF", "\xC3", "\xE0\x9F\xBF",
        "\xED\xA0\x80", "\xE2\x82", "\xF0\x8F\xBF\xBF", "\xF4\x90\x80\x80", "\xF5\x80\x80\x80",
        "\xFF", "a\xC3(b"};
    size_t i;

    (void)state;
    assert_int_equal(encode_error(DOCA_ERROR_IN_USE, "\xED\x9F\xBF\xEE\x80\x80", 6), DOCA_SUCCESS);
    assert_int_equal(encode_error(DOCA_SUCCESS, "fine", 4), DOCA_ERROR_INVALID_VALUE);
    assert_int_equal(encode_error((doca_error_t)31, "new", 3), DOCA_ERROR_INVALID_VALUE);
    assert_int_equal(encode_error(DOCA_ERROR_IN_USE, "a\0b", 3), DOCA_ERROR_INVALID_VALUE);
    for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        assert_int_equal(encode_error(DOCA_ERROR_IN_USE, bad[i], strlen(bad[i])),
                DOCA_ERROR_INVALID_VALUE);
}

static doca_error_t encode_environment(const char *strings, size_t size, uint32_t count)
{
    struct wire_frame spawn = {.type = WIRE_SPAWN,
        .spawn = {1, 1, WIRE_FLAG_HAS_ENVIRONMENT, 0, NULL, count,
            {(const uint8_t *)strings, size}}};
    uint8_t bytes[SAMPLE_MAX];
    size_t length;

    return wire_encode(&spawn, bytes, sizeof(bytes), &length);
}

static void an_environment_is_made_of_names_and_values(void **state)
{
    (void)state;
    assert_int_equal(encode_environment("A=", 3, 1), DOCA_SUCCESS);
    assert_int_equal(encode_environment("A=\0B==", 7, 2), DOCA_SUCCESS);
    assert_int_equal(encode_environment("A=", 2, 1), DOCA_ERROR_INVALID_VALUE); /* no NUL */
    assert_int_equal(encode_environment("A", 2, 1), DOCA_ERROR_INVALID_VALUE);
    assert_int_equal(encode_environment("=A", 3, 1), DOCA_ERROR_INVALID_VALUE);
    assert_int_equal(encode_environment("", 1, 1), DOCA_ERROR_INVALID_VALUE);
    assert_int_equal(encode_environment("A=\0", 4, 1), DOCA_ERROR_INVALID_VALUE);
    assert_int_equal(encode_environment("A=\xFF", 4, 1), DOCA_ERROR_INVALID_VALUE);
    assert_int_equal(encode_environment(NULL, 0, 0), DOCA_ERROR_INVALID_VALUE); /* its flag */
}

static void a_plugin_name_is_a_text_that_ends_in_its_field(void **state)
{
    const size_t welcome = sample_of(WIRE_WELCOME), first_name = 16 + 176 + 16;
    uint8_t bytes[SAMPLE_MAX];
    size_t length;

    (void)state;
    assert_int_equal(decode_changed(welcome, first_name, 0), DOCA_ERROR_INVALID_VALUE);
    assert_int_equal(decode_changed(welcome, first_name, 0xFF), DOCA_ERROR_INVALID_VALUE);
    assert_int_equal(decode_changed(welcome, first_name + 47, 'x'), DOCA_ERROR_INVALID_VALUE);
    assert_int_equal(wire_encode(sample(welcome), bytes, sizeof(bytes), &length), DOCA_SUCCESS);
    memset(bytes + first_name, 'x', WIRE_PLUGIN_NAME_SIZE);
    assert_int_equal(decode_copy(bytes, length, 0), DOCA_ERROR_INVALID_VALUE);
}

static void a_worker_has_an_address(void **state)
{
    const uint8_t token[WIRE_TOKEN_SIZE] = {1};
    struct wire_frame ready = {.type = WIRE_READY, .ready = {1, {NULL, 0}}};
    struct wire_frame attach = {.type = WIRE_ATTACH, .attach = {token, 1, {NULL, 0}}};
    uint8_t bytes[SAMPLE_MAX];
    size_t length;

    (void)state;
    assert_int_equal(wire_encode(&ready, bytes, sizeof(bytes), &length), DOCA_ERROR_INVALID_VALUE);
    assert_int_equal(wire_encode(&attach, bytes, sizeof(bytes), &length),
            DOCA_ERROR_INVALID_VALUE);
}

static void an_unknown_type_is_not_encoded(void **state)
{
    struct wire_frame frame = {.type = (enum wire_type)99};
    uint8_t bytes[SAMPLE_MAX];
    size_t length;

    (void)state;
    assert_int_equal(wire_encode(&frame, bytes, sizeof(bytes), &length),
            DOCA_ERROR_INVALID_VALUE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_frame_cut_short_is_refused),
        cmocka_unit_test(a_body_cut_short_is_refused),
        cmocka_unit_test(a_foreign_header_is_refused),
        cmocka_unit_test(commands_and_notifications_keep_to_the_maximum_message_size),
        cmocka_unit_test(other_frames_keep_to_one_mebibyte),
        cmocka_unit_test(reserved_and_unannounced_fields_are_zero),
        cmocka_unit_test(counts_agree_with_what_is_there),
        cmocka_unit_test(an_error_has_a_known_status_and_a_text),
        cmocka_unit_test(an_environment_is_made_of_names_and_values),
        cmocka_unit_test(a_plugin_name_is_a_text_that_ends_in_its_field),
        cmocka_unit_test(a_worker_has_an_address),
        cmocka_unit_test(an_unknown_type_is_not_encoded),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
