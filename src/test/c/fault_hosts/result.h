/* SPDX-License-Identifier: Apache-2.0 */
/* The result of a host in a run, printed as lines of text. */
#ifndef JUROM_FAULT_RESULT_H_
#define JUROM_FAULT_RESULT_H_

#include <stdbool.h>
#include <stdint.h>

#include <doca_error.h>

#include "job.h"

#define RESULT_ERRORS_MAX 64

/* Equal errors within a millisecond, with the time of the first one. */
struct host_error {
    uint64_t at_ns;   /* CLOCK_MONOTONIC, without injected jumps */
    uint64_t worker;  /* worker id, or 0 if the error belongs to no worker */
    const char *call; /* the call that failed: start, submit, task, ... */
    doca_error_t status;
    unsigned count;
};

struct result {
    unsigned submitted;
    unsigned answered;
    unsigned failed;     /* completed with an error */
    unsigned duplicated; /* completed more than once */
    unsigned wrong;      /* completed with a wrong answer */
    bool late;           /* whether the host timed out */
    bool idle;           /* whether all contexts became idle */
    bool abrupt;         /* whether the host left abruptly, as planned */
    unsigned errors;     /* may exceed RESULT_ERRORS_MAX, but only the first ones are stored */
    struct host_error error[RESULT_ERRORS_MAX];
};

/* Records that a call or a task failed. `call` must be a string literal. */
void result_error(struct result *result, uint64_t worker, const char *call, doca_error_t status);

/*
 * Writes one line for each error, and one for the result:
 *
 *     error run=R number=N worker=ID call=CALL status=STATUS at=NANOSECONDS count=COUNT
 *     result run=R number=N submitted=... answered=... ...
 */
void result_print(const struct result *result, const struct job *job);

#endif /* JUROM_FAULT_RESULT_H_ */
