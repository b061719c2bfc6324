/* SPDX-License-Identifier: Apache-2.0 */
/* The table of requests: slots that grow by doubling, free ones in a list. */
#include <stdlib.h>

#include "requests.h"

#define SLOT_BITS 20
#define SLOT_MASK ((1u << SLOT_BITS) - 1)
#define GENERATION (1u << SLOT_BITS)
#define FIRST_CAPACITY 64

static doca_error_t grow(struct requests *requests)
{
    uint32_t capacity = requests->capacity == 0 ? FIRST_CAPACITY : 2 * requests->capacity;
    struct request_slot *slots;

    if (capacity > SLOT_MASK)
        return DOCA_ERROR_NO_MEMORY;
    slots = realloc(requests->slots, capacity * sizeof(*slots));
    if (slots == NULL)
        return DOCA_ERROR_NO_MEMORY;

    for (uint32_t slot = requests->capacity; slot < capacity; ++slot)
        slots[slot] = (struct request_slot){ .id = slot, .next_free = slot + 1 };
    requests->slots = slots;
    requests->first_free = requests->capacity;
    requests->capacity = capacity;
    return DOCA_SUCCESS;
}

/* The id after `id` in the same slot; generation 0 is left out, so that no id is 0. */
static uint32_t next_id(uint32_t id)
{
    uint32_t next = id + GENERATION;

    return next < GENERATION ? next + GENERATION : next;
}

void requests_free(struct requests *requests)
{
    free(requests->slots);
    *requests = (struct requests){ 0 };
}

doca_error_t requests_open(struct requests *requests, struct request *request)
{
    struct request_slot *slot;
    doca_error_t status;

    if (requests->first_free == requests->capacity) {
        status = grow(requests);
        if (status != DOCA_SUCCESS)
            return status;
    }

    slot = &requests->slots[requests->first_free];
    requests->first_free = slot->next_free;
    slot->id = next_id(slot->id);
    slot->request = request;
    request->id = slot->id;
    return DOCA_SUCCESS;
}

void requests_close(struct requests *requests, struct request *request)
{
    uint32_t number = request->id & SLOT_MASK;

    if (request->id == 0)
        return;

    requests->slots[number].request = NULL;
    requests->slots[number].next_free = requests->first_free;
    requests->first_free = number;
    request->id = 0;
}

void requests_renew(struct requests *requests, struct request *request)
{
    struct request_slot *slot = &requests->slots[request->id & SLOT_MASK];

    slot->id = next_id(slot->id);
    request->id = slot->id;
}

struct request *requests_find(const struct requests *requests, uint32_t id)
{
    uint32_t number = id & SLOT_MASK;

    if (number >= requests->capacity || requests->slots[number].id != id)
        return NULL;
    return requests->slots[number].request;
}
