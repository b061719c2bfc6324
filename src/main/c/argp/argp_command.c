/* SPDX-License-Identifier: Apache-2.0 */
/* Commands and levels. The properties of a command cannot be changed after its registration. */
#include "argp_command.h"

#include <stdlib.h>
#include <string.h>

#include "argp_text.h"

static bool is_named(const char *own, const char *name)
{
    return own != NULL && name != NULL && strcmp(own, name) == 0;
}

struct doca_argp_param *level_find_short(const struct level *level, const char *name)
{
    struct doca_argp_param *flag = level->flags;

    while (flag != NULL && !is_named(flag->short_name, name))
        flag = flag->next;
    return flag;
}

struct doca_argp_param *level_find_long(const struct level *level, const char *name)
{
    struct doca_argp_param *flag = level->flags;

    while (flag != NULL && !is_named(flag->long_name, name))
        flag = flag->next;
    return flag;
}

struct doca_argp_cmd *level_find_command(const struct level *level, const char *name)
{
    struct doca_argp_cmd *command = level->commands;

    while (command != NULL && !is_named(command->name, name))
        command = command->next;
    return command;
}

bool level_add_flag(struct level *level, struct doca_argp_param *flag)
{
    struct doca_argp_param **end = &level->flags;

    if (level_find_short(level, flag->short_name) != NULL
            || level_find_long(level, flag->long_name) != NULL)
        return false;

    while (*end != NULL)
        end = &(*end)->next;
    *end = flag;
    return true;
}

bool level_add_command(struct level *level, struct doca_argp_cmd *command)
{
    struct doca_argp_cmd **end = &level->commands;

    if (level_find_command(level, command->name) != NULL)
        return false;

    while (*end != NULL)
        end = &(*end)->next;
    *end = command;
    return true;
}

struct doca_argp_cmd *command_new(void)
{
    return calloc(1, sizeof(struct doca_argp_cmd));
}

void command_free(struct doca_argp_cmd *command)
{
    if (command == NULL)
        return;
    free(command->name);
    free(command->description);
    free(command);
}

doca_error_t command_check(const struct doca_argp_cmd *command)
{
    if (command->out_of_memory)
        return DOCA_ERROR_NO_MEMORY;
    if (command->name == NULL || command->description == NULL)
        return DOCA_ERROR_INITIALIZATION;
    return text_is_name(command->name) ? DOCA_SUCCESS : DOCA_ERROR_INVALID_VALUE;
}

static void set_text(struct doca_argp_cmd *command, char **copy, const char *text)
{
    if (!command->registered && !text_replace(copy, text))
        command->out_of_memory = true;
}

void doca_argp_cmd_set_name(struct doca_argp_cmd *cmd, const char *name)
{
    set_text(cmd, &cmd->name, name);
}

void doca_argp_cmd_set_description(struct doca_argp_cmd *cmd, const char *description)
{
    set_text(cmd, &cmd->description, description);
}

void doca_argp_cmd_set_callback(struct doca_argp_cmd *cmd, doca_argp_cmd_cb_t callback)
{
    if (!cmd->registered)
        cmd->callback = callback;
}

void doca_argp_cmd_set_hidden(struct doca_argp_cmd *cmd)
{
    if (!cmd->registered)
        cmd->hidden = true;
}
