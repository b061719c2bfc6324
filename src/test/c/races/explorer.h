/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs two or three threads in all orders, as C11's memory model lets them see each other's stores.
 *
 * The threads are coroutines of one process. Code under test is compiled with under_explorer.h, so
 * that its atomics, and memcpy, come here. Memory is 4-byte cells (8 bytes where the code has such),
 * each with all that was ever stored there, in order. A load takes any store that is not older than
 * what the thread knows of the cell; a thread knows what it has seen, and by an acquiring load of a
 * releasing store, what the other one knew then. An exchange takes the newest. A sequentially
 * consistent load takes none older than the last sequentially consistent store. So all that store
 * buffers (x86-TSO) and late or unordered propagation of stores (Arm, POWER) let be seen is seen;
 * not covered is a store that is seen before an earlier load of its thread has its value.
 *
 * What is not atomic must be ordered: two accesses of which one is a store and one is plain, and
 * neither happens before the other, are a race, which is reported as such (a torn record).
 *
 * Each order is a sequence of choices (which thread goes on, which store a load takes); all are
 * tried, depth first, from the start each time. What was tried in a state is not tried again when
 * it is come to on another way.
 */
#ifndef JUROM_RACES_EXPLORER_H_
#define JUROM_RACES_EXPLORER_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define EXPLORER_THREADS 3
#define EXPLORER_BELLS 4

/*
 * Where `length` bytes at `base` lie that the threads share, as if mapped `times` in a row; none of
 * them is touched.
 */
struct explorer_memory {
    const void *base;
    size_t length;
    unsigned times;
    bool one_writes; /* each cell is stored to by one thread: the order of stores is known */
};

struct explorer_program {
    void (*begin)(void);                    /* makes everything new, before each order */
    void (*thread[EXPLORER_THREADS])(void); /* NULL: there are fewer */
    const struct explorer_memory *memory;
    unsigned memories;
    bool strays;            /* a sleep of each thread may end without a bell */
    unsigned preemptions;   /* of threads that could go on, in one order; 0: any number */
    bool (*happens)(void);  /* when all sleep: whether something has been done. NULL: nothing is */
    uint64_t (*hash)(void); /* of plain memory that the threads share; NULL: there is none */
};

struct explorer_figures {
    uint64_t orders; /* run to their end, or to a state that was known */
    uint64_t states;
    unsigned longest; /* steps of an order */
};

/* Runs all orders. NULL, or what went wrong in one of them, which is printed step by step. */
const char *explore(const struct explorer_program *program, struct explorer_figures *figures);

/* For the threads: gives up unless it holds. */
void explorer_require(bool holds, const char *what);

/*
 * For the threads: bells, numbered from 0. A thread sleeps until one of a set (a bit for each) has
 * rung, then or before, and learns what the threads knew that rang it. It rings until it is silenced.
 */
void explorer_ring(unsigned bell);
void explorer_silence(unsigned bell);
void explorer_sleep(unsigned set);

/* As the futex calls: sleeps if there is `value`, until another thread wakes the sleepers there. */
void explorer_wait(const void *at, uint32_t value);
void explorer_wake(const void *at);

/* For the threads: another one may go on here; notes what the thread has read of plain memory. */
void explorer_step(uint64_t value);

/* For what happens while all sleep. */
void explorer_ring_from_outside(unsigned bell);

uint64_t explorer_load(const void *at, int order);
void explorer_store(void *at, uint64_t value, int order);
uint64_t explorer_exchange(void *at, uint64_t value, int order);
uint64_t explorer_add(void *at, uint64_t value, int order);
uint64_t explorer_and(void *at, uint64_t value, int order);
/* Whether it was as expected; else finds what it was. */
bool explorer_compare_exchange(void *at, uint64_t *expected, uint64_t value);

/* What is plain: from or to the memory that is shared. */
void explorer_read(void *to, const void *from, size_t length);
void explorer_write(void *to, const void *from, size_t length);

#endif /* JUROM_RACES_EXPLORER_H_ */
