/* SPDX-License-Identifier: Apache-2.0 */
/* Completion arrays, and shared engines with their lock and the threads that wait for it. */
#ifndef JUROM_COMPLETION_PRIVATE_H_
#define JUROM_COMPLETION_PRIVATE_H_

#include <stdatomic.h>
#include <stdbool.h>

#include <jurom_completion.h>
#include <jurom_engine.h>

/* A completion array with its private part. */
struct array {
    struct jurom_completion_array shared; /* first: cast from and to */
    struct jurom_completion_functions functions;
    bool state_changed; /* during the current drain */
};

#define CACHE_LINE 64
#define GENERATION (~(uint64_t)UINT32_MAX) /* the bits of a state that hold the generation */
#define CANCELLED 1
#define SLEEPER_SLOTS 64 /* the engine thread drives for further sleepers */

struct command {
    struct jurom_command shared; /* first: cast from and to */
    struct jurom_engine *engine;
    struct doca_urom_worker_cmd_task *native;
    struct doca_task *task;
    struct doca_buf *payload;
    struct doca_buf *response;
    struct command *next; /* queued, delivered or freed before this command */
    uint64_t plugin;      /* plugin id that the task has */
    uint64_t length;
    struct command *next_cancelled; /* in the list of commands to be cancelled */
    atomic_uint listed;             /* flag: is in that list, or about to be added */
    _Atomic uint64_t cancelled;     /* CANCELLED and the generation to be cancelled; 0: none */
};

struct jurom_engine {
    /* One cache line, the only one that a single caller accesses. */
    _Alignas(CACHE_LINE) atomic_uint locked;
    atomic_uint wanted;                  /* flag: the engine thread waits for the lock */
    atomic_uint sleepers;                /* number of callers that sleep or are about to */
    atomic_uint unattended;              /* number of pending commands that no caller awaits in C */
    atomic_uint acquisitions;            /* acquisitions by callers; changed under the lock */
    _Atomic(struct command *) queue;     /* to submit, newest first */
    _Atomic(struct command *) cancels;   /* to be cancelled, newest first */
    _Atomic(struct command *) successor; /* its thread was woken to drive and has not yet driven */
    atomic_uint lock_requests; /* number of callers that ask the engine thread for the lock */
    atomic_uint thread_drives; /* flag: the engine thread holds the lock and drives */
    atomic_uint submitters;    /* number of threads in jurom_engine_submit */

    _Alignas(CACHE_LINE) _Atomic(struct command *) delivered; /* to receive, newest first */
    atomic_uint records;        /* flag: the completion array has records */
    atomic_uint wake_requested; /* flag: jurom_engine_wake was called */

    _Atomic(struct command *) slots[SLEEPER_SLOTS]; /* commands whose callers sleep */
    atomic_uint next_slot;                          /* start of the next search for a successor */
    _Atomic(struct command *) watcher; /* its thread sleeps on the notification handle */
    struct command thread;             /* represents the engine thread as successor */

    struct jurom_completion_array *array;
    struct jurom_completion_functions collect;
    struct jurom_engine_functions functions;
    struct doca_pe *pe;
    int handle;                 /* readable when the progress engine has work */
    int watcher_doorbell;       /* doorbell (eventfd) that wakes the watcher */
    int thread_doorbell;        /* doorbell (eventfd) that wakes the engine thread */
    struct command *spare;      /* freed commands; a thread may still wake their sleepers */
    bool armed;                 /* a notification was requested; guarded by the lock */
    uint64_t seen_at;           /* last observed change of `acquisitions`; engine thread only */
    unsigned seen_acquisitions; /* last observed `acquisitions`; engine thread only */
};

/* Tries to acquire the lock: false if it is held or the engine thread waits for it. */
bool engine_try_lock(struct jurom_engine *engine);
/* Releases the lock and wakes a thread to drive if there is work. */
void engine_unlock(struct jurom_engine *engine);
/* For the engine thread, which returns soon: releases the lock without waking itself. */
void engine_unlock_in_thread(struct jurom_engine *engine);
/* Wakes a thread to drive if there is work and no thread drives. */
void engine_wake_successor(struct jurom_engine *engine);
/* Returns whether there is work while no thread drives, watches or is being woken. */
bool engine_needs_driver(struct jurom_engine *engine);
/* Adds a command to the submission queue. */
void engine_enqueue(struct jurom_engine *engine, struct command *command);
/* Adds the use of a command with this generation to those to be cancelled. */
void engine_request_cancel(struct jurom_engine *engine, struct command *command, uint64_t state);
/* Returns whether a command is to be submitted or cancelled. */
bool engine_has_requests(struct jurom_engine *engine);
/* Wakes the engine thread to check its conditions. */
void engine_wake_thread(struct jurom_engine *engine);
/*
 * Sleeps until the command is done, the calling thread is woken to drive, or `deadline`. If `idle`,
 * the calling thread holds the lock and has requested a notification; this releases the lock.
 */
void engine_sleep(
        struct jurom_engine *engine, struct command *command, uint64_t deadline, bool idle);
/* Sleeps in the engine thread until it has something to do, or `deadline`. `idle` as above. */
void engine_thread_sleep(struct jurom_engine *engine, uint64_t deadline, bool idle);
/* Marks a command as done, and wakes its caller or passes it to the engine thread. */
void engine_finish(struct command *command);

/* Completion callback of a command's task; runs under the lock. */
void engine_complete(void *task, union doca_data task_user_data, union doca_data ctx_user_data);
/* Returns the monotonic time in nanoseconds. */
uint64_t engine_now(void);

#endif /* JUROM_COMPLETION_PRIVATE_H_ */
