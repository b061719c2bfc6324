/* SPDX-License-Identifier: Apache-2.0 */
/* JSON with the extensions that users of flag files expect. */
#ifndef JUROM_ARGP_JSON_TEXT_H_
#define JUROM_ARGP_JSON_TEXT_H_

#include <stdbool.h>
#include <stddef.h>

/* Maximum size of a text, in bytes. */
#define JSON_TEXT_MAX (1024 * 1024)

/*
 * Converts text with comments, trailing commas and hexadecimal numbers to strict JSON. Other errors
 * and line breaks are preserved. Hexadecimal numbers above INT64_MAX become INT64_MAX. The caller
 * frees `*strict`, which is not NUL-terminated. False without memory.
 */
bool json_text_make_strict(const char *text, size_t length, char **strict, size_t *strict_length);

#endif /* JUROM_ARGP_JSON_TEXT_H_ */
