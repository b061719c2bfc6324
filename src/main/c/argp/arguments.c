/* SPDX-License-Identifier: Apache-2.0 */
#include "arguments.h"

#include <stdlib.h>
#include <string.h>

#include "own.h"
#include "say.h"
#include "text.h"

/* The arguments, and the index of the next one to read. */
struct cursor {
    char **words;
    int count;
    int next;
};

static doca_error_t refuse_word(const struct parser *parser, const char *word)
{
    if (word[0] == '-' && word[1] != '\0')
        say(parser, "unknown flag %s", text_quote(word).text);
    else if (parser_level(parser)->commands != NULL)
        say(parser, "unknown command \"%s\"", text_quote(word).text);
    else
        say(parser, "\"%s\" is not a flag: flags start with \"-\"", text_quote(word).text);
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
            return refuse_word(parser, cursor->words[cursor->next]);
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
    return *flag != NULL ? DOCA_SUCCESS : refuse_word(parser, word);
}

static doca_error_t add(struct parser *parser, const struct given *given)
{
    return given_add(&parser->given, given) ? DOCA_SUCCESS : DOCA_ERROR_NO_MEMORY;
}

static doca_error_t add_boolean(
        struct parser *parser, struct doca_argp_param *flag, const char *value)
{
    if (value != NULL) {
        say(parser, "%s%s takes no value, but got \"%s\"", flag_dashes(flag), flag_name(flag),
                text_quote(value).text);
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (flag->own != OWN_NONE) {
        parser->ending = flag->own;
        return DOCA_SUCCESS;
    }
    return add(parser, &(struct given){ .flag = flag, .yes = true });
}

static doca_error_t add_value(struct parser *parser, struct doca_argp_param *flag, char *value)
{
    struct given given = { .flag = flag };

    if (flag->type == DOCA_ARGP_TYPE_STRING) {
        given.text = value;
    } else if (!text_read_int(value, &given.number)) {
        say(parser, "%s%s requires a number from -2147483648 to 2147483647, not \"%s\"",
                flag_dashes(flag), flag_name(flag), text_quote(value).text);
        return DOCA_ERROR_INVALID_VALUE;
    }
    return add(parser, &given);
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
        say(parser, "%s%s requires a value", flag_dashes(flag), flag_name(flag));
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

    while (status == DOCA_SUCCESS && parser->ending == OWN_NONE && cursor.next < count)
        status = read_flag(parser, &cursor);
    return status;
}

doca_error_t arguments_split(struct parser *parser, int count, char **words, int *first)
{
    int separator = 1;

    *first = 1;
    if (parser->dpdk_callback == NULL)
        return DOCA_SUCCESS;

    while (separator < count && strcmp(words[separator], "--") != 0)
        separator++;
    if (separator == count && count > 1 && own_flags_lead(parser, words[1]))
        separator = 0; /* flags of the program only: those of DPDK are in a file */
    *first = separator < count ? separator + 1 : count;
    for (int i = 0; i < separator || i == 0; ++i)
        if (!words_add(&parser->dpdk_words, words[i]))
            return DOCA_ERROR_NO_MEMORY;
    return DOCA_SUCCESS;
}
