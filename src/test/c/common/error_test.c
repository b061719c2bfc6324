/* SPDX-License-Identifier: Apache-2.0 */
#include "cmocka_all.h"

#include <string.h>

#include <doca_error.h>
#include <doca_version.h>

#define CODES 31

static void every_code_has_its_own_name_and_description(void **state)
{
    int code, other;

    (void)state;
    for (code = 0; code < CODES; ++code)
        for (other = 0; other < code; ++other) {
            assert_string_not_equal(doca_error_get_name(code), doca_error_get_name(other));
            assert_string_not_equal(doca_error_get_descr(code), doca_error_get_descr(other));
        }
}

static void names_equal_those_of_the_constants(void **state)
{
    (void)state;
    assert_string_equal("DOCA_SUCCESS", doca_error_get_name(DOCA_SUCCESS));
    assert_string_equal("DOCA_ERROR_AGAIN", doca_error_get_name(DOCA_ERROR_AGAIN));
    assert_string_equal("DOCA_ERROR_SKIPPED", doca_error_get_name(DOCA_ERROR_SKIPPED));
}

static void descriptions_are_printable_text(void **state)
{
    int code;

    (void)state;
    for (code = 0; code < CODES; ++code)
        assert_true(strlen(doca_error_get_descr(code)) >= 7);
}

static void an_unknown_code_has_a_name_and_a_description(void **state)
{
    (void)state;
    assert_non_null(strstr(doca_error_get_name((doca_error_t)CODES), "unknown"));
    assert_non_null(strstr(doca_error_get_descr((doca_error_t)CODES), "Unknown"));
    assert_non_null(strstr(doca_error_get_name((doca_error_t)-1), "unknown"));
}

static void the_library_has_the_version_of_its_headers(void **state)
{
    (void)state;
    assert_string_equal(DOCA_VERSION_STRING, doca_version_runtime());
}

static void propagate_preserves_the_first_failure(void **state)
{
    doca_error_t status = DOCA_SUCCESS;

    (void)state;
    DOCA_ERROR_PROPAGATE(status, DOCA_ERROR_AGAIN);
    DOCA_ERROR_PROPAGATE(status, DOCA_ERROR_FULL);
    DOCA_ERROR_PROPAGATE(status, DOCA_SUCCESS);

    assert_int_equal(DOCA_ERROR_AGAIN, status);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_code_has_its_own_name_and_description),
        cmocka_unit_test(names_equal_those_of_the_constants),
        cmocka_unit_test(descriptions_are_printable_text),
        cmocka_unit_test(an_unknown_code_has_a_name_and_a_description),
        cmocka_unit_test(the_library_has_the_version_of_its_headers),
        cmocka_unit_test(propagate_preserves_the_first_failure),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
