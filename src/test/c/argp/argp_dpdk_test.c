/* SPDX-License-Identifier: Apache-2.0 */
/* Programs that use DPDK: its arguments before "--", or in a file. */
#include "argp_fixture.h"

#include <string.h>

static char **kept;

static doca_error_t note_words(int argc, char **argv)
{
    note("dpdk");
    for (int i = 0; i < argc; ++i)
        note(" [%s]", argv[i]);
    assert_null(argv[argc]);
    kept = argv;
    return DOCA_SUCCESS;
}

static doca_error_t refuse_words(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    return DOCA_ERROR_DRIVER;
}

static int make_dpdk_parser(void **state)
{
    make_parser(state);
    doca_argp_set_dpdk_program(note_words);
    return 0;
}

static void dpdk_receives_the_words_before_two_hyphens_after_all_other_callbacks(void **state)
{
    (void)state;
    assert_int_equal(DOCA_SUCCESS, start("program -a 03:00.0 -c 0x3 -- --fast -l 60"));
    assert_string_equal("yes dpdk [program] [-a] [03:00.0] [-c] [0x3]", noted());
    assert_string_equal("03:00.0", kept[2]);
}

static void without_two_hyphens_dpdk_receives_all_words(void **state)
{
    (void)state;
    assert_int_equal(DOCA_SUCCESS, start("program -l 0-3 --fast"));
    assert_string_equal("dpdk [program] [-l] [0-3] [--fast]", noted());
}

static void without_words_dpdk_receives_the_program_name(void **state)
{
    (void)state;
    assert_int_equal(DOCA_SUCCESS, start("program"));
    assert_string_equal("dpdk [program]", noted());
}

static void a_file_requires_no_hyphens(void **state)
{
    (void)state;
    assert_int_equal(DOCA_SUCCESS,
            start_file(
                    "{\n"
                    "    \"doca_dpdk_flags\": {\n"
                    "        \"devices\": [\n"
                    "            {\"device\": \"pf\", \"id\": \"03:00.0\", \"hws\": true},\n"
                    "            {\"device\": \"sf\", \"id\": \"4\", \"sft\": true,\n"
                    "             \"off\": false, \"n\": 2},\n"
                    "            {\"device\": \"vf\", \"id\": \"03:00.3\", \"representor\": \"vf[0]\"},\n"
                    "        ],\n"
                    "        \"core-mask\": \"0x3\",\n"
                    "        \"core-list\": \"0-1\",\n"
                    "        \"flags\": \" --in-memory   --log-level 3 \",\n"
                    "    },\n"
                    "    \"doca_program_flags\": {\"fast\": true},\n"
                    "}\n"));
    assert_string_equal(
            "yes dpdk [program] [-a] [03:00.0,dv_flow_en=2] "
            "[-a] [auxiliary:mlx5_core.sf.4,sft_en=1,n=2] [-a] [03:00.3,representor=vf[0]] "
            "[-c] [0x3] [-l] [0-1] [--in-memory] [--log-level] [3]",
            noted());
}

static void assert_rejected(doca_error_t status, const char *text, const char *message)
{
    make_dpdk_parser(NULL);
    assert_int_equal(status, start_file(text));
    assert_reported(message);
    assert_string_equal("", noted());
    end_parser(NULL);
}

static void invalid_flags_for_dpdk_are_rejected(void **state)
{
    (void)state;
    assert_rejected(
            DOCA_ERROR_NOT_SUPPORTED, "{\"doca_dpdk_flags\": {\"ports\": 1}}", "the key \"ports\"");
    assert_rejected(DOCA_ERROR_INVALID_VALUE, "{\"doca_dpdk_flags\": {\"core-mask\": 3}}",
            "\"core-mask\" must be a string");
    assert_rejected(DOCA_ERROR_INVALID_VALUE, "{\"doca_dpdk_flags\": {\"devices\": {}}}",
            "\"devices\" must be an array of objects");
    assert_rejected(DOCA_ERROR_INVALID_VALUE, "{\"doca_dpdk_flags\": {\"devices\": [1]}}",
            "\"devices\" must be an array of objects");
    assert_rejected(DOCA_ERROR_INVALID_VALUE,
            "{\"doca_dpdk_flags\": {\"devices\": [{\"device\": \"xf\", \"id\": \"1\"}]}}",
            "\"devices\" must be an array of objects");
}

static void the_result_of_the_dpdk_callback_is_returned(void **state)
{
    (void)state;
    doca_argp_set_dpdk_program(refuse_words);
    assert_int_equal(DOCA_ERROR_DRIVER, start("program -- --fast"));
    assert_reported("the program rejected the DPDK arguments");
}

static void help_requires_no_hyphens_and_describes_them(void **state)
{
    (void)state;
    assert_int_equal(0, start_elsewhere("program --help"));
    assert_non_null(
            strstr(printed(), "Usage: program [DPDK Flags] -- [DOCA Flags] [Program Flags]\n"));
}

#define WITH_PARSER(test) cmocka_unit_test_setup_teardown(test, make_dpdk_parser, end_parser)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_PARSER(dpdk_receives_the_words_before_two_hyphens_after_all_other_callbacks),
        WITH_PARSER(without_two_hyphens_dpdk_receives_all_words),
        WITH_PARSER(without_words_dpdk_receives_the_program_name),
        WITH_PARSER(a_file_requires_no_hyphens),
        cmocka_unit_test(invalid_flags_for_dpdk_are_rejected),
        WITH_PARSER(the_result_of_the_dpdk_callback_is_returned),
        WITH_PARSER(help_requires_no_hyphens_and_describes_them),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
