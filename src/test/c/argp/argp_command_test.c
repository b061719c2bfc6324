/* SPDX-License-Identifier: Apache-2.0 */
/* Commands, commands below them, and which flags belong where. */
#include "argp_fixture.h"

#include <string.h>

/* program [get [all]]: --device is inherited, get has -v, all has --deep, which is mandatory. */
static int make_tree(void **state)
{
    struct doca_argp_param *device, *deep;
    struct doca_argp_cmd *get, *all;

    make_parser(state);
    get = new_command("get");
    all = new_command("all");
    device = new_flag("d", "device", DOCA_ARGP_TYPE_STRING);
    deep = new_flag(NULL, "deep", DOCA_ARGP_TYPE_INT);
    doca_argp_param_set_inherited(device);
    doca_argp_param_set_mandatory(deep);
    assert_int_equal(DOCA_SUCCESS, doca_argp_register_param(device));
    assert_int_equal(DOCA_SUCCESS, doca_argp_cmd_register_param(all, deep));
    assert_int_equal(DOCA_SUCCESS, doca_argp_cmd_register_cmd(get, all));
    assert_int_equal(DOCA_SUCCESS,
            doca_argp_cmd_register_param(get, new_flag("v", "very", DOCA_ARGP_TYPE_STRING)));
    assert_int_equal(DOCA_SUCCESS, doca_argp_register_cmd(get));
    return 0;
}

static void a_command_is_told_before_its_flags(void **state)
{
    (void)state;
    assert_int_equal(DOCA_SUCCESS, start("program get -v fine --device x"));
    assert_string_equal("(get) fine x ", noted());
}

static void commands_are_told_from_the_outermost(void **state)
{
    (void)state;
    assert_int_equal(DOCA_SUCCESS, start("program get all --deep 1 -d x"));
    assert_string_equal("(get) (all) 1 x ", noted());
}

static void a_program_with_commands_may_be_called_without(void **state)
{
    (void)state;
    assert_int_equal(DOCA_SUCCESS, start("program --fast"));
    assert_string_equal("yes ", noted());
}

static void a_word_that_is_no_command_is_refused(void **state)
{
    (void)state;
    assert_int_equal(DOCA_ERROR_NOT_SUPPORTED, start("program put"));
    assert_says("unknown command \"put\"");
}

static void flags_of_the_program_that_are_not_inherited_stay_there(void **state)
{
    (void)state;
    assert_int_equal(DOCA_ERROR_NOT_SUPPORTED, start("program get --fast"));
    assert_says("unknown flag --fast");
}

static void flags_of_a_command_are_not_those_of_another_level(void **state)
{
    (void)state;
    assert_int_equal(DOCA_ERROR_NOT_SUPPORTED, start("program get all --deep 1 -very x"));
}

static void a_mandatory_flag_is_for_its_own_level(void **state)
{
    (void)state;
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, start("program get all"));
    assert_says("--deep is mandatory but missing");
    assert_string_equal("", noted());
}

static void a_file_goes_with_no_command(void **state)
{
    (void)state;
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, start("program get --json file"));
    assert_says("--json cannot be combined with other flags");
}

static void a_command_that_fails_ends_the_parsing_with_its_code(void **state)
{
    (void)state;
    refuse("get", DOCA_ERROR_NOT_PERMITTED);
    assert_int_equal(DOCA_ERROR_NOT_PERMITTED, start("program get -d x"));
    assert_string_equal("(get) ", noted());
}

static void a_tree_is_built_from_its_leaves(void **state)
{
    struct doca_argp_cmd *all = new_command("all");

    (void)state;
    assert_int_equal(DOCA_SUCCESS, doca_argp_register_cmd(all));
    assert_int_equal(DOCA_ERROR_BAD_STATE,
            doca_argp_cmd_register_param(all, new_flag("x", NULL, DOCA_ARGP_TYPE_INT)));
    assert_int_equal(DOCA_ERROR_BAD_STATE, doca_argp_cmd_register_cmd(all, new_command("get")));
}

static void a_command_needs_a_name_and_a_description_and_one_name_each(void **state)
{
    struct doca_argp_cmd *command = new_command("get");

    (void)state;
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_argp_register_cmd(command));
    command = new_command("all");
    doca_argp_cmd_set_name(command, NULL);
    assert_int_equal(DOCA_ERROR_INITIALIZATION, doca_argp_register_cmd(command));
    command = new_command("all");
    doca_argp_cmd_set_description(command, NULL);
    assert_int_equal(DOCA_ERROR_INITIALIZATION, doca_argp_register_cmd(command));
    command = new_command("all");
    doca_argp_cmd_set_name(command, "-all");
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_argp_register_cmd(command));
}

static void a_command_may_not_take_the_names_of_the_file(void **state)
{
    struct doca_argp_cmd *command = new_command("all");

    (void)state;
    assert_int_equal(DOCA_ERROR_INVALID_VALUE,
            doca_argp_cmd_register_param(command, new_flag("j", NULL, DOCA_ARGP_TYPE_INT)));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE,
            doca_argp_cmd_register_param(command, new_flag(NULL, "version", DOCA_ARGP_TYPE_INT)));
    assert_int_equal(DOCA_SUCCESS, doca_argp_register_cmd(command));
}

static void the_usage_is_that_of_the_command(void **state)
{
    (void)state;
    assert_int_equal(0, start_elsewhere("program get --help"));
    assert_non_null(
            strstr(printed(), "Usage: program get [Command] [DOCA Flags] [Program Flags]\n"));
    assert_non_null(strstr(printed(), "\nCommands:\n  all "));
    assert_non_null(strstr(printed(), "\n  -v, --very "));
    assert_non_null(strstr(printed(), "\n  -d, --device "));
    assert_null(strstr(printed(), "--fast"));
}

#define WITH_TREE(test) cmocka_unit_test_setup_teardown(test, make_tree, end_parser)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_TREE(a_command_is_told_before_its_flags),
        WITH_TREE(commands_are_told_from_the_outermost),
        WITH_TREE(a_program_with_commands_may_be_called_without),
        WITH_TREE(a_word_that_is_no_command_is_refused),
        WITH_TREE(flags_of_the_program_that_are_not_inherited_stay_there),
        WITH_TREE(flags_of_a_command_are_not_those_of_another_level),
        WITH_TREE(a_mandatory_flag_is_for_its_own_level),
        WITH_TREE(a_file_goes_with_no_command),
        WITH_TREE(a_command_that_fails_ends_the_parsing_with_its_code),
        WITH_TREE(a_tree_is_built_from_its_leaves),
        WITH_TREE(a_command_needs_a_name_and_a_description_and_one_name_each),
        WITH_TREE(a_command_may_not_take_the_names_of_the_file),
        WITH_TREE(the_usage_is_that_of_the_command),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
