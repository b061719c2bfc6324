/* SPDX-License-Identifier: Apache-2.0 */
/* Interleavings: coroutines, choices and visited states. memory.c implements the memory model. */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#include "memory.h"

#define STACK_SIZE 65536
#define STEPS_MAX 2000 /* of an interleaving; more indicate an endless loop */
#define TURN_MAX \
    300 /* steps of a thread while preempted threads wait, if preemptions are bounded */
#define KNOWN_FIRST (1u << 16)

struct choice {
    unsigned options;
    unsigned taken;
};

static struct {
    const struct explorer_program *program;
    struct choice choices[STEPS_MAX];
    unsigned made;  /* choices of this interleaving so far */
    unsigned given; /* number of prescribed choices at its start */
    const char *wrong;
    bool is_known;
    bool shows; /* the interleaving is replayed to be printed */
    unsigned steps;
    uint64_t *known; /* hashes of states; 0: free */
    size_t known_size;
    struct explorer_figures figures;
} order;

static struct thread {
    ucontext_t context; /* the context in which the thread starts */
    jmp_buf place;      /* the context in which it continues */
    bool begun;
    char stack[STACK_SIZE];
    bool ended;
    bool sleeps;
    unsigned bells;    /* doorbells that end its sleep */
    const void *waits; /* the futex at which it sleeps; NULL: none */
    bool woken;
    bool may_stray; /* its next sleep may end without a doorbell */
    uint64_t past;  /* hash of all values that it read, which determine its next steps */
} threads[EXPLORER_THREADS];

static jmp_buf scheduler;
static unsigned running;
static unsigned rung; /* doorbells */
static unsigned preempted;
static unsigned turn; /* steps of the running thread since the last switch */

/* Switches from the running thread to the scheduler, and returns when the thread continues. */
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

/* Returns one of `options`: the prescribed one, or the first of a new choice. */
static unsigned choose(unsigned options)
{
    struct choice *choice = &order.choices[order.made];

    if (options == 1)
        return 0;
    if (order.made >= STEPS_MAX - 1)
        abort();
    if (order.made++ >= order.given) {
        *choice = (struct choice){ options, 0 };
        order.given = order.made;
    }
    return choice->taken;
}

/* Ends this interleaving. */
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

/* A possible preemption before the next step of the running thread. */
static void step(void)
{
    told(0);
    explorer_require(++order.steps < STEPS_MAX, "a thread goes round for ever");
    leave();
}

static void show(const char *what, const void *at, uint64_t value)
{
    static const char *const names[EXPLORER_THREADS] = { "first: ", "second:", "third: " };

    if (order.shows && at == NULL)
        printf("  %s %s %llx\n", names[running], what, (unsigned long long)value);
    else if (order.shows)
        printf("  %s %s %s = %llx\n", names[running], what, memory_name(at),
                (unsigned long long)value);
}

void explorer_step(uint64_t value)
{
    step();
    told(value);
}

void explorer_ring(unsigned bell)
{
    step();
    rung |= 1u << bell;
    memory_ring(running, bell);
    show("rings bell", NULL, bell);
}

void explorer_ring_from_outside(unsigned bell)
{
    rung |= 1u << bell;
}

void explorer_silence(unsigned bell)
{
    rung &= ~(1u << bell);
    show("silences bell", NULL, bell);
}

/* Puts the running thread to sleep until the scheduler continues it. */
static void sleep_now(void)
{
    threads[running].sleeps = true;
    step();
    threads[running].sleeps = false;
}

void explorer_sleep(unsigned set)
{
    struct thread *thread = &threads[running];

    show("sleeps until one rings of", NULL, set);
    thread->bells = set;
    sleep_now();
    thread->bells = 0;
    if ((rung & set) == 0)
        thread->may_stray = false;
    for (unsigned i = 0; i < EXPLORER_BELLS; ++i) {
        if (rung & set & 1u << i)
            memory_hear(running, i);
    }
    told(rung & set);
    show("goes on; there rang", NULL, rung & set);
}

void explorer_wait(const void *at, uint32_t value)
{
    struct thread *thread = &threads[running];

    step();
    if ((uint32_t)memory_load(running, at, memory_order_seq_cst, 0) != value) {
        show("need not wait at", at, value);
        told(0);
        return;
    }
    show("waits at", at, value);
    thread->waits = at;
    thread->woken = false;
    sleep_now();
    thread->waits = NULL;
    if (!thread->woken)
        thread->may_stray = false;
    told(1 + thread->woken);
    show("goes on", NULL, thread->woken);
}

void explorer_wake(const void *at)
{
    step();
    for (unsigned i = 0; i < EXPLORER_THREADS; ++i) {
        if (threads[i].waits == at)
            threads[i].woken = true;
    }
    show("wakes those at", at, 0);
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
 * Loads may read old values, so a store needs no preemption before it, unless its position in a
 * total order of stores matters.
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

void explorer_fence_all(void)
{
    step();
    memory_fence_all(running);
    show("fences all", NULL, 0);
}

/* Replaces a value by (value & and) + add. */
static uint64_t modify(void *at, uint64_t and, uint64_t add, int how)
{
    uint64_t before;

    step();
    before = memory_load(running, at, how, 0);
    memory_exchange(running, at, (uint32_t)((before & and) + add), how);
    show("finds ", at, before);
    show("leaves", at, (uint32_t)((before & and) + add));
    told(before);
    return before;
}

uint64_t explorer_add(void *at, uint64_t value, int how)
{
    return modify(at, UINT64_MAX, value, how);
}

uint64_t explorer_and(void *at, uint64_t value, int how)
{
    return modify(at, value, 0, how);
}

bool explorer_compare_exchange(void *at, uint64_t *expected, uint64_t value)
{
    uint64_t before;
    bool was;

    step();
    before = memory_load(running, at, memory_order_seq_cst, 0);
    was = before == *expected;
    if (was)
        memory_exchange(running, at, value, memory_order_seq_cst);
    show(was ? "replaces" : "does not replace", at, before);
    if (was)
        show("leaves", at, value);
    told(before);
    *expected = before;
    return was;
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
    rung = preempted = running = turn = 0;
    for (unsigned i = 0; i < EXPLORER_THREADS; ++i) {
        struct thread *thread = &threads[i];

        thread->begun = thread->sleeps = false;
        thread->ended = order.program->thread[i] == NULL;
        thread->waits = NULL;
        thread->bells = 0;
        thread->may_stray = order.program->strays;
        thread->past = i + 1;
        getcontext(&thread->context);
        thread->context.uc_stack.ss_sp = thread->stack;
        thread->context.uc_stack.ss_size = STACK_SIZE;
        makecontext(&thread->context, run_thread, 0);
    }
}

static void grow_known(void);

/* Records a state. Returns whether it was visited before. */
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
    for (size_t i = 0; i < size; ++i) {
        if (before[i] != 0)
            note(before[i]);
    }
    free(before);
}

static uint64_t state(void)
{
    uint64_t hash = memory_hash();

    for (unsigned i = 0; i < EXPLORER_THREADS; ++i)
        hash = memory_mix(
                hash, threads[i].past * 2 + (threads[i].waits != NULL && threads[i].woken));
    hash = memory_mix(hash, rung);
    if (order.program->hash != NULL)
        hash = memory_mix(hash, order.program->hash());
    if (order.program->preemptions != 0)
        hash = memory_mix(hash, preempted * EXPLORER_THREADS + running);
    return hash | 1;
}

static bool can_run(const struct thread *thread)
{
    return !thread->ended
            && (!thread->sleeps || (thread->bells & rung) != 0
                    || (thread->waits != NULL && thread->woken));
}

/* Returns whether something else can wake the thread, which does not count as a wake-up. */
static bool can_stray(const struct thread *thread)
{
    return thread->sleeps && thread->may_stray;
}

/* Returns whether any thread can run without such a wake-up. */
static bool any_can_run(void)
{
    for (unsigned i = 0; i < EXPLORER_THREADS; ++i) {
        if (can_run(&threads[i]))
            return true;
    }
    return order.program->happens != NULL && order.program->happens() && any_can_run();
}

/*
 * Chooses the next thread. The first option is the thread that ran last. A thread that spins on a
 * preempted thread eventually yields to it.
 */
static unsigned choose_thread(void)
{
    unsigned bound = order.program->preemptions;
    unsigned options[EXPLORER_THREADS];
    unsigned count = 0, taken;
    bool goes_on = can_run(&threads[running]);

    for (unsigned i = 0; i < EXPLORER_THREADS; ++i) {
        unsigned thread = (running + i) % EXPLORER_THREADS;

        if (can_run(&threads[thread]) || can_stray(&threads[thread]))
            options[count++] = thread;
    }
    if (goes_on && bound != 0 && count > 1 && turn > TURN_MAX)
        return options[1];
    if (goes_on && bound != 0 && preempted == bound)
        return running;
    taken = options[choose(count)];
    if (goes_on && taken != running)
        ++preempted;
    return taken;
}

/* Runs one interleaving until its end or a visited state. */
static void run_order(void)
{
    begin();
    while (order.wrong == NULL) {
        unsigned next;

        if (!any_can_run())
            break;
        if (order.made == order.given && !order.shows && note(state())) {
            order.is_known = true;
            return;
        }
        next = choose_thread();
        turn = next == running ? turn + 1 : 0;
        running = next;
        go_on(&threads[running]);
    }
    for (unsigned i = 0; i < EXPLORER_THREADS; ++i) {
        if (order.wrong == NULL && !threads[i].ended)
            order.wrong = "a wake-up was lost: all sleep, or have ended";
    }
}

/* Advances to the next sequence of choices. Returns false if there is none. */
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
