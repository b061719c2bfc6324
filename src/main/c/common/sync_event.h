/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sync events: a 64-bit counter with its locations.
 *
 *     stopped (configure) -> started, either by itself (doca_sync_event_start: synchronous calls)
 *     or as a context (doca_ctx_start: tasks, and synchronous calls) -> stopped
 *
 * The object belongs to one thread, except that any thread may read, update and wait on a started
 * event.
 */
#ifndef JUROM_SYNC_EVENT_H_
#define JUROM_SYNC_EVENT_H_

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <doca_sync_event.h>

#include "ctx.h"
#include "software_engine.h"
#include "task.h"

enum sync_event_task_kind {
    SYNC_EVENT_TASK_GET,
    SYNC_EVENT_TASK_NOTIFY_SET,
    SYNC_EVENT_TASK_NOTIFY_ADD,
    SYNC_EVENT_TASK_WAIT_EQ,
    SYNC_EVENT_TASK_WAIT_NEQ,
    SYNC_EVENT_TASK_KINDS,
};

/* Base of each task type, and its only member. */
struct sync_event_task {
    struct doca_task task;
    struct doca_sync_event *event;
    enum sync_event_task_kind kind;
    uint64_t value; /* value to set, add, or wait for */
    uint64_t mask;
    uint64_t *result; /* address for the value read; may be NULL */
    struct sync_event_task *next_waiting;
};

/* Tasks of one kind. The callbacks are cast from the types of the interface. */
struct sync_event_tasks {
    void (*completed)(void);
    void (*failed)(void);
    uint32_t count; /* 0: not configured */
    struct task_pool pool;
};

#define SYNC_EVENT_COOKIE_SIZE 16

/* Memory that processes share. */
struct sync_event_page {
    uint64_t value;
    uint8_t cookie[SYNC_EVENT_COOKIE_SIZE]; /* random: identifies the page to an importer */
};

struct doca_sync_event {
    struct doca_ctx ctx;
    bool started; /* with doca_sync_event_start, not as a context */
    bool has_publisher;
    bool has_subscriber;
    bool is_shared; /* a location is remote PCI: the counter is in `page` */
    bool is_imported;
    struct doca_dev *publisher_dev; /* NULL unless the publisher is this CPU */
    struct doca_dev *subscriber_dev;
    uint64_t own;         /* the counter if it is stored nowhere else */
    uint64_t *address;    /* counter in the application's memory, or NULL */
    struct doca_buf *buf; /* buffer that contains `address`, or NULL */
    uint64_t *value;      /* the counter while started */
    struct sync_event_page *page;
    int page_fd; /* -1: none */
    uint8_t *descriptor;
    struct sync_event_tasks tasks[SYNC_EVENT_TASK_KINDS];
    struct pe_poller poller;
    struct sync_event_task *waiting;
    atomic_uint users;      /* threads in a synchronous call, which keep the counter in place */
    atomic_bool wants_wake; /* the engine may sleep until an update through this object */
};

/* Returns whether the event may be configured: it is not started, and its context is idle. */
static inline bool sync_event_is_configurable(const struct doca_sync_event *event)
{
    return !event->started && ctx_is_idle(&event->ctx);
}

/* Returns whether the counter may be used. Thread-safe. */
static inline bool sync_event_is_started(const struct doca_sync_event *event)
{
    return __atomic_load_n(&event->started, __ATOMIC_SEQ_CST)
            || __atomic_load_n(&event->ctx.state, __ATOMIC_SEQ_CST) == DOCA_CTX_STATE_RUNNING;
}

/* Returns SUCCESS if the event may be configured. INVALID_VALUE: NULL. BAD_STATE: it is started. */
doca_error_t sync_event_check_configurable(const struct doca_sync_event *event);

/* Releases the devices and the buffer of an event that is destroyed. */
void sync_event_release_locations(struct doca_sync_event *event);

/* Reads the counter of a started event. */
static inline uint64_t sync_event_read(const struct doca_sync_event *event)
{
    return __atomic_load_n(event->value, __ATOMIC_SEQ_CST);
}

#endif /* JUROM_SYNC_EVENT_H_ */
