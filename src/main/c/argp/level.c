/* SPDX-License-Identifier: Apache-2.0 */
#include "level.h"

#include <string.h>

#include "command.h"

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
