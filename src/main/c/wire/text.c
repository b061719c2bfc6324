/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Validation of texts and of values that consist of texts. UTF-8 is checked as strictly as by
 * Java's decoder, because both sides must accept the same frames.
 */
#include <string.h>

#include "wire_private.h"

/* One row of the table of well-formed sequences (Unicode, table 3-7). */
struct sequence {
    uint8_t first_low, first_high;
    uint8_t second_low, second_high;
    uint8_t length;
};

static const struct sequence sequences[] = {
    { 0x01, 0x7F, 0x00, 0x00, 1 },
    { 0xC2, 0xDF, 0x80, 0xBF, 2 },
    { 0xE0, 0xE0, 0xA0, 0xBF, 3 },
    { 0xE1, 0xEC, 0x80, 0xBF, 3 },
    { 0xED, 0xED, 0x80, 0x9F, 3 },
    { 0xEE, 0xEF, 0x80, 0xBF, 3 },
    { 0xF0, 0xF0, 0x90, 0xBF, 4 },
    { 0xF1, 0xF3, 0x80, 0xBF, 4 },
    { 0xF4, 0xF4, 0x80, 0x8F, 4 },
};

static const struct sequence *find_sequence(uint8_t first)
{
    size_t i;

    for (i = 0; i < sizeof(sequences) / sizeof(sequences[0]); ++i) {
        if (first >= sequences[i].first_low && first <= sequences[i].first_high)
            return &sequences[i];
    }
    return NULL;
}

static bool is_well_formed(const struct sequence *sequence, const uint8_t *data)
{
    size_t i;

    if (sequence->length > 1 && (data[1] < sequence->second_low || data[1] > sequence->second_high))
        return false;
    for (i = 2; i < sequence->length; ++i) {
        if (data[i] < 0x80 || data[i] > 0xBF)
            return false;
    }
    return true;
}

bool wire_is_text(const uint8_t *data, size_t length)
{
    const struct sequence *sequence;
    size_t at = 0;

    while (at < length) {
        sequence = find_sequence(data[at]);
        if (sequence == NULL || sequence->length > length - at
                || !is_well_formed(sequence, data + at))
            return false;
        at += sequence->length;
    }
    return true;
}

bool is_name(const uint8_t *name, size_t size)
{
    size_t length = strnlen((const char *)name, size);

    return length > 0 && length < size && wire_is_text(name, length)
            && is_zero(name + length, size - length);
}

bool is_environment(const struct wire_bytes *strings, uint32_t count)
{
    const uint8_t *string = strings->data;
    size_t left = strings->length;
    size_t length;
    const uint8_t *end;

    while (left > 0) {
        end = memchr(string, '\0', left);
        if (end == NULL || count == 0)
            return false;
        length = (size_t)(end - string);
        if (length == 0 || string[0] == '=' || memchr(string, '=', length) == NULL
                || !wire_is_text(string, length))
            return false;
        count--;
        string = end + 1;
        left -= length + 1;
    }
    return count == 0;
}

bool is_path(const struct wire_bytes *path)
{
    return path->length > 0 && path->data[0] == '/' && wire_is_text(path->data, path->length);
}
