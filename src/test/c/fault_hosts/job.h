/* SPDX-License-Identifier: Apache-2.0 */
/* The job of a host in a seeded run, parsed from a line of text. */
#ifndef JUROM_FAULT_JOB_H_
#define JUROM_FAULT_JOB_H_

#include <stdbool.h>
#include <stdint.h>

#define JOB_LINE_MAX 1024
#define JOB_WORKERS_MAX 4
#define JOB_PLUGIN_MAX 16 /* size of a plugin name, with its terminator */
#define JOB_DEPTH_MAX 64

/* A worker that the host starts or shares, and the commands submitted to it. */
struct worker_job {
    uint64_t id;
    unsigned commands;
    unsigned depth; /* maximum number of commands in flight */
    unsigned bytes; /* maximum length of a command after its fixed part */
    unsigned batch; /* number of commands between flushes */
    char plugin[JOB_PLUGIN_MAX];
};

struct job {
    unsigned run;
    unsigned number; /* of the host in its run */
    uint64_t seed;
    unsigned timeout_ms; /* maximum time without a change */
    bool remote;         /* connects by TLS, like a host on another machine */
    bool abrupt;         /* exits with commands in flight */
    bool resident;       /* runs from before the run until after it: see resident.h */
    unsigned workers;
    struct worker_job worker[JOB_WORKERS_MAX];
};

/*
 * Parses a line host run=R number=N kind=C|REMOTE seed=S timeout=MS ending=ORDERLY|ABRUPT|RESIDENT
 * workers=ID:COMMANDS:DEPTH:BYTES:BATCH:PLUGIN,... Returns false if the line is invalid.
 */
bool job_parse(const char *line, struct job *job);

#endif /* JUROM_FAULT_JOB_H_ */
