/* SPDX-License-Identifier: Apache-2.0 */
/* Values of flags, and how long they last. */
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

static void numbers_are_decimal_or_hexadecimal_with_or_without_sign(void **state)
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

static void assert_refused(const char *text)
{
    char line[64];

    make_parser(NULL);
    snprintf(line, sizeof(line), "program --count=%s", text);
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, start(line));
    assert_string_equal("", noted());
    assert_says("--count requires a number from -2147483648 to 2147483647, not");
    end_parser(NULL);
}

static void what_is_no_number_of_32_bits_is_refused(void **state)
{
    (void)state;
    assert_refused("");
    assert_refused("-");
    assert_refused("x");
    assert_refused("1x");
    assert_refused("1.5");
    assert_refused("0x");
    assert_refused("0xg");
    assert_refused("--1");
    assert_refused("+-1");
    assert_refused("ff");
    assert_refused("2147483648");
    assert_refused("-2147483649");
    assert_refused("0x100000000");
    assert_refused("99999999999999999999");
}

static void add_keeping_flag(void)
{
    struct doca_argp_param *flag = new_flag("k", "keep", DOCA_ARGP_TYPE_STRING);

    doca_argp_param_set_callback(flag, keep_text);
    assert_int_equal(DOCA_SUCCESS, doca_argp_register_param(flag));
}

static void a_text_is_the_argument_itself(void **state)
{
    char program[] = "program", name[] = "-k", value[] = "kept";
    char *words[] = { program, name, value, NULL };

    (void)state;
    add_keeping_flag();
    assert_int_equal(DOCA_SUCCESS, doca_argp_start(3, words));
    assert_ptr_equal(value, kept);
}

static void a_text_of_a_file_lasts_until_the_parser_goes(void **state)
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
        cmocka_unit_test(numbers_are_decimal_or_hexadecimal_with_or_without_sign),
        cmocka_unit_test(what_is_no_number_of_32_bits_is_refused),
        WITH_PARSER(a_text_is_the_argument_itself),
        WITH_PARSER(a_text_of_a_file_lasts_until_the_parser_goes),
        WITH_PARSER(names_are_copied),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
