/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The table of faults: a file that all processes of a test run map. To request a fault, a test
 * writes a row, its action last; a process that reaches the point performs it. There is one row per
 * point, in the order of points.def, followed by those of the service in Java. Native byte order.
 *
 *     0       header    64
 *     64      rows      256 of 64
 *     16448   events    4096 of 64
 *     278592  workers   256 of 16
 */
#ifndef JUROM_FAULTS_TABLE_H_
#define JUROM_FAULTS_TABLE_H_

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#define FAULTS_VARIABLE "JUROM_FAULTS" /* environment variable: the path of the file */
#define FAULTS_MAGIC 0x4654524Au
#define FAULTS_VERSION 2u
#define FAULTS_ROWS 256u
#define FAULTS_EVENTS 4096u
#define FAULTS_WORKERS 256u
#define FAULTS_NATIVE 160u /* maximum number of rows of points.def; the rows of Java follow */

enum fault_role {
    FAULT_ROLE_HOST = 1,
    FAULT_ROLE_WORKER = 2,
    FAULT_ROLE_DAEMON = 4,
};

struct fault_row {
    _Atomic uint32_t action; /* an enum fault_action; set last */
    uint32_t roles;          /* bits of enum fault_role that act */
    _Atomic int64_t skip;    /* number of reaches without effect before the first action */
    _Atomic int64_t times;   /* number of actions left; -1: unlimited */
    uint64_t argument;
    uint64_t argument2;
    _Atomic uint64_t reached; /* counted by all processes, independent of the action */
    uint32_t process_id;      /* of the process that acts; 0: any */
    uint8_t zero[12];
};

/* Written before the action happens. */
struct fault_event {
    _Atomic uint64_t monotonic_ns; /* set last; 0: not yet written */
    uint32_t point;
    uint32_t action;
    uint32_t process_id;
    uint32_t role;
    uint64_t argument;
    uint8_t zero[32];
};

/* A process that has become a worker. */
struct fault_worker {
    _Atomic uint64_t process_id; /* set last; 0: not yet written */
    uint64_t id;
};

struct fault_table {
    uint32_t magic;
    uint32_t version;
    uint32_t rows;
    uint32_t row_size;
    uint32_t events;
    uint32_t event_size;
    _Atomic uint64_t next_event; /* keeps counting when the events are full */
    _Atomic uint64_t next_worker;
    uint8_t zero[24];
    struct fault_row row[FAULTS_ROWS];
    struct fault_event event[FAULTS_EVENTS];
    struct fault_worker worker[FAULTS_WORKERS];
};

_Static_assert(sizeof(struct fault_row) == 64 && sizeof(struct fault_event) == 64
                && offsetof(struct fault_row, argument) == 24
                && offsetof(struct fault_row, reached) == 40
                && offsetof(struct fault_event, argument) == 24
                && offsetof(struct fault_table, next_event) == 24
                && offsetof(struct fault_table, row) == 64
                && offsetof(struct fault_table, next_worker) == 32
                && offsetof(struct fault_table, event) == 64 + 64 * FAULTS_ROWS
                && offsetof(struct fault_table, worker) == 64 + 64 * (FAULTS_ROWS + FAULTS_EVENTS),
        "the layout is shared with Java");

/* The table of this process; NULL: no faults. Set by a constructor, before main. */
extern struct fault_table *faults_table;

/* The role of this process. */
extern enum fault_role faults_role;

/* Maps the table at `path`. Returns NULL if the file is not a table. */
struct fault_table *faults_map(const char *path);

#endif /* JUROM_FAULTS_TABLE_H_ */
