/* SPDX-License-Identifier: Apache-2.0 */
#include "behavior.h"

#include <doca_buf.h>
#include <doca_types.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "payload.h"
#include "ticket_replay.h"

#define FILL_COMMANDS 160
#define FILL_BURST 16 /* commands between pauses, in which the worker receives them */
#define FILL_LENGTH 3500
#define PAUSE_MS 2

/* Returns true with probability 1 / one_of, depending on some bits of the seed. */
static bool is_drawn(const struct job *job, unsigned shift, unsigned one_of)
{
    return (job->seed >> shift) % one_of == 0;
}

struct behavior behavior_of(const struct job *job)
{
    /* With several workers, the last presented ticket may belong to a start in progress. */
    bool one_ticket = job->workers == 1;

    return (struct behavior){
        .flushes = is_drawn(job, 0, 2),
        .polls = is_drawn(job, 1, 2),
        .overfills = job->abrupt && is_drawn(job, 8, 2),
        .closes = one_ticket,
        .forks = is_drawn(job, 16, 8),
        .replays = one_ticket && is_drawn(job, 24, 4),
    };
}

static doca_error_t submit_one(struct worker_activity *activity, unsigned number)
{
    uint64_t key = payload_key(activity->seed, activity->index, activity->job->commands + number);
    struct doca_urom_worker_cmd_task *task;
    struct doca_buf *payload;
    doca_error_t status;
    void *data;

    status = doca_urom_worker_cmd_task_allocate_init(activity->worker, activity->plugin, &task);
    if (status != DOCA_SUCCESS)
        return status;
    payload = doca_urom_worker_cmd_task_get_payload(task);
    status = doca_buf_get_data(payload, &data);
    if (status == DOCA_SUCCESS)
        status = doca_buf_set_data(payload, data, FILL_LENGTH);
    if (status != DOCA_SUCCESS)
        return status;
    payload_write(key, data, FILL_LENGTH);
    return doca_task_submit(doca_urom_worker_cmd_task_as_task(task));
}

void behavior_fill_ring(struct worker_activity *activity)
{
    if (activity->stage != ACTIVITY_RUNNING)
        return;
    for (unsigned i = 0; i < FILL_COMMANDS; ++i) {
        if (submit_one(activity, i) != DOCA_SUCCESS)
            break;
        if (i % FILL_BURST == FILL_BURST - 1)
            poll(NULL, 0, PAUSE_MS);
    }
}

void behavior_fork(int lifeline)
{
    char unused;

    if (fork() != 0)
        return;
    while (read(lifeline, &unused, 1) < 0 && errno == EINTR)
        continue;
    _exit(0);
}

static void report(const struct job *job, const char *what, bool yes)
{
    char line[128];
    int length = snprintf(
            line, sizeof(line), "%s run=%u number=%u yes=%d\n", what, job->run, job->number, yes);

    if (write(STDOUT_FILENO, line, (size_t)length) != length)
        _exit(1);
}

void behavior_close(const struct job *job)
{
    report(job, "closed-by-worker", ticket_close_connection());
}

void behavior_replay_ticket(const struct job *job)
{
    enum ticket_replay outcome = ticket_replay();

    if (outcome != TICKET_NOT_SENT)
        report(job, "accepted-again", outcome == TICKET_ACCEPTED);
}
