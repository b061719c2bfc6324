/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Command tasks: the hot path. A task's memory contains the frame's prefix, the payload behind it,
 * and the response, so that a command is sent from where the application wrote it:
 *
 *     | pad | prefix 24 | payload ... | deadline 8   | response ...            |
 *
 * A deadline is sent directly behind the payload, over bytes of the application that are restored
 * once they have been sent.
 *
 * The application owns the memory while the task is idle, the library while it is in flight.
 */
#ifndef JUROM_WORKER_TASK_H_
#define JUROM_WORKER_TASK_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <channel/channel.h>
#include <common/buf.h>
#include <common/task.h>
#include <doca_urom.h>

/* The tasks of a context: created at the first start and when their number or size changes. */
struct worker_tasks {
    struct doca_urom_worker_cmd_task *at;
    struct doca_urom_worker_cmd_task *free;
    uint32_t count;
    uint32_t message_size;
    struct doca_urom_worker_cmd_task *arriving; /* whose response is being received, or NULL */
    bool unpushed; /* commands were passed to the channel and not pushed */
};

struct doca_urom_worker_cmd_task {
    struct doca_task base;
    struct doca_urom_worker *worker;
    uint64_t id; /* of the command: the task's index, and a generation in the upper half */
    struct channel_message message;
    bool sending;      /* the payload waits to be sent */
    bool answered;     /* the status is known; the task completes when the payload has been sent */
    bool cancelled;    /* the worker was notified that the answer is not needed */
    uint64_t deadline; /* of the next submission, ns of the monotonic clock; 0: none */
    uint64_t behind;   /* the bytes that its deadline replaces */
    uint8_t *deadline_at; /* where `behind` belongs; NULL: nothing is replaced */
    uint64_t plugin;
    doca_urom_worker_cmd_task_completion_cb_t callback;
    _Alignas(16) uint8_t user_data[32];
    struct doca_buf payload;
    struct doca_buf response;
    uint8_t *memory; /* of both buffers, allocated at first use */
    bool allocated;
    struct doca_urom_worker_cmd_task *next_free;
};

/*
 * Creates the pool of tasks, for messages of at most `message_size` bytes, unless it exists with
 * these sizes. Frees a pool with other sizes.
 */
doca_error_t worker_tasks_make(
        struct doca_urom_worker *worker, uint32_t max_tasks, uint32_t message_size);

/* Frees the pool and the memory of its tasks. */
void worker_tasks_free(struct worker_tasks *tasks);

/*
 * For the channel's receiver: returns the destination of a notification's payload, or NULL to drop
 * it.
 */
void *worker_tasks_place_answer(
        struct doca_urom_worker *worker, const uint8_t prefix[WIRE_PREFIX_SIZE], size_t length);

/*
 * For the channel's receiver: handles the complete payload of a notification. Its task completes
 * now, or when its own payload has been sent.
 */
void worker_tasks_answer_placed(struct doca_urom_worker *worker);

/* Publishes commands that were submitted without DOCA_TASK_SUBMIT_FLAG_FLUSH. */
void worker_tasks_push(struct doca_urom_worker *worker);

/* Completes all tasks in flight with `status`. Later notifications for them are dropped. */
void worker_tasks_fail(struct worker_tasks *tasks, doca_error_t status);

/* Handles the close of the channel, which sends no more payloads. */
void worker_tasks_channel_closed(struct worker_tasks *tasks);

#endif /* JUROM_WORKER_TASK_H_ */
