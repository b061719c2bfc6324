/* SPDX-License-Identifier: Apache-2.0 */
/* Texts: owned copies, and words from the user. */
#ifndef JUROM_ARGP_TEXT_H_
#define JUROM_ARGP_TEXT_H_

#include <stdbool.h>

#define QUOTED_SIZE 80

/* A word of the user for a message: truncated, without control characters. */
struct quoted {
    char text[QUOTED_SIZE];
};

/* Replaces `*copy` with a copy of `text`, which may be NULL. False without memory. */
bool text_replace(char **copy, const char *text);
/*
 * Returns whether the text is a valid name of a flag or command: one word that does not start with
 * "-" and has no "=".
 */
bool text_is_name(const char *text);
struct quoted text_quote(const char *word);
/* Parses a number: decimal or 0x, with an optional sign. False: not such a number. */
bool text_read_int(const char *text, int *number);

#endif /* JUROM_ARGP_TEXT_H_ */
