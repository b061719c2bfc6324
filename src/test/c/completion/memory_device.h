/* SPDX-License-Identifier: Apache-2.0 */
/* The DOCA functions of an engine, over a device in memory that answers after a delay. */
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
    uint64_t due; /* when it completes */
    bool flying;
    struct doca_task *next;
};

/* A progress engine. Only the thread that holds the engine's lock may touch its plain fields. */
struct doca_pe {
    int handle; /* readable when a task is due, or an event was not cleared */
    int timer;
    int event;
    atomic_uint inside;      /* threads in a function of the device */
    struct doca_task *first; /* in flight, in the order of submission */
    struct doca_task **last;
    uint64_t delay;        /* nanoseconds that a task takes at most, at random */
    unsigned refuse_every; /* every such submission is refused; 0: none */
    unsigned submissions;
    unsigned flushes;
    unsigned requests;   /* of notifications */
    unsigned busy_every; /* every such request finds an event; 0: none */
    uint64_t random;
    unsigned tasks;                   /* allocated */
    unsigned tasks_max;               /* 0: no limit */
    void (*also)(struct doca_pe *pe); /* runs in each progress, unless NULL */
};

extern const struct jurom_engine_functions device_engine_functions;
extern const struct jurom_completion_functions device_functions;

void device_open(struct doca_pe *pe, uint64_t delay);
void device_close(struct doca_pe *pe);
uint64_t device_now(void);
/* The next number of a sequence that is below `limit`. */
uint64_t device_random(uint64_t *sequence, uint64_t limit);

#endif /* JUROM_MEMORY_DEVICE_H_ */
