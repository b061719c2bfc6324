/* SPDX-License-Identifier: Apache-2.0 */
/* Actions at fault points. They run in forked children and JVMs, so they never allocate or lock. */
#include <errno.h>
#include <signal.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "faults.h"
#include "table.h"

#define SECOND 1000000000u
#define BIT(action) (1u << (action))
#define ANYWHERE (BIT(FAULT_DELAY) | BIT(FAULT_KILL) | BIT(FAULT_STOP) | BIT(FAULT_SEGV))
#define ANSWERS (BIT(FAULT_SILENCE) | BIT(FAULT_TWICE) | BIT(FAULT_WRONG_CONTEXT))

_Static_assert(FAULT_POINTS <= FAULTS_NATIVE, "the rows of the points in Java follow");

static uint64_t monotonic_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * SECOND + (uint64_t)now.tv_nsec;
}

/* Decrements a positive count. Returns false if it is 0; a negative count is unlimited. */
static bool take_one(_Atomic int64_t *count)
{
    int64_t left = atomic_load(count);

    while (left > 0) {
        if (atomic_compare_exchange_weak(count, &left, left - 1))
            return true;
    }
    return left < 0;
}

static void note(unsigned point, uint32_t action, uint64_t argument)
{
    uint64_t number = atomic_fetch_add(&faults_table->next_event, 1);
    struct fault_event *event;

    if (number >= FAULTS_EVENTS)
        return;
    event = &faults_table->event[number];
    event->point = point;
    event->action = action;
    event->process_id = (uint32_t)getpid();
    event->role = faults_role;
    event->argument = argument;
    atomic_store_explicit(&event->monotonic_ns, monotonic_ns(), memory_order_release);
}

/* Returns the point's row if one of these actions is to happen now, else NULL. */
static const struct fault_row *fires(unsigned point, uint32_t actions, enum fault_action *action)
{
    struct fault_row *row = &faults_table->row[point];
    uint32_t set = atomic_load_explicit(&row->action, memory_order_acquire);

    if (set == FAULT_NONE || set > FAULT_WRONG_LENGTH || !(actions & BIT(set))
            || !(row->roles & faults_role)
            || (row->process_id != 0 && row->process_id != (uint32_t)getpid()))
        return NULL;
    if (atomic_load(&row->skip) > 0 && take_one(&row->skip))
        return NULL;
    if (!take_one(&row->times))
        return NULL;
    *action = (enum fault_action)set;
    note(point, set, row->argument);
    return row;
}

static void delay(uint64_t nanoseconds)
{
    struct timespec left = {
        .tv_sec = (time_t)(nanoseconds / SECOND),
        .tv_nsec = (long)(nanoseconds % SECOND),
    };

    while (clock_nanosleep(CLOCK_MONOTONIC, 0, &left, &left) == EINTR)
        continue;
}

/* Writes through a bad pointer, because a SIGSEGV sent by kill could be blocked. */
__attribute__((noinline, no_sanitize("address", "undefined"))) static void segment_fault(void)
{
    static char *volatile nowhere = (char *)8;

    *(volatile char *)nowhere = 0;
}

/* Counts a reach and performs the actions common to all points; the caller performs the others. */
static const struct fault_row *reach(unsigned point, uint32_t actions, enum fault_action *action)
{
    const struct fault_row *row;
    int error = errno;

    *action = FAULT_NONE;
    if (faults_table == NULL)
        return NULL;
    atomic_fetch_add_explicit(&faults_table->row[point].reached, 1, memory_order_relaxed);
    row = fires(point, actions, action);
    if (*action == FAULT_DELAY)
        delay(row->argument);
    else if (*action == FAULT_KILL)
        kill(getpid(), SIGKILL);
    else if (*action == FAULT_STOP)
        kill(getpid(), SIGSTOP);
    else if (*action == FAULT_SEGV)
        segment_fault();
    errno = error;
    return row;
}

void fault_reach(unsigned point)
{
    enum fault_action action;

    reach(point, ANYWHERE, &action);
}

void fault_connection(unsigned point, int fd)
{
    enum fault_action action;
    int error = errno;

    reach(point, ANYWHERE | BIT(FAULT_DROP), &action);
    if (action == FAULT_DROP)
        shutdown(fd, SHUT_RDWR);
    errno = error;
}

bool fault_fails(unsigned point)
{
    enum fault_action action;
    const struct fault_row *row = reach(point, ANYWHERE | BIT(FAULT_FAIL), &action);

    if (action != FAULT_FAIL)
        return false;
    errno = row->argument == 0 ? EIO : (int)row->argument;
    return true;
}

/* Never returns 0 for a positive length, because 0 would mean end of stream. */
size_t fault_length(unsigned point, size_t length)
{
    enum fault_action action = FAULT_NONE;
    const struct fault_row *row = faults_table == NULL ? NULL
                                                       : fires(point, BIT(FAULT_SHORT), &action);

    if (action != FAULT_SHORT || length <= row->argument)
        return length;
    return row->argument == 0 && length > 0 ? 1 : (size_t)row->argument;
}

void fault_bytes(unsigned point, const void *bytes, size_t length)
{
    enum fault_action action;
    const struct fault_row *row = reach(point, BIT(FAULT_CORRUPT), &action);

    if (action == FAULT_CORRUPT && length > 0)
        ((uint8_t *)(uintptr_t)bytes)[row->argument % length] ^= (uint8_t)(row->argument2 == 0
                        ? 1
                        : row->argument2);
}

int64_t fault_jump(unsigned point)
{
    static _Atomic int64_t jumped; /* shared by all clocks of this process */
    enum fault_action action;
    const struct fault_row *row = reach(point, BIT(FAULT_JUMP), &action);

    if (action == FAULT_JUMP)
        atomic_fetch_add(&jumped, (int64_t)row->argument);
    return atomic_load(&jumped);
}

enum fault_action fault_answer(unsigned point)
{
    enum fault_action action;

    reach(point, ANSWERS, &action);
    return action;
}

void fault_worker(uint64_t id)
{
    uint64_t number;

    if (faults_table == NULL)
        return;
    number = atomic_fetch_add(&faults_table->next_worker, 1);
    if (number >= FAULTS_WORKERS)
        return;
    faults_table->worker[number].id = id;
    atomic_store_explicit(
            &faults_table->worker[number].process_id, (uint64_t)getpid(), memory_order_release);
}

size_t fault_answer_length(unsigned point, size_t length)
{
    enum fault_action action = FAULT_NONE;
    const struct fault_row *row = faults_table == NULL
            ? NULL
            : fires(point, BIT(FAULT_WRONG_LENGTH), &action);

    return row == NULL ? length : row->argument == 0 ? SIZE_MAX : (size_t)row->argument;
}
