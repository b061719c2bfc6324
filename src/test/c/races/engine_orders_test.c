/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The lock of a shared engine, in the orders of what two or three threads do: callers that wait or
 * leave, submitters, and the engine thread. No sleep ends by a time-out, which would make up for a
 * wake-up that was lost. ENGINE and ENGINE_LOCK are the sources.
 */
#include <linux/futex.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "completion.h"

#undef SLEEPER_SLOTS
#define SLEEPER_SLOTS 3 /* all that can sleep */

#include "under_explorer.h"

/* Steps of commands are checked against the table of the library. */
static void checked_store(void *at, uint64_t value, int order);
static uint64_t checked_and(void *at, uint64_t value, int order);
static bool checked_compare_exchange(void *at, uint64_t *expected, uint64_t value);
#define explorer_store checked_store
#define explorer_and checked_and
#define explorer_compare_exchange checked_compare_exchange

/* Descriptors are bells. */
#define HANDLE 1
#define WATCHER_BELL 2
#define THREAD_BELL 3

#define eventfd_write(bell, count) (explorer_ring((unsigned)(bell)), (count)-1)
#define eventfd_read(bell, count) (explorer_silence((unsigned)(bell)), *(count) = 0, 0)
#define ppoll sleep_at
#define syscall(number, ...) sleep_or_wake(__VA_ARGS__)
#define clock_gettime(clock, now) tell_time(now)

static bool time_passes; /* with each look at the clock; else none does */
static unsigned looks;

static void tell_time(struct timespec *now)
{
    looks += time_passes;
    *now = (struct timespec){ .tv_sec = 1 + looks };
}

static void sleep_or_wake(const uint32_t *at, int operation, uint32_t value,
        const struct timespec *timeout, const void *other, unsigned bits)
{
    (void)timeout;
    (void)other;
    (void)bits;
    if (operation == FUTEX_WAKE_PRIVATE)
        explorer_wake(at);
    else
        explorer_wait(at, value);
}

static void sleep_at(const struct pollfd *descriptors, unsigned count,
        const struct timespec *timeout, const void *signals)
{
    unsigned set = 0;

    (void)timeout;
    (void)signals;
    for (unsigned i = 0; i < count; ++i) {
        if (descriptors[i].fd >= 0)
            set |= 1u << descriptors[i].fd;
    }
    explorer_sleep(set);
}

#include ENGINE
#include ENGINE_LOCK
#include ENGINE_STEPS

#undef explorer_store
#undef explorer_and
#undef explorer_compare_exchange

#define FOREVER (UINT64_MAX / 4)
#define COMMANDS 3 /* one of each thread */

/* Acts of a thread, which has a sequence of them. */
#define CALLS 'c'        /* and sleeps */
#define CALLS_SLOWLY 's' /* the same; the device answers when all threads sleep */
#define SUBMITS 'u'
#define SUBMITS_SLOWLY 'v'
#define LEAVES 'l'       /* calls slowly, does not sleep, and leaves the command */
#define LEAVES_EARLY 'm' /* the same, and the device answers at once */
#define JOINS 'j'        /* submits a command, and awaits it unless it is done */
#define JOINS_SLOWLY 'k'
#define JOINS_AND_LEAVES 'n' /* submits slowly, takes the command back, and leaves it again */
#define CANCELS 'x'          /* leaves and cancels a command that the device answers only then */
#define CANCELS_LATER 'y'    /* submits such a command, then cancels it */
#define CANCELS_IN_VAIN 'z'  /* leaves and cancels a command that the device answers at once */
#define LOCKS 'w'            /* the engine thread: takes the lock and releases it */
#define RUNS 'e'             /* the engine thread: runs until all other threads have ended */
#define RUNS_SLOWLY 'f'      /* the same, and time passes */

static struct jurom_engine engine;
static struct jurom_completion_array array;
static struct command commands[COMMANDS];
static struct device {
    struct command *ready[COMMANDS]; /* answered, in order */
    unsigned readies;
    struct command *slow[COMMANDS];
    unsigned slows;
    bool busy;
    bool armed;
    bool is_slow[COMMANDS];
    bool is_held[COMMANDS]; /* until it is cancelled */
    bool cancelled[COMMANDS];
    unsigned begun[COMMANDS];
    unsigned submitted[COMMANDS];
    unsigned completed[COMMANDS];
    unsigned left[COMMANDS];
    unsigned received[COMMANDS];
    uint64_t states[COMMANDS]; /* of the commands */
    unsigned working;          /* threads other than the engine thread that have not ended */
} device;
static const char *acts[EXPLORER_THREADS];

/* Fails if a change of a state is not a step. `device.states` has the newest ones. */
static void check_step(const void *at, uint64_t value)
{
    for (unsigned i = 0; i < COMMANDS; ++i) {
        uint64_t *state = &device.states[i];
        const struct jurom_command_step *step = jurom_command_steps();

        if (at != &commands[i].shared.state || value == *state)
            continue;
        while (step->from != step->to
                && (step->from != (uint32_t)*state || step->to != (uint32_t)value
                        || (uint64_t)step->generations != (value >> 32) - (*state >> 32)))
            ++step;
        explorer_require(step->from != step->to, "a command takes a step that is not in the table");
        *state = value;
    }
}

static void checked_store(void *at, uint64_t value, int order)
{
    explorer_store(at, value, order);
    check_step(at, value);
}

static uint64_t checked_and(void *at, uint64_t value, int order)
{
    uint64_t before = explorer_and(at, value, order);

    check_step(at, before & value);
    return before;
}

static bool checked_compare_exchange(void *at, uint64_t *expected, uint64_t value)
{
    bool was = explorer_compare_exchange(at, expected, value);

    if (was)
        check_step(at, value);
    return was;
}

static void enter(void)
{
    explorer_require(!device.busy, "two threads hold the lock");
    device.busy = true;
    explorer_step(0);
}

static uint64_t exit_with(uint64_t value)
{
    device.busy = false;
    explorer_step(value);
    return value;
}

static uint8_t device_progress(struct doca_pe *pe)
{
    struct command *command;

    (void)pe;
    enter();
    if (device.readies == 0)
        return (uint8_t)exit_with(0);
    command = device.ready[0];
    --device.readies;
    for (unsigned i = 0; i < device.readies; ++i)
        device.ready[i] = device.ready[i + 1];
    ++device.completed[command - commands];
    engine_complete(NULL, (union doca_data){ .ptr = command }, (union doca_data){ .u64 = 0 });
    return (uint8_t)exit_with(1 + (uint64_t)(command - commands));
}

static doca_error_t device_submit(struct doca_task *task, uint32_t flags)
{
    struct command *command = (struct command *)task;
    size_t number = (size_t)(command - commands);

    (void)flags;
    enter();
    explorer_require(
            device.submitted[number] == device.completed[number], "a command is submitted twice");
    ++device.submitted[number];
    if (device.is_held[number])
        device.cancelled[number] = false;
    else if (device.is_slow[number])
        device.slow[device.slows++] = command;
    else
        device.ready[device.readies++] = command;
    exit_with(number);
    return DOCA_SUCCESS;
}

static doca_error_t device_cancel(struct doca_urom_worker_cmd_task *task)
{
    struct command *command = (struct command *)task;
    size_t number = (size_t)(command - commands);

    enter();
    explorer_require(device.submitted[number] == device.completed[number] + 1,
            "a command is cancelled that is not in flight");
    if (device.is_held[number] && !device.cancelled[number])
        device.ready[device.readies++] = command;
    device.cancelled[number] = true;
    exit_with(number);
    return DOCA_SUCCESS;
}

static doca_error_t device_request(struct doca_pe *pe)
{
    (void)pe;
    enter();
    device.armed = true;
    if (device.readies != 0)
        explorer_ring(HANDLE);
    exit_with(0);
    return DOCA_SUCCESS;
}

static doca_error_t device_clear(struct doca_pe *pe, int handle)
{
    (void)pe;
    enter();
    device.armed = false;
    explorer_silence((unsigned)handle);
    exit_with(0);
    return DOCA_SUCCESS;
}

/* The device answers the slow commands if all threads sleep and all commands are submitted. */
static bool device_answers(void)
{
    if (device.slows == 0)
        return false;
    for (unsigned i = 0; i < COMMANDS; ++i) {
        if (device.begun[i] != device.submitted[i])
            return false;
    }
    for (unsigned i = 0; i < device.slows; ++i)
        device.ready[device.readies++] = device.slow[i];
    device.slows = 0;
    if (device.armed)
        explorer_ring_from_outside(HANDLE);
    return true;
}

static struct doca_ctx *device_context(const struct doca_task *task)
{
    (void)task;
    return NULL;
}

static doca_error_t device_status(const struct doca_task *task)
{
    (void)task;
    return DOCA_SUCCESS;
}

static doca_error_t device_data(const struct doca_buf *buf, void **data)
{
    (void)buf;
    *data = NULL;
    return DOCA_SUCCESS;
}

static doca_error_t device_length(const struct doca_buf *buf, size_t *length)
{
    (void)buf;
    *length = 0;
    return DOCA_SUCCESS;
}

static bool is_engine_thread(unsigned number)
{
    return strpbrk(acts[number], (const char[]){ RUNS, RUNS_SLOWLY, '\0' }) != NULL;
}

static void make_all(void)
{
    looks = 0;
    time_passes = false;
    memset(&device, 0, sizeof(device));
    memset(commands, 0, sizeof(commands));
    engine = (struct jurom_engine){
        .array = &array,
        .collect = {
            .progress = device_progress,
            .submit_ex = device_submit,
            .task_context = device_context,
            .task_status = device_status,
            .buf_data = device_data,
            .buf_data_len = device_length,
        },
        .functions = {
            .request_notification = device_request,
            .clear_notification = device_clear,
            .cancel = device_cancel,
        },
        .handle = HANDLE,
        .watcher_doorbell = WATCHER_BELL,
        .thread_doorbell = THREAD_BELL,
    };
    for (unsigned i = 0; i < COMMANDS; ++i) {
        commands[i].engine = &engine;
        commands[i].task = (struct doca_task *)&commands[i];
        commands[i].native = (struct doca_urom_worker_cmd_task *)&commands[i];
        time_passes = time_passes || (acts[i] != NULL && strchr(acts[i], RUNS_SLOWLY) != NULL);
        device.working += acts[i] != NULL && !is_engine_thread(i);
    }
}

static uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t length)
{
    const uint64_t *words = bytes;

    for (size_t i = 0; i < length / sizeof(*words); ++i)
        hash = (hash ^ words[i]) * 0x9e3779b97f4a7c15u ^ hash >> 32;
    return hash;
}

/* Hashes the variables that are not atomic. */
static uint64_t hash_all(void)
{
    uint64_t hash = hash_bytes(1, &device, sizeof(device));

    for (unsigned i = 0; i < COMMANDS; ++i)
        hash = hash_bytes(hash, &commands[i].next, sizeof(commands[i].next))
                + commands[i].shared.status;
    for (unsigned i = 0; i < COMMANDS; ++i)
        hash = hash_bytes(hash, &commands[i].next_cancelled, sizeof(commands[i].next_cancelled));
    return hash + looks * 16 + engine.seen_acquisitions * 4 + engine.armed;
}

static void require_completed(unsigned number)
{
    explorer_require(device.submitted[number] == device.completed[number],
            "a call has ended before its command");
}

static void leave_command(unsigned number, uint32_t cancel)
{
    struct jurom_command *command = &commands[number].shared;

    if (jurom_engine_call(&engine, command, FOREVER, 0, 0) == 0
            && jurom_command_leave(command, cancel) != 0)
        ++device.left[number];
    else
        require_completed(number);
}

static void submit_command(unsigned number)
{
    ++device.left[number];
    jurom_engine_submit(&engine, &commands[number].shared);
}

/* A thread that takes a command back awaits it; otherwise the engine thread receives it. */
static void join_command(unsigned number, bool leaves)
{
    struct jurom_command *command = &commands[number].shared;

    submit_command(number);
    if (jurom_command_adopt(command, 0) == 0)
        return;
    --device.left[number];
    explorer_step(device.left[number]);
    if (!leaves)
        explorer_require(jurom_engine_await(&engine, command, FOREVER, 0, 1) == 1,
                "a command has not ended after its caller adopted it");
    else if (jurom_command_leave(command, 0) != 0)
        ++device.left[number];
    if (!leaves)
        require_completed(number);
}

static bool all_received(void)
{
    bool all = true;

    for (unsigned i = 0; i < COMMANDS; ++i)
        all = all && device.received[i] == device.left[i];
    return all;
}

static void run_as_engine_thread(void)
{
    while (device.working != 0 || !all_received()) {
        struct jurom_command *command;

        jurom_engine_run(&engine, FOREVER, 0, 0);
        for (command = jurom_engine_receive(&engine); command != NULL; command = command->next) {
            size_t number = (size_t)((struct command *)command - commands);

            explorer_step(number);
            ++device.received[number];
            explorer_require(device.received[number] <= device.completed[number],
                    "a command is received twice, or before it has completed");
        }
        explorer_step(device.working);
    }
}

static void act(unsigned number, char what)
{
    struct jurom_command *command = &commands[number].shared;

    device.begun[number] += what != LOCKS && !is_engine_thread(number);
    device.is_held[number] = what == CANCELS || what == CANCELS_LATER;
    device.is_slow[number] = what == CALLS_SLOWLY || what == SUBMITS_SLOWLY || what == LEAVES
            || what == JOINS_SLOWLY || what == JOINS_AND_LEAVES;
    if (what == CALLS || what == CALLS_SLOWLY) {
        explorer_require(
                jurom_engine_call(&engine, command, FOREVER, 0, 1) == 1, "a call has not ended");
        require_completed(number);
    } else if (what == SUBMITS || what == SUBMITS_SLOWLY) {
        submit_command(number);
    } else if (what == JOINS || what == JOINS_SLOWLY || what == JOINS_AND_LEAVES) {
        join_command(number, what == JOINS_AND_LEAVES);
    } else if (what == LEAVES || what == LEAVES_EARLY) {
        leave_command(number, 0);
    } else if (what == CANCELS || what == CANCELS_IN_VAIN) {
        leave_command(number, 1);
    } else if (what == CANCELS_LATER) {
        submit_command(number);
        jurom_command_cancel(command, 0);
    } else if (what == LOCKS) {
        jurom_engine_lock(&engine);
        enter();
        exit_with(0);
        jurom_engine_unlock(&engine);
    } else {
        run_as_engine_thread();
    }
}

static void run(unsigned number)
{
    for (const char *what = acts[number]; *what != '\0'; ++what)
        act(number, *what);
    if (!is_engine_thread(number)) {
        explorer_step(0);
        if (--device.working == 0 && all_received())
            jurom_engine_wake(&engine);
    }
}

static void run_first(void)
{
    run(0);
}

static void run_second(void)
{
    run(1);
}

static void run_third(void)
{
    run(2);
}

#define CELL(field) \
    { \
        &(field), sizeof(field), 1, false \
    }

static const struct explorer_memory memory[] = {
    CELL(engine.locked),
    CELL(engine.wanted),
    CELL(engine.sleepers),
    CELL(engine.unattended),
    CELL(engine.acquisitions),
    CELL(engine.queue),
    CELL(engine.successor),
    CELL(engine.lock_requests),
    CELL(engine.thread_drives),
    CELL(engine.delivered),
    CELL(engine.records),
    CELL(engine.wake_requested),
    { engine.slots, SLEEPER_SLOTS * sizeof(*engine.slots), 1, false },
    CELL(engine.next_slot),
    CELL(engine.watcher),
    CELL(engine.thread.shared.state),
    CELL(commands[0].shared.state),
    CELL(commands[1].shared.state),
    CELL(commands[2].shared.state),
    CELL(engine.submitters),
    CELL(engine.cancels),
    CELL(commands[0].listed),
    CELL(commands[1].listed),
    CELL(commands[2].listed),
    CELL(commands[0].cancelled),
    CELL(commands[1].cancelled),
    CELL(commands[2].cancelled),
};

struct row {
    const char *acts[EXPLORER_THREADS];
    unsigned preemptions;
    bool strays;
};

/* Prints one line; and the order that went wrong, if one did. */
static bool explore_row(const struct row *row)
{
    struct explorer_program program = {
        .begin = make_all,
        .thread = { run_first, run_second, row->acts[2] == NULL ? NULL : run_third },
        .memory = memory,
        .memories = sizeof(memory) / sizeof(*memory),
        .strays = row->strays,
        .preemptions = row->preemptions,
        .happens = device_answers,
        .hash = hash_all,
    };
    struct explorer_figures figures;
    const char *wrong;

    for (unsigned i = 0; i < EXPLORER_THREADS; ++i)
        acts[i] = row->acts[i];
    wrong = explore(&program, &figures);
    printf("%-3s %-3s %-3s %8llu orders of %u preemptions%s, %8llu states: %s\n", acts[0], acts[1],
            acts[2] == NULL ? "" : acts[2], (unsigned long long)figures.orders, row->preemptions,
            row->strays ? " and others' wake-ups" : "", (unsigned long long)figures.states,
            wrong == NULL ? "nothing wrong" : wrong);
    fflush(stdout);
    return wrong == NULL;
}

static bool explore_rows(const struct row *row)
{
    while (row->acts[0] != NULL && explore_row(row))
        ++row;
    return row->acts[0] == NULL;
}

int main(void)
{
    static const struct row rows[] = {
        { { "cc", "c" }, 4, false },
        { { "s", "s" }, 4, false },
        { { "s", "cc" }, 3, false },
        { { "s", "s" }, 2, true },
        { { "s", "c" }, 2, true },
        { { "u", "e" }, 4, false },
        { { "v", "e" }, 3, true },
        { { "l", "e" }, 3, true },
        { { "m", "e" }, 4, false },
        { { "s", "we" }, 2, true },
        { { "x", "e" }, 3, false },
        { { "y", "e" }, 3, false },
        { { "z", "e" }, 3, false },
        { { "j", "e" }, 3, false },
        { { "k", "e" }, 2, false },
        { { "n", "e" }, 2, false },
        { { "c", "s", "e" }, 2, false },
        { { "s", "s", "e" }, 2, false },
        { { "j", "s", "e" }, 1, false },
        { { "k", "c", "e" }, 1, false },
        { { "n", "s", "e" }, 1, false },
        { { "u", "c", "e" }, 2, false },
        { { "u", "s", "e" }, 2, false },
        { { "l", "c", "e" }, 2, false },
        { { "l", "s", "e" }, 2, false },
        { { "m", "s", "e" }, 2, false },
        { { "v", "v", "e" }, 2, false },
        { { "x", "s", "e" }, 1, false },
        { { "x", "x", "e" }, 1, false },
        { { "y", "c", "e" }, 2, false },
        { { "z", "s", "e" }, 2, false },
        { { "s", "c", "we" }, 2, false },
        { { "c", "s", "f" }, 2, false },
        { { "u", "s", "f" }, 2, false },
        { { "l", "c", "f" }, 2, false },
        { { "s", "s", "s" }, 2, false },
        { { "s", "s", "c" }, 2, false },
        { { "ss", "s", "e" }, 2, false },
        { { NULL }, 0, false },
    };
    static const struct row more[] = {
        { { "s", "s" }, 6, false },
        { { "s", "s" }, 3, true },
        { { "s", "s", "e" }, 3, false },
        { { "s", "c", "e" }, 3, false },
        { { "u", "c", "e" }, 3, false },
        { { "s", "c", "we" }, 3, false },
        { { "s", "s", "s" }, 3, false },
        { { "s", "s", "c" }, 3, false },
        { { "c", "c", "c" }, 3, false },
        { { "v", "l", "e" }, 3, false },
        { { "x", "s", "e" }, 2, false },
        { { "x", "x", "e" }, 2, false },
        { { "v", "s", "e" }, 3, false },
        { { "j", "e" }, 4, false },
        { { "k", "e" }, 3, true },
        { { "n", "e" }, 3, false },
        { { "k", "k", "e" }, 2, false },
        { { "n", "s", "e" }, 2, false },
        { { NULL }, 0, false },
    };
    const char *is_long = getenv("JUROM_LONG");
    bool good = explore_rows(rows);

    if (good && is_long != NULL && strcmp(is_long, "true") == 0)
        good = explore_rows(more);
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
