/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A progress engine that several threads share. The thread that holds the engine's lock drives it:
 * it submits commands, progresses, and completes the commands of all threads. No callback leaves C
 * while the lock is held.
 *
 * A caller submits a command and waits for it in one call. The engine thread of the program drives
 * while no caller does, and receives the commands for which no caller waits in C. docs/architecture.md
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
    void (*set_callback)(struct doca_urom_worker_cmd_task *task, void (*callback)(void *task,
            union doca_data task_user_data, union doca_data ctx_user_data));
    void (*set_user_data)(struct doca_task *task, union doca_data user_data);
    doca_error_t (*set_data)(struct doca_buf *buf, void *data, size_t data_len);
};

struct jurom_engine;

/* Phases of a command. */
enum jurom_command_phase {
    JUROM_COMMAND_DONE = 0,    /* it belongs to its caller */
    JUROM_COMMAND_PENDING = 1, /* queued or in flight */
    JUROM_COMMAND_SLEEPER = 2, /* and a thread sleeps until it is done */
    JUROM_COMMAND_HEIR = 4,    /* and a thread that slept until then was woken to drive */
    JUROM_COMMAND_DELIVER = 8, /* and the engine thread receives it when it is done */
};

/* A command of a worker. Its owner may write it while its phase is DONE. */
struct jurom_command {
    void *payload;            /* constant: where the packed command goes */
    uint64_t capacity;        /* constant: bytes that fit there */
    uint64_t plugin;          /* id of the plugin that it is for */
    uint64_t length;          /* bytes of the payload that are sent */
    uint64_t user;            /* the program's own */
    struct jurom_command *next; /* the next command of a batch, or of those that were delivered */
    void *response;           /* what the plugin answered */
    uint64_t response_length; /* bytes */
    int32_t status;           /* doca_error_t of the answer, or of the submission */
    uint32_t refused;         /* 1: the library did not accept the submission */
    uint32_t phase;           /* enum jurom_command_phase */
    uint32_t users;           /* 0; 2 in jurom_engine_submit, 1 from its end on, or when left */
};

/*
 * Makes an engine around a progress engine, its completion array and its notification handle. The
 * calling thread becomes the engine thread and holds the lock.
 */
DOCA_EXPERIMENTAL doca_error_t jurom_engine_create(const struct jurom_engine_functions *functions,
        struct jurom_completion_array *array, struct doca_pe *pe, int handle,
        struct jurom_engine **engine);
/* Frees an engine that no thread uses. */
DOCA_EXPERIMENTAL void jurom_engine_destroy(struct jurom_engine *engine);

/* Makes the commands of a worker; the lock must be held. NO_MEMORY and BAD_STATE leave none. */
DOCA_EXPERIMENTAL doca_error_t jurom_engine_make_commands(struct jurom_engine *engine,
        struct doca_urom_worker *worker, uint64_t plugin, uint32_t count,
        struct jurom_command **commands);
/* Frees such commands, none of which is pending; the lock must be held. */
DOCA_EXPERIMENTAL void jurom_engine_free_commands(struct jurom_engine *engine,
        struct jurom_command **commands, uint32_t count);

/* For the engine thread: takes the lock, which callers leave within microseconds; releases it. */
DOCA_EXPERIMENTAL void jurom_engine_lock(struct jurom_engine *engine);
DOCA_EXPERIMENTAL void jurom_engine_unlock(struct jurom_engine *engine);

/*
 * Submits a batch of commands and waits until all are done, `timeout` nanoseconds at most. While
 * nothing arrives, it polls for `spin` nanoseconds; then it sleeps if it may, or returns. Answers
 * whether all are done; if not, call jurom_engine_await, or leave each.
 */
DOCA_EXPERIMENTAL uint32_t jurom_engine_call(struct jurom_engine *engine,
        struct jurom_command *first, uint64_t timeout, uint64_t spin, uint32_t may_sleep);
/* Submits a batch of commands without waiting. Never blocks. Await it, or leave each. */
DOCA_EXPERIMENTAL void jurom_engine_begin(struct jurom_engine *engine,
        struct jurom_command *first);
/* Waits for commands that were submitted. */
DOCA_EXPERIMENTAL uint32_t jurom_engine_await(struct jurom_engine *engine,
        struct jurom_command *first, uint64_t timeout, uint64_t spin, uint32_t may_sleep);
/* Leaves a pending command to the engine thread. 0: it is done and stays the caller's. */
DOCA_EXPERIMENTAL uint32_t jurom_command_leave(struct jurom_command *command);

/*
 * Submits a command that the engine thread receives. Never blocks. Its slot may be used again when
 * its users are 1.
 */
DOCA_EXPERIMENTAL void jurom_engine_submit(struct jurom_engine *engine,
        struct jurom_command *command);

/* Why jurom_engine_run has returned. */
enum jurom_engine_event {
    JUROM_ENGINE_RECORDS = 1, /* the completion array has records: take the lock and read them */
    JUROM_ENGINE_WOKEN = 2,   /* jurom_engine_wake was called */
};

/*
 * For the engine thread: drives while commands are in flight for which no caller drives, or if
 * `active`; else sleeps. Returns after `timeout` nanoseconds at the latest, or with events, or when
 * commands are there to be received.
 */
DOCA_EXPERIMENTAL uint32_t jurom_engine_run(struct jurom_engine *engine, uint64_t timeout,
        uint64_t spin, uint32_t active);
/* For the engine thread: takes all commands to be received, in the order of completion, or NULL. */
DOCA_EXPERIMENTAL struct jurom_command *jurom_engine_receive(struct jurom_engine *engine);
/* Has jurom_engine_run return. Any thread may call it. */
DOCA_EXPERIMENTAL void jurom_engine_wake(struct jurom_engine *engine);

/*
 * Whether the calling thread has too little stack left to begin a call: less than the Java virtual
 * machine reserves for native calls, and a share for the frames of the call itself.
 */
DOCA_EXPERIMENTAL uint32_t jurom_stack_is_low(void);

#ifdef __cplusplus
}
#endif

#endif /* JUROM_ENGINE_H_ */
