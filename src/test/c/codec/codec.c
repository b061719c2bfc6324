/* SPDX-License-Identifier: Apache-2.0 */
/* Reads lines, packs each with the packer of its message, and prints the bytes. */
#include "codec.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct packer *const all_packers[] = { graph_packers, sandbox_packers, rdmo_packers,
    zoo_packers };

static _Noreturn void fail(const char *problem, const char *text)
{
    fprintf(stderr, "codec: %s: %s\n", problem, text);
    exit(1);
}

static char *next_word(void)
{
    char *word = strtok(NULL, " \n");

    if (word == NULL)
        fail("the line ends too early", "a value is missing");
    return word;
}

uint64_t next_u64(void)
{
    char *word = next_word();
    char *end;

    errno = 0;
    uint64_t value = strtoull(word, &end, 10);
    if (*end != '\0' || errno != 0)
        fail("not an integer", word);
    return value;
}

int64_t next_s64(void)
{
    char *word = next_word();
    char *end;

    errno = 0;
    int64_t value = strtoll(word, &end, 10);
    if (*end != '\0' || errno != 0)
        fail("not an integer", word);
    return value;
}

double next_double(void)
{
    char *word = next_word();
    char *end;

    double value = strtod(word, &end);
    if (*end != '\0')
        fail("not a number", word);
    return value;
}

struct blob next_blob(void)
{
    char *word = next_word();
    struct blob blob = { 0 };

    if (strcmp(word, "-") == 0)
        return blob;
    blob.length = strlen(word) / 2;
    blob.bytes = (uint8_t *)word;
    for (size_t i = 0; i < blob.length; ++i) {
        unsigned int byte;

        if (sscanf(word + 2 * i, "%2x", &byte) != 1)
            fail("not hexadecimal", word);
        blob.bytes[i] = byte;
    }
    return blob;
}

void append(struct message *message, const void *bytes, size_t length)
{
    if (length > MESSAGE_CAPACITY - message->length)
        fail("the message is too long", "raise MESSAGE_CAPACITY");
    if (length > 0)
        memcpy(message->bytes + message->length, bytes, length);
    message->length += length;
}

static const struct packer *find_packer(const char *name)
{
    for (size_t i = 0; i < sizeof(all_packers) / sizeof(all_packers[0]); ++i) {
        for (const struct packer *packer = all_packers[i]; packer->name != NULL; ++packer) {
            if (strcmp(packer->name, name) == 0)
                return packer;
        }
    }
    fail("no such message", name);
}

int main(void)
{
    static struct message message;
    char *line = NULL;
    size_t capacity = 0;

    while (getline(&line, &capacity, stdin) > 0) {
        message.length = 0;
        find_packer(strtok(line, " \n"))->pack(&message);
        if (strtok(NULL, " \n") != NULL)
            fail("the line goes on too long", line);
        for (size_t i = 0; i < message.length; ++i)
            printf("%02x", message.bytes[i]);
        putchar('\n');
    }
    free(line);
    return 0;
}
