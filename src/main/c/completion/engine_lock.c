/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lock of a shared engine, and selection of the next driving thread.
 *
 * No wake-up is lost because each side first stores and then loads, both sequentially consistent: a
 * submitting thread adds to the queue, then tries the lock; a thread about to sleep joins the
 * sleepers, then reads the lock; a thread that releases the lock then reads the queue and the
 * sleepers. At most one thread is the successor, which was woken to drive: while there is one,
 * threads that release the lock wake no other. A successor that does not drive wakes the next one.
 *
 * At most one caller is the watcher, which sleeps on the notification handle; when it stops
 * watching, it drives or wakes a successor. Another caller sleeps idle only while there is a
 * watcher. The engine thread wakes a successor if it stops watching and does not drive.
 */
#include <linux/futex.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "completion.h"

#define NANOSECONDS 1000000000
#define LOCK_RETRY 1000000 /* nanoseconds */
#define ASLEEP (JUROM_COMMAND_PENDING | JUROM_COMMAND_SLEEPER)
#define RUNNING (ASLEEP | JUROM_COMMAND_SUCCESSOR) /* phases of a command that is not done */

uint64_t engine_now(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * NANOSECONDS + (uint64_t)now.tv_nsec;
}

static struct timespec time_of(uint64_t nanoseconds)
{
    return (struct timespec){
        .tv_sec = (time_t)(nanoseconds / NANOSECONDS),
        .tv_nsec = (long)(nanoseconds % NANOSECONDS),
    };
}

bool engine_try_lock(struct jurom_engine *engine)
{
    return atomic_load(&engine->wanted) == 0 && atomic_load(&engine->locked) == 0
            && atomic_exchange(&engine->locked, 1) == 0;
}

/*
 * Returns whether a thread must be woken to drive: all threads other than sleepers and the engine
 * thread try the lock first.
 */
static bool has_work(struct jurom_engine *engine)
{
    return atomic_load(&engine->sleepers) != 0 || atomic_load(&engine->unattended) != 0;
}

bool engine_needs_driver(struct jurom_engine *engine)
{
    return has_work(engine) && atomic_load(&engine->locked) == 0
            && atomic_load(&engine->watcher) == NULL && atomic_load(&engine->successor) == NULL;
}

static void ring_doorbell(int doorbell)
{
    (void)!eventfd_write(doorbell, 1); /* fails only if it is readable already */
}

static void clear_doorbell(int doorbell)
{
    eventfd_t count;

    (void)!eventfd_read(doorbell, &count); /* fails only if it was not rung */
}

void engine_wake_thread(struct jurom_engine *engine)
{
    ring_doorbell(engine->thread_doorbell);
}

/* Returns the half of a command's state that contains the phase, on little-endian machines. */
static uint32_t *phase_of(struct command *command)
{
    return (uint32_t *)&command->shared.state;
}

/* Wakes the thread that sleeps until a command is done. */
static void wake(struct jurom_engine *engine, struct command *command)
{
    if (atomic_load(&engine->watcher) == command)
        ring_doorbell(engine->watcher_doorbell);
    else
        syscall(SYS_futex, phase_of(command), FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

/* Selects a successor unless there is one. Returns whether the successor is the engine thread. */
static bool choose_successor(struct jurom_engine *engine)
{
    unsigned start = atomic_fetch_add_explicit(&engine->next_slot, 1, memory_order_relaxed);
    struct command *none = NULL;

    for (unsigned i = 0; i < SLEEPER_SLOTS; ++i) {
        _Atomic(struct command *) *slot = &engine->slots[(start + i) % SLEEPER_SLOTS];
        struct command *successor = atomic_load(slot);
        uint64_t asleep;

        if (successor == NULL)
            continue;
        asleep = (__atomic_load_n(&successor->shared.state, __ATOMIC_SEQ_CST) & GENERATION)
                | ASLEEP;
        if (!atomic_compare_exchange_strong(&engine->successor, &none, successor))
            return false;
        if (atomic_load(slot) == successor) {
            if (__atomic_compare_exchange_n(&successor->shared.state, &asleep,
                        asleep ^ (JUROM_COMMAND_SLEEPER | JUROM_COMMAND_SUCCESSOR), false,
                        __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
                wake(engine, successor);
            return false;
        }
        /* The sleeper has left; if it saw that it was the successor, it wakes the next one. */
        if (!atomic_compare_exchange_strong(&engine->successor, &successor, NULL))
            return false;
    }
    return atomic_load(&engine->unattended) != 0
            && atomic_compare_exchange_strong(&engine->successor, &none, &engine->thread);
}

void engine_wake_successor(struct jurom_engine *engine)
{
    if (atomic_load(&engine->wanted) != 0)
        engine_wake_thread(engine);
    else if (has_work(engine) && atomic_load(&engine->successor) == NULL
            && atomic_load(&engine->locked) == 0 && choose_successor(engine))
        engine_wake_thread(engine);
}

void engine_unlock(struct jurom_engine *engine)
{
    atomic_exchange(&engine->locked, 0);
    engine_wake_successor(engine);
}

void engine_unlock_in_thread(struct jurom_engine *engine)
{
    atomic_exchange(&engine->locked, 0);
    if (has_work(engine) && atomic_load(&engine->successor) == NULL)
        choose_successor(engine);
}

void engine_enqueue(struct jurom_engine *engine, struct command *command)
{
    struct command *newest = atomic_load_explicit(&engine->queue, memory_order_relaxed);

    do {
        command->next = newest;
    } while (!atomic_compare_exchange_weak(&engine->queue, &newest, command));
}

/*
 * The generation is stored before the flag is tested, and send_cancels (engine.c) clears the flag
 * before it takes the generation, so that no request is lost. A request for an earlier use does not
 * replace one for a later use.
 */
void engine_request_cancel(struct jurom_engine *engine, struct command *command, uint64_t state)
{
    uint64_t wanted = (state & GENERATION) | CANCELLED;
    uint64_t before = atomic_load(&command->cancelled);
    struct command *newest;

    do {
        if (before != 0 && (int64_t)(wanted - before) < 0)
            return;
    } while (!atomic_compare_exchange_weak(&command->cancelled, &before, wanted));
    if (atomic_exchange(&command->listed, 1) != 0)
        return;
    newest = atomic_load_explicit(&engine->cancels, memory_order_relaxed);
    do {
        command->next_cancelled = newest;
    } while (!atomic_compare_exchange_weak(&engine->cancels, &newest, command));
}

bool engine_has_requests(struct jurom_engine *engine)
{
    return atomic_load(&engine->queue) != NULL || atomic_load(&engine->cancels) != NULL;
}

void engine_finish(struct command *command)
{
    struct jurom_engine *engine = command->engine;
    uint64_t phase = __atomic_fetch_and(
            &command->shared.state, ~(uint64_t)RUNNING, __ATOMIC_ACQ_REL);

    if (phase & JUROM_COMMAND_DELIVER) {
        struct command *newest = atomic_load_explicit(&engine->delivered, memory_order_relaxed);

        atomic_fetch_sub(&engine->unattended, 1);
        do {
            command->next = newest;
        } while (!atomic_compare_exchange_weak(&engine->delivered, &newest, command));
        if (newest == NULL && atomic_load(&engine->thread_drives) == 0)
            engine_wake_thread(engine);
    } else if (phase & JUROM_COMMAND_SLEEPER) {
        wake(engine, command);
    }
}

/* Waits for a doorbell and, unless it is negative, for the notification handle. */
static void poll_until(int doorbell, int handle, uint64_t deadline)
{
    struct pollfd descriptors[] = {
        { .fd = doorbell, .events = POLLIN },
        { .fd = handle, .events = POLLIN },
    };
    uint64_t now = engine_now();
    struct timespec timeout = time_of(deadline > now ? deadline - now : 0);

    ppoll(descriptors, 2, &timeout, NULL);
}

/*
 * Adds a command to the sleepers. Returns NULL if all slots are occupied: the engine thread then
 * drives for it.
 */
static _Atomic(struct command *) *join_sleepers(
        struct jurom_engine *engine, struct command *command)
{
    unsigned start = (unsigned)((uintptr_t)command / sizeof(*command));

    atomic_fetch_add(&engine->sleepers, 1);
    for (unsigned i = 0; i < SLEEPER_SLOTS; ++i) {
        _Atomic(struct command *) *slot = &engine->slots[(start + i) % SLEEPER_SLOTS];
        struct command *none = NULL;

        if (atomic_load_explicit(slot, memory_order_relaxed) == NULL
                && atomic_compare_exchange_strong(slot, &none, command))
            return slot;
    }
    atomic_fetch_add(&engine->unattended, 1);
    return NULL;
}

static void leave_sleepers(
        struct jurom_engine *engine, struct command *command, _Atomic(struct command *) *slot)
{
    if (slot != NULL)
        atomic_store(slot, NULL);
    else
        atomic_fetch_sub(&engine->unattended, 1);
    atomic_fetch_sub(&engine->sleepers, 1);
    /* The calling thread then drives or wakes a successor. */
    atomic_compare_exchange_strong(&engine->successor, &command, NULL);
}

/*
 * Returns whether a caller that has joined the sleepers may sleep: another thread will drive; or,
 * if `idle`, the caller requested a notification, the queue was still empty after it released the
 * lock, and there is a watcher.
 */
static bool can_sleep(struct jurom_engine *engine, struct command *command, bool idle)
{
    if (atomic_load(&engine->successor) == command)
        return false;
    if (atomic_load(&engine->wanted) != 0)
        return true;
    if (!idle)
        return atomic_load(&engine->locked) != 0;
    return !engine_has_requests(engine) && atomic_load(&engine->watcher) != NULL;
}

/* Marks the command as having a sleeper; false if the command is done. */
static bool mark_asleep(struct command *command)
{
    uint64_t pending = (__atomic_load_n(&command->shared.state, __ATOMIC_RELAXED) & GENERATION)
            | JUROM_COMMAND_PENDING;

    return __atomic_compare_exchange_n(&command->shared.state, &pending,
            pending | JUROM_COMMAND_SLEEPER, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}

static void release_idle(struct jurom_engine *engine)
{
    atomic_exchange(&engine->locked, 0);
    if (atomic_load(&engine->wanted) != 0)
        engine_wake_thread(engine);
}

void engine_sleep(
        struct jurom_engine *engine, struct command *command, uint64_t deadline, bool idle)
{
    _Atomic(struct command *) *slot = join_sleepers(engine, command);
    struct timespec until = time_of(deadline);
    struct command *none = NULL;
    bool watches = idle && atomic_compare_exchange_strong(&engine->watcher, &none, command);

    if (idle)
        release_idle(engine);
    if (mark_asleep(command) && can_sleep(engine, command, idle)) {
        if (watches)
            poll_until(engine->watcher_doorbell, engine->handle, deadline);
        else
            syscall(SYS_futex, phase_of(command), FUTEX_WAIT_BITSET_PRIVATE, ASLEEP, &until, NULL,
                    FUTEX_BITSET_MATCH_ANY);
    }
    __atomic_fetch_and(&command->shared.state,
            ~(uint64_t)(JUROM_COMMAND_SLEEPER | JUROM_COMMAND_SUCCESSOR), __ATOMIC_SEQ_CST);
    if (watches) {
        atomic_store(&engine->watcher, NULL);
        clear_doorbell(engine->watcher_doorbell);
    }
    leave_sleepers(engine, command, slot);
}

/*
 * Returns whether the engine thread has something to do. Every thread that causes this rings its
 * doorbell.
 */
static bool is_thread_due(struct jurom_engine *engine)
{
    return atomic_load(&engine->wake_requested) != 0 || atomic_load(&engine->records) != 0
            || atomic_load(&engine->delivered) != NULL
            || atomic_load(&engine->successor) == &engine->thread;
}

void engine_thread_sleep(struct jurom_engine *engine, uint64_t deadline, bool idle)
{
    if (idle) {
        atomic_exchange(&engine->locked, 0);
        if (engine_has_requests(engine)) {
            engine_wake_successor(engine);
            return;
        }
    }
    if (!is_thread_due(engine))
        poll_until(engine->thread_doorbell, idle ? engine->handle : -1, deadline);
    clear_doorbell(engine->thread_doorbell);
}

void jurom_engine_lock(struct jurom_engine *engine)
{
    atomic_store(&engine->wanted, 1);
    while (atomic_exchange(&engine->locked, 1) != 0) {
        poll_until(engine->thread_doorbell, -1, engine_now() + LOCK_RETRY);
        clear_doorbell(engine->thread_doorbell);
    }
    atomic_store(&engine->wanted, 0);
}

void jurom_engine_unlock(struct jurom_engine *engine)
{
    engine_unlock(engine);
}
