/* SPDX-License-Identifier: Apache-2.0 */
/* The lock of a shared engine, and the threads that wait beside it. */
#ifndef COMPLETION_ENGINE_H_
#define COMPLETION_ENGINE_H_

#include <stdatomic.h>
#include <stdbool.h>

#include <jurom_engine.h>

#include "array.h"

#define CACHE_LINE 64
#define PLACES 64 /* for sleepers that are woken to drive; for others the engine thread drives */

struct command {
    struct jurom_command shared; /* first: a pointer to it is one to this */
    struct jurom_engine *engine;
    struct doca_urom_worker_cmd_task *native;
    struct doca_task *task;
    struct doca_buf *payload;
    struct doca_buf *response;
    struct command *next;   /* queued, delivered or freed before this one */
    uint64_t plugin;        /* as the task has it */
    uint64_t length;
};

struct jurom_engine {
    /* One cache line, the only one that a lone caller touches. */
    _Alignas(CACHE_LINE) atomic_uint locked;
    atomic_uint wanted;              /* the engine thread waits for the lock */
    atomic_uint sleepers;            /* callers that sleep, or are about to */
    atomic_uint unattended;          /* pending commands that no caller waits for in C */
    atomic_uint turns;               /* callers that have taken the lock; changed under the lock */
    _Atomic(struct command *) queue; /* to be submitted, newest first */
    _Atomic(struct command *) heir;  /* its thread was woken to drive, and has not yet done so */
    atomic_uint yield;               /* callers that ask the engine thread for the lock */
    atomic_uint thread_drives;       /* the engine thread holds the lock */

    _Alignas(CACHE_LINE) _Atomic(struct command *) delivered; /* to be received, newest first */
    atomic_uint records;             /* the completion array has some */
    atomic_uint called;              /* jurom_engine_wake was called */

    _Atomic(struct command *) places[PLACES]; /* of sleepers */
    atomic_uint next_place;          /* where the search for an heir begins */
    _Atomic(struct command *) watcher; /* whose thread sleeps at the notification handle */
    struct command thread;           /* stands for the engine thread as heir */

    struct jurom_completion_array *array;
    struct jurom_completion_functions collect;
    struct jurom_engine_functions functions;
    struct doca_pe *pe;
    int handle;                      /* readable when the progress engine has work */
    int watcher_bell;                /* wakes the watcher */
    int thread_bell;                 /* wakes the engine thread */
    struct command *spare;           /* freed; kept because a thread may still wake their sleepers */
    bool armed;                      /* a notification was requested; guarded by the lock */
    uint64_t seen_at;                /* when the engine thread last saw turns change; its own */
    unsigned seen;                   /* turns, when the engine thread last looked; its own */
};

/* Takes the lock unless it is held or the engine thread wants it. */
bool engine_try_lock(struct jurom_engine *engine);
/* Releases the lock, and has another thread drive if there is work. */
void engine_unlock(struct jurom_engine *engine);
/* For the engine thread, which comes back soon: releases the lock without waking itself. */
void engine_leave_thread(struct jurom_engine *engine);
/* Has another thread drive if there is work and none does. */
void engine_pass_on(struct jurom_engine *engine);
/* Whether there is work, and no thread drives, nor watches, nor will be woken. */
bool engine_is_orphaned(struct jurom_engine *engine);
/* Adds a command to those to be submitted. */
void engine_enqueue(struct jurom_engine *engine, struct command *command);
/* Makes the engine thread check what it sleeps for. */
void engine_wake_thread(struct jurom_engine *engine);
/*
 * The calling thread sleeps until its command is done, it is woken to drive, or `deadline`. If it
 * is `idle`, it holds the lock, has asked for a notification, and releases the lock.
 */
void engine_sleep(struct jurom_engine *engine, struct command *command, uint64_t deadline,
        bool idle);
/*
 * The engine thread sleeps until something is there for it, or `deadline`. If it is `idle`, as
 * above.
 */
void engine_thread_sleep(struct jurom_engine *engine, uint64_t deadline, bool idle);
/* A command is done: wakes its caller, or hands it to the engine thread. */
void engine_settle(struct command *command);

/* Completes a command: its task's callback, which runs under the lock. */
void engine_complete(void *task, union doca_data task_user_data, union doca_data ctx_user_data);
/* Nanoseconds of the monotonic clock. */
uint64_t engine_now(void);

#endif
