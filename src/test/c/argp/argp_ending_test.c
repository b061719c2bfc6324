/* SPDX-License-Identifier: Apache-2.0 */
/* Flags that end the process inside start, with status 0. */
#include "argp_fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static doca_error_t print_and_exit(void *value, void *config)
{
    printf("version of the program, %s\n", *(bool *)value && config != NULL ? "told" : "lost");
    doca_argp_destroy();
    exit(5);
}

static doca_error_t print_and_return(void *value, void *config)
{
    (void)value;
    (void)config;
    printf("version of the program\n");
    return DOCA_ERROR_NOT_PERMITTED;
}

static void help_prints_the_usage_and_ends(void **state)
{
    (void)state;
    assert_int_equal(0, start_elsewhere("/usr/bin/program --help"));
    assert_non_null(strstr(printed(), "Usage: program [DOCA Flags] [Program Flags]\n"));
    assert_string_equal("", said());
}

static void help_ends_without_what_is_mandatory_and_before_callbacks(void **state)
{
    struct doca_argp_param *flag = new_flag("p", NULL, DOCA_ARGP_TYPE_STRING);

    (void)state;
    doca_argp_param_set_mandatory(flag);
    assert_int_equal(DOCA_SUCCESS, doca_argp_register_param(flag));
    refuse("boolean", DOCA_ERROR_NOT_PERMITTED);
    assert_int_equal(0, start_elsewhere("program --fast -h --nonsense"));
}

static void what_is_wrong_before_help_is_said(void **state)
{
    (void)state;
    assert_int_equal(99, start_elsewhere("program --nonsense -h"));
}

static void version_prints_name_and_versions_and_ends(void **state)
{
    (void)state;
    assert_int_equal(0, start_elsewhere("program -v"));
    assert_non_null(strstr(printed(), "program: "));
    assert_non_null(strstr(printed(), doca_version()));
    assert_non_null(strstr(printed(), doca_version_runtime()));
}

static void version_is_the_programs_matter_where_it_has_a_callback(void **state)
{
    (void)state;
    assert_int_equal(DOCA_SUCCESS, doca_argp_register_version_callback(print_and_exit));
    assert_int_equal(5, start_elsewhere("program --version"));
    assert_string_equal("version of the program, told\n", printed());
}

static void a_version_callback_that_returns_ends_the_process_too(void **state)
{
    (void)state;
    assert_int_equal(DOCA_SUCCESS, doca_argp_register_version_callback(print_and_exit));
    assert_int_equal(DOCA_SUCCESS, doca_argp_register_version_callback(print_and_return));
    assert_int_equal(0, start_elsewhere("program --version"));
    assert_string_equal("version of the program\n", printed());
}

#define WITH_PARSER(test) cmocka_unit_test_setup_teardown(test, make_parser, end_parser)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_PARSER(help_prints_the_usage_and_ends),
        WITH_PARSER(help_ends_without_what_is_mandatory_and_before_callbacks),
        WITH_PARSER(what_is_wrong_before_help_is_said),
        WITH_PARSER(version_prints_name_and_versions_and_ends),
        WITH_PARSER(version_is_the_programs_matter_where_it_has_a_callback),
        WITH_PARSER(a_version_callback_that_returns_ends_the_process_too),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
