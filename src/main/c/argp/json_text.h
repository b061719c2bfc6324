/* SPDX-License-Identifier: Apache-2.0 */
/* JSON as people write it in files of flags. */
#ifndef JUROM_ARGP_JSON_TEXT_H_
#define JUROM_ARGP_JSON_TEXT_H_

#include <stdbool.h>
#include <stddef.h>

/* The largest text that is taken, in bytes. */
#define JSON_TEXT_MAX (1024 * 1024)

/*
 * Makes strict JSON of text that may have comments, a comma behind a last entry, and hexadecimal
 * numbers. What else is wrong with it stays as it is, and lines stay lines. A number that exceeds
 * 63 bits becomes the largest that does not. The caller frees `*strict`, which is not terminated.
 * False without memory.
 */
bool json_text_make_strict(const char *text, size_t length, char **strict, size_t *strict_length);

#endif /* JUROM_ARGP_JSON_TEXT_H_ */
