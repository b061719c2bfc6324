/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An engine thread, callers that wait, time out or abandon commands, and threads that submit: each
 * command completes once, with its own response, and no wake-up is lost.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory_device.h"

#define THREADS_MAX 80 /* more than the engine has slots for sleepers */
#define COMMANDS 4     /* of each thread */
#define PLUGIN 7
#define MICROSECOND 1000u
#define SECOND 1000000000u
#define LOST_AFTER (20ull * SECOND)

enum state { OWNED, SUBMITTED }; /* SUBMITTED: until the engine thread receives it */

struct member {
    pthread_t thread;
    bool submits;
    uint64_t random;
    uint64_t count; /* completed commands */
    struct jurom_command *commands[COMMANDS];
    uint64_t numbers[COMMANDS];
    atomic_int states[COMMANDS];
};

static struct doca_pe pe;
static struct doca_urom_worker worker = { .pe = &pe };
static struct jurom_completion_array *array;
static struct jurom_engine *engine;
static struct member members[THREADS_MAX];
static unsigned members_used;
static uint64_t end;
static atomic_uint ended;
static uint64_t received;

static void require(bool holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "%s\n", what);
    abort();
}

static void check(const struct member *member, unsigned i)
{
    const struct jurom_command *command = member->commands[i];
    uint64_t number;

    require((__atomic_load_n(&command->state, __ATOMIC_ACQUIRE) & JUROM_COMMAND_PENDING) == 0,
            "a completed command is pending");
    if (command->refused != 0) {
        require(command->status == DOCA_ERROR_NO_MEMORY, "a rejected command has the wrong status");
        return;
    }
    require(command->status == DOCA_SUCCESS && command->response_length == sizeof(number),
            "a command has failed");
    memcpy(&number, command->response, sizeof(number));
    require(number == member->numbers[i] + 1, "a command has another one's response");
}

static void pack(struct member *member, unsigned i, struct jurom_command *next)
{
    struct jurom_command *command = member->commands[i];

    member->numbers[i] += THREADS_MAX * COMMANDS;
    memcpy(command->payload, &member->numbers[i], sizeof(member->numbers[i]));
    command->length = sizeof(member->numbers[i]);
    command->plugin = PLUGIN + device_random(&member->random, 2);
    command->next = next;
}

static void wait_until_owned(struct member *member, unsigned i)
{
    uint64_t late = device_now() + LOST_AFTER;

    while (atomic_load(&member->states[i]) == SUBMITTED) {
        require(device_now() < late, "the engine thread has not received a command");
        sched_yield();
    }
}

/* Abandons the pending commands of a batch; the others have completed. */
static void leave(struct member *member, unsigned count)
{
    for (unsigned i = 0; i < count; ++i) {
        atomic_store(&member->states[i], SUBMITTED);
        if (jurom_command_leave(member->commands[i], (uint32_t)device_random(&member->random, 2))
                == 0) {
            atomic_store(&member->states[i], OWNED);
            check(member, i);
        }
    }
}

static void call(struct member *member)
{
    uint64_t spin = device_random(&member->random, 4) * 10 * MICROSECOND;
    unsigned count = 1 + (unsigned)device_random(&member->random, COMMANDS);
    bool may_sleep = device_random(&member->random, 4) != 0;
    bool gives_up = !may_sleep || device_random(&member->random, 8) == 0;
    uint64_t timeout = gives_up ? device_random(&member->random, 200 * MICROSECOND) : LOST_AFTER;
    uint32_t done;

    for (unsigned i = count; i-- > 0;) {
        wait_until_owned(member, i);
        pack(member, i, i + 1 == count ? NULL : member->commands[i + 1]);
    }
    done = jurom_engine_call(engine, member->commands[0], timeout, spin, may_sleep);
    if (done == 0 && device_random(&member->random, 2) == 0) {
        gives_up = false;
        done = jurom_engine_await(engine, member->commands[0], LOST_AFTER, spin, 1);
    }
    require(done != 0 || gives_up, "a command has not ended");
    if (done == 0) {
        leave(member, count);
    } else {
        for (unsigned i = 0; i < count; ++i)
            check(member, i);
    }
    member->count += count;
}

static void submit(struct member *member)
{
    unsigned i = (unsigned)device_random(&member->random, COMMANDS);
    uint64_t timeout;
    uint64_t state;

    wait_until_owned(member, i);
    pack(member, i, NULL);
    atomic_store(&member->states[i], SUBMITTED);
    state = __atomic_load_n(&member->commands[i]->state, __ATOMIC_RELAXED);
    jurom_engine_submit(engine, member->commands[i]);
    ++member->count;
    if (device_random(&member->random, 2) == 0)
        return;
    if (jurom_command_adopt(member->commands[i], state) == 0)
        return;
    timeout = device_random(&member->random, 4) == 0 ? 0 : LOST_AFTER;
    if (jurom_engine_await(engine, member->commands[i], timeout, 10 * MICROSECOND, 1) == 0) {
        require(timeout == 0, "a command that was taken back has not ended");
        if (jurom_command_leave(member->commands[i], 0) != 0)
            return;
    }
    atomic_store(&member->states[i], OWNED);
    check(member, i);
}

static void *run_member(void *argument)
{
    struct member *member = argument;

    while (device_now() < end) {
        if (member->submits)
            submit(member);
        else
            call(member);
        if (device_random(&member->random, 64) == 0)
            jurom_engine_wake(engine);
    }
    for (unsigned i = 0; i < COMMANDS; ++i)
        wait_until_owned(member, i);
    atomic_fetch_add(&ended, 1);
    jurom_engine_wake(engine);
    return NULL;
}

static void receive(void)
{
    struct jurom_command *command = jurom_engine_receive(engine);

    while (command != NULL) {
        struct jurom_command *next = command->next;
        struct member *member = &members[command->user / COMMANDS];
        unsigned i = command->user % COMMANDS;

        check(member, i);
        require(atomic_exchange(&member->states[i], OWNED) == SUBMITTED,
                "a command was received without having been left");
        ++received;
        command = next;
    }
}

static void run_engine(void)
{
    uint64_t random = 362436069362436069u;

    while (atomic_load(&ended) < members_used) {
        uint64_t spin = device_random(&random, 3) * 20 * MICROSECOND;
        uint32_t events = jurom_engine_run(engine, SECOND, spin, device_random(&random, 8) == 0);

        receive();
        if (events != 0 || device_random(&random, 16) == 0) {
            jurom_engine_lock(engine);
            jurom_engine_unlock(engine);
        }
    }
    receive();
}

static void make_member(unsigned number, bool submits)
{
    struct member *member = &members[number];

    memset(member, 0, sizeof(*member));
    member->submits = submits;
    member->random = 88172645463325252u + number;
    require(jurom_engine_make_commands(engine, &worker, PLUGIN, COMMANDS, member->commands)
                    == DOCA_SUCCESS,
            "no commands");
    for (unsigned i = 0; i < COMMANDS; ++i) {
        member->commands[i]->user = number * COMMANDS + i;
        member->numbers[i] = member->commands[i]->user;
    }
}

static void run(
        const char *name, unsigned callers, unsigned submitters, uint64_t delay, unsigned seconds)
{
    uint64_t count = 0;

    device_open(&pe, delay);
    pe.refuse_every = 61;
    pe.busy_every = 5;
    received = 0;
    atomic_store(&ended, 0);
    require(jurom_completion_array_create(&device_functions, &array) == DOCA_SUCCESS
                    && jurom_engine_create(&device_engine_functions, array, &pe, pe.handle, &engine)
                            == DOCA_SUCCESS,
            "no engine");
    members_used = callers + submitters;
    for (unsigned i = 0; i < members_used; ++i)
        make_member(i, i >= callers);
    jurom_engine_unlock(engine);
    end = device_now() + seconds * (uint64_t)SECOND;
    for (unsigned i = 0; i < members_used; ++i)
        require(pthread_create(&members[i].thread, NULL, run_member, &members[i]) == 0,
                "no thread");
    run_engine();
    jurom_engine_lock(engine);
    for (unsigned i = 0; i < members_used; ++i) {
        pthread_join(members[i].thread, NULL);
        count += members[i].count;
        jurom_engine_free_commands(engine, members[i].commands, COMMANDS);
    }
    jurom_engine_destroy(engine);
    jurom_completion_array_destroy(array);
    device_close(&pe);
    printf("%s: %llu commands, %llu of them received by the engine thread\n", name,
            (unsigned long long)count, (unsigned long long)received);
    fflush(stdout);
    require(count > 0 && received > 0, "nothing has happened");
}

int main(void)
{
    run("immediate responses", 6, 2, 0, 2);
    run("responses after 50 us at most", 6, 2, 50 * MICROSECOND, 3);
    run("responses after 2 ms at most", 6, 2, 2000 * MICROSECOND, 2);
    run("more sleepers than places", 76, 4, 500 * MICROSECOND, 2);
    return EXIT_SUCCESS;
}
