/* SPDX-License-Identifier: Apache-2.0 */
/* The result of a host in a run, printed as a line of text. */
#ifndef JUROM_FAULT_RESULT_H_
#define JUROM_FAULT_RESULT_H_

#include <stdbool.h>

#include <doca_error.h>

#include "job.h"

#define RESULT_ERRORS_MAX 256

struct result {
    unsigned submitted;
    unsigned answered;
    unsigned failed;                /* completed with an error */
    unsigned duplicated;            /* completed more than once */
    unsigned wrong;                 /* completed with a wrong answer */
    unsigned refused;               /* failed calls, such as starts and submissions */
    bool late;                      /* whether the host timed out */
    bool idle;                      /* whether all contexts became idle */
    bool abrupt;                    /* whether the host left abruptly, as planned */
    char errors[RESULT_ERRORS_MAX]; /* CALL:STATUS, separated by + */
};

/* Records that a call or a task failed. */
void result_error(struct result *result, const char *call, doca_error_t status);

/* Writes the line to standard output by one call. */
void result_print(const struct result *result, const struct job *job);

#endif /* JUROM_FAULT_RESULT_H_ */
