/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include <faults/faults.h>

#include "requests.h"

#define CAPACITY_MAX (1u << 20)
#define FIRST_CAPACITY 8

static doca_error_t grow(struct requests *requests)
{
    uint32_t capacity = requests->capacity == 0 ? FIRST_CAPACITY : 2 * requests->capacity;
    struct request_slot *slots;

    if (capacity > CAPACITY_MAX)
        return DOCA_ERROR_NO_MEMORY;
    slots = FAULT_ALLOCATE(requests_memory, realloc(requests->slots, capacity * sizeof(*slots)));
    if (slots == NULL)
        return DOCA_ERROR_NO_MEMORY;

    for (uint32_t slot = requests->capacity; slot < capacity; ++slot)
        slots[slot] = (struct request_slot){ .id = slot, .next_free = slot + 1 };
    requests->slots = slots;
    requests->first_free = requests->capacity;
    requests->capacity = capacity;
    return DOCA_SUCCESS;
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
    slot->id = request_id_after(slot->id);
    slot->request = request;
    request->id = slot->id;
    return DOCA_SUCCESS;
}

void requests_close(struct requests *requests, struct request *request)
{
    uint32_t number = (uint32_t)request->id;

    if (request->id == 0)
        return;

    requests->slots[number].request = NULL;
    requests->slots[number].next_free = requests->first_free;
    requests->first_free = number;
    request->id = 0;
}

struct request *requests_find(const struct requests *requests, uint64_t id)
{
    uint32_t number = (uint32_t)id;

    if (number >= requests->capacity || requests->slots[number].id != id)
        return NULL;
    return requests->slots[number].request;
}
