/* SPDX-License-Identifier: Apache-2.0 */
/* A host of a seeded run: its service context, and an activity for each worker. */
#ifndef JUROM_FAULT_HOST_H_
#define JUROM_FAULT_HOST_H_

#include "worker_activity.h"
#include "job.h"
#include "behavior.h"
#include "result.h"

struct host {
    const struct job *job;
    struct behavior behavior;
    int lifeline; /* a pipe; children of this host exit when it is closed */
    bool applied; /* the one-time actions of the behavior were performed */
    struct result result;
    struct doca_dev *dev;
    struct doca_pe *pe;
    struct doca_urom_service *service;
    uint64_t plugins[JOB_WORKERS_MAX]; /* plugin ids, by worker */
    struct worker_activity activities[JOB_WORKERS_MAX];
};

/* Executes a job and prints the result. */
void host_run(const struct job *job, int lifeline);

/* The following functions are the steps of host_run. Starts the service context. */
doca_error_t host_open(struct host *host);

/* Initializes the activities. */
void host_begin(struct host *host);

/* Runs until each activity is done or paused. Returns false after a timeout without a change. */
bool host_run_until_done(struct host *host, unsigned timeout_ms);

/* Stops all activities, even if work remains. */
void host_end(struct host *host);

/* Closes the service context after all activities are done. */
void host_close(struct host *host);

/* Sleeps until a context has an event or the deadline has passed. */
void host_await_change(struct host *host, uint64_t deadline);

uint64_t host_now_ms(void);

#endif /* JUROM_FAULT_HOST_H_ */
