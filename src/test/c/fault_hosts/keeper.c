/* SPDX-License-Identifier: Apache-2.0 */
#include "keeper.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "host.h"

#define TRIES 3
#define BATCH 8 /* a whole one of the ring's: nothing of it is left for the last publication */
#define SHORT_BATCH 3
#define MANY 96
#define A_LAP 400 /* whose commands, and whose answers, go round a ring more than once */

static void tell(struct host *host, char did, bool ok, unsigned of)
{
    const struct result *result = &host->result;
    char line[RESULT_ERRORS_MAX + 128];
    int length = snprintf(line, sizeof(line),
            "keeper run=%u did=%c ok=%d late=%d answered=%u of=%u errors=%s\n", host->job->run, did,
            ok, result->late, result->answered, of,
            result->errors[0] == '\0' ? "-" : result->errors);

    if (write(STDOUT_FILENO, line, (size_t)length) != length)
        _exit(1);
}

/* So many commands are to be given, of a course that rests or is done. */
static void draw_up(struct host *host, unsigned commands)
{
    struct course *course = &host->courses[0];

    host->result = (struct result){ .idle = true };
    course->attempts = 0;
    course->given = 0;
    course->held = 0;
    course->until = commands;
    if (course->stage == COURSE_DONE)
        course->stage = COURSE_NEW;
}

static bool is_answered(const struct result *result, unsigned commands)
{
    return !result->late && result->answered == commands && result->failed == 0
            && result->wrong == 0 && result->duplicated == 0;
}

static bool give(struct host *host, unsigned commands)
{
    for (unsigned i = 0; i < TRIES; ++i) {
        draw_up(host, commands);
        host->result.late = !host_go_on(host, host->job->patience_ms);
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
    tell(host, 'p', ok, of);
}

/* From now on it does not sleep, but looks: it sees what a worker does before it wakes anybody. */
static void go_round(struct host *host)
{
    bool ok = give(host, A_LAP);

    host->manner.polls = true;
    tell(host, 'l', ok, A_LAP);
}

/* What it submits then leaves when it falls asleep, and not before. */
static void submit_and_sleep(struct host *host)
{
    bool ok;

    host->courses[0].flushes = false;
    ok = give(host, 1) && give(host, SHORT_BATCH);
    tell(host, 'n', ok, SHORT_BATCH);
}

/* The answers come all the same, or what tells that they never will. */
static void leave_unread(struct host *host)
{
    uint64_t deadline = host_now_ms() + host->job->patience_ms;
    struct pollfd handle = { .events = POLLIN };
    bool ok = true;

    draw_up(host, BATCH);
    course_step(&host->courses[0]);
    if (doca_pe_get_notification_handle(host->pe, &handle.fd) != DOCA_SUCCESS)
        ok = false;
    else if (doca_pe_request_notification(host->pe) == DOCA_SUCCESS)
        ok = poll(&handle, 1, (int)(deadline - host_now_ms())) == 1;
    doca_pe_clear_notification(host->pe, handle.fd);
    tell(host, 'u', ok && host->result.submitted == BATCH, BATCH);
}

/* By one more command it comes to know that the worker has gone, before it looks for answers. */
static void take(struct host *host)
{
    struct course *course = &host->courses[0];
    const struct result *result = &host->result;

    course->until = BATCH + 1;
    course_step(course);
    doca_ctx_flush_tasks(course->ctx);
    host->result.late = !host_go_on(host, host->job->patience_ms);
    tell(host, 'r', result->answered >= BATCH && result->wrong == 0 && result->duplicated == 0,
            BATCH);
}

/* Whoever is given a worker that dies then is given another: no start fails. */
static void start_another(struct host *host)
{
    struct course *another = &host->courses[1];

    draw_up(host, BATCH);
    host->courses[0].given = BATCH; /* it has nothing to do */
    *another = (struct course){ .job = another->job,
        .seed = another->seed,
        .index = 1,
        .pe = host->pe,
        .service = host->service,
        .plugin = host->plugin,
        .result = &host->result,
        .flushes = true,
        .tasks = JOB_DEPTH_MAX,
        .until = BATCH };
    host->result.late = !host_go_on(host, host->job->patience_ms);
    tell(host, 's', host->result.answered == BATCH && strstr(host->result.errors, "start:") == NULL,
            BATCH);
}

static bool obey(struct host *host, int letters)
{
    char letter = 'e';

    while (read(letters, &letter, 1) < 0 && errno == EINTR)
        continue;
    if (letter == 'p')
        probe(host);
    else if (letter == 'l')
        go_round(host);
    else if (letter == 'n')
        submit_and_sleep(host);
    else if (letter == 'u')
        leave_unread(host);
    else if (letter == 'r')
        take(host);
    else if (letter == 's')
        start_another(host);
    return letter != 'e';
}

void keeper_run(const struct job *job, int letters)
{
    struct host host = { .job = job, .manner = manner_of(job), .behaved = true, .leash = -1 };

    if (host_open(&host) == DOCA_SUCCESS) {
        host_begin(&host);
        host.courses[1].stage = COURSE_DONE; /* as yet */
        tell(&host, 'h', give(&host, BATCH), BATCH);
        while (obey(&host, letters))
            continue;
        host_end(&host);
    } else {
        tell(&host, 'h', false, BATCH);
    }
    if (host.result.idle)
        host_close(&host);
    result_print(&host.result, job);
}
