/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One pass over the text. Comments become blanks, as does a comma before a closing bracket, which
 * the last two non-blank characters identify.
 */
#include "json_text.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Only hexadecimal numbers grow: "0x" and 16 digits become 19 digits. */
#define GROWTH 2

struct rewriting {
    const char *next;
    const char *end;
    char *out;
    size_t length;
    char *last;       /* last non-blank character in `out`, or NULL */
    char before_last; /* non-blank character before it, or 0 */
};

static bool starts_with(const struct rewriting *rewriting, const char *text)
{
    size_t length = strlen(text);

    return (size_t)(rewriting->end - rewriting->next) >= length
            && memcmp(rewriting->next, text, length) == 0;
}

static void put(struct rewriting *rewriting, char c)
{
    rewriting->out[rewriting->length] = c;
    if (!isspace((unsigned char)c)) {
        rewriting->before_last = rewriting->last == NULL ? 0 : *rewriting->last;
        rewriting->last = rewriting->out + rewriting->length;
    }
    rewriting->length++;
}

static void copy(struct rewriting *rewriting)
{
    put(rewriting, *rewriting->next++);
}

static void copy_string(struct rewriting *rewriting)
{
    copy(rewriting);
    while (rewriting->next < rewriting->end && *rewriting->next != '"') {
        if (*rewriting->next == '\\' && rewriting->next + 1 < rewriting->end)
            copy(rewriting);
        copy(rewriting);
    }
    if (rewriting->next < rewriting->end)
        copy(rewriting);
}

static void blank_until(struct rewriting *rewriting, const char *stop)
{
    for (; rewriting->next < stop; ++rewriting->next)
        put(rewriting, *rewriting->next == '\n' ? '\n' : ' ');
}

static void blank_line_comment(struct rewriting *rewriting)
{
    size_t left = (size_t)(rewriting->end - rewriting->next);
    const char *line_end = memchr(rewriting->next, '\n', left);

    blank_until(rewriting, line_end != NULL ? line_end : rewriting->end);
}

/* Copies an unterminated comment and all that follows, which the JSON parser then rejects. */
static void blank_block_comment(struct rewriting *rewriting)
{
    const char *inside = rewriting->next + 2;
    const char *close = memmem(inside, (size_t)(rewriting->end - inside), "*/", 2);

    if (close != NULL)
        blank_until(rewriting, close + 2);
    while (close == NULL && rewriting->next < rewriting->end)
        copy(rewriting);
}

/* Returns whether the text continues with "0x" and a digit, outside of a word. */
static bool is_at_hexadecimal(const struct rewriting *rewriting)
{
    size_t before = rewriting->length - 1; /* wraps at the start, where it is unused */

    if (!starts_with(rewriting, "0x") && !starts_with(rewriting, "0X"))
        return false;
    if (rewriting->end - rewriting->next < 3 || !isxdigit((unsigned char)rewriting->next[2]))
        return false;
    return rewriting->length == 0
            || (!isalnum((unsigned char)rewriting->out[before]) && rewriting->out[before] != '.');
}

static void put_decimal(struct rewriting *rewriting)
{
    char digits[32], *digit;
    uint64_t value = 0;
    char c[2] = "";

    for (rewriting->next += 2; rewriting->next < rewriting->end; ++rewriting->next) {
        c[0] = *rewriting->next;
        if (!isxdigit((unsigned char)c[0]))
            break;
        value = value > INT64_MAX / 16 ? INT64_MAX : value * 16 + strtoul(c, NULL, 16);
    }
    snprintf(digits, sizeof(digits), "%" PRIu64, value);
    for (digit = digits; *digit != '\0'; ++digit)
        put(rewriting, *digit);
}

static void close_bracket(struct rewriting *rewriting)
{
    char before = rewriting->before_last;

    if (rewriting->last != NULL && *rewriting->last == ',' && before != 0
            && strchr("[{,:", before) == NULL)
        *rewriting->last = ' ';
    copy(rewriting);
}

/* json-c accepts strings in single quotes even in strict mode; it rejects this character. */
static void invalidate(struct rewriting *rewriting)
{
    put(rewriting, '?');
    rewriting->next++;
}

static void rewrite_next(struct rewriting *rewriting)
{
    if (*rewriting->next == '"')
        copy_string(rewriting);
    else if (*rewriting->next == '\'')
        invalidate(rewriting);
    else if (starts_with(rewriting, "//"))
        blank_line_comment(rewriting);
    else if (starts_with(rewriting, "/*"))
        blank_block_comment(rewriting);
    else if (is_at_hexadecimal(rewriting))
        put_decimal(rewriting);
    else if (*rewriting->next == '}' || *rewriting->next == ']')
        close_bracket(rewriting);
    else
        copy(rewriting);
}

bool json_text_make_strict(const char *text, size_t length, char **strict, size_t *strict_length)
{
    struct rewriting rewriting = { .next = text, .end = text + length };

    rewriting.out = malloc(GROWTH * length + 1);
    if (rewriting.out == NULL)
        return false;
    while (rewriting.next < rewriting.end)
        rewrite_next(&rewriting);

    *strict = rewriting.out;
    *strict_length = rewriting.length;
    return true;
}
