/* SPDX-License-Identifier: Apache-2.0 */
/* Corrupts frames and decodes them. */
#ifndef JUROM_WIRE_DAMAGE_H_
#define JUROM_WIRE_DAMAGE_H_

#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "any_frame.h"
#include "prefix.h"
#include "samples.h"

/*
 * Decodes a copy of exactly `length` bytes, so that a sanitizer detects every out-of-bounds read.
 */
static inline doca_error_t decode_copy(const uint8_t *bytes, size_t length, size_t max_message_size)
{
    struct wire_frame frame;
    uint8_t *copy = malloc(length > 0 ? length : 1);
    doca_error_t status;

    assert_non_null(copy);
    memcpy(copy, bytes, length);
    status = decode_any(copy, length, max_message_size, &frame);
    assert_true(prefix_agrees(copy, length, max_message_size));
    free(copy);
    return status;
}

/* Decodes sample `index` with `value` at `offset`. */
static inline doca_error_t decode_changed(size_t index, size_t offset, uint8_t value)
{
    uint8_t bytes[SAMPLE_MAX];
    size_t length;

    assert_int_equal(encode_any(sample(index), bytes, sizeof(bytes), &length), DOCA_SUCCESS);
    assert_true(offset < length && bytes[offset] != value);
    bytes[offset] = value;
    return decode_copy(bytes, length, SAMPLE_MAX);
}

#endif /* JUROM_WIRE_DAMAGE_H_ */
