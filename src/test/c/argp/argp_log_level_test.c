/* SPDX-License-Identifier: Apache-2.0 */
/* The flags for log levels. */
#include "argp_fixture.h"

static int reset(void **state)
{
    doca_log_level_set_global_lower_limit(DOCA_LOG_LEVEL_INFO);
    doca_log_level_set_global_sdk_limit(DOCA_LOG_LEVEL_WARNING);
    return make_parser(state);
}

static void assert_levels(int level, int sdk_level)
{
    int given, given_sdk;

    assert_int_equal(DOCA_SUCCESS, doca_argp_get_log_level(&given));
    assert_int_equal(DOCA_SUCCESS, doca_argp_get_sdk_log_level(&given_sdk));
    assert_int_equal(level, given);
    assert_int_equal(sdk_level, given_sdk);
}

static void without_flags_the_global_levels_apply(void **state)
{
    (void)state;
    assert_levels(50, 40);
    assert_int_equal(DOCA_SUCCESS, start("program"));
    assert_levels(50, 40);
    assert_int_equal(DOCA_SUCCESS, doca_argp_destroy());
    assert_levels(50, 40);
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_argp_get_log_level(NULL));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_argp_get_sdk_log_level(NULL));
}

static void a_level_sets_the_global_limit(void **state)
{
    (void)state;
    assert_int_equal(DOCA_SUCCESS, start("program -l 60 --sdk-log-level 70"));
    assert_int_equal(60, doca_log_level_get_global_lower_limit());
    assert_int_equal(70, doca_log_level_get_global_sdk_limit());
    assert_levels(60, 70);
}

static void the_level_of_the_flag_overrides_that_of_the_program(void **state)
{
    (void)state;
    assert_int_equal(DOCA_SUCCESS, start("program --log-level 20"));
    assert_int_equal(DOCA_SUCCESS, doca_log_level_set_global_lower_limit(DOCA_LOG_LEVEL_DEBUG));
    assert_levels(20, 40);
}

static void an_invalid_level_is_rejected_before_any_callback(void **state)
{
    (void)state;
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, start("program --fast -l 55"));
    assert_reported("--log-level must be 10, 20, 30, 40, 50, 60 or 70");
    assert_string_equal("", noted());
    assert_levels(50, 40);
}

static void a_file_sets_the_levels(void **state)
{
    (void)state;
    assert_int_equal(DOCA_SUCCESS,
            start_file("{\"doca_general_flags\": {\"log-level\": 30, \"sdk-log-level\": 20}}"));
    assert_levels(30, 20);
}

#define WITH_PARSER(test) cmocka_unit_test_setup_teardown(test, reset, end_parser)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_PARSER(without_flags_the_global_levels_apply),
        WITH_PARSER(a_level_sets_the_global_limit),
        WITH_PARSER(the_level_of_the_flag_overrides_that_of_the_program),
        WITH_PARSER(an_invalid_level_is_rejected_before_any_callback),
        WITH_PARSER(a_file_sets_the_levels),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
