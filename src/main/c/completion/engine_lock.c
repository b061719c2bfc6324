/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lock of a shared engine, and selection of the next driving thread.
 *
 * No wake-up is lost because each side first stores and then loads, both sequentially consistent: a
 * submitting thread adds to the queue, then tries the lock; a thread about to sleep joins the
 * sleepers, then reads the lock; a thread that releases the lock then reads the queue and the
 * sleepers. At most one thread is the heir, which was woken to drive: while there is an heir,
 * threads that release the lock wake no other. An heir that does not drive passes on.
 *
 * At most one caller is the watcher, which sleeps on the notification handle; when it stops
 * watching, it drives or passes on. Another caller sleeps idle only while there is a watcher. The
 * engine thread passes on if it stops watching and does not drive.
 */
#include <linux/futex.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "engine.h"

#define NANOSECONDS 1000000000
#define LOCK_RETRY 1000000 /* nanoseconds */
#define ASLEEP (JUROM_COMMAND_PENDING | JUROM_COMMAND_SLEEPER)

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

bool engine_is_orphaned(struct jurom_engine *engine)
{
    return has_work(engine) && atomic_load(&engine->locked) == 0
            && atomic_load(&engine->watcher) == NULL && atomic_load(&engine->heir) == NULL;
}

static void ring(int bell)
{
    (void)!eventfd_write(bell, 1); /* fails only if it is readable already */
}

static void silence(int bell)
{
    eventfd_t count;

    (void)!eventfd_read(bell, &count); /* fails only if it was not rung */
}

void engine_wake_thread(struct jurom_engine *engine)
{
    ring(engine->thread_bell);
}

/* Wakes the thread that sleeps until a command is done. */
static void wake(struct jurom_engine *engine, struct command *command)
{
    if (atomic_load(&engine->watcher) == command)
        ring(engine->watcher_bell);
    else
        syscall(SYS_futex, &command->shared.phase, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

/* Selects an heir unless there is one. Returns whether the heir is the engine thread. */
static bool choose_heir(struct jurom_engine *engine)
{
    unsigned start = atomic_fetch_add_explicit(&engine->next_place, 1, memory_order_relaxed);
    struct command *none = NULL;

    for (unsigned i = 0; i < PLACES; ++i) {
        _Atomic(struct command *) *place = &engine->places[(start + i) % PLACES];
        struct command *heir = atomic_load(place);
        unsigned asleep = ASLEEP;

        if (heir == NULL)
            continue;
        if (!atomic_compare_exchange_strong(&engine->heir, &none, heir))
            return false;
        if (atomic_load(place) == heir) {
            if (__atomic_compare_exchange_n(&heir->shared.phase, &asleep,
                        JUROM_COMMAND_PENDING | JUROM_COMMAND_HEIR, false, __ATOMIC_SEQ_CST,
                        __ATOMIC_SEQ_CST))
                wake(engine, heir);
            return false;
        }
        /* The sleeper has left; if it saw that it was the heir, it passes on. */
        if (!atomic_compare_exchange_strong(&engine->heir, &heir, NULL))
            return false;
    }
    return atomic_load(&engine->unattended) != 0
            && atomic_compare_exchange_strong(&engine->heir, &none, &engine->thread);
}

void engine_pass_on(struct jurom_engine *engine)
{
    if (atomic_load(&engine->wanted) != 0)
        engine_wake_thread(engine);
    else if (has_work(engine) && atomic_load(&engine->heir) == NULL
            && atomic_load(&engine->locked) == 0 && choose_heir(engine))
        engine_wake_thread(engine);
}

void engine_unlock(struct jurom_engine *engine)
{
    atomic_exchange(&engine->locked, 0);
    engine_pass_on(engine);
}

void engine_leave_thread(struct jurom_engine *engine)
{
    atomic_exchange(&engine->locked, 0);
    if (has_work(engine) && atomic_load(&engine->heir) == NULL)
        choose_heir(engine);
}

void engine_enqueue(struct jurom_engine *engine, struct command *command)
{
    struct command *newest = atomic_load_explicit(&engine->queue, memory_order_relaxed);

    do {
        command->next = newest;
    } while (!atomic_compare_exchange_weak(&engine->queue, &newest, command));
}

void engine_settle(struct command *command)
{
    struct jurom_engine *engine = command->engine;
    unsigned phase = __atomic_exchange_n(
            &command->shared.phase, JUROM_COMMAND_DONE, __ATOMIC_ACQ_REL);

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
static void poll_until(int bell, int handle, uint64_t deadline)
{
    struct pollfd descriptors[] = {
        { .fd = bell, .events = POLLIN },
        { .fd = handle, .events = POLLIN },
    };
    uint64_t now = engine_now();
    struct timespec timeout = time_of(deadline > now ? deadline - now : 0);

    ppoll(descriptors, 2, &timeout, NULL);
}

/*
 * Adds a command to the sleepers. NULL: all slots are occupied, and the engine thread drives for
 * it.
 */
static _Atomic(struct command *) *join(struct jurom_engine *engine, struct command *command)
{
    unsigned start = (unsigned)((uintptr_t)command / sizeof(*command));

    atomic_fetch_add(&engine->sleepers, 1);
    for (unsigned i = 0; i < PLACES; ++i) {
        _Atomic(struct command *) *place = &engine->places[(start + i) % PLACES];
        struct command *none = NULL;

        if (atomic_load_explicit(place, memory_order_relaxed) == NULL
                && atomic_compare_exchange_strong(place, &none, command))
            return place;
    }
    atomic_fetch_add(&engine->unattended, 1);
    return NULL;
}

static void leave(
        struct jurom_engine *engine, struct command *command, _Atomic(struct command *) *place)
{
    if (place != NULL)
        atomic_store(place, NULL);
    else
        atomic_fetch_sub(&engine->unattended, 1);
    atomic_fetch_sub(&engine->sleepers, 1);
    /* The calling thread then drives or passes on. */
    atomic_compare_exchange_strong(&engine->heir, &command, NULL);
}

/*
 * Returns whether a caller that has joined the sleepers may sleep: another thread is bound to
 * drive; or, if `idle`, the caller requested a notification, the queue was still empty after it
 * released the lock, and there is a watcher, which drives or passes on when it stops watching.
 */
static bool may_sleep(struct jurom_engine *engine, struct command *command, bool idle)
{
    if (atomic_load(&engine->heir) == command)
        return false;
    if (atomic_load(&engine->wanted) != 0)
        return true;
    if (!idle)
        return atomic_load(&engine->locked) != 0;
    return atomic_load(&engine->queue) == NULL && atomic_load(&engine->watcher) != NULL;
}

/* Marks the command as having a sleeper; false if the command is done. */
static bool announce(struct command *command)
{
    unsigned pending = JUROM_COMMAND_PENDING;

    return __atomic_compare_exchange_n(
            &command->shared.phase, &pending, ASLEEP, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
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
    _Atomic(struct command *) *place = join(engine, command);
    struct timespec until = time_of(deadline);
    struct command *none = NULL;
    bool watches = idle && atomic_compare_exchange_strong(&engine->watcher, &none, command);

    if (idle)
        release_idle(engine);
    if (announce(command) && may_sleep(engine, command, idle)) {
        if (watches)
            poll_until(engine->watcher_bell, engine->handle, deadline);
        else
            syscall(SYS_futex, &command->shared.phase, FUTEX_WAIT_BITSET_PRIVATE, ASLEEP, &until,
                    NULL, FUTEX_BITSET_MATCH_ANY);
    }
    __atomic_fetch_and(&command->shared.phase, JUROM_COMMAND_PENDING, __ATOMIC_SEQ_CST);
    if (watches) {
        atomic_store(&engine->watcher, NULL);
        silence(engine->watcher_bell);
    }
    leave(engine, command, place);
}

/*
 * Returns whether the engine thread has something to do. Every thread that causes this rings its
 * doorbell.
 */
static bool is_thread_due(struct jurom_engine *engine)
{
    return atomic_load(&engine->called) != 0 || atomic_load(&engine->records) != 0
            || atomic_load(&engine->delivered) != NULL
            || atomic_load(&engine->heir) == &engine->thread;
}

void engine_thread_sleep(struct jurom_engine *engine, uint64_t deadline, bool idle)
{
    if (idle) {
        atomic_exchange(&engine->locked, 0);
        if (atomic_load(&engine->queue) != NULL) {
            engine_pass_on(engine);
            return;
        }
    }
    if (!is_thread_due(engine))
        poll_until(engine->thread_bell, idle ? engine->handle : -1, deadline);
    silence(engine->thread_bell);
}

void jurom_engine_lock(struct jurom_engine *engine)
{
    atomic_store(&engine->wanted, 1);
    while (atomic_exchange(&engine->locked, 1) != 0) {
        poll_until(engine->thread_bell, -1, engine_now() + LOCK_RETRY);
        silence(engine->thread_bell);
    }
    atomic_store(&engine->wanted, 0);
}

void jurom_engine_unlock(struct jurom_engine *engine)
{
    engine_unlock(engine);
}
