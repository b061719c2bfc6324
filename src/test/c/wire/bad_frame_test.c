/* SPDX-License-Identifier: Apache-2.0 */
/* Tests that malformed and corrupted frames are rejected and never read past their end. */
#include <wire/bytes.h>

#include "damage.h"

static void a_truncated_frame_is_rejected(void **state)
{
    uint8_t bytes[SAMPLE_MAX];
    size_t length, cut, i;

    (void)state;
    for (i = 0; i < sample_count(); ++i) {
        assert_int_equal(encode_any(sample(i), bytes, sizeof(bytes), &length), DOCA_SUCCESS);
        for (cut = 0; cut < length; ++cut)
            assert_int_equal(decode_copy(bytes, cut, SAMPLE_MAX), DOCA_ERROR_INVALID_VALUE);
        assert_int_equal(decode_copy(bytes, length + 1, SAMPLE_MAX), DOCA_ERROR_INVALID_VALUE);
    }
}

/*
 * A truncated body is rejected even if the length in the header matches, except bodies of any
 * length.
 */
static void a_truncated_body_is_rejected(void **state)
{
    uint8_t bytes[SAMPLE_MAX];
    size_t length, cut, i, smallest;
    doca_error_t expected;

    (void)state;
    for (i = 0; i < sample_count(); ++i) {
        smallest = SIZE_MAX;
        if (sample(i)->type == WIRE_COMMAND_UNTIL)
            smallest = WIRE_PREFIX_SIZE + WIRE_DEADLINE_SIZE;
        else if (wire_has_payload((uint8_t)sample(i)->type))
            smallest = WIRE_PREFIX_SIZE;
        else if (sample(i)->type == WIRE_DOMAIN)
            smallest = WIRE_HEADER_SIZE;
        assert_int_equal(encode_any(sample(i), bytes, sizeof(bytes), &length), DOCA_SUCCESS);
        for (cut = WIRE_HEADER_SIZE; cut < length; ++cut) {
            bytes[4] = (uint8_t)(cut - WIRE_HEADER_SIZE);
            bytes[5] = (uint8_t)((cut - WIRE_HEADER_SIZE) >> 8);
            expected = cut >= smallest ? DOCA_SUCCESS : DOCA_ERROR_INVALID_VALUE;
            assert_int_equal(decode_copy(bytes, cut, SAMPLE_MAX), expected);
        }
    }
}

/* Bodies of any length follow the number of bytes in the header. */
static void a_surplus_byte_is_rejected(void **state)
{
    uint8_t bytes[SAMPLE_MAX + 1] = { 0 };
    size_t length, i;
    bool any_length;

    (void)state;
    for (i = 0; i < sample_count(); ++i) {
        any_length = wire_has_payload((uint8_t)sample(i)->type) || sample(i)->type == WIRE_DOMAIN;
        assert_int_equal(encode_any(sample(i), bytes, SAMPLE_MAX, &length), DOCA_SUCCESS);
        store_u32(bytes + 4, (uint32_t)(length + 1 - WIRE_HEADER_SIZE));
        bytes[length] = 0;
        assert_int_equal(decode_copy(bytes, length + 1, SAMPLE_MAX),
                any_length ? DOCA_SUCCESS : DOCA_ERROR_INVALID_VALUE);
    }
}

static void a_foreign_header_is_rejected(void **state)
{
    (void)state;
    assert_int_equal(decode_changed(0, 0, 'X'), DOCA_ERROR_INVALID_VALUE);
    assert_int_equal(decode_changed(0, 1, 'X'), DOCA_ERROR_INVALID_VALUE);
    assert_int_equal(decode_changed(0, 2, 1), DOCA_ERROR_UNSUPPORTED_VERSION);
    assert_int_equal(decode_changed(0, 2, WIRE_VERSION + 1), DOCA_ERROR_UNSUPPORTED_VERSION);
    assert_int_equal(decode_changed(sample_of(WIRE_DETACH), 3, 2), DOCA_ERROR_INVALID_VALUE);
    assert_int_equal(decode_changed(sample_of(WIRE_DETACH), 3, 0), DOCA_ERROR_INVALID_VALUE);
    assert_int_equal(decode_changed(sample_of(WIRE_DETACH), 3, 13), DOCA_ERROR_INVALID_VALUE);
    assert_int_equal(decode_changed(sample_of(WIRE_DETACH), 3, 28), DOCA_ERROR_INVALID_VALUE);
    assert_int_equal(decode_changed(sample_of(WIRE_DETACH), 3, 40), DOCA_ERROR_INVALID_VALUE);
    assert_int_equal(decode_changed(sample_of(WIRE_DETACH), 3, 255), DOCA_ERROR_INVALID_VALUE);
}

static void commands_and_notifications_are_limited_by_the_maximum_message_size(void **state)
{
    const enum wire_type types[] = { WIRE_COMMAND, WIRE_NOTIFICATION };
    uint8_t bytes[SAMPLE_MAX];
    size_t length, i;

    (void)state;
    assert_int_equal(
            encode_any(sample(sample_of(WIRE_COMMAND_UNTIL)), bytes, sizeof(bytes), &length),
            DOCA_SUCCESS);
    assert_int_equal(decode_copy(bytes, length, length - WIRE_DEADLINE_SIZE), DOCA_SUCCESS);
    assert_int_equal(
            decode_copy(bytes, length, length - WIRE_DEADLINE_SIZE - 1), DOCA_ERROR_TOO_BIG);
    for (i = 0; i < 2; ++i) {
        assert_int_equal(encode_any(sample(sample_of(types[i])), bytes, sizeof(bytes), &length),
                DOCA_SUCCESS);
        assert_int_equal(decode_copy(bytes, length, length), DOCA_SUCCESS);
        assert_int_equal(decode_copy(bytes, length, length - 1), DOCA_ERROR_TOO_BIG);
    }
}

static void other_frames_are_limited_to_one_mebibyte(void **state)
{
    struct wire_frame domain = { .type = WIRE_DOMAIN };
    uint8_t *payload = calloc(1, WIRE_CONTROL_MAX);
    uint8_t *bytes = malloc(2 * WIRE_CONTROL_MAX);
    size_t length;

    (void)state;
    assert_true(payload != NULL && bytes != NULL);
    domain.domain = (struct wire_bytes){ payload, WIRE_CONTROL_MAX - WIRE_HEADER_SIZE };
    assert_int_equal(encode_any(&domain, bytes, 2 * WIRE_CONTROL_MAX, &length), DOCA_SUCCESS);
    assert_int_equal(length, WIRE_CONTROL_MAX);
    domain.domain.length++;
    assert_int_equal(
            encode_any(&domain, bytes, 2 * WIRE_CONTROL_MAX, &length), DOCA_ERROR_INVALID_VALUE);
    assert_int_equal(decode_copy(bytes, length, SIZE_MAX), DOCA_ERROR_TOO_BIG);
    free(payload);
    free(bytes);
}

static void reserved_and_unset_fields_are_zero(void **state)
{
    (void)state;
    assert_int_equal(decode_changed(sample_of(WIRE_HELLO), 20, 1), DOCA_ERROR_INVALID_VALUE);
    assert_int_equal(decode_changed(sample_of(WIRE_WELCOME), 28, 1), DOCA_ERROR_INVALID_VALUE);
    assert_int_equal(decode_changed(sample_of(WIRE_WORKER_GONE), 36, 1), DOCA_ERROR_INVALID_VALUE);
    assert_int_equal(decode_changed(sample_of(WIRE_GET_GROUP), 20, 1), DOCA_ERROR_INVALID_VALUE);
    assert_int_equal(decode_changed(sample_of(WIRE_GROUP), 20, 1), DOCA_ERROR_INVALID_VALUE);
    assert_int_equal(decode_changed(sample_of(WIRE_NOTIFICATION), 20, 1), DOCA_ERROR_INVALID_VALUE);
    assert_int_equal(decode_changed(sample_of(WIRE_LAUNCH), 28, 1), DOCA_ERROR_INVALID_VALUE);
    assert_int_equal(decode_changed(sample_of(WIRE_READY), 20, 1), DOCA_ERROR_INVALID_VALUE);
    assert_int_equal(decode_changed(sample_of(WIRE_TICKET), 92, 1), DOCA_ERROR_INVALID_VALUE);
    assert_int_equal(decode_changed(sample_of(WIRE_LISTENING), 20, 1), DOCA_ERROR_INVALID_VALUE);
    assert_int_equal(decode_changed(sample_of(WIRE_ATTACH), 20, 1), DOCA_ERROR_INVALID_VALUE);
    assert_int_equal(decode_changed(sample_of(WIRE_ATTACHED), 52, 1), DOCA_ERROR_INVALID_VALUE);
}

static void flags_match_their_fields(void **state)
{
    (void)state;
    /* Clear each flag of the sample, or set an unknown one. */
    assert_int_equal(decode_changed(sample_of(WIRE_SPAWN), 32, 6), DOCA_ERROR_INVALID_VALUE);
    assert_int_equal(decode_changed(sample_of(WIRE_SPAWN), 32, 5), DOCA_ERROR_INVALID_VALUE);
    assert_int_equal(decode_changed(sample_of(WIRE_SPAWN), 32, 3), DOCA_ERROR_INVALID_VALUE);
    assert_int_equal(decode_changed(sample_of(WIRE_SPAWN), 32, 15), DOCA_ERROR_INVALID_VALUE);
    assert_int_equal(decode_changed(sample_of(WIRE_SPAWNED), 28, 2), DOCA_ERROR_INVALID_VALUE);
    assert_int_equal(decode_changed(sample_of(WIRE_SPAWNED), 28, 11), DOCA_ERROR_INVALID_VALUE);
    assert_int_equal(decode_changed(sample_of(WIRE_CONFIGURE), 28, 0), DOCA_ERROR_INVALID_VALUE);
    assert_int_equal(decode_changed(sample_of(WIRE_CONFIGURE), 28, 3), DOCA_ERROR_INVALID_VALUE);
    assert_int_equal(decode_changed(sample_of(WIRE_LAUNCH), 24, 1), DOCA_ERROR_INVALID_VALUE);
    assert_int_equal(decode_changed(sample_of(WIRE_LAUNCH), 24, 2), DOCA_ERROR_INVALID_VALUE);
    assert_int_equal(decode_changed(sample_of(WIRE_LAUNCH), 24, 7), DOCA_ERROR_INVALID_VALUE);
    assert_int_equal(decode_changed(sample_of(WIRE_LAUNCH) + 1, 16, 1), DOCA_ERROR_INVALID_VALUE);
    assert_int_equal(decode_changed(sample_of(WIRE_LAUNCH) + 1, 20, 1), DOCA_ERROR_INVALID_VALUE);
    assert_int_equal(decode_changed(sample_of(WIRE_WORKER_GONE), 28, 3), DOCA_ERROR_INVALID_VALUE);
    assert_int_equal(decode_changed(sample_of(WIRE_TICKET), 76, 0), DOCA_ERROR_INVALID_VALUE);
    assert_int_equal(decode_changed(sample_of(WIRE_TICKET), 76, 3), DOCA_ERROR_INVALID_VALUE);
    assert_int_equal(decode_changed(sample_of(WIRE_ATTACHED), 28, 0), DOCA_ERROR_INVALID_VALUE);
    assert_int_equal(decode_changed(sample_of(WIRE_ATTACHED), 28, 3), DOCA_ERROR_INVALID_VALUE);
    assert_int_equal(decode_changed(sample_of(WIRE_TICKET) + 2, 76, WIRE_FLAG_OFFERS_UCX),
            DOCA_ERROR_INVALID_VALUE);
}

static void counts_match_the_number_of_elements(void **state)
{
    (void)state;
    assert_int_equal(decode_changed(sample_of(WIRE_WELCOME), 24, 3), DOCA_ERROR_INVALID_VALUE);
    assert_int_equal(decode_changed(sample_of(WIRE_GROUP), 16, 1), DOCA_ERROR_INVALID_VALUE);
    assert_int_equal(decode_changed(sample_of(WIRE_GROUP), 19, 0xFF), DOCA_ERROR_INVALID_VALUE);
    assert_int_equal(decode_changed(sample_of(WIRE_ATTACHED), 24, 3), DOCA_ERROR_INVALID_VALUE);
    assert_int_equal(decode_changed(sample_of(WIRE_ATTACHED), 51, 0xFF), DOCA_ERROR_INVALID_VALUE);
    assert_int_equal(decode_changed(sample_of(WIRE_SPAWN), 168, 2), DOCA_ERROR_INVALID_VALUE);
    assert_int_equal(decode_changed(sample_of(WIRE_SPAWN), 172, 1), DOCA_ERROR_INVALID_VALUE);
    assert_int_equal(decode_changed(sample_of(WIRE_SPAWNED), 36, 5), DOCA_ERROR_INVALID_VALUE);
    assert_int_equal(decode_changed(sample_of(WIRE_WORKER_GONE), 32, 5), DOCA_ERROR_INVALID_VALUE);
    assert_int_equal(decode_changed(sample_of(WIRE_LAUNCH), 48, 13), DOCA_ERROR_INVALID_VALUE);
    assert_int_equal(decode_changed(sample_of(WIRE_LAUNCH), 51, 0xFF), DOCA_ERROR_INVALID_VALUE);
    assert_int_equal(decode_changed(sample_of(WIRE_LAUNCH), 52, 7), DOCA_ERROR_INVALID_VALUE);
    assert_int_equal(decode_changed(sample_of(WIRE_LAUNCH), 55, 0xFF), DOCA_ERROR_INVALID_VALUE);
    assert_int_equal(decode_changed(sample_of(WIRE_LAUNCH), 56, 2), DOCA_ERROR_INVALID_VALUE);
    assert_int_equal(decode_changed(sample_of(WIRE_LAUNCH), 60, 1), DOCA_ERROR_INVALID_VALUE);
    assert_int_equal(decode_changed(sample_of(WIRE_TICKET), 88, 10), DOCA_ERROR_INVALID_VALUE);
    assert_int_equal(decode_changed(sample_of(WIRE_ERROR), 20, 0xFF), DOCA_ERROR_INVALID_VALUE);
}

static void an_unknown_type_is_not_encoded(void **state)
{
    struct wire_frame frame = { .type = (enum wire_type)99 };
    uint8_t bytes[SAMPLE_MAX];
    size_t length;

    (void)state;
    assert_int_equal(encode_any(&frame, bytes, sizeof(bytes), &length), DOCA_ERROR_INVALID_VALUE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_truncated_frame_is_rejected),
        cmocka_unit_test(a_truncated_body_is_rejected),
        cmocka_unit_test(a_surplus_byte_is_rejected),
        cmocka_unit_test(a_foreign_header_is_rejected),
        cmocka_unit_test(commands_and_notifications_are_limited_by_the_maximum_message_size),
        cmocka_unit_test(other_frames_are_limited_to_one_mebibyte),
        cmocka_unit_test(reserved_and_unset_fields_are_zero),
        cmocka_unit_test(flags_match_their_fields),
        cmocka_unit_test(counts_match_the_number_of_elements),
        cmocka_unit_test(an_unknown_type_is_not_encoded),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
