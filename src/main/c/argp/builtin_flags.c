/* SPDX-License-Identifier: Apache-2.0 */
#include "argp.h"

#include <string.h>

/* A flag that the parser itself handles. */
static const struct definition {
    enum builtin_flag builtin;
    enum doca_argp_type type;
    const char *short_name;
    const char *long_name;
    const char *arguments;
    const char *description;
} builtin_flags[] = {
    { BUILTIN_HELP, DOCA_ARGP_TYPE_BOOLEAN, "h", "help", NULL, "Print this help and exit" },
    { BUILTIN_VERSION, DOCA_ARGP_TYPE_BOOLEAN, "v", "version", NULL, "Print the version and exit" },
    { BUILTIN_LOG_LEVEL, DOCA_ARGP_TYPE_INT, "l", "log-level", "<level>",
            "Log level of the program: 10 off, 20 critical, 30 error, 40 warning, 50 info, "
            "60 debug, 70 trace" },
    { BUILTIN_SDK_LOG_LEVEL, DOCA_ARGP_TYPE_INT, NULL, "sdk-log-level", "<level>",
            "Log level of DOCA, with the same values" },
    { BUILTIN_JSON, DOCA_ARGP_TYPE_STRING, "j", "json", "<path>",
            "Read the flags from this file instead of the command line" },
};

#define BUILTIN_FLAGS (sizeof(builtin_flags) / sizeof(builtin_flags[0]))

static doca_error_t add(struct parser *parser, const struct definition *definition)
{
    struct doca_argp_param *flag = flag_new();

    if (flag == NULL)
        return DOCA_ERROR_NO_MEMORY;
    doca_argp_param_set_short_name(flag, definition->short_name);
    doca_argp_param_set_long_name(flag, definition->long_name);
    doca_argp_param_set_arguments(flag, definition->arguments);
    doca_argp_param_set_description(flag, definition->description);
    doca_argp_param_set_type(flag, definition->type);
    flag->builtin = definition->builtin;
    flag->cli_only = definition->builtin != BUILTIN_LOG_LEVEL
            && definition->builtin != BUILTIN_SDK_LOG_LEVEL;
    parser_own_flag(parser, flag);
    if (flag->out_of_memory)
        return DOCA_ERROR_NO_MEMORY;

    level_add_flag(&parser->builtin_flags, flag);
    return DOCA_SUCCESS;
}

doca_error_t builtin_flags_add(struct parser *parser)
{
    doca_error_t status = DOCA_SUCCESS;

    for (size_t i = 0; i < BUILTIN_FLAGS && status == DOCA_SUCCESS; ++i)
        status = add(parser, &builtin_flags[i]);
    return status;
}

bool builtin_flags_allow(
        const struct parser *parser, const struct doca_argp_param *flag, bool of_command)
{
    const struct doca_argp_param *same_short = level_find_short(
            &parser->builtin_flags, flag->short_name);

    if (level_find_long(&parser->builtin_flags, flag->long_name) != NULL)
        return false;
    return same_short == NULL || (of_command && same_short->builtin != BUILTIN_JSON);
}

bool builtin_flags_is_log_level(int number)
{
    return number >= DOCA_LOG_LEVEL_DISABLE && number <= DOCA_LOG_LEVEL_TRACE && number % 10 == 0;
}

doca_error_t builtin_flags_apply_log_level(struct parser *parser, const struct flag_value *value)
{
    if (value->flag->builtin == BUILTIN_LOG_LEVEL) {
        parser->log_level = value->number;
        return doca_log_level_set_global_lower_limit((uint32_t)value->number);
    }
    parser->sdk_log_level = value->number;
    return doca_log_level_set_global_sdk_limit((uint32_t)value->number);
}
