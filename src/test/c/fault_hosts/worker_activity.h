/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The lifecycle of one worker context in a run: it starts, submits its commands, stops and is
 * destroyed. If the worker is lost, the context is started again for the remaining commands. No
 * function blocks.
 */
#ifndef JUROM_FAULT_WORKER_ACTIVITY_H_
#define JUROM_FAULT_WORKER_ACTIVITY_H_

#include <doca_ctx.h>
#include <doca_pe.h>
#include <doca_urom.h>

#include "job.h"
#include "result.h"

#define ACTIVITY_TASKS_MAX 256 /* of a host that does not read its answers */

enum worker_activity_stage {
    ACTIVITY_NEW,
    ACTIVITY_STARTING,
    ACTIVITY_RUNNING,
    ACTIVITY_ENDING,
    ACTIVITY_DONE,
};

struct worker_activity;

struct command {
    struct worker_activity *activity;
    struct doca_urom_worker_cmd_task *task;
    uint64_t key;
    size_t length;
    bool in_flight;
};

struct worker_activity {
    const struct worker_job *job;
    uint64_t seed;
    unsigned index; /* among the activities of the host */
    struct doca_pe *pe;
    struct doca_urom_service *service;
    uint64_t plugin;
    struct result *result;
    enum worker_activity_stage stage;
    bool flushes;    /* whether to flush incomplete batches explicitly */
    unsigned tasks;  /* maximum number of tasks in flight */
    unsigned target; /* number of commands to submit for now */
    unsigned attempts;
    unsigned issued;  /* submitted commands, including rejected ones */
    unsigned batched; /* attempts to submit, which determine the position in the batch */
    struct doca_urom_worker *worker;
    struct doca_ctx *ctx;
    struct command commands[JOB_DEPTH_MAX];
    unsigned changes; /* number of completions and changes of the stage */
};

/* Advances as far as possible without blocking. */
void worker_activity_step(struct worker_activity *activity);

/* Returns whether all commands up to the target are answered, and more will follow. */
bool worker_activity_is_paused(const struct worker_activity *activity);

/* Stops the activity, even if commands remain. */
void worker_activity_abandon(struct worker_activity *activity);

#endif /* JUROM_FAULT_WORKER_ACTIVITY_H_ */
