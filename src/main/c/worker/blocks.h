/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory of commands. The plugin interface requires a separate malloc'ed block for each command,
 * which the plugin frees, and for each notification, which the worker frees. To save a malloc and a
 * free per command, the worker reuses the blocks of small notifications for later commands.
 */
#ifndef JUROM_BLOCKS_H_
#define JUROM_BLOCKS_H_

#include <stddef.h>

#define BLOCKS_KEPT 32
#define BLOCK_MAX 4096 /* bytes; for larger blocks, malloc is not the main cost */

struct blocks {
    struct block {
        void *at;
        size_t size;
    } kept[BLOCKS_KEPT]; /* a stack */
    unsigned count;
};

/* Returns a block of at least `size` bytes, or NULL. Release it with blocks_release or free. */
void *blocks_take(struct blocks *blocks, size_t size);

/* Keeps the block for reuse, or frees it. The block must come from malloc, calloc or realloc. */
void blocks_release(struct blocks *blocks, void *block);

/* Frees all kept blocks. */
void blocks_free(struct blocks *blocks);

#endif /* JUROM_BLOCKS_H_ */
