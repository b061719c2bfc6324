/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a worker counts, for others to read at any time (docs/counters.md): a line where a command
 * is taken, one where it is answered, and the rest where it is rare.
 */
#ifndef JUROM_WORKER_COUNTING_H_
#define JUROM_WORKER_COUNTING_H_

#include <counters/counters.h>

#include "worker.h"

#if defined(__aarch64__)
#define COUNTING_PAGE 65536 /* the largest that its kernels have */
#else
#define COUNTING_PAGE 4096
#endif

/*
 * Of the process: the memory is mapped over them, so that no pointer has to be read to count. Nothing
 * else is in their pages.
 */
union counted {
    struct counters counters;
    uint8_t pages[(sizeof(struct counters) + COUNTING_PAGE - 1) / COUNTING_PAGE * COUNTING_PAGE];
};

extern union counted counted;

/* counting.c: counts in the memory that the launcher has made, if it has. */
void counting_open(void);

/* counting.c: says whose they are: readers see them from now on. */
void counting_begin(const struct worker *worker);

/* counting.c: an answer that is an error, and a command that no plugin was given. */
void counting_error(doca_error_t status);
void counting_refused(void);

/* counting.c: a host's connection ends, since it broke a rule or there is no memory for it. */
void counting_break(doca_error_t status);

/* counting.c: this command is timed, unless another is; and this one has ended, if it was. */
void counting_sample(const struct connection *connection, uint64_t request_id);
void counting_sampled(const struct connection *connection);

/* A command has come, in a frame of `length`. */
static inline void counting_command(const struct connection *connection, uint64_t request_id,
        size_t length)
{
    counters_add(&counted.counters, COUNTERS_BYTES_IN, length);
    if (counters_is_sample(&counted.counters))
        counting_sample(connection, request_id);
}

/* A command is answered, by a frame of `length`. */
static inline void counting_answer(const struct connection *connection, uint64_t request_id,
        size_t length, doca_error_t status)
{
    counters_add(&counted.counters, COUNTERS_ENDED, 1);
    counters_add(&counted.counters, COUNTERS_BYTES_OUT, length);
    if (counters_is_sampled(&counted.counters, request_id))
        counting_sampled(connection);
    if (status != DOCA_SUCCESS)
        counting_error(status);
}

/* How many commands have not been answered: the worker's own number, which it counts by, too. */
static inline uint64_t *counting_pending(void)
{
    return &counted.counters.values[COUNTERS_BEGUN];
}

/* Commands that their host will not hear of, and what plugins say to nobody. */
static inline void counting_abandoned(size_t commands)
{
    counters_add(&counted.counters, COUNTERS_ABANDONED, commands);
}

static inline void counting_dropped(void)
{
    counters_add(&counted.counters, COUNTERS_DROPPED, 1);
}

/* What changes often is written now and then, and before the worker sleeps. */
static inline void counting_levels(const struct worker *worker)
{
    counters_set(&counted.counters, COUNTERS_WAITING, worker->queued);
    counters_set(&counted.counters, COUNTERS_HOSTS, worker->connections.attached);
    counters_set(&counted.counters, COUNTERS_HOSTS_IN_ALL, worker->connections.serial);
}

#endif /* JUROM_WORKER_COUNTING_H_ */
