/* SPDX-License-Identifier: Apache-2.0 */
/* Tests the comparison of secrets. */
#include <string.h>

#include "cmocka_all.h"
#include <wire/wire.h>

static void secrets_are_equal_if_all_bytes_are_equal(void **state)
{
    uint8_t left[WIRE_TICKET_SIZE], right[WIRE_TICKET_SIZE];
    size_t i;

    (void)state;
    memset(left, 0xA5, sizeof(left));
    memcpy(right, left, sizeof(left));
    assert_true(wire_equal(left, right, sizeof(left)));
    for (i = 0; i < sizeof(left) * 8; ++i) {
        right[i / 8] ^= 1 << i % 8;
        assert_false(wire_equal(left, right, sizeof(left)));
        assert_true(wire_equal(left, right, i / 8));
        right[i / 8] ^= 1 << i % 8;
    }
}

static void empty_secrets_are_equal(void **state)
{
    (void)state;
    assert_true(wire_equal(NULL, NULL, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(secrets_are_equal_if_all_bytes_are_equal),
        cmocka_unit_test(empty_secrets_are_equal),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
