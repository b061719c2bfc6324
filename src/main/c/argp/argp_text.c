/* SPDX-License-Identifier: Apache-2.0 */
#include "argp_text.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

bool text_replace(char **copy, const char *text)
{
    char *fresh = NULL;

    if (text != NULL) {
        fresh = strdup(text);
        if (fresh == NULL)
            return false;
    }
    free(*copy);
    *copy = fresh;
    return true;
}

bool text_is_name(const char *text)
{
    if (text[0] == '\0' || text[0] == '-')
        return false;
    for (; *text != '\0'; ++text)
        if (!isgraph((unsigned char)*text) || *text == '=')
            return false;
    return true;
}

struct quoted text_quote(const char *word)
{
    struct quoted quoted;
    size_t i;

    for (i = 0; word[i] != '\0' && i < QUOTED_SIZE - 1; ++i)
        quoted.text[i] = iscntrl((unsigned char)word[i]) ? '?' : word[i];
    quoted.text[i] = '\0';
    if (word[i] != '\0')
        memcpy(quoted.text + QUOTED_SIZE - 4, "...", 4);
    return quoted;
}

bool text_read_int(const char *text, int *number)
{
    const char *digits = text + (text[0] == '-' || text[0] == '+');
    int base = digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X') ? 16 : 10;
    char *end;
    long value;

    /* Rejects input that strtol accepts: leading blanks, a second sign, "0x" without digits. */
    if (!isxdigit((unsigned char)digits[base == 16 ? 2 : 0]))
        return false;
    errno = 0;
    value = strtol(text, &end, base);
    if (errno != 0 || *end != '\0' || value < INT_MIN || value > INT_MAX)
        return false;

    *number = (int)value;
    return true;
}
