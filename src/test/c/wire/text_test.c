/* SPDX-License-Identifier: Apache-2.0 */
/* Tests which sequences of bytes are texts. The expected numbers are those of Unicode. */
#include <string.h>

#include "cmocka_all.h"
#include <wire/wire.h>

enum {
    ONE_BYTE = 0x7F, /* NUL is no text */
    TWO_BYTES = 0x800 - 0x80,
    THREE_BYTES = 0x10000 - 0x800 - 0x800, /* without surrogates */
};

/* Returns how many sequences of this length are texts. */
static size_t count_texts(size_t length)
{
    const uint32_t all = 1U << 8 * length;
    uint8_t data[4];
    size_t count = 0;

    for (uint32_t sequence = 0; sequence < all; ++sequence) {
        for (size_t i = 0; i < length; ++i)
            data[i] = (uint8_t)(sequence >> 8 * i);
        count += wire_is_text(data, length);
    }
    return count;
}

static void short_sequences_are_texts_if_they_are_characters(void **state)
{
    (void)state;
    assert_int_equal(count_texts(1), ONE_BYTE);
    assert_int_equal(count_texts(2), ONE_BYTE * ONE_BYTE + TWO_BYTES);
    assert_int_equal(count_texts(3),
            ONE_BYTE * ONE_BYTE * ONE_BYTE + 2 * ONE_BYTE * TWO_BYTES + THREE_BYTES);
}

/* Characters of four bytes: all first and second bytes, and the limits of the others. */
static void characters_of_four_bytes_end_at_10ffff(void **state)
{
    static const uint8_t limits[] = { 0x7F, 0x80, 0xBF, 0xC0 };
    uint8_t data[4];
    size_t count = 0;

    (void)state;
    for (uint32_t i = 0; i < 256 * 256 * 16; ++i) {
        data[0] = (uint8_t)(i >> 12);
        data[1] = (uint8_t)(i >> 4);
        data[2] = limits[i >> 2 & 3];
        data[3] = limits[i & 3];
        count += data[0] >= 0xF0 && wire_is_text(data, sizeof(data));
    }
    assert_int_equal(count, (0x110000 - 0x10000) / (64 * 64) * 2 * 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(short_sequences_are_texts_if_they_are_characters),
        cmocka_unit_test(characters_of_four_bytes_end_at_10ffff),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
