/* SPDX-License-Identifier: Apache-2.0 */
#include "argp.h"

static doca_error_t reject(
        const struct parser *parser, const struct doca_argp_param *flag, const char *reason)
{
    parser_report(parser, "%s%s %s", flag_dashes(flag), flag_name(flag), reason);
    return DOCA_ERROR_INVALID_VALUE;
}

static bool is_log_level(const struct doca_argp_param *flag)
{
    return flag->builtin == BUILTIN_LOG_LEVEL || flag->builtin == BUILTIN_SDK_LOG_LEVEL;
}

/* Sets `*alone` if a singular flag is present. */
static doca_error_t check_flags(const struct parser *parser, bool *alone)
{
    const struct doca_argp_param *flag;
    size_t i;

    for (i = 0; i < parser->values.count; ++i) {
        flag = parser->values.entries[i].flag;
        if (flag->occurrences > 1 && !flag->repeatable)
            return reject(parser, flag, "may be given only once");
        if (flag->singular && parser->values.count > flag->occurrences)
            return reject(parser, flag, "cannot be combined with other flags");
        if (is_log_level(flag) && !builtin_flags_is_log_level(parser->values.entries[i].number))
            return reject(parser, flag, "must be 10, 20, 30, 40, 50, 60 or 70");
        *alone = *alone || flag->singular;
    }
    return DOCA_SUCCESS;
}

static doca_error_t check_mandatory(
        const struct parser *parser, const struct level *level, bool inherited_only)
{
    const struct doca_argp_param *flag;

    for (flag = level->flags; flag != NULL; flag = flag->next)
        if (flag->mandatory && flag->occurrences == 0 && (!inherited_only || flag->inherited))
            return reject(parser, flag, "is mandatory but missing");
    return DOCA_SUCCESS;
}

doca_error_t validate_flags(const struct parser *parser)
{
    const struct doca_argp_cmd *command = parser->command;
    bool alone = false;
    doca_error_t status = check_flags(parser, &alone);

    if (status == DOCA_SUCCESS && !alone)
        status = check_mandatory(parser, parser_level(parser), false);
    while (status == DOCA_SUCCESS && !alone && command != NULL) {
        status = check_mandatory(parser, parser_level_above(parser, command), true);
        command = command->parent;
    }
    return status;
}
