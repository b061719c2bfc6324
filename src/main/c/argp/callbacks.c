/* SPDX-License-Identifier: Apache-2.0 */
#include "argp.h"

/*
 * Handles a callback's result: reports an error to the user, and stops if the callback destroyed
 * the parser.
 */
static doca_error_t check_result(
        const struct parser *parser, doca_error_t status, const char *whose, const char *name)
{
    if (status != DOCA_SUCCESS)
        parser_report(
                parser, "the program rejected %s%s: %s", whose, name, doca_error_get_descr(status));
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
        status = check_result(parser, command->callback(parser->config), "", command->name);
    return status;
}

static doca_error_t call(struct parser *parser, struct flag_value *value)
{
    const struct doca_argp_param *flag = value->flag;

    if (flag->builtin != BUILTIN_NONE)
        return builtin_flags_apply_log_level(parser, value);
    if (flag->type == DOCA_ARGP_TYPE_STRING)
        return flag->callback(value->text, parser->config);
    if (flag->type == DOCA_ARGP_TYPE_INT)
        return flag->callback(&value->number, parser->config);
    return flag->callback(&value->yes, parser->config);
}

static doca_error_t run_flags(struct parser *parser)
{
    doca_error_t status = DOCA_SUCCESS;
    struct flag_value *value;
    size_t i;

    for (i = 0; i < parser->values.count && status == DOCA_SUCCESS; ++i) {
        value = &parser->values.entries[i];
        status = check_result(
                parser, call(parser, value), flag_dashes(value->flag), flag_name(value->flag));
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
        status = check_result(
                parser, parser->validation_callback(parser->config), "the command line", "");
    return status;
}
