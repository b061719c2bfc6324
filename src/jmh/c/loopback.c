/* SPDX-License-Identifier: Apache-2.0 */
/* Submits loopback commands and checks the answers. */
#include "loopback.h"

#include <stdlib.h>
#include <string.h>

#include <doca_buf.h>
#include <doca_pe.h>
#include <jurom/urom_graph.h>

#include "measure.h"

static struct urom_worker_graph_cmd *command_of(struct doca_urom_worker_cmd_task *task)
{
    void *data;

    urom_check(doca_buf_get_data(doca_urom_worker_cmd_task_get_payload(task), &data),
            "doca_buf_get_data");
    return data;
}

/* Submits a command without a flush, or flushes it together with the preceding ones. */
static doca_error_t submit_in_batch(struct loopback *loopback, struct doca_task *task)
{
    if (++loopback->held < loopback->batch)
        return doca_task_submit_ex(task, DOCA_TASK_SUBMIT_FLAG_NONE);
    loopback->held = 0;
    return doca_task_submit_ex(task, DOCA_TASK_SUBMIT_FLAG_FLUSH);
}

static void submit(struct loopback *loopback, struct doca_urom_worker_cmd_task *task)
{
    struct urom_worker_graph_cmd *command = command_of(task);

    command->type = UROM_WORKER_CMD_GRAPH_LOOPBACK;
    command->loopback.data = ++loopback->submitted;
    urom_check(submit_in_batch(loopback, doca_urom_worker_cmd_task_as_task(task)),
            "submitting a command");
}

static void check_answer(struct doca_urom_worker_cmd_task *task)
{
    void *data;

    urom_check(doca_task_get_status(doca_urom_worker_cmd_task_as_task(task)), "loopback command");
    urom_check(doca_buf_get_data(doca_urom_worker_cmd_task_get_response(task), &data),
            "doca_buf_get_data");
    struct urom_worker_notify_graph *notify = data;
    if (notify->loopback.data != command_of(task)->loopback.data)
        fail("loopback command", "returned a wrong value");
}

static void completed(struct doca_urom_worker_cmd_task *task, union doca_data task_user_data,
        union doca_data ctx_user_data)
{
    struct loopback *loopback = *(struct loopback **)doca_urom_worker_cmd_task_get_user_data(task);

    (void)task_user_data;
    (void)ctx_user_data;
    check_answer(task);
    loopback->completed++;
    if (loopback->submitted < loopback->limit)
        submit(loopback, task);
}

/* Fills the complete payload: see make_buffer(). */
static struct doca_urom_worker_cmd_task *make_task(struct loopback *loopback)
{
    struct doca_urom_worker_cmd_task *task;
    size_t capacity;

    urom_check(doca_urom_worker_cmd_task_allocate_init(
                       loopback->host.worker, loopback->host.plugin, &task),
            "doca_urom_worker_cmd_task_allocate_init");
    doca_urom_worker_cmd_task_set_cb(task, completed);
    *(struct loopback **)doca_urom_worker_cmd_task_get_user_data(task) = loopback;

    struct doca_buf *payload = doca_urom_worker_cmd_task_get_payload(task);
    urom_check(doca_buf_get_data_len(payload, &capacity), "doca_buf_get_data_len");
    if (capacity < loopback->length)
        fail("--size",
                "exceeds the maximum message size: set --message-size here and in the service");
    void *data = command_of(task);
    memset(data, BUFFER_FILLING, loopback->length);
    urom_check(doca_buf_set_data(payload, data, loopback->length), "doca_buf_set_data");
    return task;
}

/* Allocates the tasks of an open host. */
static void make_tasks(struct loopback *loopback, const struct options *options)
{
    size_t value_size = sizeof(struct urom_worker_graph_cmd_loopback);

    loopback->depth = options->depth;
    loopback->batch = options->batch;
    loopback->held = 0;
    loopback->length = sizeof(struct urom_worker_graph_cmd)
            + (options->size > value_size ? options->size - value_size : 0);
    loopback->tasks = calloc(loopback->depth, sizeof(*loopback->tasks));
    if (loopback->tasks == NULL)
        fail("--depth", "out of memory");
    for (size_t i = 0; i < loopback->depth; ++i)
        loopback->tasks[i] = make_task(loopback);
}

void loopback_open(struct loopback *loopback, const struct options *options)
{
    urom_host_open(&loopback->host, options);
    make_tasks(loopback, options);
}

void loopback_open_beside(
        struct loopback *loopback, const struct loopback *first, const struct options *options)
{
    urom_host_open_beside(&loopback->host, &first->host, options);
    make_tasks(loopback, options);
}

void loopback_once(struct loopback *loopback)
{
    loopback->limit++;
    submit(loopback, loopback->tasks[0]);
    while (doca_pe_progress(loopback->host.pe) == 0)
        ;
}

void loopback_begin(struct loopback *loopback, size_t count)
{
    loopback->limit += count;
    for (size_t i = 0; i < loopback->depth && loopback->submitted < loopback->limit; ++i)
        submit(loopback, loopback->tasks[i]);
}

void loopback_stream(struct loopback *loopback, size_t count)
{
    loopback_begin(loopback, count);
    while (!loopback_is_done(loopback))
        doca_pe_progress(loopback->host.pe);
}

void loopback_close(struct loopback *loopback)
{
    for (size_t i = 0; i < loopback->depth; ++i)
        urom_check(doca_urom_worker_cmd_task_release(loopback->tasks[i]),
                "doca_urom_worker_cmd_task_release");
    free(loopback->tasks);
    urom_host_close(&loopback->host);
}
