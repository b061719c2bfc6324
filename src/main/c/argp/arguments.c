/* SPDX-License-Identifier: Apache-2.0 */
#include "argp.h"

#include <stdlib.h>
#include <string.h>

#include "argp_text.h"

/* The arguments, and the index of the next one to read. */
struct cursor {
    char **words;
    int count;
    int next;
};

static doca_error_t reject_word(const struct parser *parser, const char *word)
{
    if (word[0] == '-' && word[1] != '\0')
        parser_report(parser, "unknown flag %s", text_quote(word).text);
    else if (parser_level(parser)->commands != NULL)
        parser_report(parser, "unknown command \"%s\"", text_quote(word).text);
    else
        parser_report(
                parser, "\"%s\" is not a flag: flags start with \"-\"", text_quote(word).text);
    return DOCA_ERROR_NOT_SUPPORTED;
}

/*
 * Returns whether the next word is taken for a command: commands are valid here, and it is not a
 * flag.
 */
static bool may_be_command(const struct parser *parser, const struct cursor *cursor)
{
    return cursor->next < cursor->count && cursor->words[cursor->next][0] != '-'
            && parser_level(parser)->commands != NULL;
}

static doca_error_t read_commands(struct parser *parser, struct cursor *cursor)
{
    struct doca_argp_cmd *command;

    while (may_be_command(parser, cursor)) {
        command = level_find_command(parser_level(parser), cursor->words[cursor->next]);
        if (command == NULL)
            return reject_word(parser, cursor->words[cursor->next]);
        parser->command = command;
        cursor->next++;
    }
    return DOCA_SUCCESS;
}

/* Finds the flag that a word names; `*value` is the text after "=", or NULL. */
static doca_error_t find_flag(
        const struct parser *parser, char *word, struct doca_argp_param **flag, char **value)
{
    char *equals = strchr(word, '=');
    char *name;

    *value = NULL;
    if (word[0] != '-') {
        *flag = NULL;
    } else if (word[1] != '-') {
        *flag = parser_find_short(parser, word + 1);
    } else if (equals == NULL) {
        *flag = parser_find_long(parser, word + 2);
    } else {
        name = strndup(word + 2, (size_t)(equals - word) - 2);
        if (name == NULL)
            return DOCA_ERROR_NO_MEMORY;
        *flag = parser_find_long(parser, name);
        *value = equals + 1;
        free(name);
    }
    return *flag != NULL ? DOCA_SUCCESS : reject_word(parser, word);
}

static doca_error_t add(struct parser *parser, const struct flag_value *value)
{
    return flag_values_add(&parser->values, value) ? DOCA_SUCCESS : DOCA_ERROR_NO_MEMORY;
}

static doca_error_t add_boolean(
        struct parser *parser, struct doca_argp_param *flag, const char *text)
{
    if (text != NULL) {
        parser_report(parser, "%s%s takes no value, but got \"%s\"", flag_dashes(flag),
                flag_name(flag), text_quote(text).text);
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (flag->builtin != BUILTIN_NONE) {
        parser->exit_flag = flag->builtin;
        return DOCA_SUCCESS;
    }
    return add(parser, &(struct flag_value){ .flag = flag, .yes = true });
}

static doca_error_t add_value(struct parser *parser, struct doca_argp_param *flag, char *text)
{
    struct flag_value value = { .flag = flag };

    if (flag->type == DOCA_ARGP_TYPE_STRING) {
        value.text = text;
    } else if (!text_read_int(text, &value.number)) {
        parser_report(parser, "%s%s requires a number from -2147483648 to 2147483647, not \"%s\"",
                flag_dashes(flag), flag_name(flag), text_quote(text).text);
        return DOCA_ERROR_INVALID_VALUE;
    }
    return add(parser, &value);
}

static doca_error_t read_flag(struct parser *parser, struct cursor *cursor)
{
    struct doca_argp_param *flag;
    doca_error_t status;
    char *value;

    status = find_flag(parser, cursor->words[cursor->next], &flag, &value);
    if (status != DOCA_SUCCESS)
        return status;
    cursor->next++;
    if (flag->type == DOCA_ARGP_TYPE_BOOLEAN)
        return add_boolean(parser, flag, value);
    if (value == NULL && cursor->next == cursor->count) {
        parser_report(parser, "%s%s requires a value", flag_dashes(flag), flag_name(flag));
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (value == NULL)
        value = cursor->words[cursor->next++];
    return add_value(parser, flag, value);
}

doca_error_t arguments_read(struct parser *parser, int count, char **words)
{
    struct cursor cursor = { .words = words, .count = count };
    doca_error_t status = read_commands(parser, &cursor);

    while (status == DOCA_SUCCESS && parser->exit_flag == BUILTIN_NONE && cursor.next < count)
        status = read_flag(parser, &cursor);
    return status;
}
