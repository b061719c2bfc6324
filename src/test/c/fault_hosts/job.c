/* SPDX-License-Identifier: Apache-2.0 */
#include "job.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static bool is_possible(const struct worker_job *worker)
{
    return worker->depth > 0 && worker->depth <= JOB_DEPTH_MAX && worker->batch > 0;
}

static bool parse_workers(const char *text, struct job *job)
{
    for (job->workers = 0; job->workers < JOB_WORKERS_MAX; ++job->workers) {
        struct worker_job *worker = &job->worker[job->workers];

        if (sscanf(text, "%" SCNu64 ":%u:%u:%u:%u:%15[a-z_]", &worker->id, &worker->commands,
                    &worker->depth, &worker->bytes, &worker->batch, worker->plugin)
                        != 6
                || !is_possible(worker))
            return false;
        text = strchr(text, ',');
        if (text == NULL) {
            ++job->workers;
            return true;
        }
        ++text;
    }
    return false;
}

bool job_parse(const char *line, struct job *job)
{
    char kind[16];
    char ending[16];
    int workers_at = 0;

    memset(job, 0, sizeof(*job));
    if (sscanf(line,
                "host run=%u number=%u kind=%15s seed=%" SCNu64 " timeout=%u ending=%15s"
                " workers=%n",
                &job->run, &job->number, kind, &job->seed, &job->timeout_ms, ending, &workers_at)
                    != 6
            || workers_at == 0)
        return false;
    job->remote = strcmp(kind, "REMOTE") == 0;
    job->abrupt = strcmp(ending, "ABRUPT") == 0;
    job->resident = strcmp(ending, "RESIDENT") == 0;
    return parse_workers(line + workers_at, job);
}
