/* SPDX-License-Identifier: Apache-2.0 */
#include "own.h"

#include <string.h>

static const struct own {
    enum own_flag own;
    enum doca_argp_type type;
    const char *short_name;
    const char *long_name;
    const char *arguments;
    const char *description;
} own_flags[] = {
    { OWN_HELP, DOCA_ARGP_TYPE_BOOLEAN, "h", "help", NULL, "Print this help and exit" },
    { OWN_VERSION, DOCA_ARGP_TYPE_BOOLEAN, "v", "version", NULL, "Print the version and exit" },
    { OWN_LOG_LEVEL, DOCA_ARGP_TYPE_INT, "l", "log-level", "<level>",
            "Log level of the program: 10 off, 20 critical, 30 error, 40 warning, 50 info, 60 debug, "
            "70 trace" },
    { OWN_SDK_LOG_LEVEL, DOCA_ARGP_TYPE_INT, NULL, "sdk-log-level", "<level>",
            "Log level of DOCA, with the same values" },
    { OWN_JSON, DOCA_ARGP_TYPE_STRING, "j", "json", "<path>",
            "Read the flags from this file instead of the command line" },
};

#define OWN_FLAGS (sizeof(own_flags) / sizeof(own_flags[0]))

static doca_error_t add(struct parser *parser, const struct own *own)
{
    struct doca_argp_param *flag = flag_new();

    if (flag == NULL)
        return DOCA_ERROR_NO_MEMORY;
    doca_argp_param_set_short_name(flag, own->short_name);
    doca_argp_param_set_long_name(flag, own->long_name);
    doca_argp_param_set_arguments(flag, own->arguments);
    doca_argp_param_set_description(flag, own->description);
    doca_argp_param_set_type(flag, own->type);
    flag->own = own->own;
    flag->cli_only = own->own != OWN_LOG_LEVEL && own->own != OWN_SDK_LOG_LEVEL;
    parser_own_flag(parser, flag);
    if (flag->short_of_memory)
        return DOCA_ERROR_NO_MEMORY;

    level_add_flag(&parser->own, flag);
    return DOCA_SUCCESS;
}

doca_error_t own_flags_add(struct parser *parser)
{
    doca_error_t status = DOCA_SUCCESS;

    for (size_t i = 0; i < OWN_FLAGS && status == DOCA_SUCCESS; ++i)
        status = add(parser, &own_flags[i]);
    return status;
}

bool own_flags_allow(
        const struct parser *parser, const struct doca_argp_param *flag, bool of_command)
{
    const struct doca_argp_param *same_short = level_find_short(&parser->own, flag->short_name);

    if (level_find_long(&parser->own, flag->long_name) != NULL)
        return false;
    return same_short == NULL || (of_command && same_short->own != OWN_JSON);
}

bool own_flags_lead(const struct parser *parser, const char *word)
{
    const struct doca_argp_param *flag = NULL;

    if (strncmp(word, "--", 2) == 0)
        flag = level_find_long(&parser->own, word + 2);
    else if (word[0] == '-')
        flag = level_find_short(&parser->own, word + 1);
    /* DPDK has its own flags with the names of the others. */
    return flag != NULL && flag->cli_only;
}

bool own_flags_is_level(int number)
{
    return number >= DOCA_LOG_LEVEL_DISABLE && number <= DOCA_LOG_LEVEL_TRACE && number % 10 == 0;
}

doca_error_t own_flags_apply(struct parser *parser, const struct given *given)
{
    if (given->flag->own == OWN_LOG_LEVEL) {
        parser->log_level = given->number;
        return doca_log_level_set_global_lower_limit((uint32_t)given->number);
    }
    parser->sdk_log_level = given->number;
    return doca_log_level_set_global_sdk_limit((uint32_t)given->number);
}
