/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The table of faults: a file that all processes of a run map. Who wants a fault sets a row, its
 * action last; the process that reaches the point acts. A row a point, in the order of points.def,
 * behind them those of the service in Java. All in the machine's byte order.
 *
 *     0       header    64
 *     64      rows      256 of 64
 *     16448   events    1024 of 64
 */
#ifndef JUROM_FAULTS_TABLE_H_
#define JUROM_FAULTS_TABLE_H_

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#define FAULTS_VARIABLE "JUROM_FAULTS" /* names the file */
#define FAULTS_MAGIC 0x4654524Au
#define FAULTS_VERSION 1u
#define FAULTS_ROWS 256u
#define FAULTS_EVENTS 1024u
#define FAULTS_NATIVE 160u /* rows that points.def has at most: then come those in Java */

enum fault_role {
    FAULT_ROLE_HOST = 1,
    FAULT_ROLE_WORKER = 2,
    FAULT_ROLE_DAEMON = 4,
};

struct fault_row {
    _Atomic uint32_t action; /* an enum fault_action; set last */
    uint32_t roles;          /* of enum fault_role: who acts */
    _Atomic int64_t skip;    /* reaches that pass first */
    _Atomic int64_t times;   /* how often it acts; -1: always */
    uint64_t argument;
    uint64_t argument2;
    _Atomic uint64_t reached; /* counted by all, whatever is set */
    uint32_t process_id;      /* who acts; 0: anybody */
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

struct fault_table {
    uint32_t magic;
    uint32_t version;
    uint32_t rows;
    uint32_t row_size;
    uint32_t events;
    uint32_t event_size;
    _Atomic uint64_t next_event; /* counts on when there is no room left */
    uint8_t zero[32];
    struct fault_row row[FAULTS_ROWS];
    struct fault_event event[FAULTS_EVENTS];
};

_Static_assert(sizeof(struct fault_row) == 64 && sizeof(struct fault_event) == 64
        && offsetof(struct fault_row, argument) == 24 && offsetof(struct fault_row, reached) == 40
        && offsetof(struct fault_event, argument) == 24
        && offsetof(struct fault_table, next_event) == 24
        && offsetof(struct fault_table, row) == 64
        && offsetof(struct fault_table, event) == 64 + 64 * FAULTS_ROWS,
        "the layout is the same for all who map it");

/* table.c: the table of this process, or NULL: nothing fails. Found before main begins. */
extern struct fault_table *faults_table;

/* table.c: what this process is. */
extern enum fault_role faults_role;

/* table.c: maps the table at `path`. NULL: it is none. */
struct fault_table *faults_map(const char *path);

#endif /* JUROM_FAULTS_TABLE_H_ */
