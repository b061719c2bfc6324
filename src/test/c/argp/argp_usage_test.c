/* SPDX-License-Identifier: Apache-2.0 */
/* Usage and messages, and their destinations. */
#include "argp_fixture.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static const char own_flags[] =
        "\nDOCA Flags:\n"
        "  -h, --help                          Print this help and exit\n"
        "  -v, --version                       Print the version and exit\n"
        "  -l, --log-level <level>             Log level of the program: 10 off, 20 critical, "
        "30 error, 40 warning, 50 info, 60 debug, 70 trace\n"
        "  --sdk-log-level <level>             Log level of DOCA, with the same values\n"
        "  -j, --json <path>                   Read the flags from this file instead of the command "
        "line\n";

static void assert_prints(const char *first, const char *last)
{
    char expected[2048];

    snprintf(expected, sizeof(expected), "%s%s%s\n", first, own_flags, last);
    assert_string_equal(expected, printed());
}

static void a_program_without_flags_has_the_built_in_flags(void **state)
{
    (void)state;
    assert_int_equal(DOCA_ERROR_NOT_SUPPORTED, start("program -x"));
    assert_prints("Usage: program [DOCA Flags]\n", "");
}

static void flags_are_listed_in_the_order_of_registration(void **state)
{
    struct doca_argp_param *flag = new_flag("gpu", "gpu-address", DOCA_ARGP_TYPE_STRING);

    (void)state;
    doca_argp_param_set_arguments(flag, "<PCI address>");
    assert_int_equal(DOCA_SUCCESS, doca_argp_register_param(flag));
    add_flag(NULL, "fast", DOCA_ARGP_TYPE_BOOLEAN);
    add_flag("a", NULL, DOCA_ARGP_TYPE_BOOLEAN);
    assert_int_equal(DOCA_ERROR_NOT_SUPPORTED, start("program -x"));
    assert_prints("Usage: program [DOCA Flags] [Program Flags]\n",
            "\nProgram Flags:\n"
            "  -gpu, --gpu-address <PCI address>   Description of the flag\n"
            "  --fast                              Description of the flag\n"
            "  -a                                  Description of the flag\n");
}

static void hidden_flags_and_commands_work_but_are_not_listed(void **state)
{
    struct doca_argp_param *flag = new_flag("a", NULL, DOCA_ARGP_TYPE_BOOLEAN);
    struct doca_argp_cmd *command = new_command("get");

    (void)state;
    doca_argp_param_set_hidden(flag);
    doca_argp_cmd_set_hidden(command);
    assert_int_equal(DOCA_SUCCESS, doca_argp_register_param(flag));
    assert_int_equal(DOCA_SUCCESS, doca_argp_register_cmd(command));
    doca_argp_usage();
    assert_prints("Usage:  [DOCA Flags]\n", "");
    assert_int_equal(DOCA_SUCCESS, start("program -a"));
    assert_string_equal("yes ", noted());
}

static void the_name_passed_to_init_is_the_program_name(void **state)
{
    static int config;

    (void)state;
    assert_int_equal(DOCA_SUCCESS, doca_argp_destroy());
    assert_int_equal(DOCA_SUCCESS, doca_argp_init("named", &config));
    doca_argp_usage();
    assert_prints("Usage: named [DOCA Flags]\n", "");
}

static void without_a_logger_messages_go_to_standard_error(void **state)
{
    static const char expected[] = "program: unknown flag --what\n";
    int file = memfd_create("error", MFD_CLOEXEC), own = dup(STDERR_FILENO);
    char text[128] = "";

    (void)state;
    assert_int_equal(DOCA_SUCCESS, doca_argp_disable_logger_callback());
    dup2(file, STDERR_FILENO);
    assert_int_equal(DOCA_ERROR_NOT_SUPPORTED, start("program --what"));
    dup2(own, STDERR_FILENO);
    assert_int_equal(strlen(expected), pread(file, text, sizeof(text) - 1, 0));
    assert_string_equal(expected, text);
    close(own);
    close(file);
}

#define WITH_PARSER(test) cmocka_unit_test_setup_teardown(test, make_empty_parser, end_parser)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_PARSER(a_program_without_flags_has_the_built_in_flags),
        WITH_PARSER(flags_are_listed_in_the_order_of_registration),
        WITH_PARSER(hidden_flags_and_commands_work_but_are_not_listed),
        WITH_PARSER(the_name_passed_to_init_is_the_program_name),
        WITH_PARSER(without_a_logger_messages_go_to_standard_error),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
