/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The lifecycle of a member of a domain in a run: it starts a worker, then the domain together
 * with the other members; requests the workers of their group; sends messages to the next member
 * and receives those of the previous one; waits until all members have done so; and leaves. It
 * does not retry. No function blocks.
 */
#ifndef JUROM_FAULT_DOMAIN_ACTIVITY_H_
#define JUROM_FAULT_DOMAIN_ACTIVITY_H_

#include <doca_ctx.h>
#include <doca_pe.h>
#include <doca_urom.h>

#include "allgather.h"
#include "job.h"
#include "message.h"
#include "result.h"

enum domain_stage {
    DOMAIN_STAGE_NEW,
    DOMAIN_STAGE_STARTING, /* starting the worker */
    DOMAIN_STAGE_JOINING,
    DOMAIN_STAGE_MESSAGING,
    DOMAIN_STAGE_LEAVING, /* waiting until all members have all messages */
    DOMAIN_STAGE_ENDING,
    DOMAIN_STAGE_DONE,
};

struct domain_activity;

/* A message being sent or received. */
struct transfer {
    struct domain_activity *activity;
    struct doca_urom_worker_cmd_task *task;
    struct message message;
    bool sends;
    bool in_flight;
};

struct domain_activity {
    const struct domain_job *job;
    unsigned run; /* also the id of the group */
    struct doca_pe *pe;
    struct doca_urom_service *service;
    uint64_t plugin;
    struct result *result;
    enum domain_stage stage;
    struct allgather allgather;
    uint8_t done[ALLGATHER_PARTICIPANTS_MAX]; /* by member: it has all messages */
    struct doca_urom_worker *worker;
    struct doca_urom_domain *domain;
    struct doca_urom_service_get_workers_by_gid_task *group;
    bool group_in_flight;
    bool failed;  /* a command failed, so other members may wait forever */
    bool stopped; /* the worker is being stopped */
    struct transfer transfers[2 * JOB_MESSAGES_MAX];
    unsigned changes; /* number of completions and stages */
};

/* Advances as far as possible without blocking. */
void domain_activity_step(struct domain_activity *activity);

/* Returns whether it waits for an event that does not wake its progress engine. */
bool domain_activity_must_poll(const struct domain_activity *activity);

/* Stops, even if work remains. */
void domain_activity_give_up(struct domain_activity *activity);

#endif /* JUROM_FAULT_DOMAIN_ACTIVITY_H_ */
