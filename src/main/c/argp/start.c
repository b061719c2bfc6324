/* SPDX-License-Identifier: Apache-2.0 */
/* Parsing: reads and validates all flags before it calls the program. */
#include <stdlib.h>
#include <string.h>

#include "arguments.h"
#include "check.h"
#include "json_file.h"
#include "json_flags.h"
#include "run.h"
#include "say.h"
#include "text.h"
#include "usage.h"

static doca_error_t take_name(struct parser *parser, const char *path)
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

    if (parser->ending == OWN_HELP)
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
    const struct given *given = parser->given.entries;
    doca_error_t status;

    if (parser->given.count == 0 || level_find_long(&parser->own, "json")->times == 0)
        return DOCA_SUCCESS;
    if (parser->given.count > 1 || parser->command != NULL) {
        say(parser,
                "--json cannot be combined with other flags or commands: put the flags in "
                "the file");
        return DOCA_ERROR_INVALID_VALUE;
    }
    status = json_file_read(parser, given->text);
    given_clear(&parser->given);
    return status != DOCA_SUCCESS ? status : json_flags_read(parser);
}

static doca_error_t read_and_check(struct parser *parser, int argc, char **argv)
{
    doca_error_t status;
    int first;

    status = arguments_split(parser, argc, argv, &first);
    if (status == DOCA_SUCCESS)
        status = arguments_read(parser, argc - first, argv + first);
    if (status == DOCA_SUCCESS && parser->ending != OWN_NONE)
        end_process(parser);
    if (status == DOCA_SUCCESS)
        status = read_file(parser);
    if (status == DOCA_SUCCESS)
        status = check_given(parser);
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

    parser_begin(parser);
    status = take_name(parser, argv[0]);
    if (status == DOCA_SUCCESS)
        status = read_and_check(parser, argc, argv);
    if (status == DOCA_SUCCESS)
        status = run_callbacks(parser);
    parser_end(parser);
    return status;
}
