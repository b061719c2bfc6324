/* SPDX-License-Identifier: Apache-2.0 */
/* The job of a host in a seeded run, parsed from a line of text. */
#ifndef JUROM_FAULT_JOB_H_
#define JUROM_FAULT_JOB_H_

#include <stdbool.h>
#include <stdint.h>

#define JOB_LINE_MAX 1024
#define JOB_WORKERS_MAX 4
#define JOB_PLUGIN_MAX 16 /* bytes of a name */
#define JOB_DEPTH_MAX 64
#define JOB_MEMBERS_MAX 4
#define JOB_MESSAGES_MAX 8

/* A worker that the host starts or shares, and the commands submitted to it. */
struct worker_job {
    uint64_t id;
    unsigned commands;
    unsigned depth; /* maximum number in flight */
    unsigned bytes; /* of the longest */
    unsigned batch; /* number of commands between flushes */
    char plugin[JOB_PLUGIN_MAX];
};

/*
 * The domain of which the host is a member. All fields except the index are equal for all
 * members.
 */
struct domain_job {
    unsigned members; /* 0: no domain */
    unsigned index;
    uint64_t seed;
    uint64_t first_worker; /* worker id of member 0; those of the others follow */
    unsigned messages;     /* from each member to the next */
    unsigned bytes;        /* of the longest */
};

struct job {
    unsigned run;
    unsigned number; /* of the host in its run */
    uint64_t seed;
    unsigned patience_ms; /* maximum time without a change */
    bool remote;          /* connects by TLS, as a host on another machine */
    bool abrupt;          /* the process exits with commands in flight */
    bool resident;        /* runs from before the run until after it: see resident.h */
    unsigned workers;
    struct worker_job worker[JOB_WORKERS_MAX];
    struct domain_job domain;
};

/*
 * Reads host run=R number=N kind=C|REMOTE seed=S patience=MS ending=ORDERLY|ABRUPT|RESIDENT
 * workers=ID:COMMANDS:DEPTH:BYTES:BATCH:PLUGIN,...
 * [domain=INDEX:MEMBERS:SEED:FIRST_WORKER:MESSAGES:BYTES] Returns false if the line is invalid.
 */
bool job_parse(const char *line, struct job *job);

#endif /* JUROM_FAULT_JOB_H_ */
