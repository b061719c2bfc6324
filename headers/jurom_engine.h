/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A progress engine that several threads share. The thread that holds the engine's lock drives it:
 * it submits commands, progresses, and completes the commands of all threads. No callback leaves C
 * while the lock is held.
 *
 * A caller submits a command and waits for it in one call. The program's engine thread drives while
 * no caller does, and receives the commands for which no caller waits in C. docs/architecture.md
 * describes the protocol.
 */
#ifndef JUROM_ENGINE_H_
#define JUROM_ENGINE_H_

#include <jurom_completion.h>

#ifdef __cplusplus
extern "C" {
#endif

struct doca_urom_worker;
struct doca_urom_worker_cmd_task;

/* The DOCA functions that an engine calls besides those of its completion array. */
struct jurom_engine_functions {
    doca_error_t (*request_notification)(struct doca_pe *pe);
    doca_error_t (*clear_notification)(struct doca_pe *pe, int handle);
    doca_error_t (*allocate_task)(struct doca_urom_worker *worker, uint64_t plugin,
            struct doca_urom_worker_cmd_task **task);
    doca_error_t (*release_task)(struct doca_urom_worker_cmd_task *task);
    struct doca_task *(*as_task)(struct doca_urom_worker_cmd_task *task);
    struct doca_buf *(*payload)(struct doca_urom_worker_cmd_task *task);
    struct doca_buf *(*response)(struct doca_urom_worker_cmd_task *task);
    void (*set_plugin)(struct doca_urom_worker_cmd_task *task, uint64_t plugin);
    void (*set_callback)(struct doca_urom_worker_cmd_task *task,
            void (*callback)(
                    void *task, union doca_data task_user_data, union doca_data ctx_user_data));
    void (*set_user_data)(struct doca_task *task, union doca_data user_data);
    doca_error_t (*set_data)(struct doca_buf *buf, void *data, size_t data_len);
    /* Extensions of the software DOCA; NULL: without effect. */
    doca_error_t (*set_deadline)(struct doca_urom_worker_cmd_task *task, uint64_t deadline);
    doca_error_t (*cancel)(struct doca_urom_worker_cmd_task *task);
};

struct jurom_engine;

/*
 * Phases of a command: the low half of its state. The high half is the generation, which counts the
 * uses of the command: a thread that uses it compares the generation with the one that it took.
 */
enum jurom_command_phase {
    JUROM_COMMAND_OWNED = 0,     /* its owner packs it, or reads the response */
    JUROM_COMMAND_PENDING = 1,   /* queued or in flight */
    JUROM_COMMAND_SLEEPER = 2,   /* pending, and a thread sleeps until it is done */
    JUROM_COMMAND_SUCCESSOR = 4, /* pending, and a sleeping thread was woken to drive */
    JUROM_COMMAND_DELIVER = 8,   /* the engine thread receives it; alone: it is done */
    JUROM_COMMAND_FREE = 16,     /* a thread may take it */
    JUROM_COMMAND_RESERVED = 32, /* free for one waiting thread */
    JUROM_COMMAND_CLOSED = 64,   /* its worker closes */
};

/* A step from one phase to another, with its increment of the generation. */
struct jurom_command_step {
    uint32_t from;
    uint32_t to;
    uint32_t generations;
};

/* Returns all steps that a command may take, ended by one from and to phase 0. */
DOCA_EXPERIMENTAL const struct jurom_command_step *jurom_command_steps(void);

/* A command of a worker. Only its owner may write to the other fields. */
struct jurom_command {
    void *payload;              /* constant: buffer for the packed command */
    uint64_t capacity;          /* constant: size of that buffer, in bytes */
    uint64_t plugin;            /* id of the receiving plugin */
    uint64_t length;            /* bytes of the payload to send */
    uint64_t user;              /* for the program's use */
    struct jurom_command *next; /* next command of a batch or of a list of received commands */
    void *response;             /* response of the plugin */
    uint64_t response_length;   /* bytes */
    int32_t status;             /* doca_error_t of the response, or of the submission */
    uint32_t refused;           /* 1: the submission failed */
    uint64_t state;             /* generation, and enum jurom_command_phase */
    uint64_t timeout; /* ns after the submission in which the worker may start it; 0: any */
};

/*
 * Creates an engine from a progress engine, its completion array and its notification handle. The
 * calling thread becomes the engine thread and holds the lock.
 */
DOCA_EXPERIMENTAL doca_error_t jurom_engine_create(const struct jurom_engine_functions *functions,
        struct jurom_completion_array *array, struct doca_pe *pe, int handle,
        struct jurom_engine **engine);
/*
 * Frees an engine without commands. Waits for threads that are about to leave jurom_engine_submit.
 */
DOCA_EXPERIMENTAL void jurom_engine_destroy(struct jurom_engine *engine);

/*
 * Creates the commands of a worker; the caller holds the lock. On failure (NO_MEMORY, BAD_STATE),
 * no command exists.
 */
DOCA_EXPERIMENTAL doca_error_t jurom_engine_make_commands(struct jurom_engine *engine,
        struct doca_urom_worker *worker, uint64_t plugin, uint32_t count,
        struct jurom_command **commands);
/* Frees such commands, which are closed; the caller holds the lock. */
DOCA_EXPERIMENTAL void jurom_engine_free_commands(
        struct jurom_engine *engine, struct jurom_command **commands, uint32_t count);

/* For the engine thread: acquires the lock, which callers release within microseconds. */
DOCA_EXPERIMENTAL void jurom_engine_lock(struct jurom_engine *engine);
/* For the engine thread: releases the lock. */
DOCA_EXPERIMENTAL void jurom_engine_unlock(struct jurom_engine *engine);

/*
 * Submits a batch of commands and waits until all are done, for at most `timeout` nanoseconds.
 * Without progress, it polls for `spin` nanoseconds; then it sleeps if `may_sleep`, or returns.
 * Returns whether all are done; if not, call jurom_engine_await again, or jurom_command_leave for
 * each command.
 */
DOCA_EXPERIMENTAL uint32_t jurom_engine_call(struct jurom_engine *engine,
        struct jurom_command *first, uint64_t timeout, uint64_t spin, uint32_t may_sleep);
/*
 * Submits a batch of commands without blocking. Then call jurom_engine_await, or
 * jurom_command_leave for each command.
 */
DOCA_EXPERIMENTAL void jurom_engine_begin(struct jurom_engine *engine, struct jurom_command *first);
/* Waits for submitted commands, like jurom_engine_call. */
DOCA_EXPERIMENTAL uint32_t jurom_engine_await(struct jurom_engine *engine,
        struct jurom_command *first, uint64_t timeout, uint64_t spin, uint32_t may_sleep);
/*
 * Passes a pending command to the engine thread. If `cancel`, its answer is not needed: the next
 * thread that drives requests its cancellation. Returns 0 if the command is already done and remains
 * the caller's.
 */
DOCA_EXPERIMENTAL uint32_t jurom_command_leave(struct jurom_command *command, uint32_t cancel);

/*
 * Takes a pending command back from the engine thread. Then call jurom_engine_await, or
 * jurom_command_leave. `state` has the generation of its use: returns 0 if that use has ended, its
 * command is done, or another thread awaits it. Thread-safe while the engine exists. Never blocks.
 */
DOCA_EXPERIMENTAL uint32_t jurom_command_adopt(struct jurom_command *command, uint64_t state);

/*
 * Requests the cancellation of a command that the engine thread receives. `state` has the generation
 * of its use: no effect if that use has ended, or its command is done. Thread-safe while the engine
 * exists. Never blocks.
 */
DOCA_EXPERIMENTAL void jurom_command_cancel(struct jurom_command *command, uint64_t state);

/* Submits a command that the engine thread receives. Never blocks. */
DOCA_EXPERIMENTAL void jurom_engine_submit(
        struct jurom_engine *engine, struct jurom_command *command);

/* Events that jurom_engine_run returns, as bits. */
enum jurom_engine_event {
    JUROM_ENGINE_RECORDS = 1, /* the completion array has records: acquire the lock and read them */
    JUROM_ENGINE_WOKEN = 2,   /* jurom_engine_wake was called */
};

/*
 * For the engine thread: drives if `active`, or while commands are in flight and no caller drives;
 * sleeps otherwise. Returns after at most `timeout` nanoseconds, or when events or commands to
 * receive are available.
 */
DOCA_EXPERIMENTAL uint32_t jurom_engine_run(
        struct jurom_engine *engine, uint64_t timeout, uint64_t spin, uint32_t active);
/*
 * For the engine thread: returns all completed commands to receive, in order of completion, or
 * NULL.
 */
DOCA_EXPERIMENTAL struct jurom_command *jurom_engine_receive(struct jurom_engine *engine);
/* Makes jurom_engine_run return. Thread-safe. */
DOCA_EXPERIMENTAL void jurom_engine_wake(struct jurom_engine *engine);

/*
 * Returns whether the calling thread has too little stack left for a call: less than the Java
 * virtual machine reserves for native calls plus the frames of the call itself.
 */
DOCA_EXPERIMENTAL uint32_t jurom_stack_is_low(void);

#ifdef __cplusplus
}
#endif

#endif /* JUROM_ENGINE_H_ */
