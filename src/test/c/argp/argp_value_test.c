/* SPDX-License-Identifier: Apache-2.0 */
/* Values of flags and their lifetime. */
#include "argp_fixture.h"

#include <stdio.h>
#include <string.h>

static char *kept;

static doca_error_t keep_text(void *value, void *config)
{
    (void)config;
    kept = value;
    return DOCA_SUCCESS;
}

static void assert_number(const char *text, const char *expected)
{
    char line[64];

    make_parser(NULL);
    snprintf(line, sizeof(line), "program --count %s", text);
    assert_int_equal(DOCA_SUCCESS, start(line));
    assert_string_equal(expected, noted());
    end_parser(NULL);
}

static void numbers_are_decimal_or_hexadecimal_with_an_optional_sign(void **state)
{
    (void)state;
    assert_number("0", "0 ");
    assert_number("007", "7 ");
    assert_number("+12", "12 ");
    assert_number("-12", "-12 ");
    assert_number("0x40", "64 ");
    assert_number("-0XfF", "-255 ");
    assert_number("2147483647", "2147483647 ");
    assert_number("-2147483648", "-2147483648 ");
    assert_number("0x7fffffff", "2147483647 ");
}

static void assert_rejected(const char *text)
{
    char line[64];

    make_parser(NULL);
    snprintf(line, sizeof(line), "program --count=%s", text);
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, start(line));
    assert_string_equal("", noted());
    assert_reported("--count requires a number from -2147483648 to 2147483647, not");
    end_parser(NULL);
}

static void a_value_that_is_not_a_32_bit_number_is_rejected(void **state)
{
    (void)state;
    assert_rejected("");
    assert_rejected("-");
    assert_rejected("x");
    assert_rejected("1x");
    assert_rejected("1.5");
    assert_rejected("0x");
    assert_rejected("0xg");
    assert_rejected("--1");
    assert_rejected("+-1");
    assert_rejected("ff");
    assert_rejected("2147483648");
    assert_rejected("-2147483649");
    assert_rejected("0x100000000");
    assert_rejected("99999999999999999999");
}

static void add_keeping_flag(void)
{
    struct doca_argp_param *flag = new_flag("k", "keep", DOCA_ARGP_TYPE_STRING);

    doca_argp_param_set_callback(flag, keep_text);
    assert_int_equal(DOCA_SUCCESS, doca_argp_register_param(flag));
}

static void a_string_value_points_to_the_argument(void **state)
{
    char program[] = "program", name[] = "-k", value[] = "kept";
    char *words[] = { program, name, value, NULL };

    (void)state;
    add_keeping_flag();
    assert_int_equal(DOCA_SUCCESS, doca_argp_start(3, words));
    assert_ptr_equal(value, kept);
}

static void a_string_value_of_a_file_is_valid_until_the_parser_is_destroyed(void **state)
{
    (void)state;
    add_keeping_flag();
    assert_int_equal(DOCA_SUCCESS, start_file("{\"doca_program_flags\": {\"keep\": \"kept\"}}"));
    assert_string_equal("kept", kept);
}

static void names_are_copied(void **state)
{
    char long_name[] = "keep", description[] = "Keeps it";
    struct doca_argp_param *flag = new_flag(NULL, NULL, DOCA_ARGP_TYPE_BOOLEAN);

    (void)state;
    doca_argp_param_set_long_name(flag, long_name);
    doca_argp_param_set_description(flag, description);
    memset(long_name, 'x', sizeof(long_name) - 1);
    memset(description, 'x', sizeof(description) - 1);
    assert_int_equal(DOCA_SUCCESS, doca_argp_register_param(flag));
    doca_argp_usage();
    assert_non_null(strstr(printed(), "--keep"));
    assert_non_null(strstr(printed(), "Keeps it\n"));
    assert_int_equal(DOCA_SUCCESS, start("program --keep"));
}

#define WITH_PARSER(test) cmocka_unit_test_setup_teardown(test, make_parser, end_parser)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_decimal_or_hexadecimal_with_an_optional_sign),
        cmocka_unit_test(a_value_that_is_not_a_32_bit_number_is_rejected),
        WITH_PARSER(a_string_value_points_to_the_argument),
        WITH_PARSER(a_string_value_of_a_file_is_valid_until_the_parser_is_destroyed),
        WITH_PARSER(names_are_copied),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
