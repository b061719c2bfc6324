/* SPDX-License-Identifier: Apache-2.0 */
#include "argp.h"

#include <stdio.h>

/* Column of the description, counted after the two leading blanks. */
#define COLUMN 36

static const char *or_empty(const char *text)
{
    return text != NULL ? text : "";
}

static bool has_visible_flag(const struct level *level, bool inherited_only)
{
    const struct doca_argp_param *flag = level->flags;

    while (flag != NULL && (flag->hidden || (inherited_only && !flag->inherited)))
        flag = flag->next;
    return flag != NULL;
}

static bool has_program_flags(const struct parser *parser)
{
    const struct doca_argp_cmd *command = parser->command;
    bool found = has_visible_flag(parser_level(parser), false);

    while (!found && command != NULL) {
        found = has_visible_flag(parser_level_above(parser, command), true);
        command = command->parent;
    }
    return found;
}

static bool has_visible_command(const struct level *level)
{
    const struct doca_argp_cmd *command = level->commands;

    while (command != NULL && command->hidden)
        command = command->next;
    return command != NULL;
}

static void print_command_path(const struct doca_argp_cmd *command)
{
    if (command == NULL)
        return;
    print_command_path(command->parent);
    printf(" %s", command->name);
}

static void print_first_line(const struct parser *parser)
{
    printf("Usage: %s", or_empty(parser->name));
    print_command_path(parser->command);
    if (has_visible_command(parser_level(parser)))
        printf(" [Command]");
    printf(" [DOCA Flags]%s\n", has_program_flags(parser) ? " [Program Flags]" : "");
}

static void print_flag(const struct doca_argp_param *flag)
{
    int width = 0;

    printf("  ");
    if (flag->short_name != NULL)
        width += printf("-%s%s", flag->short_name, flag->long_name != NULL ? ", " : "");
    if (flag->long_name != NULL)
        width += printf("--%s", flag->long_name);
    if (flag->arguments != NULL)
        width += printf(" %s", flag->arguments);
    printf("%*s%s\n", width < COLUMN ? COLUMN - width : 1, "", or_empty(flag->description));
}

static void print_flags(const struct level *level, bool inherited_only)
{
    const struct doca_argp_param *flag;

    for (flag = level->flags; flag != NULL; flag = flag->next)
        if (!flag->hidden && (!inherited_only || flag->inherited))
            print_flag(flag);
}

static void print_program_flags(const struct parser *parser)
{
    const struct doca_argp_cmd *command;

    if (!has_program_flags(parser))
        return;
    printf("\nProgram Flags:\n");
    print_flags(parser_level(parser), false);
    for (command = parser->command; command != NULL; command = command->parent)
        print_flags(parser_level_above(parser, command), true);
}

static void print_commands(const struct level *level)
{
    const struct doca_argp_cmd *command;

    if (!has_visible_command(level))
        return;
    printf("\nCommands:\n");
    for (command = level->commands; command != NULL; command = command->next)
        if (!command->hidden)
            printf("  %-*s%s\n", COLUMN, command->name, command->description);
}

void usage_print(const struct parser *parser)
{
    print_first_line(parser);
    print_commands(parser_level(parser));
    printf("\nDOCA Flags:\n");
    print_flags(&parser->builtin_flags, false);
    print_program_flags(parser);
    printf("\n");
    fflush(stdout);
}

void usage_print_version(const struct parser *parser)
{
    printf("%s: built with DOCA %s, running with DOCA %s\n", parser->name, doca_version(),
            doca_version_runtime());
    fflush(stdout);
}
