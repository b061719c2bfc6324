/* SPDX-License-Identifier: Apache-2.0 */
/* Commands, nested commands, and the flags of each level. */
#include "argp_fixture.h"

#include <string.h>

/* program [get [all]]: --device is inherited, get has -v, and all has the mandatory --deep. */
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

static void the_callback_of_a_command_runs_before_those_of_its_flags(void **state)
{
    (void)state;
    assert_int_equal(DOCA_SUCCESS, start("program get -v fine --device x"));
    assert_string_equal("(get) fine x ", noted());
}

static void callbacks_of_commands_run_from_the_outermost_command(void **state)
{
    (void)state;
    assert_int_equal(DOCA_SUCCESS, start("program get all --deep 1 -d x"));
    assert_string_equal("(get) (all) 1 x ", noted());
}

static void a_command_is_optional(void **state)
{
    (void)state;
    assert_int_equal(DOCA_SUCCESS, start("program --fast"));
    assert_string_equal("yes ", noted());
}

static void an_unknown_command_is_rejected(void **state)
{
    (void)state;
    assert_int_equal(DOCA_ERROR_NOT_SUPPORTED, start("program put"));
    assert_reported("unknown command \"put\"");
}

static void flags_of_the_program_that_are_not_inherited_are_invalid_after_a_command(void **state)
{
    (void)state;
    assert_int_equal(DOCA_ERROR_NOT_SUPPORTED, start("program get --fast"));
    assert_reported("unknown flag --fast");
}

static void flags_of_a_command_are_invalid_at_other_levels(void **state)
{
    (void)state;
    assert_int_equal(DOCA_ERROR_NOT_SUPPORTED, start("program get all --deep 1 -very x"));
}

static void a_mandatory_flag_is_mandatory_only_at_its_level(void **state)
{
    (void)state;
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, start("program get all"));
    assert_reported("--deep is mandatory but missing");
    assert_string_equal("", noted());
}

static void a_file_cannot_be_combined_with_a_command(void **state)
{
    (void)state;
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, start("program get --json file"));
    assert_reported("--json cannot be combined with other flags");
}

static void a_failing_callback_of_a_command_determines_the_result(void **state)
{
    (void)state;
    fail_callback("get", DOCA_ERROR_NOT_PERMITTED);
    assert_int_equal(DOCA_ERROR_NOT_PERMITTED, start("program get -d x"));
    assert_string_equal("(get) ", noted());
}

static void a_registered_command_cannot_be_extended(void **state)
{
    struct doca_argp_cmd *all = new_command("all");

    (void)state;
    assert_int_equal(DOCA_SUCCESS, doca_argp_register_cmd(all));
    assert_int_equal(DOCA_ERROR_BAD_STATE,
            doca_argp_cmd_register_param(all, new_flag("x", NULL, DOCA_ARGP_TYPE_INT)));
    assert_int_equal(DOCA_ERROR_BAD_STATE, doca_argp_cmd_register_cmd(all, new_command("get")));
}

static void a_command_requires_a_unique_name_and_a_description(void **state)
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

static void a_command_flag_cannot_have_reserved_names(void **state)
{
    struct doca_argp_cmd *command = new_command("all");

    (void)state;
    assert_int_equal(DOCA_ERROR_INVALID_VALUE,
            doca_argp_cmd_register_param(command, new_flag("j", NULL, DOCA_ARGP_TYPE_INT)));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE,
            doca_argp_cmd_register_param(command, new_flag(NULL, "version", DOCA_ARGP_TYPE_INT)));
    assert_int_equal(DOCA_SUCCESS, doca_argp_register_cmd(command));
}

static void the_usage_describes_the_command(void **state)
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
        WITH_TREE(the_callback_of_a_command_runs_before_those_of_its_flags),
        WITH_TREE(callbacks_of_commands_run_from_the_outermost_command),
        WITH_TREE(a_command_is_optional),
        WITH_TREE(an_unknown_command_is_rejected),
        WITH_TREE(flags_of_the_program_that_are_not_inherited_are_invalid_after_a_command),
        WITH_TREE(flags_of_a_command_are_invalid_at_other_levels),
        WITH_TREE(a_mandatory_flag_is_mandatory_only_at_its_level),
        WITH_TREE(a_file_cannot_be_combined_with_a_command),
        WITH_TREE(a_failing_callback_of_a_command_determines_the_result),
        WITH_TREE(a_registered_command_cannot_be_extended),
        WITH_TREE(a_command_requires_a_unique_name_and_a_description),
        WITH_TREE(a_command_flag_cannot_have_reserved_names),
        WITH_TREE(the_usage_describes_the_command),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
