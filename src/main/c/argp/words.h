/* SPDX-License-Identifier: Apache-2.0 */
/* An array of words like argv: copies, terminated by NULL. */
#ifndef JUROM_ARGP_WORDS_H_
#define JUROM_ARGP_WORDS_H_

#include <stdbool.h>
#include <stddef.h>

struct words {
    char **items; /* NULL if empty */
    int count;
};

/* Adds a copy of the first `length` bytes of `word`. False without memory. */
bool words_add_part(struct words *words, const char *word, size_t length);
bool words_add(struct words *words, const char *word);
/* Adds copies of the words of `text`, which blanks separate. False without memory. */
bool words_add_split(struct words *words, const char *text);
/* Frees the words. */
void words_clear(struct words *words);

#endif /* JUROM_ARGP_WORDS_H_ */
