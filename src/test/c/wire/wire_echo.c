/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decodes frames from standard input, encodes them again and writes them to standard output, until
 * the end of the input. Input: maximum message size u32, length u32, bytes. Output: doca_error_t
 * u32, length u32 (0 after an error), bytes. All numbers are little-endian.
 */
#include <stdio.h>
#include <stdlib.h>

#include "any_frame.h"
#include "prefix.h"

static int echo(uint8_t *bytes, uint32_t length, uint32_t max_message_size, uint8_t *answer,
        size_t capacity)
{
    uint32_t head[2];
    struct wire_frame frame;
    size_t encoded = 0;

    if (!prefix_agrees(bytes, length, max_message_size)) {
        fprintf(stderr, "a frame of %u bytes and its prefix are decoded differently\n", length);
        return EXIT_FAILURE;
    }
    head[0] = decode_any(bytes, length, max_message_size, &frame);
    if (head[0] == DOCA_SUCCESS && encode_any(&frame, answer, capacity, &encoded) != DOCA_SUCCESS) {
        fprintf(stderr, "a frame of type %u was decoded and cannot be encoded\n", frame.type);
        return EXIT_FAILURE;
    }
    head[1] = (uint32_t)encoded;
    if (fwrite(head, sizeof(head), 1, stdout) != 1 || fwrite(answer, 1, encoded, stdout) != encoded
            || fflush(stdout) != 0)
        return EXIT_FAILURE;
    return EXIT_SUCCESS;
}

int main(void)
{
    uint32_t head[2]; /* maximum message size, length */
    uint8_t *bytes = NULL;
    uint8_t *answer = NULL;
    int result = EXIT_SUCCESS;

    while (result == EXIT_SUCCESS && fread(head, sizeof(head), 1, stdin) == 1) {
        bytes = malloc(head[1] > 0
                        ? head[1]
                        : 1); /* exact size: a sanitizer detects every out-of-bounds read */
        answer = malloc(head[1] > 0 ? head[1] : 1);
        if (bytes == NULL || answer == NULL || fread(bytes, 1, head[1], stdin) != head[1])
            result = EXIT_FAILURE;
        else
            result = echo(bytes, head[1], head[0], answer, head[1]);
        free(bytes);
        free(answer);
    }
    return result;
}
