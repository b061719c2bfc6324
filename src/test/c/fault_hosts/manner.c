/* SPDX-License-Identifier: Apache-2.0 */
#include "manner.h"

#include <doca_buf.h>
#include <doca_types.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "payload.h"
#include "shown.h"

#define STUFFED 160        /* commands */
#define STUFFED_AT_ONCE 16 /* commands, which the worker is given time to take */
#define STUFFED_LENGTH 3500
#define MOMENT_MS 2

/* One of so many, by some of the seed's bits. */
static bool is_drawn(const struct job *job, unsigned shift, unsigned one_of)
{
    return (job->seed >> shift) % one_of == 0;
}

struct manner manner_of(const struct job *job)
{
    /* Otherwise the last ticket that it has shown may be that of a start which is under way. */
    bool one_ticket = job->workers == 1 && job->domain.members == 0;

    return (struct manner){
        .flushes = is_drawn(job, 0, 2),
        .polls = is_drawn(job, 1, 2),
        .deaf = job->abrupt && is_drawn(job, 8, 2),
        .cuts = one_ticket,
        .forks = is_drawn(job, 16, 8),
        .again = one_ticket && is_drawn(job, 24, 4),
    };
}

static doca_error_t stuff_one(struct course *course, unsigned number)
{
    uint64_t key = payload_key(course->seed, course->index, course->job->commands + number);
    struct doca_urom_worker_cmd_task *task;
    struct doca_buf *payload;
    doca_error_t status;
    void *data;

    status = doca_urom_worker_cmd_task_allocate_init(course->worker, course->plugin, &task);
    if (status != DOCA_SUCCESS)
        return status;
    payload = doca_urom_worker_cmd_task_get_payload(task);
    status = doca_buf_get_data(payload, &data);
    if (status == DOCA_SUCCESS)
        status = doca_buf_set_data(payload, data, STUFFED_LENGTH);
    if (status != DOCA_SUCCESS)
        return status;
    payload_write(key, data, STUFFED_LENGTH);
    return doca_task_submit(doca_urom_worker_cmd_task_as_task(task));
}

void manner_stuff(struct course *course)
{
    if (course->stage != COURSE_RUNNING)
        return;
    for (unsigned i = 0; i < STUFFED; ++i) {
        if (stuff_one(course, i) != DOCA_SUCCESS)
            break;
        if (i % STUFFED_AT_ONCE == STUFFED_AT_ONCE - 1)
            poll(NULL, 0, MOMENT_MS);
    }
}

void manner_fork(int leash)
{
    char nothing;

    if (fork() != 0)
        return;
    while (read(leash, &nothing, 1) < 0 && errno == EINTR)
        continue;
    _exit(0);
}

static void tell(const struct job *job, const char *what, bool yes)
{
    char line[128];
    int length = snprintf(
            line, sizeof(line), "%s run=%u number=%u yes=%d\n", what, job->run, job->number, yes);

    if (write(STDOUT_FILENO, line, (size_t)length) != length)
        _exit(1);
}

void manner_cut(const struct job *job)
{
    tell(job, "ended-by-worker", shown_cut());
}

void manner_show_again(const struct job *job)
{
    enum shown_again came = shown_again();

    if (came != SHOWN_TO_NOBODY)
        tell(job, "let-in-again", came == SHOWN_AND_LET_IN);
}
