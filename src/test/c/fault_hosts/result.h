/* SPDX-License-Identifier: Apache-2.0 */
/* What came of a host's work, as a line of text. */
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
    unsigned duplicated;            /* completed once more */
    unsigned wrong;                 /* answered with what is not theirs */
    unsigned refused;               /* calls that failed: starts, submissions */
    bool late;                      /* there were no news for longer than its patience */
    bool idle;                      /* all contexts have become so */
    bool abrupt;                    /* it left in the middle, as it was told to */
    char errors[RESULT_ERRORS_MAX]; /* CALL:STATUS, with + between them */
};

/* Notes that a call or a task failed. */
void result_error(struct result *result, const char *call, doca_error_t status);

/* Writes the line to standard output, in one piece. */
void result_print(const struct result *result, const struct job *job);

#endif /* JUROM_FAULT_RESULT_H_ */
