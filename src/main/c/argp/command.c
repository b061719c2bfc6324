/* SPDX-License-Identifier: Apache-2.0 */
/* Properties of a command. They cannot be changed after registration. */
#include "command.h"

#include <stdlib.h>

#include "text.h"

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
    if (command->short_of_memory)
        return DOCA_ERROR_NO_MEMORY;
    if (command->name == NULL || command->description == NULL)
        return DOCA_ERROR_INITIALIZATION;
    return text_is_name(command->name) ? DOCA_SUCCESS : DOCA_ERROR_INVALID_VALUE;
}

static void set_text(struct doca_argp_cmd *command, char **copy, const char *text)
{
    if (!command->registered && !text_replace(copy, text))
        command->short_of_memory = true;
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
