/* SPDX-License-Identifier: Apache-2.0 */
/* What threads see of each other's stores; explorer.h says by which rules. */
#ifndef JUROM_RACES_MEMORY_H_
#define JUROM_RACES_MEMORY_H_

#include <stdatomic.h>

#include "explorer.h"

void memory_begin(const struct explorer_memory *memory, unsigned memories);

/* Whether a single thread stores there. */
bool memory_one_writes(const void *at);

/* How many stores a load may take; number 0 is the newest. */
unsigned memory_choices(unsigned thread, const void *at, int order);
uint64_t memory_load(unsigned thread, const void *at, int order, unsigned number);
void memory_store(unsigned thread, void *at, uint64_t value, int order);
uint64_t memory_exchange(unsigned thread, void *at, uint64_t value, int order);
void memory_read(unsigned thread, void *to, const void *from, size_t length);
void memory_write(unsigned thread, void *to, const void *from, size_t length);

/* A bell takes what the thread knows to those that hear it. */
void memory_ring(unsigned thread, unsigned bell);
void memory_hear(unsigned thread, unsigned bell);

/* What the last of these has found wrong, or NULL. */
const char *memory_wrong(void);

uint64_t memory_hash(void);
uint64_t memory_mix(uint64_t hash, uint64_t value);

/* For people. */
const char *memory_name(const void *at);

#endif /* JUROM_RACES_MEMORY_H_ */
