/* SPDX-License-Identifier: Apache-2.0 */
#include "printable.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ESCAPE_MAX 9 /* bytes of \U10ffff and its NUL */

struct range {
    uint32_t first, last;
};

/* Control and format characters, line separators, and private use. */
static const struct range escaped[] = {
    { 0x00, 0x08 },
    { 0x0A, 0x1F },
    { 0x7F, 0x9F },
    { 0xAD, 0xAD },
    { 0x600, 0x605 },
    { 0x61C, 0x61C },
    { 0x6DD, 0x6DD },
    { 0x70F, 0x70F },
    { 0x180E, 0x180E },
    { 0x200B, 0x200F },
    { 0x2028, 0x202E },
    { 0x2060, 0x206F },
    { 0xE000, 0xF8FF },
    { 0xFEFF, 0xFEFF },
    { 0xFFF9, 0xFFFB },
    { 0xE0000, 0xE007F },
    { 0xF0000, 0x10FFFF },
};

static bool is_harmless(uint32_t character)
{
    for (size_t i = 0; i < sizeof(escaped) / sizeof(escaped[0]); ++i) {
        if (character >= escaped[i].first && character <= escaped[i].last)
            return false;
    }
    return true;
}

/* Returns the length of a character with that first byte, in bytes; 0: invalid. */
static size_t length_from(uint8_t first)
{
    if (first < 0x80)
        return 1;
    if (first < 0xC0)
        return 0;
    if (first < 0xE0)
        return 2;
    if (first < 0xF0)
        return 3;
    return first < 0xF8 ? 4 : 0;
}

/* Decodes the first character and returns its length in bytes; 0: not UTF-8. */
static size_t decode(const uint8_t *text, size_t left, uint32_t *character)
{
    static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
    size_t length = length_from(text[0]);

    if (length == 0 || length > left)
        return 0;
    *character = length == 1 ? text[0] : text[0] & (0x7Fu >> length);
    for (size_t i = 1; i < length; ++i) {
        if ((text[i] & 0xC0) != 0x80)
            return 0;
        *character = *character << 6 | (text[i] & 0x3Fu);
    }
    if (*character < least[length] || *character > 0x10FFFF
            || (*character >= 0xD800 && *character <= 0xDFFF))
        return 0;
    return length;
}

/* Writes the escape of the first character, or an empty string. Returns the character's length. */
static size_t escape(const uint8_t *text, size_t left, char sequence[ESCAPE_MAX])
{
    uint32_t character;
    size_t length = decode(text, left, &character);

    sequence[0] = '\0';
    if (length == 0)
        snprintf(sequence, ESCAPE_MAX, "\\x%02x", text[0]);
    else if (!is_harmless(character))
        snprintf(sequence, ESCAPE_MAX, character > 0xFFFF ? "\\U%06x" : "\\u%04x", character);
    return length == 0 ? 1 : length;
}

bool text_is_printable(const char *text, size_t length)
{
    const uint8_t *bytes = (const uint8_t *)text;
    uint32_t character;
    size_t consumed;

    for (size_t at = 0; at < length; at += consumed) {
        consumed = decode(bytes + at, length - at, &character);
        if (consumed == 0 || !is_harmless(character))
            return false;
    }
    return true;
}

/* Writes the copy unless `copy` is NULL; returns its length in bytes. */
static size_t copy_printable(char *copy, const uint8_t *text, size_t length)
{
    char sequence[ESCAPE_MAX];
    size_t written = 0, consumed, size;

    for (size_t at = 0; at < length; at += consumed) {
        consumed = escape(text + at, length - at, sequence);
        size = sequence[0] == '\0' ? consumed : strlen(sequence);
        if (copy != NULL)
            memcpy(copy + written, sequence[0] == '\0' ? (const char *)text + at : sequence, size);
        written += size;
    }
    return written;
}

char *priv_doca_printable(const char *text, size_t length)
{
    const uint8_t *bytes = (const uint8_t *)text;
    size_t size = copy_printable(NULL, bytes, length);
    char *copy = malloc(size + 2);

    if (copy == NULL)
        return NULL;
    copy_printable(copy, bytes, length);
    copy[size] = '\0';
    return copy;
}
