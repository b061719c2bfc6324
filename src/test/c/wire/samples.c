/* SPDX-License-Identifier: Apache-2.0 */
#include "samples.h"

#include <stdio.h>
#include <stdlib.h>

#include "any_frame.h"

#define SAMPLES_MAX 64
#define LINE_MAX_SIZE (4 * SAMPLE_MAX)

struct sample {
    uint8_t bytes[SAMPLE_MAX];
    size_t length;
    struct wire_frame frame;
};

static struct sample samples[SAMPLES_MAX];
static size_t count;

static _Noreturn void fail(const char *line, const char *why)
{
    fprintf(stderr, "%s: %s: %s\n", FRAMES, line, why);
    exit(EXIT_FAILURE);
}

/* Reads the digits that follow the type of a frame. */
static void parse(const char *line, struct sample *sample)
{
    unsigned byte;
    int used = 0;

    if (sscanf(line, "%*s%n", &used) < 0)
        fail(line, "is not a sample");
    for (line += used; sscanf(line, " %2x%n", &byte, &used) == 1; line += used) {
        if (sample->length == SAMPLE_MAX)
            fail(line, "is too long");
        sample->bytes[sample->length++] = (uint8_t)byte;
    }
    if (decode_any(sample->bytes, sample->length, SAMPLE_MAX, &sample->frame) != DOCA_SUCCESS)
        fail(line, "is no frame");
}

static void load(void)
{
    char line[LINE_MAX_SIZE];
    FILE *file = fopen(FRAMES, "r");

    if (file == NULL)
        fail("", "cannot be opened");
    while (fgets(line, sizeof(line), file) != NULL) {
        if (line[0] == '#')
            continue;
        if (count == SAMPLES_MAX)
            fail(line, "is one sample too many");
        parse(line, &samples[count++]);
    }
    fclose(file);
}

size_t sample_count(void)
{
    if (count == 0)
        load();
    return count;
}

const struct wire_frame *sample(size_t index)
{
    return index < sample_count() ? &samples[index].frame : NULL;
}

const uint8_t *sample_bytes(size_t index, size_t *length)
{
    *length = index < sample_count() ? samples[index].length : 0;
    return samples[index].bytes;
}

size_t sample_of(enum wire_type type)
{
    size_t i = 0;

    while (i < sample_count() && samples[i].frame.type != type)
        i++;
    if (i == count)
        fail("", "has no sample of a type");
    return i;
}
