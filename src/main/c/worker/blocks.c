/* SPDX-License-Identifier: Apache-2.0 */
#include <malloc.h>
#include <stdbool.h>
#include <stdlib.h>

#include <faults/faults.h>

#include "blocks.h"

void *blocks_take(struct blocks *blocks, size_t size)
{
    if (blocks->count > 0) {
        const struct block *last = &blocks->kept[--blocks->count];

        if (last->size >= size)
            return last->at;
        free(last->at); /* makes room in the cache for a larger block */
    }
    return FAULT_ALLOCATE(worker_command_memory, malloc(size));
}

#ifdef __SANITIZE_ADDRESS__
#define KEEPS false /* lets the sanitizer detect a plugin that uses a released block */
#else
#define KEEPS true
#endif

void blocks_release(struct blocks *blocks, void *block)
{
    size_t size = malloc_usable_size(block);

    if (KEEPS && size <= BLOCK_MAX && blocks->count < BLOCKS_KEPT)
        blocks->kept[blocks->count++] = (struct block){ block, size };
    else
        free(block);
}

void blocks_free(struct blocks *blocks)
{
    while (blocks->count > 0)
        free(blocks->kept[--blocks->count].at);
}
