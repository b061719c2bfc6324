/* SPDX-License-Identifier: Apache-2.0 */
#include "resident.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "host.h"

#define ATTEMPTS 3
#define BATCH 8 /* a complete batch of the ring, after which nothing remains to be published */
#define SHORT_BATCH 3
#define MANY 96

static void report(struct host *host, char command, bool ok, unsigned commands)
{
    const struct result *result = &host->result;
    const struct host_error *error = &result->error[0];
    char line[JOB_LINE_MAX];
    int length = snprintf(line, sizeof(line),
            "resident run=%u command=%c ok=%d late=%d answered=%u commands=%u error=%s:%s\n",
            host->job->run, command, ok, result->late, result->answered, commands,
            result->errors == 0 ? "" : error->call,
            result->errors == 0 ? "" : doca_error_get_name(error->status));

    if (write(STDOUT_FILENO, line, (size_t)length) != length)
        _exit(1);
}

/* Sets the number of commands of an activity that is paused or done. */
static void set_commands(struct host *host, unsigned commands)
{
    struct worker_activity *activity = &host->activities[0];

    host->result = (struct result){ .idle = true };
    activity->attempts = 0;
    activity->issued = 0;
    activity->batched = 0;
    activity->target = commands;
    if (activity->stage == ACTIVITY_DONE)
        activity->stage = ACTIVITY_NEW;
}

static bool is_answered(const struct result *result, unsigned commands)
{
    return !result->late && result->answered == commands && result->failed == 0
            && result->wrong == 0 && result->duplicated == 0;
}

static bool submit_commands(struct host *host, unsigned commands)
{
    for (unsigned i = 0; i < ATTEMPTS; ++i) {
        set_commands(host, commands);
        host->result.late = !host_run_until_done(host, host->job->timeout_ms);
        if (host->result.late || is_answered(&host->result, commands))
            break;
    }
    return is_answered(&host->result, commands);
}

static void probe(struct host *host)
{
    static const unsigned many[] = { BATCH, BATCH, 1, SHORT_BATCH, MANY };
    bool ok = true;
    unsigned commands = 0;

    for (unsigned i = 0; ok && i < sizeof(many) / sizeof(many[0]); ++i) {
        commands = many[i];
        ok = submit_commands(host, commands);
    }
    report(host, 'p', ok, commands);
}

static bool execute(struct host *host, int commands)
{
    char letter = 'e';

    while (read(commands, &letter, 1) < 0 && errno == EINTR)
        continue;
    if (letter == 'p')
        probe(host);
    return letter != 'e';
}

void resident_run(const struct job *job, int commands)
{
    struct host host = {
        .job = job, .behavior = behavior_of(job), .applied = true, .lifeline = -1
    };

    if (host_open(&host) == DOCA_SUCCESS) {
        host_begin(&host);
        report(&host, 'h', submit_commands(&host, BATCH), BATCH);
        while (execute(&host, commands))
            continue;
        host_end(&host);
    } else {
        report(&host, 'h', false, BATCH);
    }
    if (host.result.idle)
        host_close(&host);
    result_print(&host.result, job);
}
