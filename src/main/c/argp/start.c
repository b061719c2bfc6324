/* SPDX-License-Identifier: Apache-2.0 */
/* Parsing: reads and validates all flags before it calls the program. */
#include <stdlib.h>
#include <string.h>

#include "argp.h"
#include "argp_text.h"

static doca_error_t set_program_name(struct parser *parser, const char *path)
{
    const char *slash = strrchr(path, '/');

    if (parser->name != NULL)
        return DOCA_SUCCESS;
    return text_replace(&parser->name, slash != NULL ? slash + 1 : path) ? DOCA_SUCCESS
                                                                         : DOCA_ERROR_NO_MEMORY;
}

/* Executes --help or --version; does not return. */
static void end_process(struct parser *parser)
{
    bool yes = true;

    if (parser->exit_flag == BUILTIN_HELP)
        usage_print(parser);
    else if (parser->version_callback != NULL)
        parser->version_callback(&yes, parser->config);
    else
        usage_print_version(parser);
    if (!parser->destroyed)
        parser_destroy();
    parser_end(parser);
    exit(EXIT_SUCCESS);
}

/* Reads the flags of the --json file, which replaces the command line. */
static doca_error_t read_file(struct parser *parser)
{
    const struct flag_value *value = parser->values.entries;
    doca_error_t status;

    if (parser->values.count == 0
            || level_find_long(&parser->builtin_flags, "json")->occurrences == 0)
        return DOCA_SUCCESS;
    if (parser->values.count > 1 || parser->command != NULL) {
        parser_report(parser,
                "--json cannot be combined with other flags or commands: put the flags in "
                "the file");
        return DOCA_ERROR_INVALID_VALUE;
    }
    status = json_file_read(parser, value->text);
    flag_values_clear(&parser->values);
    return status != DOCA_SUCCESS ? status : json_flags_read(parser);
}

static doca_error_t read_and_check(struct parser *parser, int argc, char **argv)
{
    doca_error_t status = arguments_read(parser, argc - 1, argv + 1);

    if (status == DOCA_SUCCESS && parser->exit_flag != BUILTIN_NONE)
        end_process(parser);
    if (status == DOCA_SUCCESS)
        status = read_file(parser);
    if (status == DOCA_SUCCESS)
        status = validate_flags(parser);
    if (status != DOCA_SUCCESS && status != DOCA_ERROR_NO_MEMORY)
        usage_print(parser);
    return status;
}

doca_error_t doca_argp_start(int argc, char **argv)
{
    struct parser *parser = parser_current();
    doca_error_t status;

    if (parser == NULL || parser->started)
        return DOCA_ERROR_BAD_STATE;
    if (argc < 1 || argv == NULL || argv[0] == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    if (parser->uses_dpdk) {
        parser_report(
                parser, "the software DOCA has no DPDK: programs that use it need the vendor's");
        return DOCA_ERROR_NOT_SUPPORTED;
    }

    parser_begin(parser);
    status = set_program_name(parser, argv[0]);
    if (status == DOCA_SUCCESS)
        status = read_and_check(parser, argc, argv);
    if (status == DOCA_SUCCESS)
        status = run_callbacks(parser);
    parser_end(parser);
    return status;
}
