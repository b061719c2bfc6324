/* SPDX-License-Identifier: Apache-2.0 */
/* The interface except for setting properties and starting: creation, registration, queries. */
#include "argp.h"

void doca_argp_usage(void)
{
    if (parser_current() != NULL)
        usage_print(parser_current());
}

doca_error_t doca_argp_init(const char *program_name, void *config)
{
    doca_error_t status;

    if (config == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    status = parser_create(program_name, config);
    if (status != DOCA_SUCCESS)
        return status;

    status = builtin_flags_add(parser_current());
    if (status != DOCA_SUCCESS)
        parser_destroy();
    return status;
}

doca_error_t doca_argp_destroy(void)
{
    return parser_destroy();
}

/* Passes ownership of a flag to the parser, and checks whether the flag may be registered. */
static doca_error_t adopt_flag(struct doca_argp_param *flag)
{
    struct parser *parser = parser_current();

    if (flag == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    if (parser == NULL) {
        flag_free(flag);
        return DOCA_ERROR_BAD_STATE;
    }
    if (flag->registered)
        return DOCA_ERROR_BAD_STATE;

    parser_own_flag(parser, flag);
    return parser->started ? DOCA_ERROR_BAD_STATE : flag_check(flag);
}

static doca_error_t adopt_command(struct doca_argp_cmd *command)
{
    struct parser *parser = parser_current();

    if (command == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    if (parser == NULL) {
        command_free(command);
        return DOCA_ERROR_BAD_STATE;
    }
    if (command->registered)
        return DOCA_ERROR_BAD_STATE;

    parser_own_command(parser, command);
    return parser->started ? DOCA_ERROR_BAD_STATE : command_check(command);
}

static doca_error_t add_flag(struct level *level, struct doca_argp_param *flag, bool of_command)
{
    if (!builtin_flags_allow(parser_current(), flag, of_command) || !level_add_flag(level, flag))
        return DOCA_ERROR_INVALID_VALUE;
    return DOCA_SUCCESS;
}

doca_error_t doca_argp_register_param(struct doca_argp_param *param)
{
    doca_error_t status = adopt_flag(param);

    return status == DOCA_SUCCESS ? add_flag(&parser_current()->program, param, false) : status;
}

doca_error_t doca_argp_register_cmd(struct doca_argp_cmd *cmd)
{
    doca_error_t status = adopt_command(cmd);

    if (status == DOCA_SUCCESS && !level_add_command(&parser_current()->program, cmd))
        status = DOCA_ERROR_INVALID_VALUE;
    return status;
}

doca_error_t doca_argp_cmd_register_param(struct doca_argp_cmd *cmd, struct doca_argp_param *param)
{
    doca_error_t status = adopt_flag(param);

    if (cmd == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    if (status != DOCA_SUCCESS)
        return status;
    return cmd->registered ? DOCA_ERROR_BAD_STATE : add_flag(&cmd->level, param, true);
}

doca_error_t doca_argp_cmd_register_cmd(struct doca_argp_cmd *cmd, struct doca_argp_cmd *inner)
{
    doca_error_t status = adopt_command(inner);

    if (cmd == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    if (status != DOCA_SUCCESS)
        return status;
    if (cmd->registered)
        return DOCA_ERROR_BAD_STATE;
    if (!level_add_command(&cmd->level, inner))
        return DOCA_ERROR_INVALID_VALUE;

    inner->parent = cmd;
    return DOCA_SUCCESS;
}

doca_error_t doca_argp_param_create(struct doca_argp_param **param)
{
    if (parser_current() == NULL)
        return DOCA_ERROR_BAD_STATE;
    if (param == NULL)
        return DOCA_ERROR_INVALID_VALUE;

    *param = flag_new();
    return *param != NULL ? DOCA_SUCCESS : DOCA_ERROR_NO_MEMORY;
}

doca_error_t doca_argp_param_destroy(struct doca_argp_param *param)
{
    if (param == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    if (param->registered)
        return DOCA_ERROR_BAD_STATE;

    flag_free(param);
    return DOCA_SUCCESS;
}

doca_error_t doca_argp_cmd_create(struct doca_argp_cmd **cmd)
{
    if (parser_current() == NULL)
        return DOCA_ERROR_BAD_STATE;
    if (cmd == NULL)
        return DOCA_ERROR_INVALID_VALUE;

    *cmd = command_new();
    return *cmd != NULL ? DOCA_SUCCESS : DOCA_ERROR_NO_MEMORY;
}

doca_error_t doca_argp_cmd_destroy(struct doca_argp_cmd *cmd)
{
    if (cmd == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    if (cmd->registered)
        return DOCA_ERROR_BAD_STATE;

    command_free(cmd);
    return DOCA_SUCCESS;
}

doca_error_t doca_argp_register_version_callback(doca_argp_param_cb_t callback)
{
    if (parser_current() == NULL)
        return DOCA_ERROR_BAD_STATE;
    if (callback == NULL)
        return DOCA_ERROR_INVALID_VALUE;

    parser_current()->version_callback = callback;
    return DOCA_SUCCESS;
}

doca_error_t doca_argp_register_validation_callback(doca_argp_validation_cb_t callback)
{
    if (parser_current() == NULL)
        return DOCA_ERROR_BAD_STATE;
    if (callback == NULL)
        return DOCA_ERROR_INVALID_VALUE;

    parser_current()->validation_callback = callback;
    return DOCA_SUCCESS;
}

doca_error_t doca_argp_register_logger_callback(doca_argp_logger_cb_t callback)
{
    if (parser_current() == NULL)
        return DOCA_ERROR_BAD_STATE;
    if (callback == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    if (parser_current()->logger_callback != NULL)
        return DOCA_ERROR_ALREADY_EXIST;

    parser_current()->logger_callback = callback;
    return DOCA_SUCCESS;
}

doca_error_t doca_argp_disable_logger_callback(void)
{
    if (parser_current() == NULL || parser_current()->logger_callback == NULL)
        return DOCA_ERROR_BAD_STATE;

    parser_current()->logger_callback = NULL;
    return DOCA_SUCCESS;
}

void doca_argp_set_dpdk_program(doca_argp_dpdk_cb_t callback)
{
    if (parser_current() != NULL)
        parser_current()->uses_dpdk = callback != NULL;
}

doca_error_t doca_argp_get_log_level(int *log_level)
{
    const struct parser *parser = parser_current();

    if (log_level == NULL)
        return DOCA_ERROR_INVALID_VALUE;

    *log_level = parser != NULL && parser->log_level != 0
            ? parser->log_level
            : (int)doca_log_level_get_global_lower_limit();
    return DOCA_SUCCESS;
}

doca_error_t doca_argp_get_sdk_log_level(int *log_level)
{
    const struct parser *parser = parser_current();

    if (log_level == NULL)
        return DOCA_ERROR_INVALID_VALUE;

    *log_level = parser != NULL && parser->sdk_log_level != 0
            ? parser->sdk_log_level
            : (int)doca_log_level_get_global_sdk_limit();
    return DOCA_SUCCESS;
}
