/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <sys/random.h>

#include <faults/faults.h>

#include "pending.h"

#define CAPACITY_FIRST 64

/* Returns the slot where the search for this id begins. */
static size_t home(const struct pending *pending, uint64_t id)
{
    return (size_t)((id * pending->factor) >> 32) & (pending->capacity - 1);
}

/* Returns the slot that holds this id, or the free slot where its search ends. */
static size_t find(const struct pending *pending, uint64_t id)
{
    size_t place = home(pending, id);

    while (pending->at[place].used && pending->at[place].id != id)
        place = (place + 1) & (pending->capacity - 1);
    return place;
}

static void choose_factor(struct pending *pending)
{
    if (pending->factor == 0
            && getrandom(&pending->factor, sizeof(pending->factor), GRND_NONBLOCK) < 0)
        pending->factor = UINT64_C(0x9E3779B97F4A7C15);
    pending->factor |= 1;
}

static doca_error_t grow(struct pending *pending)
{
    struct pending larger = {
        .capacity = pending->capacity == 0 ? CAPACITY_FIRST : 2 * pending->capacity,
        .count = pending->count,
        .factor = pending->factor,
    };

    choose_factor(&larger);
    larger.at = FAULT_ALLOCATE(pending_memory, calloc(larger.capacity, sizeof(*larger.at)));
    if (larger.at == NULL)
        return DOCA_ERROR_NO_MEMORY;
    for (size_t i = 0; i < pending->capacity; ++i) {
        if (pending->at[i].used)
            larger.at[find(&larger, pending->at[i].id)] = pending->at[i];
    }
    free(pending->at);
    *pending = larger;
    return DOCA_SUCCESS;
}

doca_error_t pending_add(struct pending *pending, uint64_t id, unsigned plugin)
{
    size_t place;

    if (2 * pending->count >= pending->capacity && grow(pending) != DOCA_SUCCESS)
        return DOCA_ERROR_NO_MEMORY;
    place = find(pending, id);
    if (pending->at[place].used)
        return DOCA_ERROR_ALREADY_EXIST;
    pending->at[place] = (struct pending_entry){
        .id = id, .plugin = (uint8_t)plugin, .used = true
    };
    ++pending->count;
    return DOCA_SUCCESS;
}

struct pending_entry *pending_find(const struct pending *pending, uint64_t id)
{
    struct pending_entry *entry = pending->count == 0 ? NULL : &pending->at[find(pending, id)];

    return entry != NULL && entry->used ? entry : NULL;
}

bool pending_take(struct pending *pending, uint64_t id)
{
    size_t mask = pending->capacity - 1;
    size_t hole, next;

    if (pending->count == 0)
        return false;
    hole = find(pending, id);
    if (!pending->at[hole].used)
        return false;
    /* Moves entries into the hole that a search would no longer find behind it. */
    for (next = (hole + 1) & mask; pending->at[next].used; next = (next + 1) & mask) {
        size_t distance = (next - home(pending, pending->at[next].id)) & mask;

        if (distance >= ((next - hole) & mask)) {
            pending->at[hole] = pending->at[next];
            hole = next;
        }
    }
    pending->at[hole].used = false;
    --pending->count;
    return true;
}

void pending_free(struct pending *pending)
{
    free(pending->at);
    *pending = (struct pending){ .count = 0 };
}
