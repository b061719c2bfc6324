/* SPDX-License-Identifier: Apache-2.0 */
#include "words.h"

#include <stdlib.h>
#include <string.h>

static const char blanks[] = " \t\r\n";

bool words_add_part(struct words *words, const char *word, size_t length)
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
