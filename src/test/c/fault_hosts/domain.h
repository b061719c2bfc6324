/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The way of a member of a domain through a run: it starts a worker, then the domain together with
 * the others; asks for the workers of their group; sends messages to the next member and receives
 * those of the one before; waits until all have done so; and leaves. It tries once. Nothing waits.
 */
#ifndef JUROM_FAULT_DOMAIN_H_
#define JUROM_FAULT_DOMAIN_H_

#include <doca_ctx.h>
#include <doca_pe.h>
#include <doca_urom.h>

#include "gathering.h"
#include "job.h"
#include "message.h"
#include "result.h"

enum domain_stage {
    DOMAIN_STAGE_NEW,
    DOMAIN_STAGE_STARTING, /* the worker */
    DOMAIN_STAGE_JOINING,
    DOMAIN_STAGE_TALKING,
    DOMAIN_STAGE_PARTING, /* until all have all messages */
    DOMAIN_STAGE_ENDING,
    DOMAIN_STAGE_DONE,
};

struct domain_course;

/* A message that is being sent or received. */
struct transfer {
    struct domain_course *course;
    struct doca_urom_worker_cmd_task *task;
    struct message message;
    bool sends;
    bool in_flight;
};

struct domain_course {
    const struct domain_job *job;
    struct doca_pe *pe;
    struct doca_urom_service *service;
    uint64_t plugin;
    struct result *result;
    enum domain_stage stage;
    struct gathering gathering;
    uint8_t signs[GATHERING_PARTICIPANTS_MAX]; /* that all have all messages */
    struct doca_urom_worker *worker;
    struct doca_urom_domain *domain;
    struct doca_urom_service_get_workers_by_gid_task *group;
    bool group_in_flight;
    bool failed;  /* a command has: what others wait for may never come */
    bool stopped; /* its worker was told to */
    struct transfer transfers[2 * JOB_MESSAGES_MAX];
    unsigned news; /* completions and stages */
};

/* Goes on as far as it can just now. */
void domain_course_step(struct domain_course *course);

/* Whether it waits for what its progress engine does not tell of. */
bool domain_course_looks(const struct domain_course *course);

/* It is to end, whatever is left to do. */
void domain_course_give_up(struct domain_course *course);

#endif /* JUROM_FAULT_DOMAIN_H_ */
