/* SPDX-License-Identifier: Apache-2.0 */
/* Driving of a progress engine that threads share. */
#include <doca_pe.h>

#include "completion.h"

#define FIRST_CLOCK 16            /* empty polls before the first read of the clock */
#define POLLS_PER_CLOCK 64        /* empty polls between two reads */
#define PROGRESSES_PER_CLOCK 1024 /* the same while every poll finds work */
#define DELIVERED_AT_ONCE 32      /* commands that the engine thread receives at once */
#define YIELD_SPINS 2000          /* polls of the lock after asking the engine thread for it */
#define QUIET_NS 20000000         /* ns without a caller before the engine thread watches */

enum outcome { CONTINUE, DONE, IDLE, TIMED_OUT, YIELDED };

/* Deadline of a driving thread, and its poll statistics. */
struct limits {
    uint64_t deadline; /* 0: `timeout` after the first read of the clock */
    uint64_t timeout;
    uint64_t spin;
    uint64_t idle_since;
    unsigned empty; /* consecutive polls that found nothing */
    unsigned all;   /* all polls since the lock was acquired */
};

static void pause_briefly(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#else
    __asm__ volatile("isb" ::: "memory");
#endif
}

/* Callback for doca_urom_worker_cmd_task_set_cb; runs in progress, under the lock. */
void engine_complete(void *task, union doca_data task_user_data, union doca_data ctx_user_data)
{
    struct command *command = task_user_data.ptr;
    struct jurom_engine *engine = command->engine;
    size_t length = 0;

    (void)task;
    (void)ctx_user_data;
    command->shared.status = (int32_t)engine->collect.task_status(command->task);
    if (engine->collect.buf_data(command->response, &command->shared.response) != DOCA_SUCCESS
            || engine->collect.buf_data_len(command->response, &length) != DOCA_SUCCESS)
        length = 0;
    command->shared.response_length = length;
    engine_finish(command);
}

/* Submits a command to the library; the caller holds the lock. */
static void submit(struct jurom_engine *engine, struct command *command, bool flush)
{
    doca_error_t status = DOCA_SUCCESS;

    if (command->plugin != command->shared.plugin) {
        engine->functions.set_plugin(command->native, command->shared.plugin);
        command->plugin = command->shared.plugin;
    }
    if (command->length != command->shared.length) {
        status = engine->functions.set_data(
                command->payload, command->shared.payload, command->shared.length);
        if (status == DOCA_SUCCESS)
            command->length = command->shared.length;
    }
    command->shared.refused = 0;
    if (command->shared.timeout != 0 && engine->functions.set_deadline != NULL)
        engine->functions.set_deadline(command->native, engine_now() + command->shared.timeout);
    if (status == DOCA_SUCCESS)
        status = engine->collect.submit_ex(
                command->task, flush ? DOCA_TASK_SUBMIT_FLAG_FLUSH : DOCA_TASK_SUBMIT_FLAG_NONE);
    if (status == DOCA_SUCCESS)
        return;
    command->shared.status = (int32_t)status;
    command->shared.refused = 1;
    command->shared.response_length = 0;
    engine_finish(command);
}

/* Submits a batch of commands of one worker. */
static void submit_batch(struct jurom_engine *engine, struct jurom_command *first)
{
    while (first != NULL) {
        struct jurom_command *next = first->next; /* read before its owner may reuse the command */

        submit(engine, (struct command *)first, next == NULL);
        first = next;
    }
}

static struct command *oldest_first(struct command *newest)
{
    struct command *oldest = NULL;

    while (newest != NULL) {
        struct command *before = newest->next;

        newest->next = oldest;
        oldest = newest;
        newest = before;
    }
    return oldest;
}

static void submit_queued(struct jurom_engine *engine)
{
    struct command *oldest = oldest_first(atomic_exchange(&engine->queue, NULL));

    while (oldest != NULL) {
        struct command *next = oldest->next;

        submit(engine, oldest,
                next == NULL
                        || engine->collect.task_context(next->task)
                                != engine->collect.task_context(oldest->task));
        oldest = next;
    }
}

/* Requests the cancellation of a command unless the use to be cancelled is over. */
static void send_cancel(struct jurom_engine *engine, struct command *command)
{
    uint64_t cancelled = atomic_exchange(&command->cancelled, 0);
    uint64_t state = __atomic_load_n(&command->shared.state, __ATOMIC_SEQ_CST);

    if (cancelled != 0 && (state & GENERATION) == (cancelled & GENERATION)
            && (state & JUROM_COMMAND_PENDING))
        engine->functions.cancel(command->native);
}

/*
 * Cancels commands; the caller holds the lock. Those in the queue were added to it before, and are
 * submitted first.
 */
static __attribute__((noinline)) void send_cancels(struct jurom_engine *engine)
{
    struct command *command = atomic_exchange(&engine->cancels, NULL);

    if (atomic_load(&engine->queue) != NULL)
        submit_queued(engine);
    while (command != NULL) {
        struct command *next = command->next_cancelled;

        atomic_store(&command->listed, 0);
        send_cancel(engine, command);
        command = next;
    }
}

/* Requests a notification of the next event; the caller holds the lock. */
static void arm(struct jurom_engine *engine)
{
    engine->functions.request_notification(engine->pe);
    engine->armed = true;
}

/* Progresses once; the caller holds the lock. */
static bool progress(struct jurom_engine *engine)
{
    struct jurom_completion_array *array = engine->array;
    bool ran;

    if (engine->armed) {
        engine->functions.clear_notification(engine->pe, engine->handle);
        engine->armed = false;
    }

    if (atomic_load_explicit(&engine->queue, memory_order_relaxed) != NULL)
        submit_queued(engine);
    if (atomic_load_explicit(&engine->cancels, memory_order_relaxed) != NULL)
        send_cancels(engine);
    if (array->delivered == array->appended) {
        array->delivered = 0;
        array->appended = 0;
    }
    ran = engine->collect.progress(engine->pe) != 0;
    if (array->appended != 0 && atomic_exchange(&engine->records, 1) == 0
            && atomic_load(&engine->thread_drives) == 0)
        engine_wake_thread(engine);
    return ran;
}

static bool is_done(const struct jurom_command *command)
{
    return (__atomic_load_n(&command->state, __ATOMIC_ACQUIRE) & JUROM_COMMAND_PENDING) == 0;
}

/* Returns the first command from `command` on that is not done, or NULL. */
static struct jurom_command *first_pending(struct jurom_command *command)
{
    while (command != NULL && is_done(command))
        command = command->next;
    return command;
}

/* Returns whether to read the clock: after some empty polls, or many polls in total. */
static bool is_clock_due(const struct limits *limits)
{
    return limits->empty % POLLS_PER_CLOCK == FIRST_CLOCK
            || (limits->spin == 0 && limits->empty != 0) || limits->all % PROGRESSES_PER_CLOCK == 0;
}

/* Counts a poll. Returns TIMED_OUT or IDLE if the clock is due and says so, else CONTINUE. */
static enum outcome check_limits(struct limits *limits, bool ran)
{
    uint64_t now;

    limits->empty = ran ? 0 : limits->empty + 1;
    ++limits->all;
    if (!is_clock_due(limits))
        return CONTINUE;
    now = engine_now();
    if (limits->deadline == 0)
        limits->deadline = now + limits->timeout;
    if (now >= limits->deadline)
        return TIMED_OUT;
    if (limits->empty <= FIRST_CLOCK)
        limits->idle_since = now;
    return limits->empty != 0 && now - limits->idle_since >= limits->spin ? IDLE : CONTINUE;
}

static enum outcome drive(
        struct jurom_engine *engine, struct jurom_command **pending, struct limits *limits)
{
    enum outcome outcome;

    limits->empty = 0;
    limits->all = 0;
    do {
        bool ran = progress(engine);

        *pending = first_pending(*pending);
        if (*pending == NULL)
            return DONE;
        if (atomic_load_explicit(&engine->wanted, memory_order_relaxed) != 0)
            return YIELDED;
        outcome = check_limits(limits, ran);
    } while (outcome == CONTINUE);
    return outcome;
}

static bool try_lock_or_request(struct jurom_engine *engine)
{
    bool locked = engine_try_lock(engine);

    if (locked || atomic_load(&engine->thread_drives) == 0)
        return locked;
    atomic_fetch_add(&engine->lock_requests, 1);
    for (unsigned i = 0; i < YIELD_SPINS && !locked; ++i) {
        pause_briefly();
        locked = engine_try_lock(engine);
    }
    atomic_fetch_sub(&engine->lock_requests, 1);
    return locked;
}

static void count_acquisition(struct jurom_engine *engine)
{
    unsigned before = atomic_load_explicit(&engine->acquisitions, memory_order_relaxed);

    atomic_store_explicit(&engine->acquisitions, before + 1, memory_order_relaxed);
}

/* Drives with the lock held, then releases it. Returns whether the caller may continue to wait. */
static bool drive_and_unlock(struct jurom_engine *engine, struct jurom_command **pending,
        struct limits *limits, bool may_sleep)
{
    enum outcome outcome = drive(engine, pending, limits);

    if (outcome == IDLE && may_sleep) {
        arm(engine);
        engine_sleep(engine, (struct command *)*pending, limits->deadline, true);
        return true;
    }
    engine_unlock(engine);
    return outcome == YIELDED && may_sleep;
}

static uint32_t await_batch(struct jurom_engine *engine, struct jurom_command *pending,
        struct limits *limits, bool may_sleep)
{
    bool keep_waiting = true;

    while (keep_waiting && (pending = first_pending(pending)) != NULL) {
        if (try_lock_or_request(engine)) {
            count_acquisition(engine);
            keep_waiting = drive_and_unlock(engine, &pending, limits, may_sleep);
            continue;
        }
        if (limits->deadline == 0)
            limits->deadline = engine_now() + limits->timeout;
        keep_waiting = may_sleep && engine_now() < limits->deadline;
        if (keep_waiting)
            engine_sleep(engine, (struct command *)pending, limits->deadline, false);
    }
    pending = first_pending(pending);
    engine_wake_successor(engine); /* this thread may have been woken to drive */
    return pending == NULL;
}

/* Changes the phase of a command of the calling thread: no other thread changes it before. */
static void begin(struct jurom_command *command, unsigned phase)
{
    uint64_t state = __atomic_load_n(&command->state, __ATOMIC_RELAXED);

    __atomic_store_n(&command->state, (state & GENERATION) | phase, __ATOMIC_RELAXED);
}

static void enqueue_batch(struct jurom_engine *engine, struct jurom_command *first)
{
    while (first != NULL) {
        struct jurom_command *next = first->next;

        engine_enqueue(engine, (struct command *)first);
        first = next;
    }
}

/*
 * Submits the queue unless the lock is held: its holder does if commands are unattended, or else
 * the caller that awaits its batch.
 */
static void submit_if_free(struct jurom_engine *engine)
{
    if (!engine_try_lock(engine))
        return;
    submit_queued(engine);
    engine_unlock(engine);
}

/*
 * Submits a batch if the lock is free, and keeps the lock; or else queues the batch. Returns
 * whether the lock is held.
 */
static bool submit_or_enqueue(struct jurom_engine *engine, struct jurom_command *first)
{
    for (struct jurom_command *command = first; command != NULL; command = command->next)
        begin(command, JUROM_COMMAND_PENDING);
    if (!try_lock_or_request(engine)) {
        enqueue_batch(engine, first);
        return false;
    }
    count_acquisition(engine);
    if (atomic_load_explicit(&engine->queue, memory_order_relaxed) != NULL)
        submit_queued(engine);
    submit_batch(engine, first);
    return true;
}

uint32_t jurom_engine_call(struct jurom_engine *engine, struct jurom_command *first,
        uint64_t timeout, uint64_t spin, uint32_t may_sleep)
{
    struct limits limits = { .timeout = timeout, .spin = spin };
    struct jurom_command *pending = first;

    if (submit_or_enqueue(engine, first)
            && !drive_and_unlock(engine, &pending, &limits, may_sleep != 0))
        return pending == NULL;
    return await_batch(engine, pending, &limits, may_sleep != 0);
}

void jurom_engine_begin(struct jurom_engine *engine, struct jurom_command *first)
{
    if (submit_or_enqueue(engine, first))
        engine_unlock(engine);
    else
        submit_if_free(engine);
}

uint32_t jurom_engine_await(struct jurom_engine *engine, struct jurom_command *first,
        uint64_t timeout, uint64_t spin, uint32_t may_sleep)
{
    struct limits limits = { .timeout = timeout, .spin = spin };

    return await_batch(engine, first, &limits, may_sleep != 0);
}

uint32_t jurom_command_leave(struct jurom_command *command, uint32_t cancel)
{
    struct jurom_engine *engine = ((struct command *)command)->engine;
    uint64_t pending = (__atomic_load_n(&command->state, __ATOMIC_RELAXED) & GENERATION)
            | JUROM_COMMAND_PENDING;

    /*
     * The exchange must be last: after it, the engine thread may free the command and the engine.
     */
    atomic_fetch_add(&engine->unattended, 1);
    if (cancel != 0 && engine->functions.cancel != NULL)
        engine_request_cancel(engine, (struct command *)command, pending);
    engine_wake_successor(engine);
    if (__atomic_compare_exchange_n(&command->state, &pending, pending | JUROM_COMMAND_DELIVER,
                false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
        return 1;
    atomic_fetch_sub(&engine->unattended, 1);
    return 0;
}

uint32_t jurom_command_adopt(struct jurom_command *command, uint64_t state)
{
    struct jurom_engine *engine = ((struct command *)command)->engine;
    uint64_t left = (state & GENERATION) | JUROM_COMMAND_PENDING | JUROM_COMMAND_DELIVER;

    if (!__atomic_compare_exchange_n(&command->state, &left,
                left & ~(uint64_t)JUROM_COMMAND_DELIVER, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
        return 0;
    atomic_fetch_sub(&engine->unattended, 1);
    return 1;
}

void jurom_command_cancel(struct jurom_command *command, uint64_t state)
{
    struct jurom_engine *engine = ((struct command *)command)->engine;

    if (engine->functions.cancel == NULL
            || (__atomic_load_n(&command->state, __ATOMIC_SEQ_CST) & GENERATION)
                    != (state & GENERATION))
        return;
    engine_request_cancel(engine, (struct command *)command, state);
    engine_wake_successor(engine);
}

void jurom_engine_submit(struct jurom_engine *engine, struct jurom_command *command)
{
    atomic_fetch_add(&engine->submitters, 1);
    atomic_fetch_add(&engine->unattended, 1);
    begin(command, JUROM_COMMAND_PENDING | JUROM_COMMAND_DELIVER);
    engine_enqueue(engine, (struct command *)command);
    submit_if_free(engine);
    atomic_fetch_sub(&engine->submitters, 1);
}

/* Returns whether the driving engine thread has something to do in Java. */
static bool is_due_in_java(struct jurom_engine *engine, bool ran, const struct limits *limits)
{
    if (atomic_load_explicit(&engine->records, memory_order_relaxed) != 0
            || atomic_load_explicit(&engine->wake_requested, memory_order_relaxed) != 0)
        return true;
    return (!ran || (limits->all + 1) % DELIVERED_AT_ONCE == 0)
            && atomic_load_explicit(&engine->delivered, memory_order_relaxed) != NULL;
}

/* Drives in the engine thread, which holds the lock. */
static enum outcome drive_until_due(struct jurom_engine *engine, struct limits *limits, bool active)
{
    enum outcome outcome;

    limits->empty = 0;
    limits->all = 0;
    do {
        bool ran = progress(engine);

        if (atomic_load_explicit(&engine->lock_requests, memory_order_relaxed) != 0)
            return YIELDED;
        if (is_due_in_java(engine, ran, limits))
            return DONE;
        if (!active && atomic_load_explicit(&engine->unattended, memory_order_relaxed) == 0)
            return DONE;
        outcome = check_limits(limits, ran);
    } while (outcome == CONTINUE);
    return outcome;
}

/* Releases the lock to callers that have asked for it, or else like engine_unlock. */
static void yield_lock(struct jurom_engine *engine)
{
    atomic_exchange(&engine->locked, 0);
    if (atomic_load(&engine->lock_requests) == 0)
        engine_wake_successor(engine);
}

static void drive_in_thread(struct jurom_engine *engine, struct limits *limits, bool active)
{
    enum outcome outcome;

    atomic_store(&engine->thread_drives, 1);
    outcome = drive_until_due(engine, limits, active);
    atomic_store(&engine->thread_drives, 0);
    if (outcome == IDLE) {
        arm(engine);
        engine_thread_sleep(engine, limits->deadline, true);
    } else if (outcome == YIELDED) {
        yield_lock(engine);
    } else if (outcome == TIMED_OUT) {
        engine_unlock(engine);
    } else {
        engine_unlock_in_thread(engine);
    }
}

static uint32_t take_events(struct jurom_engine *engine)
{
    return (atomic_exchange(&engine->records, 0) != 0 ? JUROM_ENGINE_RECORDS : 0)
            | (atomic_exchange(&engine->wake_requested, 0) != 0 ? JUROM_ENGINE_WOKEN : 0);
}

/*
 * Returns the time at which the engine thread may sleep on the notification handle, unless callers
 * drive until then.
 */
static uint64_t earliest_watch(struct jurom_engine *engine, uint64_t now)
{
    unsigned acquisitions = atomic_load_explicit(&engine->acquisitions, memory_order_relaxed);

    if (acquisitions != engine->seen_acquisitions) {
        engine->seen_acquisitions = acquisitions;
        engine->seen_at = now;
    }
    return engine->seen_at + QUIET_NS;
}

/* Sleeps until an idle context has an event. The caller holds the lock, which this releases. */
static void watch(struct jurom_engine *engine, uint64_t deadline)
{
    while (progress(engine))
        continue;
    arm(engine);
    engine_thread_sleep(engine, deadline, true);
}

static uint64_t earlier(uint64_t one, uint64_t other)
{
    return one < other ? one : other;
}

uint32_t jurom_engine_run(
        struct jurom_engine *engine, uint64_t timeout, uint64_t spin, uint32_t active)
{
    struct limits limits = { .deadline = engine_now() + timeout, .spin = spin };

    for (;;) {
        uint32_t events = take_events(engine);
        uint64_t now = engine_now();
        struct command *self = &engine->thread;
        uint64_t watch_at;

        if (events != 0 || atomic_load(&engine->delivered) != NULL || now >= limits.deadline)
            return events;
        watch_at = earliest_watch(engine, now);
        if (atomic_compare_exchange_strong(&engine->successor, &self, NULL) || active != 0
                || (atomic_load(&engine->unattended) != 0 && engine_needs_driver(engine))) {
            if (engine_try_lock(engine))
                drive_in_thread(engine, &limits, active != 0);
            else
                engine_thread_sleep(engine, earlier(now + QUIET_NS, limits.deadline), false);
        } else if (watch_at <= now && engine_try_lock(engine)) {
            watch(engine, limits.deadline);
        } else {
            if (engine_needs_driver(engine))
                engine_wake_successor(engine); /* this thread was their watcher */
            engine_thread_sleep(engine,
                    earlier(watch_at > now ? watch_at : now + QUIET_NS, limits.deadline), false);
        }
    }
}

struct jurom_command *jurom_engine_receive(struct jurom_engine *engine)
{
    struct command *oldest = oldest_first(atomic_exchange(&engine->delivered, NULL));

    for (struct command *command = oldest; command != NULL; command = command->next)
        command->shared.next = command->next == NULL ? NULL : &command->next->shared;
    return oldest == NULL ? NULL : &oldest->shared;
}

void jurom_engine_wake(struct jurom_engine *engine)
{
    if (atomic_exchange(&engine->wake_requested, 1) == 0)
        engine_wake_thread(engine);
}
