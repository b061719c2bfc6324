/* SPDX-License-Identifier: Apache-2.0 */
/* Macros of doca_compat.h and doca_version.h. */
#include "cmocka_all.h"

#include <string.h>

#include <doca_compat.h>
#include <doca_version.h>

struct versioned {
    DOCA_STRUCT_START;
    int number;
};

static void headers_and_library_have_the_same_version(void **state)
{
    (void)state;
    assert_string_equal("3.0.0058", DOCA_VERSION_STRING);
    assert_string_equal(DOCA_VERSION_STRING, doca_version());
    assert_string_equal(DOCA_VERSION_STRING, doca_version_runtime());
}

static void versions_are_compared_by_release(void **state)
{
    (void)state;
    assert_int_equal(3 << 24 | 58, DOCA_VERSION_EXACT);
    assert_int_equal(2 << 24 | 10 << 16 | 87, DOCA_VERSION_CALC_EXACT(2, 10, 87));
    assert_int_equal(3 << 24 | 58000, DOCA_VERSION_OFFICIAL);
    assert_int_equal(DOCA_VERSION_OFFICIAL, DOCA_VERSION_CALC(3, 0, 50 + 8));
    assert_true(DOCA_VERSION_EQ_CURRENT(3, 0, 58));
    assert_false(DOCA_VERSION_EQ_CURRENT(3, 0, 57));
    assert_true(DOCA_VERSION_LTE_CURRENT(2, 10, 0));
    assert_false(DOCA_VERSION_LTE_CURRENT(3, 1, 0));
}

static void a_struct_receives_its_stamp_and_is_otherwise_unchanged(void **state)
{
    struct versioned object = { .number = 7 }, other = { .number = 8 };

    (void)state;
    DOCA_STRUCT_CTOR(object);
    DOCA_STRUCT_PTR_CTOR(&other);
    assert_int_equal(DOCA_VERSION_EXACT, DOCA_STRUCT_GET_VERSION(&object));
    assert_int_equal(DOCA_VERSION_EXACT, DOCA_STRUCT_GET_VERSION(&other));
    assert_int_equal(7, object.number);
    assert_int_equal(8, other.number);
}

static void a_struct_is_zeroed_and_receives_its_stamp(void **state)
{
    struct versioned object, other;

    (void)state;
    memset(&object, 0xFF, sizeof(object));
    memset(&other, 0xFF, sizeof(other));
    DOCA_STRUCT_MEMSET_CTOR(object);
    DOCA_STRUCT_PTR_MEMSET_CTOR(&other);
    assert_int_equal(DOCA_VERSION_EXACT, object.__doca_api_version);
    assert_int_equal(DOCA_VERSION_EXACT, other.__doca_api_version);
    assert_int_equal(0, object.number);
    assert_int_equal(0, other.number);
}

static void a_struct_is_defined_with_its_stamp(void **state)
{
    static DOCA_STRUCT_DEF(versioned, object);
    struct versioned other = { DOCA_STRUCT_CTOR_LIST_START, .number = 9 };

    (void)state;
    assert_int_equal(DOCA_VERSION_EXACT, object.__doca_api_version);
    assert_int_equal(0, object.number);
    assert_int_equal(DOCA_VERSION_EXACT, other.__doca_api_version);
    assert_int_equal(9, other.number);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(headers_and_library_have_the_same_version),
        cmocka_unit_test(versions_are_compared_by_release),
        cmocka_unit_test(a_struct_receives_its_stamp_and_is_otherwise_unchanged),
        cmocka_unit_test(a_struct_is_zeroed_and_receives_its_stamp),
        cmocka_unit_test(a_struct_is_defined_with_its_stamp),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
