/* SPDX-License-Identifier: Apache-2.0 */
/* The cells, and the view of each thread. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"

#define CELL 4 /* bytes; an 8-byte atomic is in the first of two */
#define CELLS_MAX 512
#define STORES_MAX 250 /* in one cell */

enum kind { PLAIN_READ, PLAIN_WRITE, ATOMIC_READ, ATOMIC_WRITE, KINDS };

/* The view of a thread or store: the newest known store per cell, and a vector clock. */
struct knowledge {
    uint8_t newest[CELLS_MAX];
    uint16_t reached[EXPLORER_THREADS];
};

struct store {
    uint64_t value;
    struct knowledge *released; /* view that is released with the store; NULL: none */
};

static struct cell {
    struct store stores[STORES_MAX];
    unsigned count;
    bool one_writes;
    unsigned agreed;                           /* the last sequentially consistent store */
    uint16_t touched[KINDS][EXPLORER_THREADS]; /* clock of the thread at its last access */
} cells[CELLS_MAX];

static const struct explorer_memory *memory;
static unsigned memories;
static unsigned used; /* cells */
static struct knowledge known[EXPLORER_THREADS];
static struct knowledge released[CELLS_MAX * 8];
static unsigned releases;
static struct knowledge bells[EXPLORER_BELLS]; /* union of the views of the threads that rang it */
static uint64_t bells_hash;
static uint64_t stores_hash; /* hash of all stores of all cells, independent of their order */
static const char *wrong;

uint64_t memory_mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
    hash ^= hash >> 29;
    hash *= 0xbf58476d1ce4e5b9u;
    return hash ^ hash >> 32;
}

/* Initializes a cell. */
static void begin_cell(bool one_writes)
{
    struct cell *cell = &cells[used++];

    if (used > CELLS_MAX)
        abort();
    cell->stores[0] = (struct store){ 0, NULL };
    cell->count = 1;
    cell->one_writes = one_writes;
    cell->agreed = 0;
    memset(cell->touched, 0, sizeof(cell->touched));
}

void memory_begin(const struct explorer_memory *shared, unsigned count)
{
    memory = shared;
    memories = count;
    used = 0;
    for (unsigned i = 0; i < memories; ++i) {
        for (size_t j = 0; j < memory[i].length; j += CELL)
            begin_cell(memory[i].one_writes);
    }
    memset(known, 0, sizeof(known));
    memset(bells, 0, sizeof(bells));
    for (unsigned i = 0; i < EXPLORER_THREADS; ++i)
        known[i].reached[i] = 1;
    releases = 0;
    stores_hash = bells_hash = 0;
    wrong = NULL;
}

/* Returns the number of the cell; -1: not shared memory. */
static int find(const void *at)
{
    uintptr_t address = (uintptr_t)at;
    size_t before = 0;

    for (unsigned i = 0; i < memories; ++i) {
        uintptr_t base = (uintptr_t)memory[i].base;

        if (address >= base && address - base < memory[i].length * memory[i].times)
            return (int)((before + (address - base) % memory[i].length) / CELL);
        before += memory[i].length;
    }
    return -1;
}

static unsigned cell_at(const void *at)
{
    int number = find(at);

    if (number < 0 || (uintptr_t)at % CELL != 0)
        abort();
    return (unsigned)number;
}

bool memory_one_writes(const void *at)
{
    return cells[cell_at(at)].one_writes;
}

const char *memory_name(const void *at)
{
    static char name[32];

    snprintf(name, sizeof(name), "cell %u", cell_at(at));
    return name;
}

/* Checks that conflicting accesses to the cell happen before this one. */
static void touch(unsigned thread, unsigned number, enum kind kind)
{
    struct cell *cell = &cells[number];

    for (unsigned other = 0; other < EXPLORER_THREADS; ++other) {
        for (unsigned before = 0; before < KINDS; ++before) {
            bool plain = kind <= PLAIN_WRITE || before <= PLAIN_WRITE;
            bool stores = kind % 2 == 1 || before % 2 == 1;

            if (other != thread && plain && stores
                    && cell->touched[before][other] > known[thread].reached[other])
                wrong = "a record is torn: its bytes are read or written by both at once";
        }
    }
    cell->touched[kind][thread] = known[thread].reached[thread];
}

static uint64_t hash_of(const struct knowledge *knowledge)
{
    uint64_t hash = 0;
    uint64_t eight;

    for (unsigned i = 0; i < EXPLORER_THREADS; ++i)
        hash = hash << 16 | knowledge->reached[i];
    for (unsigned i = 0; i < used; i += sizeof(eight)) {
        memcpy(&eight, knowledge->newest + i, sizeof(eight));
        hash = memory_mix(hash, eight);
    }
    return hash;
}

/* Return whether a memory order releases or acquires. */
static bool releases_with(int order)
{
    return order == memory_order_release || order >= memory_order_acq_rel;
}

static bool acquires_with(int order)
{
    return order != memory_order_relaxed && order != memory_order_release;
}

static void join(struct knowledge *mine, const struct knowledge *more)
{
    for (unsigned i = 0; i < used; ++i) {
        if (mine->newest[i] < more->newest[i])
            mine->newest[i] = more->newest[i];
    }
    for (unsigned i = 0; i < EXPLORER_THREADS; ++i) {
        if (mine->reached[i] < more->reached[i])
            mine->reached[i] = more->reached[i];
    }
}

void memory_ring(unsigned thread, unsigned bell)
{
    join(&bells[bell], &known[thread]);
    bells_hash = memory_mix(bells_hash + bell, hash_of(&known[thread]));
    ++known[thread].reached[thread];
}

void memory_hear(unsigned thread, unsigned bell)
{
    join(&known[thread], &bells[bell]);
}

void memory_fence_all(unsigned thread)
{
    for (unsigned other = 0; other < EXPLORER_THREADS; ++other) {
        if (other != thread)
            join(&known[other], &known[thread]);
    }
    for (unsigned other = 0; other < EXPLORER_THREADS; ++other) {
        if (other != thread)
            join(&known[thread], &known[other]);
        ++known[other].reached[other];
    }
}

static bool others_wrote(const struct cell *cell, unsigned thread)
{
    for (unsigned i = 0; i < EXPLORER_THREADS; ++i) {
        if (i != thread
                && (cell->touched[PLAIN_WRITE][i] != 0 || cell->touched[ATOMIC_WRITE][i] != 0))
            return true;
    }
    return false;
}

/* Adds a store. Its released view is the thread's if it releases, otherwise `comes` (or NULL). */
static void add(
        unsigned thread, unsigned number, uint64_t value, bool release, struct knowledge *comes)
{
    struct cell *cell = &cells[number];
    struct store *store = &cell->stores[cell->count];

    if (cell->one_writes && others_wrote(cell, thread))
        wrong = "both write what one was to write";
    if (cell->count == STORES_MAX || releases == sizeof(released) / sizeof(*released))
        abort();
    known[thread].newest[number] = (uint8_t)cell->count++;
    *store = (struct store){ value, comes };
    if (release) {
        store->released = &released[releases++];
        *store->released = known[thread];
    }
    ++known[thread].reached[thread];
    stores_hash += memory_mix(memory_mix(number * 256u + cell->count, value),
            store->released == NULL ? 0 : hash_of(store->released));
}

static unsigned oldest(unsigned thread, unsigned number, int order)
{
    unsigned least = known[thread].newest[number];

    return order == memory_order_seq_cst && cells[number].agreed > least ? cells[number].agreed
                                                                         : least;
}

unsigned memory_choices(unsigned thread, const void *at, int order)
{
    unsigned number = cell_at(at);

    return cells[number].count - oldest(thread, number, order);
}

uint64_t memory_load(unsigned thread, const void *at, int order, unsigned choice)
{
    unsigned number = cell_at(at);
    const struct store *store = &cells[number].stores[cells[number].count - 1 - choice];

    known[thread].newest[number] = (uint8_t)(cells[number].count - 1 - choice);
    if (acquires_with(order) && store->released != NULL)
        join(&known[thread], store->released);
    touch(thread, number, ATOMIC_READ);
    return store->value;
}

static void store(
        unsigned thread, unsigned number, uint64_t value, int order, struct knowledge *comes)
{
    touch(thread, number, ATOMIC_WRITE);
    add(thread, number, value, releases_with(order), comes);
    if (order == memory_order_seq_cst)
        cells[number].agreed = cells[number].count - 1;
}

void memory_store(unsigned thread, void *at, uint64_t value, int order)
{
    store(thread, cell_at(at), value, order, NULL);
}

/* The new store also carries the view of the store that was read (a release sequence). */
uint64_t memory_exchange(unsigned thread, void *at, uint64_t value, int order)
{
    unsigned number = cell_at(at);
    struct knowledge *comes = cells[number].stores[cells[number].count - 1].released;
    uint64_t before = memory_load(thread, at, order, 0);

    store(thread, number, value, order, comes);
    return before;
}

void memory_read(unsigned thread, void *to, const void *from, size_t length)
{
    for (size_t i = 0; i < length; i += CELL) {
        unsigned number = cell_at((const uint8_t *)from + i);
        uint32_t value = (uint32_t)cells[number].stores[cells[number].count - 1].value;

        touch(thread, number, PLAIN_READ);
        memcpy((uint8_t *)to + i, &value, CELL);
    }
}

void memory_write(unsigned thread, void *to, const void *from, size_t length)
{
    if (find(to) < 0) {
        memcpy(to, from, length);
        return;
    }
    for (size_t i = 0; i < length; i += CELL) {
        unsigned number = cell_at((uint8_t *)to + i);
        uint32_t value;

        memcpy(&value, (const uint8_t *)from + i, CELL);
        touch(thread, number, PLAIN_WRITE);
        add(thread, number, value, false, NULL);
    }
}

const char *memory_wrong(void)
{
    return wrong;
}

uint64_t memory_hash(void)
{
    uint64_t hash = stores_hash ^ bells_hash;

    for (unsigned i = 0; i < EXPLORER_THREADS; ++i)
        hash = memory_mix(hash, hash_of(&known[i]));
    return hash;
}
