/* SPDX-License-Identifier: Apache-2.0 */
/* Flags that exit the process during the start, with status 0. */
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

static void help_prints_the_usage_and_exits(void **state)
{
    (void)state;
    assert_int_equal(0, start_elsewhere("/usr/bin/program --help"));
    assert_non_null(strstr(printed(), "Usage: program [DOCA Flags] [Program Flags]\n"));
    assert_string_equal("", reported());
}

static void help_exits_without_mandatory_flags_and_before_callbacks(void **state)
{
    struct doca_argp_param *flag = new_flag("p", NULL, DOCA_ARGP_TYPE_STRING);

    (void)state;
    doca_argp_param_set_mandatory(flag);
    assert_int_equal(DOCA_SUCCESS, doca_argp_register_param(flag));
    fail_callback("boolean", DOCA_ERROR_NOT_PERMITTED);
    assert_int_equal(0, start_elsewhere("program --fast -h --nonsense"));
}

static void errors_before_help_are_reported(void **state)
{
    (void)state;
    assert_int_equal(99, start_elsewhere("program --nonsense -h"));
}

static void version_prints_name_and_versions_and_exits(void **state)
{
    (void)state;
    assert_int_equal(0, start_elsewhere("program -v"));
    assert_non_null(strstr(printed(), "program: "));
    assert_non_null(strstr(printed(), doca_version()));
    assert_non_null(strstr(printed(), doca_version_runtime()));
}

static void version_calls_the_callback_of_the_program(void **state)
{
    (void)state;
    assert_int_equal(DOCA_SUCCESS, doca_argp_register_version_callback(print_and_exit));
    assert_int_equal(5, start_elsewhere("program --version"));
    assert_string_equal("version of the program, told\n", printed());
}

static void the_process_exits_after_the_version_callback(void **state)
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
        WITH_PARSER(help_prints_the_usage_and_exits),
        WITH_PARSER(help_exits_without_mandatory_flags_and_before_callbacks),
        WITH_PARSER(errors_before_help_are_reported),
        WITH_PARSER(version_prints_name_and_versions_and_exits),
        WITH_PARSER(version_calls_the_callback_of_the_program),
        WITH_PARSER(the_process_exits_after_the_version_callback),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
