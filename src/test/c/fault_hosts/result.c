/* SPDX-License-Identifier: Apache-2.0 */
#include "result.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define SECOND 1000000000u
#define SAME_NS 1000000u

static uint64_t now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * SECOND + (uint64_t)now.tv_nsec;
}

static bool is_same(const struct host_error *last, const struct host_error *next)
{
    return strcmp(last->call, next->call) == 0 && last->status == next->status
            && last->worker == next->worker && next->at_ns - last->at_ns < SAME_NS;
}

void result_error(struct result *result, uint64_t worker, const char *call, doca_error_t status)
{
    struct host_error next = {
        .at_ns = now_ns(), .worker = worker, .call = call, .status = status, .count = 1
    };
    unsigned kept = result->errors < RESULT_ERRORS_MAX ? result->errors : RESULT_ERRORS_MAX;

    for (unsigned i = kept; i > 0; --i) {
        if (is_same(&result->error[i - 1], &next)) {
            ++result->error[i - 1].count;
            return;
        }
    }
    if (kept < RESULT_ERRORS_MAX)
        result->error[kept] = next;
    ++result->errors;
}

static void print(const char *line, int length)
{
    if (write(STDOUT_FILENO, line, (size_t)length) != length)
        _exit(EXIT_FAILURE);
}

void result_print(const struct result *result, const struct job *job)
{
    char line[JOB_LINE_MAX];

    for (unsigned i = 0; i < result->errors && i < RESULT_ERRORS_MAX; ++i) {
        const struct host_error *error = &result->error[i];

        print(line,
                snprintf(line, sizeof(line),
                        "error run=%u number=%u worker=%" PRIu64 " call=%s status=%s at=%" PRIu64
                        " count=%u\n",
                        job->run, job->number, error->worker, error->call,
                        doca_error_get_name(error->status), error->at_ns, error->count));
    }
    print(line,
            snprintf(line, sizeof(line),
                    "result run=%u number=%u submitted=%u answered=%u failed=%u duplicated=%u"
                    " wrong=%u late=%d idle=%d abrupt=%d errors=%u\n",
                    job->run, job->number, result->submitted, result->answered, result->failed,
                    result->duplicated, result->wrong, result->late, result->idle, result->abrupt,
                    result->errors));
}
