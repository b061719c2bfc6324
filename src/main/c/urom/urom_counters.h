/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The counters of a host, which other processes read at any time (docs/counters.md). Each session
 * has a file, which exists from the first connection to a worker until the session ends. Written by
 * the thread of its progress engine.
 */
#ifndef JUROM_UROM_COUNTERS_H_
#define JUROM_UROM_COUNTERS_H_

#include <counters/counters.h>

#include "worker_context.h"

/*
 * Begins counting the commands to a worker. `socket` is the path of its socket, or NULL if the
 * worker is on another machine.
 */
doca_error_t counting_connect(struct doca_urom_worker *worker, const char *socket);

/* Removes the worker from the number of connected workers. */
void counting_disconnect(struct doca_urom_worker *worker);

/* Counts the loss of the worker process, by the kind of its end. */
void counting_loss(struct doca_urom_worker *worker);

/* Counts a submission that failed or waits for room (IN_PROGRESS). */
void counting_not_sent(struct counters *counters, doca_error_t status);

/* Counts a command that failed with `status`. */
void counting_error(struct counters *counters, doca_error_t status);

/* Counts a command that is about to be sent. */
static inline void counting_submit(const struct doca_urom_worker_cmd_task *task)
{
    struct counters *counters = task->worker->counters;

    counters_add(counters, COUNTERS_BEGUN, 1);
    if (counters_is_sample_due(counters))
        counters_begin_sample(counters, (uintptr_t)task);
}

/* Counts a command that has completed. */
static inline void counting_completion(const struct doca_urom_worker_cmd_task *task)
{
    struct counters *counters = task->worker->counters;

    counters_add(counters, COUNTERS_ENDED, 1);
    if (counters_is_sampled(counters, (uintptr_t)task))
        counters_end_sample(counters);
}

#endif /* JUROM_UROM_COUNTERS_H_ */
