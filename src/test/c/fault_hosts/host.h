/* SPDX-License-Identifier: Apache-2.0 */
/* A host of a seeded run: its service context, and a course for each worker that it uses. */
#ifndef JUROM_FAULT_HOST_H_
#define JUROM_FAULT_HOST_H_

#include "course.h"
#include "domain.h"
#include "job.h"
#include "manner.h"
#include "result.h"

struct host {
    const struct job *job;
    struct manner manner;
    int leash; /* what its children wait for */
    bool behaved;
    struct result result;
    struct doca_dev *dev;
    struct doca_pe *pe;
    struct doca_urom_service *service;
    uint64_t plugin;
    struct course courses[JOB_WORKERS_MAX];
    struct domain_course domain; /* DONE: it is in none */
};

/* Does all that the job says, and prints what came of it. */
void host_run(const struct job *job, int leash);

/* In steps: starts the service context. */
doca_error_t host_open(struct host *host);

/* Draws up the courses, of which none has begun. */
void host_begin(struct host *host);

/* Goes on until every course is done, or rests; false: there were no news for so long. */
bool host_go_on(struct host *host, unsigned patience_ms);

/* Ends all courses, whatever is left to do. */
void host_end(struct host *host);

/* What is left when all courses are done. */
void host_close(struct host *host);

/* Sleeps until a context has something, or it is time. */
void host_await_news(struct host *host, uint64_t deadline);

uint64_t host_now_ms(void);

#endif /* JUROM_FAULT_HOST_H_ */
