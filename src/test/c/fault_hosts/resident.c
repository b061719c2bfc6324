/* SPDX-License-Identifier: Apache-2.0 */
#include "resident.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "host.h"

#define TRIES 3
#define BATCH 8 /* a complete batch of the ring, without a remainder for the last publication */
#define SHORT_BATCH 3
#define MANY 96
#define WRAP 400 /* enough commands and answers to wrap a ring more than once */

static void report(struct host *host, char did, bool ok, unsigned of)
{
    const struct result *result = &host->result;
    char line[RESULT_ERRORS_MAX + 128];
    int length = snprintf(line, sizeof(line),
            "resident run=%u did=%c ok=%d late=%d answered=%u of=%u errors=%s\n", host->job->run,
            did, ok, result->late, result->answered, of,
            result->errors[0] == '\0' ? "-" : result->errors);

    if (write(STDOUT_FILENO, line, (size_t)length) != length)
        _exit(1);
}

/* Sets the number of commands of an activity that is paused or done. */
static void set_commands(struct host *host, unsigned commands)
{
    struct worker_activity *activity = &host->activities[0];

    host->result = (struct result){ .idle = true };
    activity->attempts = 0;
    activity->given = 0;
    activity->held = 0;
    activity->until = commands;
    if (activity->stage == ACTIVITY_DONE)
        activity->stage = ACTIVITY_NEW;
}

static bool is_answered(const struct result *result, unsigned commands)
{
    return !result->late && result->answered == commands && result->failed == 0
            && result->wrong == 0 && result->duplicated == 0;
}

static bool give(struct host *host, unsigned commands)
{
    for (unsigned i = 0; i < TRIES; ++i) {
        set_commands(host, commands);
        host->result.late = !host_run_until_done(host, host->job->patience_ms);
        if (host->result.late || is_answered(&host->result, commands))
            break;
    }
    return is_answered(&host->result, commands);
}

static void probe(struct host *host)
{
    static const unsigned many[] = { BATCH, BATCH, 1, SHORT_BATCH, MANY };
    bool ok = true;
    unsigned of = 0;

    for (unsigned i = 0; ok && i < sizeof(many) / sizeof(many[0]); ++i) {
        of = many[i];
        ok = give(host, of);
    }
    report(host, 'p', ok, of);
}

/* Polls from now on instead of sleeping, to see publications before the worker wakes this host. */
static void wrap_ring(struct host *host)
{
    bool ok = give(host, WRAP);

    host->behavior.polls = true;
    report(host, 'l', ok, WRAP);
}

/* Unflushed commands are sent only when the host goes to sleep. */
static void submit_and_sleep(struct host *host)
{
    bool ok;

    host->activities[0].flushes = false;
    ok = give(host, 1) && give(host, SHORT_BATCH);
    report(host, 'n', ok, SHORT_BATCH);
}

/* The answers, or the notification of a lost connection, must wake the host. */
static void leave_unread(struct host *host)
{
    uint64_t deadline = host_now_ms() + host->job->patience_ms;
    struct pollfd handle = { .events = POLLIN };
    bool ok = true;

    set_commands(host, BATCH);
    worker_activity_step(&host->activities[0]);
    if (doca_pe_get_notification_handle(host->pe, &handle.fd) != DOCA_SUCCESS)
        ok = false;
    else if (doca_pe_request_notification(host->pe) == DOCA_SUCCESS)
        ok = poll(&handle, 1, (int)(deadline - host_now_ms())) == 1;
    doca_pe_clear_notification(host->pe, handle.fd);
    report(host, 'u', ok && host->result.submitted == BATCH, BATCH);
}

/* One more command makes the host detect the end of the worker before it polls for answers. */
static void receive_unread(struct host *host)
{
    struct worker_activity *activity = &host->activities[0];
    const struct result *result = &host->result;

    activity->until = BATCH + 1;
    worker_activity_step(activity);
    doca_ctx_flush_tasks(activity->ctx);
    host->result.late = !host_run_until_done(host, host->job->patience_ms);
    report(host, 'r', result->answered >= BATCH && result->wrong == 0 && result->duplicated == 0,
            BATCH);
}

/* If a worker dies during a start, the start must use another worker and succeed. */
static void start_another(struct host *host)
{
    struct worker_activity *another = &host->activities[1];

    set_commands(host, BATCH);
    host->activities[0].given = BATCH; /* it has no commands left */
    *another = (struct worker_activity){ .job = another->job,
        .seed = another->seed,
        .index = 1,
        .pe = host->pe,
        .service = host->service,
        .plugin = host->plugin,
        .result = &host->result,
        .flushes = true,
        .tasks = JOB_DEPTH_MAX,
        .until = BATCH };
    host->result.late = !host_run_until_done(host, host->job->patience_ms);
    report(host, 's',
            host->result.answered == BATCH && strstr(host->result.errors, "start:") == NULL, BATCH);
}

static bool execute(struct host *host, int commands)
{
    char letter = 'e';

    while (read(commands, &letter, 1) < 0 && errno == EINTR)
        continue;
    if (letter == 'p')
        probe(host);
    else if (letter == 'l')
        wrap_ring(host);
    else if (letter == 'n')
        submit_and_sleep(host);
    else if (letter == 'u')
        leave_unread(host);
    else if (letter == 'r')
        receive_unread(host);
    else if (letter == 's')
        start_another(host);
    return letter != 'e';
}

void resident_run(const struct job *job, int commands)
{
    struct host host = {
        .job = job, .behavior = behavior_of(job), .applied = true, .lifeline = -1
    };

    if (host_open(&host) == DOCA_SUCCESS) {
        host_begin(&host);
        host.activities[1].stage = ACTIVITY_DONE; /* until command 's' */
        report(&host, 'h', give(&host, BATCH), BATCH);
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
