/* SPDX-License-Identifier: Apache-2.0 */
/* Texts: copies that are owned, words that people typed. */
#ifndef JUROM_ARGP_TEXT_H_
#define JUROM_ARGP_TEXT_H_

#include <stdbool.h>

#define QUOTED_SIZE 80

/* A word from outside, fit to be shown: cut, and without what a terminal would obey. */
struct quoted {
    char text[QUOTED_SIZE];
};

/* Puts a copy of `text`, which may be NULL, in the place of `*copy`. False without memory. */
bool text_replace(char **copy, const char *text);
/* Whether it can be the name of a flag or a command: one word that does not start with "-". */
bool text_is_name(const char *text);
struct quoted text_quote(const char *word);
/* Reads a number: decimal or 0x, with or without a sign, and nothing else. False: it is none. */
bool text_read_int(const char *text, int *number);

#endif /* JUROM_ARGP_TEXT_H_ */
