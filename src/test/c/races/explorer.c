/* SPDX-License-Identifier: Apache-2.0 */
/* The orders: coroutines, choices, and the states that are known. memory.c has what they see. */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#include "memory.h"

#define STACK_SIZE 65536
#define STEPS_MAX 2000 /* of an order: more go on for ever */
#define KNOWN_FIRST (1u << 16)

struct choice {
    unsigned options;
    unsigned taken;
};

static struct {
    const struct explorer_program *program;
    struct choice choices[STEPS_MAX];
    unsigned made;  /* choices of this order so far */
    unsigned given; /* those at its beginning that are given */
    const char *wrong;
    bool is_known;
    bool shows; /* the order is run once more to be printed */
    unsigned steps;
    uint64_t *known; /* hashes of states; 0: free */
    size_t known_size;
    struct explorer_figures figures;
} order;

static struct thread {
    ucontext_t context; /* in which it begins */
    jmp_buf place;      /* at which it goes on */
    bool begun;
    char stack[STACK_SIZE];
    bool ended;
    bool sleeps;
    bool rung;
    bool may_stray; /* its next sleep may end without a bell */
    uint64_t past; /* hash of all that it was told: what it does next depends on this alone */
} threads[EXPLORER_THREADS];

static jmp_buf scheduler;
static unsigned running;

/* From the running thread to the scheduler, which comes back if the thread is to go on. */
static void leave(void)
{
    if (_setjmp(threads[running].place) == 0)
        _longjmp(scheduler, 1);
}

static void go_on(struct thread *thread)
{
    if (_setjmp(scheduler) != 0)
        return;
    if (thread->begun)
        _longjmp(thread->place, 1);
    thread->begun = true;
    setcontext(&thread->context);
}

/* One of `options`: the given one, or the first of a new choice. */
static unsigned choose(unsigned options)
{
    struct choice *choice = &order.choices[order.made];

    if (options == 1)
        return 0;
    if (order.made >= STEPS_MAX - 1)
        abort();
    if (order.made++ >= order.given) {
        *choice = (struct choice){options, 0};
        order.given = order.made;
    }
    return choice->taken;
}

/* Ends this order. */
static void give_up(void)
{
    leave();
    abort();
}

void explorer_require(bool holds, const char *what)
{
    if (holds)
        return;
    order.wrong = what;
    give_up();
}

static void told(uint64_t value)
{
    threads[running].past = memory_mix(threads[running].past, value + 1);
}

/* The other thread may go on before what the running one does next. */
static void step(void)
{
    told(0);
    explorer_require(++order.steps < STEPS_MAX, "a thread goes round for ever");
    leave();
}

static void show(const char *what, const void *at, uint64_t value)
{
    if (order.shows)
        printf("  %s %s %s = %llx\n", running == 0 ? "first: " : "second:", what,
                memory_name(at), (unsigned long long)value);
}

void explorer_ring(void)
{
    step();
    threads[1 - running].rung = true;
    memory_ring(running);
    if (order.shows)
        printf("  %s rings\n", running == 0 ? "first: " : "second:");
}

void explorer_sleep(void)
{
    struct thread *thread = &threads[running];

    if (order.shows)
        printf("  %s sleeps\n", running == 0 ? "first: " : "second:");
    thread->sleeps = true;
    step();
    thread->sleeps = false;
    if (thread->rung)
        memory_hear(running);
    else
        thread->may_stray = false;
    told(thread->rung);
    thread->rung = false;
}

uint64_t explorer_load(const void *at, int how)
{
    uint64_t value;

    step();
    value = memory_load(running, at, how, choose(memory_choices(running, at, how)));
    show("loads ", at, value);
    told(value);
    explorer_require(memory_wrong() == NULL, memory_wrong());
    return value;
}

/*
 * A store may always be seen late, so it need not be made late: unless the threads agree on its
 * place among others.
 */
void explorer_store(void *at, uint64_t value, int how)
{
    if (how == memory_order_seq_cst || !memory_one_writes(at))
        step();
    memory_store(running, at, value, how);
    show("stores", at, value);
    explorer_require(memory_wrong() == NULL, memory_wrong());
}

uint64_t explorer_exchange(void *at, uint64_t value, int how)
{
    uint64_t before;

    step();
    before = memory_exchange(running, at, value, how);
    show("finds ", at, before);
    show("leaves", at, value);
    told(before);
    explorer_require(memory_wrong() == NULL, memory_wrong());
    return before;
}

void explorer_read(void *to, const void *from, size_t length)
{
    memory_read(running, to, from, length);
    explorer_require(memory_wrong() == NULL, memory_wrong());
}

void explorer_write(void *to, const void *from, size_t length)
{
    memory_write(running, to, from, length);
    explorer_require(memory_wrong() == NULL, memory_wrong());
}

static void run_thread(void)
{
    order.program->thread[running]();
    threads[running].ended = true;
    give_up();
}

static void begin(void)
{
    order.made = 0;
    order.steps = 0;
    order.wrong = NULL;
    order.is_known = false;
    memory_begin(order.program->memory, order.program->memories);
    order.program->begin();
    for (unsigned i = 0; i < EXPLORER_THREADS; i++) {
        struct thread *thread = &threads[i];

        thread->begun = thread->ended = thread->sleeps = thread->rung = false;
        thread->may_stray = order.program->strays;
        thread->past = i + 1;
        getcontext(&thread->context);
        thread->context.uc_stack.ss_sp = thread->stack;
        thread->context.uc_stack.ss_size = STACK_SIZE;
        makecontext(&thread->context, run_thread, 0);
    }
}

static void grow_known(void);

/* Notes a state. True: it was known. */
static bool note(uint64_t state)
{
    size_t place = state & (order.known_size - 1);

    while (order.known[place] != 0 && order.known[place] != state)
        place = (place + 1) & (order.known_size - 1);
    if (order.known[place] == state)
        return true;
    order.known[place] = state;
    if (++order.figures.states > order.known_size / 2)
        grow_known();
    return false;
}

static void grow_known(void)
{
    uint64_t *before = order.known;
    size_t size = order.known_size;

    order.known_size = size == 0 ? KNOWN_FIRST : size * 4;
    order.known = calloc(order.known_size, sizeof(*order.known));
    if (order.known == NULL)
        abort();
    order.figures.states = 0;
    for (size_t i = 0; i < size; i++) {
        if (before[i] != 0)
            note(before[i]);
    }
    free(before);
}

static uint64_t state(void)
{
    uint64_t hash = memory_hash();

    for (unsigned i = 0; i < EXPLORER_THREADS; i++)
        hash = memory_mix(hash, threads[i].past * 2 + threads[i].rung);
    return hash | 1;
}

static bool can_run(const struct thread *thread)
{
    return !thread->ended && (!thread->sleeps || thread->rung);
}

/* Whether it can also be woken by something else: which does not count as being woken. */
static bool can_stray(const struct thread *thread)
{
    return thread->sleeps && thread->may_stray;
}

/* Runs one order, as far as it is new. */
static void run_order(void)
{
    begin();
    while (order.wrong == NULL) {
        bool first = can_run(&threads[0]), second = can_run(&threads[1]);

        if (!first && !second)
            break;
        if (order.made == order.given && !order.shows && note(state())) {
            order.is_known = true;
            return;
        }
        first = first || can_stray(&threads[0]);
        second = second || can_stray(&threads[1]);
        running = first && second ? choose(2) : second;
        go_on(&threads[running]);
    }
    if (order.wrong == NULL && !(threads[0].ended && threads[1].ended))
        order.wrong = "a wake-up was lost: all sleep, or have ended";
}

/* The next sequence of choices. False: there is none. */
static bool advance(void)
{
    while (order.given > 0) {
        struct choice *last = &order.choices[order.given - 1];

        if (++last->taken < last->options)
            return true;
        --order.given;
    }
    return false;
}

const char *explore(const struct explorer_program *program, struct explorer_figures *figures)
{
    memset(&order, 0, sizeof(order));
    order.program = program;
    grow_known();
    do {
        run_order();
        ++order.figures.orders;
        if (order.steps > order.figures.longest)
            order.figures.longest = order.steps;
    } while (order.wrong == NULL && advance());
    if (order.wrong != NULL) {
        order.shows = true;
        run_order();
    }
    free(order.known);
    *figures = order.figures;
    return order.wrong;
}
