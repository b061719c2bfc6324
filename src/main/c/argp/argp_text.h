/* SPDX-License-Identifier: Apache-2.0 */
/* Strings: owned copies, and words that the user typed. */
#ifndef JUROM_ARGP_TEXT_H_
#define JUROM_ARGP_TEXT_H_

#include <stdbool.h>
#include <stddef.h>

#define QUOTED_SIZE 80

/* A word of the user for a message: truncated, without control characters. */
struct quoted {
    char text[QUOTED_SIZE];
};

/* Replaces `*copy` with a copy of `text`, which may be NULL. Returns false without memory. */
bool text_replace(char **copy, const char *text);
/*
 * Returns whether the text is a valid name of a flag or command: one word that does not start with
 * "-" and has no "=".
 */
bool text_is_name(const char *text);
/* Returns the word as it may appear in a message. */
struct quoted text_quote(const char *word);
/* Parses a number: decimal or 0x, with an optional sign. Returns false if it is not one. */
bool text_read_int(const char *text, int *number);

#endif /* JUROM_ARGP_TEXT_H_ */
