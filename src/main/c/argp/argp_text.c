/* SPDX-License-Identifier: Apache-2.0 */
#include "argp_text.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

static const char blanks[] = " \t\r\n";

bool text_replace(char **copy, const char *text)
{
    char *fresh = NULL;

    if (text != NULL) {
        fresh = strdup(text);
        if (fresh == NULL)
            return false;
    }
    free(*copy);
    *copy = fresh;
    return true;
}

bool text_is_name(const char *text)
{
    if (text[0] == '\0' || text[0] == '-')
        return false;
    for (; *text != '\0'; ++text)
        if (!isgraph((unsigned char)*text) || *text == '=')
            return false;
    return true;
}

struct quoted text_quote(const char *word)
{
    struct quoted quoted;
    size_t i;

    for (i = 0; word[i] != '\0' && i < QUOTED_SIZE - 1; ++i)
        quoted.text[i] = iscntrl((unsigned char)word[i]) ? '?' : word[i];
    quoted.text[i] = '\0';
    if (word[i] != '\0')
        memcpy(quoted.text + QUOTED_SIZE - 4, "...", 4);
    return quoted;
}

bool text_read_int(const char *text, int *number)
{
    const char *digits = text + (text[0] == '-' || text[0] == '+');
    int base = digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X') ? 16 : 10;
    char *end;
    long value;

    /* Rejects input that strtol accepts: leading blanks, a second sign, "0x" without digits. */
    if (!isxdigit((unsigned char)digits[base == 16 ? 2 : 0]))
        return false;
    errno = 0;
    value = strtol(text, &end, base);
    if (errno != 0 || *end != '\0' || value < INT_MIN || value > INT_MAX)
        return false;

    *number = (int)value;
    return true;
}

/* Appends a copy of the first `length` bytes of `word`. */
static bool words_add_part(struct words *words, const char *word, size_t length)
{
    char **items = reallocarray(words->items, (size_t)words->count + 2, sizeof(*items));

    if (items == NULL)
        return false;
    words->items = items;
    items[words->count] = strndup(word, length);
    if (items[words->count] == NULL)
        return false;

    items[++words->count] = NULL;
    return true;
}

bool words_add(struct words *words, const char *word)
{
    return words_add_part(words, word, strlen(word));
}

bool words_add_split(struct words *words, const char *text)
{
    bool added = true;
    size_t length;

    text += strspn(text, blanks);
    while (added && *text != '\0') {
        length = strcspn(text, blanks);
        added = words_add_part(words, text, length);
        text += length;
        text += strspn(text, blanks);
    }
    return added;
}

void words_clear(struct words *words)
{
    for (int i = 0; i < words->count; ++i)
        free(words->items[i]);
    free(words->items);
    *words = (struct words){ 0 };
}
