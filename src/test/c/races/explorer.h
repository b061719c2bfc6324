/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs two or three threads in all interleavings that C11's memory model permits.
 *
 * The threads are coroutines of one process. Code under test is compiled with under_explorer.h,
 * which redirects its atomics and memcpy. Memory consists of cells of 4 bytes (8 bytes for 8-byte
 * atomics), each with the ordered history of its stores. A load may return any store that is not
 * older than the newest one in the thread's view of the cell. A view contains all stores that the
 * thread has read and, after an acquiring load of a releasing store, the view of the storing
 * thread. An exchange reads the newest store. A sequentially consistent load does not read a store
 * older than the last sequentially consistent one. This covers store buffers (x86-TSO) and delayed
 * or reordered propagation of stores (Arm, POWER), but not stores that become visible before an
 * earlier load of their thread completes. Stores of several threads to a cell are ordered as they were
 * executed. litmus_test.c shows the model and both limits.
 *
 * Plain accesses must be ordered: two accesses, at least one a store and at least one plain,
 * without a happens-before relation are reported as a race (a torn record).
 *
 * An interleaving is a sequence of choices: which thread continues, and which store a load returns.
 * All sequences are explored depth-first, each from the start. Visited states are pruned.
 */
#ifndef JUROM_RACES_EXPLORER_H_
#define JUROM_RACES_EXPLORER_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define EXPLORER_THREADS 3
#define EXPLORER_BELLS 4

/* The address range of shared memory, as if mapped `times` in a row. It is never accessed. */
struct explorer_memory {
    const void *base;
    size_t length;
    unsigned times;
    bool one_writes; /* each cell is written by one thread, so the order of its stores is known */
};

struct explorer_program {
    void (*begin)(void);                    /* resets all state before each interleaving */
    void (*thread[EXPLORER_THREADS])(void); /* NULL: fewer threads */
    const struct explorer_memory *memory;
    unsigned memories;
    bool strays;            /* one sleep per thread may end without a doorbell */
    unsigned preemptions;   /* maximum number of preemptions per interleaving; 0: unlimited */
    bool (*happens)(void);  /* called when all threads sleep; returns whether it acted */
    uint64_t (*hash)(void); /* hash of shared plain memory; optional */
};

struct explorer_figures {
    uint64_t orders; /* run to their end or to a visited state */
    uint64_t states;
    unsigned longest; /* maximum steps of an interleaving */
};

/* Runs all interleavings. Returns NULL, or the failure of one, which is printed step by step. */
const char *explore(const struct explorer_program *program, struct explorer_figures *figures);

/* Called by threads: fails unless the condition holds. */
void explorer_require(bool holds, const char *what);

/*
 * Called by threads: doorbells, numbered from 0. A thread sleeps until a doorbell of a set (a bit
 * mask) is rung, or was rung before, and then acquires the view of the ringing thread. A doorbell
 * rings until it is silenced.
 */
void explorer_ring(unsigned bell);
void explorer_silence(unsigned bell);
void explorer_sleep(unsigned set);

/* Like futex: sleeps if the cell contains `value`, until another thread wakes its sleepers. */
void explorer_wait(const void *at, uint32_t value);
void explorer_wake(const void *at);

/* Called by threads: a possible preemption. Records a value that was read from plain memory. */
void explorer_step(uint64_t value);

/* Called while all threads sleep. */
void explorer_ring_from_outside(unsigned bell);

uint64_t explorer_load(const void *at, int order);
void explorer_store(void *at, uint64_t value, int order);
uint64_t explorer_exchange(void *at, uint64_t value, int order);
uint64_t explorer_add(void *at, uint64_t value, int order);
uint64_t explorer_and(void *at, uint64_t value, int order);
/* Returns whether the value was as expected; otherwise, stores the actual value. */
bool explorer_compare_exchange(void *at, uint64_t *expected, uint64_t value);

/* Executes a full fence on all threads, as membarrier() does. */
void explorer_fence_all(void);

/* Plain accesses to shared memory. */
void explorer_read(void *to, const void *from, size_t length);
void explorer_write(void *to, const void *from, size_t length);

#endif /* JUROM_RACES_EXPLORER_H_ */
