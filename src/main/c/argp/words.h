/* SPDX-License-Identifier: Apache-2.0 */
/* An array of words as main gets it: copies, with a NULL behind the last. */
#ifndef JUROM_ARGP_WORDS_H_
#define JUROM_ARGP_WORDS_H_

#include <stdbool.h>
#include <stddef.h>

struct words {
    char **items; /* NULL while there are none */
    int count;
};

/* Adds a copy of the first `length` bytes of `word`. False without memory. */
bool words_add_part(struct words *words, const char *word, size_t length);
bool words_add(struct words *words, const char *word);
/* Adds copies of the words between the blanks of `text`. */
bool words_add_split(struct words *words, const char *text);
/* Frees what it holds and leaves it empty. */
void words_clear(struct words *words);

#endif /* JUROM_ARGP_WORDS_H_ */
