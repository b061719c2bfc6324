/* SPDX-License-Identifier: Apache-2.0 */
/* The memory model, described in explorer.h. */
#ifndef JUROM_RACES_MEMORY_H_
#define JUROM_RACES_MEMORY_H_

#include <stdatomic.h>

#include "explorer.h"

void memory_begin(const struct explorer_memory *memory, unsigned memories);

/* Returns whether a single thread writes the cell. */
bool memory_one_writes(const void *at);

/* Returns the number of stores that a load may return; number 0 is the newest. */
unsigned memory_choices(unsigned thread, const void *at, int order);
uint64_t memory_load(unsigned thread, const void *at, int order, unsigned number);
void memory_store(unsigned thread, void *at, uint64_t value, int order);
uint64_t memory_exchange(unsigned thread, void *at, uint64_t value, int order);
void memory_read(unsigned thread, void *to, const void *from, size_t length);
void memory_write(unsigned thread, void *to, const void *from, size_t length);

/* A doorbell passes the view of the ringing thread to the woken threads. */
void memory_ring(unsigned thread, unsigned bell);
void memory_hear(unsigned thread, unsigned bell);

/* A fence on all threads: the calling thread and each other thread exchange their views. */
void memory_fence_all(unsigned thread);

/* Returns the failure that the last of these functions has found, or NULL. */
const char *memory_wrong(void);

uint64_t memory_hash(void);
uint64_t memory_mix(uint64_t hash, uint64_t value);

/* For messages. */
const char *memory_name(const void *at);

#endif /* JUROM_RACES_MEMORY_H_ */
