/* SPDX-License-Identifier: Apache-2.0 */
/* Sanitizes text of peers for logs, terminals and applications. */
#ifndef JUROM_PRINTABLE_H_
#define JUROM_PRINTABLE_H_

#include <stdbool.h>
#include <stddef.h>

#include "private.h"

/* Returns whether a text is UTF-8 without the characters that priv_doca_printable escapes. */
bool text_is_printable(const char *text, size_t length);

/*
 * Returns a copy of a text in which no character can imitate another line, control a terminal or
 * reverse the writing direction: each is replaced with an escape (\u001b), as is each byte that is
 * not UTF-8 (\xff). Tabs are kept. The copy is NUL-terminated, with room for one more byte; the
 * caller frees it. NULL: no memory.
 */
DOCA_PRIVATE char *priv_doca_printable(const char *text, size_t length);

#endif /* JUROM_PRINTABLE_H_ */
