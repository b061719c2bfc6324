/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The worker's counters, which other processes read at any time (docs/counters.md). Only
 * counting_command and counting_answer are called for every command.
 */
#ifndef JUROM_WORKER_COUNTERS_H_
#define JUROM_WORKER_COUNTERS_H_

#include <counters/counters.h>

#include "connection.h"

#if defined(__aarch64__)
#define COUNTING_PAGE 65536 /* the largest page size of its kernels */
#else
#define COUNTING_PAGE 4096
#endif

/*
 * The counters of the process. The launcher's memory is mapped over these pages, so that counting
 * needs no pointer; nothing else may share them.
 */
union counted {
    struct counters counters;
    uint8_t pages[(sizeof(struct counters) + COUNTING_PAGE - 1) / COUNTING_PAGE * COUNTING_PAGE];
};

extern union counted counted;

/* Maps the memory that the launcher created, if it did. */
void counting_open(void);

/* Writes the worker's id and label, which makes the counters visible to readers. */
void counting_begin(uint64_t worker_id, const char *label);

/* Counts an error response. */
void counting_error(doca_error_t status);

/* Counts a command that was rejected before its plugin received it. */
void counting_refused(void);

/* Counts a connection ended by a protocol violation or for lack of memory. */
void counting_break(doca_error_t status);

/* Starts timing this command unless another is timed. */
void counting_sample(const struct connection *connection, uint64_t request_id);

/* Ends the timing if the timed command belongs to this connection. */
void counting_sampled(const struct connection *connection);

/* Counts a command received in a frame of `length` bytes. */
static inline void counting_command(
        const struct connection *connection, uint64_t request_id, size_t length)
{
    counters_add(&counted.counters, COUNTERS_BYTES_IN, length);
    if (counters_is_sample_due(&counted.counters))
        counting_sample(connection, request_id);
}

/* Counts a response sent in a frame of `length` bytes. */
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

/* Returns the counter of unanswered commands. The worker itself also relies on it. */
static inline uint64_t *counting_pending(void)
{
    return &counted.counters.values[COUNTERS_BEGUN];
}

/* Counts commands whose host has left. */
static inline void counting_abandoned(size_t commands)
{
    counters_add(&counted.counters, COUNTERS_ABANDONED, commands);
}

/* Counts a notification that matches no pending command. */
static inline void counting_dropped(void)
{
    counters_add(&counted.counters, COUNTERS_DROPPED, 1);
}

/* Writes when the worker looked for events. */
static inline void counting_poll(uint64_t now)
{
    counters_set(&counted.counters, COUNTERS_POLLED, now);
}

/* Writes values that change often; called periodically and before the worker sleeps. */
static inline void counting_levels(uint64_t queued, uint64_t attached, uint64_t attached_in_all)
{
    counters_set(&counted.counters, COUNTERS_WAITING, queued);
    counters_set(&counted.counters, COUNTERS_HOSTS, attached);
    counters_set(&counted.counters, COUNTERS_HOSTS_IN_ALL, attached_in_all);
}

/* Returns the counter that contains the running callback of a plugin (plugin.h). */
static inline uint64_t *counting_callback(void)
{
    return &counted.counters.values[COUNTERS_CALLBACK];
}

/* Returns the counter that contains until when a plugin has announced to be busy. */
static inline uint64_t *counting_busy(void)
{
    return &counted.counters.values[COUNTERS_BUSY];
}

#endif /* JUROM_WORKER_COUNTERS_H_ */
