/* SPDX-License-Identifier: Apache-2.0 */
#include "given.h"

#include <stdlib.h>

#define FIRST_CAPACITY 16

bool given_add(struct given_list *list, const struct given *given)
{
    size_t capacity = list->capacity == 0 ? FIRST_CAPACITY : 2 * list->capacity;
    struct given *entries;

    if (list->count == list->capacity) {
        entries = reallocarray(list->entries, capacity, sizeof(*entries));
        if (entries == NULL)
            return false;
        list->entries = entries;
        list->capacity = capacity;
    }
    list->entries[list->count++] = *given;
    given->flag->times++;
    return true;
}

void given_clear(struct given_list *list)
{
    for (size_t i = 0; i < list->count; ++i)
        list->entries[i].flag->times = 0;
    free(list->entries);
    *list = (struct given_list){ 0 };
}
