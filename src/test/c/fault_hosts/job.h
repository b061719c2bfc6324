/* SPDX-License-Identifier: Apache-2.0 */
/* What a host of a seeded run is told to do, as a line of text. */
#ifndef JUROM_FAULT_JOB_H_
#define JUROM_FAULT_JOB_H_

#include <stdbool.h>
#include <stdint.h>

#define JOB_LINE_MAX 1024
#define JOB_WORKERS_MAX 4
#define JOB_DEPTH_MAX 64

/* A worker that the host starts or shares, and the commands that it is given. */
struct worker_job {
    uint64_t id;
    unsigned commands;
    unsigned depth; /* in flight at a time */
    unsigned bytes; /* of the longest */
    unsigned batch; /* submitted without a flush between them */
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
};

/*
 * Reads
 *     host run=R number=N kind=C seed=S patience=MS ending=ORDERLY|ABRUPT|KEEPS
 *         workers=ID:COMMANDS:DEPTH:BYTES:BATCH,...
 * False: it is no such line.
 */
bool job_parse(const char *line, struct job *job);

#endif /* JUROM_FAULT_JOB_H_ */
