/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The way of one worker context through a run: it is started, given its commands, stopped, and
 * destroyed; when it is lost on the way, it is started again for what is left. Nothing waits.
 */
#ifndef JUROM_FAULT_COURSE_H_
#define JUROM_FAULT_COURSE_H_

#include <doca_ctx.h>
#include <doca_pe.h>
#include <doca_urom.h>

#include "job.h"
#include "result.h"

#define COURSE_TASKS_MAX 256 /* of a host that asks for more than it takes */

enum course_stage {
    COURSE_NEW,
    COURSE_STARTING,
    COURSE_RUNNING,
    COURSE_ENDING,
    COURSE_DONE,
};

struct course;

struct command {
    struct course *course;
    struct doca_urom_worker_cmd_task *task;
    uint64_t key;
    size_t length;
    bool in_flight;
};

struct course {
    const struct worker_job *job;
    uint64_t seed;
    unsigned index; /* among the host's */
    struct doca_pe *pe;
    struct doca_urom_service *service;
    uint64_t plugin;
    struct result *result;
    enum course_stage stage;
    bool flushes;   /* what a batch was cut short of */
    unsigned tasks; /* that may be in flight */
    unsigned until; /* so many commands are given for now */
    unsigned attempts;
    unsigned given; /* commands, refused ones too */
    unsigned held;  /* since the last flush */
    struct doca_urom_worker *worker;
    struct doca_ctx *ctx;
    struct command commands[JOB_DEPTH_MAX];
    unsigned news; /* completions and stages */
};

/* Goes on as far as it can just now. */
void course_step(struct course *course);

/* Whether all is answered that is given for now, and there is more to come. */
bool course_rests(const struct course *course);

/* It is to end, whatever is left to do. */
void course_give_up(struct course *course);

#endif /* JUROM_FAULT_COURSE_H_ */
