/* SPDX-License-Identifier: Apache-2.0 */
/* Texts that peers chose, made harmless for logs, terminals and applications. */
#ifndef JUROM_PRINTABLE_H_
#define JUROM_PRINTABLE_H_

#include <stdbool.h>
#include <stddef.h>

#include "private.h"

/* Whether a text is UTF-8 without the characters that priv_doca_printable escapes. */
bool text_is_printable(const char *text, size_t length);

/*
 * Returns a copy of a text in which nothing can look like another line, steer a terminal or reverse
 * the direction of writing: such a character becomes an escape (\u001b), and so does a byte that is
 * not UTF-8 (\xff). Tabs stay. The copy ends in a NUL, and has room for one more byte. NULL: no
 * memory. The caller frees it.
 */
DOCA_PRIVATE char *priv_doca_printable(const char *text, size_t length);

#endif /* JUROM_PRINTABLE_H_ */
