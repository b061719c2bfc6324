/* SPDX-License-Identifier: Apache-2.0 */
/* Creates and frees a shared engine and its commands, and checks the stack that a call needs. */
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "completion.h"

/*
 * HotSpot keeps 4 guard pages at the end of a thread's stack, and throws StackOverflowError in a
 * Java frame with less than 20 pages before them. The share is additional stack for the frames of a
 * call.
 */
#define RESERVED_BY_JVM (24 * 4096)
#define LARGEST_SHARE (64 * 1024)
#define SMALLEST_SHARE (8 * 1024)

doca_error_t jurom_engine_create(const struct jurom_engine_functions *functions,
        struct jurom_completion_array *array, struct doca_pe *pe, int handle,
        struct jurom_engine **engine)
{
    struct jurom_engine *created = aligned_alloc(CACHE_LINE, sizeof(*created));

    if (created == NULL)
        return DOCA_ERROR_NO_MEMORY;
    *created = (struct jurom_engine){
        .locked = 1,
        .array = array,
        .collect = ((const struct array *)array)->functions,
        .functions = *functions,
        .pe = pe,
        .handle = handle,
        .watcher_doorbell = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK),
        .thread_doorbell = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK),
    };
    if (created->watcher_doorbell < 0 || created->thread_doorbell < 0) {
        jurom_engine_destroy(created);
        return DOCA_ERROR_OPERATING_SYSTEM;
    }
    *engine = created;
    return DOCA_SUCCESS;
}

void jurom_engine_destroy(struct jurom_engine *engine)
{
    if (engine == NULL)
        return;
    while (atomic_load(&engine->submitters) != 0)
        sched_yield();
    if (engine->watcher_doorbell >= 0)
        close(engine->watcher_doorbell);
    if (engine->thread_doorbell >= 0)
        close(engine->thread_doorbell);
    while (engine->spare != NULL) {
        struct command *next = engine->spare->next;

        free(engine->spare);
        engine->spare = next;
    }
    free(engine);
}

/* Keeps the memory in the engine: a thread may be about to wake the command's sleeper. */
static void free_command(struct jurom_engine *engine, struct command *command)
{
    engine->functions.release_task(command->native);
    command->next = engine->spare;
    engine->spare = command;
}

static struct command *allocate_command(struct jurom_engine *engine)
{
    struct command *spare = engine->spare;

    if (spare == NULL)
        return calloc(1, sizeof(*spare));
    engine->spare = spare->next;
    return spare;
}

void jurom_engine_free_commands(
        struct jurom_engine *engine, struct jurom_command **commands, uint32_t count)
{
    for (uint32_t i = 0; i < count; ++i)
        free_command(engine, (struct command *)commands[i]);
}

static doca_error_t make_command(struct jurom_engine *engine, struct doca_urom_worker *worker,
        uint64_t plugin, struct command **command)
{
    struct command *created = allocate_command(engine);
    size_t capacity;
    doca_error_t status;

    if (created == NULL)
        return DOCA_ERROR_NO_MEMORY;
    status = engine->functions.allocate_task(worker, plugin, &created->native);
    if (status != DOCA_SUCCESS) {
        created->next = engine->spare;
        engine->spare = created;
        return status;
    }
    created->engine = engine;
    created->task = engine->functions.as_task(created->native);
    created->payload = engine->functions.payload(created->native);
    created->response = engine->functions.response(created->native);
    status = engine->collect.buf_data(created->payload, &created->shared.payload);
    if (status == DOCA_SUCCESS)
        status = engine->collect.buf_data_len(created->payload, &capacity);
    if (status != DOCA_SUCCESS) {
        free_command(engine, created);
        return status;
    }
    created->shared.capacity = capacity;
    created->shared.state = (created->shared.state & GENERATION) | JUROM_COMMAND_FREE;
    created->length = capacity;
    created->plugin = plugin;
    engine->functions.set_callback(created->native, engine_complete);
    engine->functions.set_user_data(created->task, (union doca_data){ .ptr = created });
    *command = created;
    return DOCA_SUCCESS;
}

doca_error_t jurom_engine_make_commands(struct jurom_engine *engine,
        struct doca_urom_worker *worker, uint64_t plugin, uint32_t count,
        struct jurom_command **commands)
{
    for (uint32_t i = 0; i < count; ++i) {
        struct command *created = NULL;
        doca_error_t status = make_command(engine, worker, plugin, &created);

        if (status != DOCA_SUCCESS) {
            jurom_engine_free_commands(engine, commands, i);
            return status;
        }
        commands[i] = &created->shared;
    }
    return DOCA_SUCCESS;
}

/* Returns the lowest stack address at which the calling thread may begin a call. */
static uintptr_t lowest_call_address(void)
{
    pthread_attr_t attributes;
    void *stack;
    size_t size;
    size_t share;

    if (pthread_getattr_np(pthread_self(), &attributes) != 0)
        return 0;
    pthread_attr_getstack(&attributes, &stack, &size);
    pthread_attr_destroy(&attributes);
    if (size <= RESERVED_BY_JVM + SMALLEST_SHARE)
        return (uintptr_t)stack;
    share = (size - RESERVED_BY_JVM) / 4;
    if (share > LARGEST_SHARE)
        share = LARGEST_SHARE;
    return (uintptr_t)stack + RESERVED_BY_JVM + share;
}

uint32_t jurom_stack_is_low(void)
{
    static _Thread_local uintptr_t lowest;

    if (lowest == 0)
        lowest = lowest_call_address();
    return (uintptr_t)__builtin_frame_address(0) < lowest;
}
