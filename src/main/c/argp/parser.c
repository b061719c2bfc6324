/* SPDX-License-Identifier: Apache-2.0 */
#include "argp.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <json-c/json_object.h>

#include "argp_text.h"

static struct parser *current;

struct parser *parser_current(void)
{
    return current;
}

static void free_parser(struct parser *parser)
{
    struct doca_argp_param *flag, *next_flag;
    struct doca_argp_cmd *command, *next_command;

    flag_values_clear(&parser->values);
    for (flag = parser->flags; flag != NULL; flag = next_flag) {
        next_flag = flag->next_owned;
        flag_free(flag);
    }
    for (command = parser->commands; command != NULL; command = next_command) {
        next_command = command->next_owned;
        command_free(command);
    }
    json_object_put(parser->file);
    free(parser->name);
    free(parser);
}

doca_error_t parser_create(const char *name, void *config)
{
    struct parser *parser;

    if (current != NULL)
        return DOCA_ERROR_BAD_STATE;
    parser = calloc(1, sizeof(*parser));
    if (parser == NULL)
        return DOCA_ERROR_NO_MEMORY;
    if (!text_replace(&parser->name, name)) {
        free(parser);
        return DOCA_ERROR_NO_MEMORY;
    }

    parser->config = config;
    current = parser;
    return DOCA_SUCCESS;
}

doca_error_t parser_destroy(void)
{
    struct parser *parser = current;

    if (parser == NULL)
        return DOCA_ERROR_BAD_STATE;

    current = NULL;
    parser->destroyed = true;
    if (!parser->starting)
        free_parser(parser);
    return DOCA_SUCCESS;
}

void parser_begin(struct parser *parser)
{
    parser->started = true;
    parser->starting = true;
}

void parser_end(struct parser *parser)
{
    parser->starting = false;
    if (parser->destroyed)
        free_parser(parser);
}

void parser_own_flag(struct parser *parser, struct doca_argp_param *flag)
{
    flag->registered = true;
    flag->next_owned = parser->flags;
    parser->flags = flag;
}

void parser_own_command(struct parser *parser, struct doca_argp_cmd *command)
{
    command->registered = true;
    command->next_owned = parser->commands;
    parser->commands = command;
}

const struct level *parser_level_above(
        const struct parser *parser, const struct doca_argp_cmd *command)
{
    return command->parent == NULL ? &parser->program : &command->parent->level;
}

const struct level *parser_level(const struct parser *parser)
{
    return parser->command == NULL ? &parser->program : &parser->command->level;
}

typedef struct doca_argp_param *find_in_level(const struct level *level, const char *name);

static struct doca_argp_param *find(
        const struct parser *parser, find_in_level *find_in, const char *name)
{
    struct doca_argp_param *flag = find_in(parser_level(parser), name);
    const struct doca_argp_cmd *command = parser->command;

    while (flag == NULL && command != NULL) {
        flag = find_in(parser_level_above(parser, command), name);
        if (flag != NULL && !flag->inherited)
            flag = NULL;
        command = command->parent;
    }
    return flag != NULL ? flag : find_in(&parser->builtin_flags, name);
}

struct doca_argp_param *parser_find_short(const struct parser *parser, const char *name)
{
    return find(parser, level_find_short, name);
}

struct doca_argp_param *parser_find_long(const struct parser *parser, const char *name)
{
    return find(parser, level_find_long, name);
}

void parser_report(const struct parser *parser, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    if (parser->logger_callback != NULL) {
        parser->logger_callback(DOCA_LOG_LEVEL_ERROR, format, arguments);
    } else {
        fprintf(stderr, "%s: ", parser->name);
        vfprintf(stderr, format, arguments);
        fputc('\n', stderr);
    }
    va_end(arguments);
}
