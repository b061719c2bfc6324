/* SPDX-License-Identifier: Apache-2.0 */
/* The DOCA functions of an engine, implemented by a device in memory with a random delay. */
#ifndef JUROM_MEMORY_DEVICE_H_
#define JUROM_MEMORY_DEVICE_H_

#include <stdatomic.h>
#include <stdbool.h>

#include <jurom_engine.h>

#define PAYLOAD 8 /* bytes; the response is the payload plus one, as a number */

struct doca_buf {
    uint64_t bytes;
    void *data;
    size_t length;
};

struct doca_urom_worker {
    struct doca_pe *pe;
};

struct doca_task {
    struct doca_urom_worker *worker;
    struct doca_buf payload;
    struct doca_buf response;
    uint64_t plugin;
    void (*callback)(void *task, union doca_data task_user_data, union doca_data ctx_user_data);
    union doca_data user_data;
    uint64_t due; /* completion time */
    bool flying;
    struct doca_task *next;
};

/* A progress engine. Only the thread that holds the engine's lock may touch its plain fields. */
struct doca_pe {
    int handle; /* readable when a task is due, or an event was not cleared */
    int timer;
    int event;
    atomic_uint inside;      /* threads in functions of the device */
    struct doca_task *first; /* in flight, in the order of submission */
    struct doca_task **last;
    uint64_t delay;        /* maximum of the random duration of a task, in nanoseconds */
    unsigned refuse_every; /* interval of rejected submissions; 0: none */
    unsigned submissions;
    unsigned flushes;
    unsigned requests;   /* of notifications */
    unsigned busy_every; /* interval of requests that find an event; 0: none */
    uint64_t random;
    unsigned tasks;                   /* allocated */
    unsigned tasks_max;               /* 0: no limit */
    void (*also)(struct doca_pe *pe); /* called by each progress; NULL: none */
};

extern const struct jurom_engine_functions device_engine_functions;
extern const struct jurom_completion_functions device_functions;

/* Opens a progress engine whose tasks take at most `delay` nanoseconds. */
void device_open(struct doca_pe *pe, uint64_t delay);
/* Closes the engine; fails if a task was not freed. */
void device_close(struct doca_pe *pe);
/* Returns the monotonic time in nanoseconds. */
uint64_t device_now(void);
/* Returns the next number of a sequence, less than `limit`. */
uint64_t device_random(uint64_t *sequence, uint64_t limit);

#endif /* JUROM_MEMORY_DEVICE_H_ */
