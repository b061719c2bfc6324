/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory of commands. By the interface each command and each notification is a block of its own
 * from malloc: the plugin frees the one, the worker the other. So that a command need not cost a
 * malloc and a free, the blocks of small notifications that were sent become those of the next
 * commands.
 */
#ifndef JUROM_BLOCKS_H_
#define JUROM_BLOCKS_H_

#include <stddef.h>

#define BLOCKS_KEPT 32
#define BLOCK_MAX 4096 /* bytes of one that is kept: with longer ones, malloc is not what costs */

struct blocks {
    struct block {
        void *at;
        size_t size;
    } kept[BLOCKS_KEPT]; /* the last one is taken first */
    unsigned count;
};

/* A block of at least `size` bytes, or NULL; for free(), or to be given back. */
void *blocks_take(struct blocks *blocks, size_t size);

/* Keeps or frees what malloc or its kin have made. */
void blocks_give(struct blocks *blocks, void *block);

/* Frees those that are kept. */
void blocks_free(struct blocks *blocks);

#endif /* JUROM_BLOCKS_H_ */
