/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a host counts, for others to read at any time (docs/counters.md): a file for each session,
 * made when its first worker is connected to, and gone with it. The thread of its progress engine
 * writes.
 */
#ifndef JUROM_UROM_COUNTING_H_
#define JUROM_UROM_COUNTING_H_

#include <counters/counters.h>

#include "worker.h"

/* Counts what goes to this worker, whose socket is `socket`, or NULL for one of another machine. */
doca_error_t counting_connect(struct doca_urom_worker *worker, const char *socket);
void counting_disconnect(struct doca_urom_worker *worker);

/* The worker process was lost; its end says how. */
void counting_loss(struct doca_urom_worker *worker);

/* A submission that failed, or waits for room (IN_PROGRESS); and a command that failed. */
void counting_not_sent(struct counters *counters, doca_error_t status);
void counting_error(struct counters *counters, doca_error_t status);

/* A command is about to be sent. */
static inline void counting_submit(const struct doca_urom_worker_cmd_task *task)
{
    struct counters *counters = task->worker->counters;

    counters_add(counters, COUNTERS_BEGUN, 1);
    if (counters_is_sample_due(counters))
        counters_begin_sample(counters, (uintptr_t)task);
}

/* A command is over. */
static inline void counting_completion(const struct doca_urom_worker_cmd_task *task)
{
    struct counters *counters = task->worker->counters;

    counters_add(counters, COUNTERS_ENDED, 1);
    if (counters_is_sampled(counters, (uintptr_t)task))
        counters_end_sample(counters);
}

#endif /* JUROM_UROM_COUNTING_H_ */
