/* SPDX-License-Identifier: Apache-2.0 */
/* Syntax and multiplicity of flags, and the order of their callbacks. */
#include "argp_fixture.h"

#include <string.h>

static doca_error_t note_validation(void *config)
{
    (void)config;
    note("valid ");
    return DOCA_SUCCESS;
}

static doca_error_t refuse_all(void *config)
{
    (void)config;
    return DOCA_ERROR_NOT_FOUND;
}

static void callbacks_run_in_the_order_of_the_flags(void **state)
{
    (void)state;
    assert_int_equal(DOCA_SUCCESS, doca_argp_register_validation_callback(note_validation));
    assert_int_equal(DOCA_SUCCESS, start("program --fast -cm 3 --name one --each a -e b"));
    assert_string_equal("yes 3 one a b valid ", noted());
    assert_string_equal("", reported());
    assert_string_equal("", printed());
}

static void the_callback_of_an_absent_flag_does_not_run(void **state)
{
    (void)state;
    assert_int_equal(DOCA_SUCCESS, start("program"));
    assert_string_equal("", noted());
}

static void a_value_may_follow_a_long_name_and_an_equals_sign(void **state)
{
    (void)state;
    assert_int_equal(DOCA_SUCCESS, start("program --name=a=b --count=4 --each="));
    assert_string_equal("a=b 4  ", noted());
}

static void any_word_after_a_flag_is_its_value(void **state)
{
    (void)state;
    assert_int_equal(DOCA_SUCCESS, start("program -cm -1 -n -f -e --help"));
    assert_string_equal("-1 -f --help ", noted());
}

static void a_short_name_of_several_letters_is_a_single_flag(void **state)
{
    (void)state;
    add_flag("c", NULL, DOCA_ARGP_TYPE_BOOLEAN);
    add_flag("m", NULL, DOCA_ARGP_TYPE_BOOLEAN);
    assert_int_equal(DOCA_SUCCESS, start("program -cm 7"));
    assert_string_equal("7 ", noted());
}

static void short_names_require_one_hyphen(void **state)
{
    (void)state;
    assert_int_equal(DOCA_ERROR_NOT_SUPPORTED, start("program -name x"));
    assert_reported("unknown flag -name");
}

static void long_names_require_two_hyphens(void **state)
{
    (void)state;
    assert_int_equal(DOCA_ERROR_NOT_SUPPORTED, start("program --n x"));
    assert_reported("unknown flag --n");
}

static void a_word_that_is_not_a_flag_is_rejected(void **state)
{
    (void)state;
    assert_int_equal(DOCA_ERROR_NOT_SUPPORTED, start("program --fast word"));
    assert_reported("\"word\" is not a flag");
    assert_string_equal("", noted());
}

static void two_hyphens_without_a_name_are_rejected(void **state)
{
    (void)state;
    assert_int_equal(DOCA_ERROR_NOT_SUPPORTED, start("program -- --fast"));
    assert_reported("unknown flag --");
}

static void a_missing_value_is_rejected(void **state)
{
    (void)state;
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, start("program -e a --name"));
    assert_reported("--name requires a value");
    assert_string_equal("", noted());
}

static void a_value_for_a_flag_without_value_is_rejected(void **state)
{
    (void)state;
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, start("program --fast=true"));
    assert_reported("--fast takes no value");
}

static void only_repeatable_flags_may_be_repeated(void **state)
{
    (void)state;
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, start("program -n a --name b"));
    assert_reported("--name may be given only once");
    assert_string_equal("", noted());
}

static void the_error_names_a_missing_mandatory_flag(void **state)
{
    struct doca_argp_param *flag = new_flag("p", NULL, DOCA_ARGP_TYPE_STRING);

    (void)state;
    doca_argp_param_set_mandatory(flag);
    assert_int_equal(DOCA_SUCCESS, doca_argp_register_param(flag));
    assert_int_equal(DOCA_SUCCESS, doca_argp_register_validation_callback(note_validation));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, start("program --fast"));
    assert_reported("-p is mandatory but missing");
    assert_string_equal("", noted());
}

static void add_singular_and_mandatory(void)
{
    struct doca_argp_param *flag = new_flag(NULL, "list", DOCA_ARGP_TYPE_BOOLEAN);
    struct doca_argp_param *mandatory = new_flag("p", NULL, DOCA_ARGP_TYPE_STRING);

    doca_argp_param_set_singular(flag);
    doca_argp_param_set_mandatory(mandatory);
    assert_int_equal(DOCA_SUCCESS, doca_argp_register_param(flag));
    assert_int_equal(DOCA_SUCCESS, doca_argp_register_param(mandatory));
}

static void a_singular_flag_does_not_require_mandatory_flags(void **state)
{
    (void)state;
    add_singular_and_mandatory();
    assert_int_equal(DOCA_SUCCESS, start("program --list"));
    assert_string_equal("yes ", noted());
}

static void a_singular_flag_cannot_be_combined_with_other_flags(void **state)
{
    (void)state;
    add_singular_and_mandatory();
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, start("program -p a --list"));
    assert_reported("--list cannot be combined with other flags");
}

static void a_failing_callback_determines_the_result(void **state)
{
    (void)state;
    fail_callback("number", DOCA_ERROR_NOT_PERMITTED);
    assert_int_equal(DOCA_ERROR_NOT_PERMITTED, start("program -n a --count 3 --fast"));
    assert_string_equal("a 3 ", noted());
    assert_reported("the program rejected --count");
    assert_string_equal("", printed());
}

static void a_failing_validation_determines_the_result(void **state)
{
    (void)state;
    assert_int_equal(DOCA_SUCCESS, doca_argp_register_validation_callback(refuse_all));
    assert_int_equal(DOCA_ERROR_NOT_FOUND, start("program --fast"));
    assert_reported("the program rejected the command line");
}

static void messages_contain_no_control_characters(void **state)
{
    (void)state;
    assert_int_equal(DOCA_ERROR_NOT_SUPPORTED, start("program -\033[2J"));
    assert_reported("unknown flag -?[2J");
}

#define WITH_PARSER(test) cmocka_unit_test_setup_teardown(test, make_parser, end_parser)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_PARSER(callbacks_run_in_the_order_of_the_flags),
        WITH_PARSER(the_callback_of_an_absent_flag_does_not_run),
        WITH_PARSER(a_value_may_follow_a_long_name_and_an_equals_sign),
        WITH_PARSER(any_word_after_a_flag_is_its_value),
        WITH_PARSER(a_short_name_of_several_letters_is_a_single_flag),
        WITH_PARSER(short_names_require_one_hyphen),
        WITH_PARSER(long_names_require_two_hyphens),
        WITH_PARSER(a_word_that_is_not_a_flag_is_rejected),
        WITH_PARSER(two_hyphens_without_a_name_are_rejected),
        WITH_PARSER(a_missing_value_is_rejected),
        WITH_PARSER(a_value_for_a_flag_without_value_is_rejected),
        WITH_PARSER(only_repeatable_flags_may_be_repeated),
        WITH_PARSER(the_error_names_a_missing_mandatory_flag),
        WITH_PARSER(a_singular_flag_does_not_require_mandatory_flags),
        WITH_PARSER(a_singular_flag_cannot_be_combined_with_other_flags),
        WITH_PARSER(a_failing_callback_determines_the_result),
        WITH_PARSER(a_failing_validation_determines_the_result),
        WITH_PARSER(messages_contain_no_control_characters),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
