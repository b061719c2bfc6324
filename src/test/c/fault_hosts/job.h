/* SPDX-License-Identifier: Apache-2.0 */
/* What a host of a seeded run is told to do, as a line of text. */
#ifndef JUROM_FAULT_JOB_H_
#define JUROM_FAULT_JOB_H_

#include <stdbool.h>
#include <stdint.h>

#define JOB_LINE_MAX 1024
#define JOB_WORKERS_MAX 4
#define JOB_DEPTH_MAX 64
#define JOB_MEMBERS_MAX 4
#define JOB_MESSAGES_MAX 8

/* A worker that the host starts or shares, and the commands that it is given. */
struct worker_job {
    uint64_t id;
    unsigned commands;
    unsigned depth; /* in flight at a time */
    unsigned bytes; /* of the longest */
    unsigned batch; /* submitted without a flush between them */
};

/* A domain that the host is a member of; all but the index is the same at all of them. */
struct domain_job {
    unsigned members; /* 0: it is in none */
    unsigned index;
    uint64_t seed;
    uint64_t first_worker; /* member 0's; the others' follow */
    unsigned messages;     /* from each member to the next */
    unsigned bytes;        /* of the longest */
};

struct job {
    unsigned run;
    unsigned number; /* of the host in its run */
    uint64_t seed;
    unsigned patience_ms; /* without news */
    bool abrupt;          /* it ends in the middle of its work, without a word to anybody */
    bool keeps;           /* a worker, from before the run until after it: see keeper.h */
    unsigned workers;
    struct worker_job worker[JOB_WORKERS_MAX];
    struct domain_job domain;
};

/*
 * Reads
 *     host run=R number=N kind=C seed=S patience=MS ending=ORDERLY|ABRUPT|KEEPS
 *         workers=ID:COMMANDS:DEPTH:BYTES:BATCH,...
 *         [domain=INDEX:MEMBERS:SEED:FIRST_WORKER:MESSAGES:BYTES]
 * False: it is no such line.
 */
bool job_parse(const char *line, struct job *job);

#endif /* JUROM_FAULT_JOB_H_ */
