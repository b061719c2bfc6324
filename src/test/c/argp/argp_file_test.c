/* SPDX-License-Identifier: Apache-2.0 */
/* Flags from a JSON file with the supported extensions. */
#include "argp_fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <argp/argp.h>

static void a_file_replaces_the_command_line(void **state)
{
    (void)state;
    assert_int_equal(DOCA_SUCCESS,
            start_file("/*\n * What this file is for.\n */\n"
                       "{\n"
                       "    // levels\n"
                       "    \"doca_general_flags\": {\n"
                       "        \"log-level\": 50, /* information */\n"
                       "    },\n"
                       "    \"doca_program_flags\": {\n"
                       "        \"name\": \"a // b, /* c */\",\n"
                       "        \"count\": 254, // a mask\n"
                       "        \"each\": [\"one\", \"two\",],\n"
                       "        \"fast\": true,\n"
                       "    },\n"
                       "}\n"
                       "// the end"));
    assert_string_equal("a // b, /* c */ 254 one two yes ", noted());
    assert_string_equal("", reported());
}

static void assert_taken(const char *flags, const char *expected)
{
    char text[512];

    make_parser(NULL);
    snprintf(text, sizeof(text), "{\"doca_program_flags\": {%s}}", flags);
    assert_int_equal(DOCA_SUCCESS, start_file(text));
    assert_string_equal(expected, noted());
    end_parser(NULL);
}

static void values_have_the_type_of_their_flag(void **state)
{
    (void)state;
    assert_taken("\"count\": -1", "-1 ");
    assert_taken("\"count\": 2147483647", "2147483647 ");
    assert_taken("\"fast\": false", "no ");
    assert_taken("\"each\": \"alone\"", "alone ");
    assert_taken("\"each\": []", "");
    assert_taken("\"name\": \"\\u0041\\n\"", "A\n ");
    assert_taken("", "");
}

static void assert_rejected(doca_error_t status, const char *text, const char *message)
{
    make_parser(NULL);
    assert_int_equal(status, start_file(text));
    assert_reported(message);
    assert_non_null(strstr(printed(), "Usage: program "));
    end_parser(NULL);
}

static void assert_flags_rejected(doca_error_t status, const char *flags, const char *message)
{
    char text[512];

    snprintf(text, sizeof(text), "{\"doca_program_flags\": {%s}}", flags);
    assert_rejected(status, text, message);
}

static void values_of_the_wrong_type_are_rejected(void **state)
{
    static const char number[] = "\"count\" must be a number from -2147483648 to 2147483647";

    (void)state;
    assert_flags_rejected(DOCA_ERROR_INVALID_VALUE, "\"count\": \"1\"", number);
    assert_flags_rejected(DOCA_ERROR_INVALID_VALUE, "\"count\": 1.5", number);
    assert_flags_rejected(DOCA_ERROR_INVALID_VALUE, "\"count\": 2147483648", number);
    assert_flags_rejected(DOCA_ERROR_INVALID_VALUE, "\"count\": 99999999999999999999", number);
    assert_flags_rejected(DOCA_ERROR_INVALID_VALUE, "\"count\": null", number);
    assert_flags_rejected(DOCA_ERROR_INVALID_VALUE, "\"name\": 1", "\"name\" must be a string");
    assert_flags_rejected(
            DOCA_ERROR_INVALID_VALUE, "\"name\": \"a\\u0000b\"", "\"name\" must be a string");
    assert_flags_rejected(
            DOCA_ERROR_INVALID_VALUE, "\"name\": [\"a\"]", "\"name\" must be a string");
    assert_flags_rejected(
            DOCA_ERROR_INVALID_VALUE, "\"fast\": 1", "\"fast\" must be true or false");
    assert_flags_rejected(
            DOCA_ERROR_INVALID_VALUE, "\"each\": [\"a\", 1]", "\"each\" must be a string");
}

static void errors_name_keys_that_are_not_flags(void **state)
{
    (void)state;
    assert_flags_rejected(DOCA_ERROR_NOT_SUPPORTED, "\"devices\": 1", "the key \"devices\"");
    assert_flags_rejected(DOCA_ERROR_NOT_SUPPORTED, "\"n\": \"a\"", "the key \"n\"");
    assert_rejected(DOCA_ERROR_NOT_SUPPORTED, "{\"doca_general_flags\": {\"help\": true}}",
            "the key \"help\"");
    assert_rejected(
            DOCA_ERROR_NOT_SUPPORTED, "{\"doca_dpdk_flags\": {}}", "the key \"doca_dpdk_flags\"");
    assert_rejected(DOCA_ERROR_NOT_SUPPORTED, "{\"other\": {}}", "the key \"other\"");
    assert_rejected(DOCA_ERROR_INVALID_VALUE, "{\"doca_program_flags\": []}",
            "\"doca_program_flags\" must be an object");
}

static void a_command_line_only_flag_is_not_a_key(void **state)
{
    struct doca_argp_param *flag = new_flag(NULL, "typed", DOCA_ARGP_TYPE_BOOLEAN);

    (void)state;
    doca_argp_param_set_cli_only(flag);
    assert_int_equal(DOCA_SUCCESS, doca_argp_register_param(flag));
    assert_int_equal(
            DOCA_ERROR_NOT_SUPPORTED, start_file("{\"doca_program_flags\": {\"typed\": true}}"));
    assert_reported("the key \"typed\"");
}

static void invalid_json_is_rejected_with_its_line_number(void **state)
{
    (void)state;
    assert_rejected(DOCA_ERROR_IO_FAILED, "{\n\n  nonsense\n}", "line 3: ");
    assert_rejected(DOCA_ERROR_IO_FAILED, "{\"doca_program_flags\": {", "unexpected end of file");
    assert_rejected(DOCA_ERROR_INVALID_VALUE, "", "must contain one JSON object");
    assert_rejected(DOCA_ERROR_IO_FAILED, "{} {}", "line 1: ");
    assert_rejected(DOCA_ERROR_IO_FAILED, "{} /* no end", "line 1: ");
    assert_rejected(DOCA_ERROR_IO_FAILED, "{,}", "line 1: ");
    assert_rejected(DOCA_ERROR_IO_FAILED, "{\"a\": 1,,}", "line 1: ");
    assert_rejected(DOCA_ERROR_IO_FAILED, "{\"a\": 10x10}", "line 1: ");
    assert_rejected(DOCA_ERROR_IO_FAILED, "{\"a\": 0x}", "line 1: ");
    assert_rejected(DOCA_ERROR_IO_FAILED, "{}]", "line 1: ");
    assert_rejected(DOCA_ERROR_INVALID_VALUE, "{}, {}", "must contain one JSON object");
    assert_rejected(DOCA_ERROR_IO_FAILED, "{\"a\": 0xFE}", "line 1: ");
    assert_rejected(DOCA_ERROR_INVALID_VALUE, "[]", "must contain one JSON object");
}

static void a_mandatory_flag_must_be_in_the_file(void **state)
{
    struct doca_argp_param *flag = new_flag(NULL, "needed", DOCA_ARGP_TYPE_BOOLEAN);

    (void)state;
    doca_argp_param_set_mandatory(flag);
    assert_int_equal(DOCA_SUCCESS, doca_argp_register_param(flag));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, start_file("{}"));
    assert_reported("--needed is mandatory but missing");
}

static void assert_path_rejected(const char *line, doca_error_t status, const char *message)
{
    make_parser(NULL);
    assert_int_equal(status, start(line));
    assert_reported(message);
    end_parser(NULL);
}

static void unreadable_files_are_rejected(void **state)
{
    (void)state;
    assert_path_rejected("program --json /no/such/file", DOCA_ERROR_IO_FAILED,
            "cannot read the file /no/such/file: No such file or directory");
    assert_path_rejected("program --json /dev/zero", DOCA_ERROR_IO_FAILED, "not a regular file");
    assert_path_rejected("program --json /tmp", DOCA_ERROR_IO_FAILED, "not a regular file");
    assert_path_rejected("program --json f -f", DOCA_ERROR_INVALID_VALUE,
            "--json cannot be combined with other flags");
}

static void a_file_that_is_too_large_is_rejected(void **state)
{
    char *text = malloc(JSON_FILE_MAX + 2);

    (void)state;
    assert_non_null(text);
    memset(text, ' ', JSON_FILE_MAX + 1);
    text[0] = '{';
    text[JSON_FILE_MAX] = '}';
    text[JSON_FILE_MAX + 1] = '\0';
    assert_rejected(DOCA_ERROR_IO_FAILED, text, "larger than 1 MiB");
    text[1] = '}';
    text[JSON_FILE_MAX] = '\0';
    make_parser(NULL);
    assert_int_equal(DOCA_SUCCESS, start_file(text));
    end_parser(NULL);
    free(text);
}

#define WITH_PARSER(test) cmocka_unit_test_setup_teardown(test, make_parser, end_parser)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_PARSER(a_file_replaces_the_command_line),
        cmocka_unit_test(values_have_the_type_of_their_flag),
        cmocka_unit_test(values_of_the_wrong_type_are_rejected),
        cmocka_unit_test(errors_name_keys_that_are_not_flags),
        WITH_PARSER(a_command_line_only_flag_is_not_a_key),
        cmocka_unit_test(invalid_json_is_rejected_with_its_line_number),
        WITH_PARSER(a_mandatory_flag_must_be_in_the_file),
        cmocka_unit_test(unreadable_files_are_rejected),
        cmocka_unit_test(a_file_that_is_too_large_is_rejected),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
