/* SPDX-License-Identifier: Apache-2.0 */
/* Which flags may be given, how, how often, and in which order their callbacks run. */
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

static void flags_call_back_in_the_order_given(void **state)
{
    (void)state;
    assert_int_equal(DOCA_SUCCESS, doca_argp_register_validation_callback(note_validation));
    assert_int_equal(DOCA_SUCCESS, start("program --fast -cm 3 --name one --each a -e b"));
    assert_string_equal("yes 3 one a b valid ", noted());
    assert_string_equal("", said());
    assert_string_equal("", printed());
}

static void a_flag_that_is_not_given_is_not_called(void **state)
{
    (void)state;
    assert_int_equal(DOCA_SUCCESS, start("program"));
    assert_string_equal("", noted());
}

static void a_value_may_stand_behind_an_equals_sign_of_a_long_name(void **state)
{
    (void)state;
    assert_int_equal(DOCA_SUCCESS, start("program --name=a=b --count=4 --each="));
    assert_string_equal("a=b 4  ", noted());
}

static void the_word_behind_a_flag_is_its_value_whatever_it_is(void **state)
{
    (void)state;
    assert_int_equal(DOCA_SUCCESS, start("program -cm -1 -n -f -e --help"));
    assert_string_equal("-1 -f --help ", noted());
}

static void a_short_name_of_several_letters_is_one_name(void **state)
{
    (void)state;
    add_flag("c", NULL, DOCA_ARGP_TYPE_BOOLEAN);
    add_flag("m", NULL, DOCA_ARGP_TYPE_BOOLEAN);
    assert_int_equal(DOCA_SUCCESS, start("program -cm 7"));
    assert_string_equal("7 ", noted());
}

static void short_names_are_no_long_ones(void **state)
{
    (void)state;
    assert_int_equal(DOCA_ERROR_NOT_SUPPORTED, start("program -name x"));
    assert_says("unknown flag -name");
}

static void long_names_are_no_short_ones(void **state)
{
    (void)state;
    assert_int_equal(DOCA_ERROR_NOT_SUPPORTED, start("program --n x"));
    assert_says("unknown flag --n");
}

static void a_word_that_is_no_flag_is_refused(void **state)
{
    (void)state;
    assert_int_equal(DOCA_ERROR_NOT_SUPPORTED, start("program --fast word"));
    assert_says("\"word\" is not a flag");
    assert_string_equal("", noted());
}

static void two_hyphens_alone_are_refused(void **state)
{
    (void)state;
    assert_int_equal(DOCA_ERROR_NOT_SUPPORTED, start("program -- --fast"));
    assert_says("unknown flag --");
}

static void a_missing_value_is_refused(void **state)
{
    (void)state;
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, start("program -e a --name"));
    assert_says("--name requires a value");
    assert_string_equal("", noted());
}

static void a_flag_that_takes_no_value_refuses_one(void **state)
{
    (void)state;
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, start("program --fast=true"));
    assert_says("--fast takes no value");
}

static void a_flag_is_given_once_unless_it_may_repeat(void **state)
{
    (void)state;
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, start("program -n a --name b"));
    assert_says("--name may be given only once");
    assert_string_equal("", noted());
}

static void a_mandatory_flag_that_is_missing_is_named(void **state)
{
    struct doca_argp_param *flag = new_flag("p", NULL, DOCA_ARGP_TYPE_STRING);

    (void)state;
    doca_argp_param_set_mandatory(flag);
    assert_int_equal(DOCA_SUCCESS, doca_argp_register_param(flag));
    assert_int_equal(DOCA_SUCCESS, doca_argp_register_validation_callback(note_validation));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, start("program --fast"));
    assert_says("-p is mandatory but missing");
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

static void a_singular_flag_goes_alone_without_the_mandatory_ones(void **state)
{
    (void)state;
    add_singular_and_mandatory();
    assert_int_equal(DOCA_SUCCESS, start("program --list"));
    assert_string_equal("yes ", noted());
}

static void a_singular_flag_refuses_company(void **state)
{
    (void)state;
    add_singular_and_mandatory();
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, start("program -p a --list"));
    assert_says("--list cannot be combined with other flags");
}

static void a_callback_that_fails_ends_the_parsing_with_its_code(void **state)
{
    (void)state;
    refuse("number", DOCA_ERROR_NOT_PERMITTED);
    assert_int_equal(DOCA_ERROR_NOT_PERMITTED, start("program -n a --count 3 --fast"));
    assert_string_equal("a 3 ", noted());
    assert_says("the program rejected --count");
    assert_string_equal("", printed());
}

static void a_validation_that_fails_is_the_result(void **state)
{
    (void)state;
    assert_int_equal(DOCA_SUCCESS, doca_argp_register_validation_callback(refuse_all));
    assert_int_equal(DOCA_ERROR_NOT_FOUND, start("program --fast"));
    assert_says("the program rejected the command line");
}

static void what_a_terminal_would_obey_is_not_repeated(void **state)
{
    (void)state;
    assert_int_equal(DOCA_ERROR_NOT_SUPPORTED, start("program -\033[2J"));
    assert_says("unknown flag -?[2J");
}

#define WITH_PARSER(test) cmocka_unit_test_setup_teardown(test, make_parser, end_parser)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_PARSER(flags_call_back_in_the_order_given),
        WITH_PARSER(a_flag_that_is_not_given_is_not_called),
        WITH_PARSER(a_value_may_stand_behind_an_equals_sign_of_a_long_name),
        WITH_PARSER(the_word_behind_a_flag_is_its_value_whatever_it_is),
        WITH_PARSER(a_short_name_of_several_letters_is_one_name),
        WITH_PARSER(short_names_are_no_long_ones),
        WITH_PARSER(long_names_are_no_short_ones),
        WITH_PARSER(a_word_that_is_no_flag_is_refused),
        WITH_PARSER(two_hyphens_alone_are_refused),
        WITH_PARSER(a_missing_value_is_refused),
        WITH_PARSER(a_flag_that_takes_no_value_refuses_one),
        WITH_PARSER(a_flag_is_given_once_unless_it_may_repeat),
        WITH_PARSER(a_mandatory_flag_that_is_missing_is_named),
        WITH_PARSER(a_singular_flag_goes_alone_without_the_mandatory_ones),
        WITH_PARSER(a_singular_flag_refuses_company),
        WITH_PARSER(a_callback_that_fails_ends_the_parsing_with_its_code),
        WITH_PARSER(a_validation_that_fails_is_the_result),
        WITH_PARSER(what_a_terminal_would_obey_is_not_repeated),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
