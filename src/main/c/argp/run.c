/* SPDX-License-Identifier: Apache-2.0 */
#include "run.h"

#include "own.h"
#include "say.h"

/*
 * Handles a callback's result: reports an error to the user, and stops if the callback destroyed
 * the parser.
 */
static doca_error_t judge(
        const struct parser *parser, doca_error_t status, const char *whose, const char *name)
{
    if (status != DOCA_SUCCESS)
        say(parser, "the program rejected %s%s: %s", whose, name, doca_error_get_descr(status));
    else if (parser->destroyed)
        status = DOCA_ERROR_BAD_STATE;
    return status;
}

static doca_error_t run_command(const struct parser *parser, const struct doca_argp_cmd *command)
{
    doca_error_t status = DOCA_SUCCESS;

    if (command->parent != NULL)
        status = run_command(parser, command->parent);
    if (status == DOCA_SUCCESS && command->callback != NULL)
        status = judge(parser, command->callback(parser->config), "", command->name);
    return status;
}

static doca_error_t call(struct parser *parser, struct given *given)
{
    const struct doca_argp_param *flag = given->flag;

    if (flag->own != OWN_NONE)
        return own_flags_apply(parser, given);
    if (flag->type == DOCA_ARGP_TYPE_STRING)
        return flag->callback(given->text, parser->config);
    if (flag->type == DOCA_ARGP_TYPE_INT)
        return flag->callback(&given->number, parser->config);
    return flag->callback(&given->yes, parser->config);
}

static doca_error_t run_flags(struct parser *parser)
{
    doca_error_t status = DOCA_SUCCESS;
    struct given *given;
    size_t i;

    for (i = 0; i < parser->given.count && status == DOCA_SUCCESS; ++i) {
        given = &parser->given.entries[i];
        status = judge(
                parser, call(parser, given), flag_dashes(given->flag), flag_name(given->flag));
    }
    return status;
}

doca_error_t run_callbacks(struct parser *parser)
{
    doca_error_t status = DOCA_SUCCESS;

    if (parser->command != NULL)
        status = run_command(parser, parser->command);
    if (status == DOCA_SUCCESS)
        status = run_flags(parser);
    if (status == DOCA_SUCCESS && parser->validation_callback != NULL)
        status = judge(parser, parser->validation_callback(parser->config), "the command line", "");
    if (status == DOCA_SUCCESS && parser->dpdk_callback != NULL)
        status = judge(parser,
                parser->dpdk_callback(parser->dpdk_words.count, parser->dpdk_words.items),
                "the DPDK arguments", "");
    return status;
}
