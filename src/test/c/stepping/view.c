/* SPDX-License-Identifier: Apache-2.0 */
#include "view.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <testing/assertions.h>
#include <testing/process.h>

#define FACTOR 0x9e3779b97f4a7c15u /* odd, so that the mapping of words is injective */
#define SHIFT 29

static void add(struct view *view, const struct view_part *part)
{
    assert_true(view->count < VIEW_PARTS_MAX);
    view->parts[view->count++] = *part;
}

/* A line of /proc/PID/maps. */
static struct view_part read_part(const char *line)
{
    struct view_part part;
    uintptr_t begin, end;

    assert_int_equal(
            3, sscanf(line, "%" SCNxPTR "-%" SCNxPTR " %*s %lx", &begin, &end, &part.offset));
    part.begin = (const uint8_t *)begin;
    part.length = end - begin;
    return part;
}

void view_of_all(struct view *all)
{
    char *maps = read_text("/proc/self/maps"), *rest = maps, *line;

    all->count = 0;
    while ((line = strsep(&rest, "\n")) != NULL) {
        if (strstr(line, "jurom_ring") != NULL) {
            struct view_part part = read_part(line);

            add(all, &part);
        }
    }
    free(maps);
}

static bool has_place(const struct view *view, const struct view_part *part)
{
    for (unsigned i = 0; i < view->count; ++i) {
        if (view->parts[i].begin == part->begin)
            return true;
    }
    return false;
}

static bool has_contents(const struct view *view, const struct view_part *part)
{
    for (unsigned i = 0; i < view->count; ++i) {
        if (part->offset >= view->parts[i].offset
                && part->offset + part->length <= view->parts[i].offset + view->parts[i].length)
            return true;
    }
    return false;
}

void view_of_new(const struct view *before, struct view *view)
{
    struct view all;

    view_of_all(&all);
    view->count = 0;
    for (unsigned i = 0; i < all.count; ++i) {
        if (!has_place(before, &all.parts[i]) && !has_contents(view, &all.parts[i]))
            add(view, &all.parts[i]);
    }
    assert_true(view->count > 0);
}

size_t view_length(const struct view *view)
{
    size_t length = 0;

    for (unsigned i = 0; i < view->count; ++i)
        length += view->parts[i].length;
    return length;
}

void view_copy(const struct view *view, uint8_t *copy)
{
    for (unsigned i = 0; i < view->count; copy += view->parts[i++].length)
        memcpy(copy, view->parts[i].begin, view->parts[i].length);
}

bool view_equals(const struct view *view, const uint8_t *copy)
{
    for (unsigned i = 0; i < view->count; copy += view->parts[i++].length) {
        if (memcmp(copy, view->parts[i].begin, view->parts[i].length) != 0)
            return false;
    }
    return true;
}

static uint64_t add_to_digest(uint64_t digest, const struct view_part *part)
{
    uint64_t word;

    for (size_t i = 0; i < part->length; i += sizeof(word)) {
        memcpy(&word, part->begin + i, sizeof(word));
        digest = (digest ^ word) * FACTOR;
        digest ^= digest >> SHIFT;
    }
    return digest;
}

uint64_t view_digest(const struct view *view)
{
    uint64_t digest = 0;

    for (unsigned i = 0; i < view->count; ++i)
        digest = add_to_digest(digest, &view->parts[i]);
    return digest;
}
