/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sync events: a 64-bit counter, and who may share it.
 *
 *     stopped (configure) -> started, either by itself (doca_sync_event_start: synchronous calls)
 *     or as a context (doca_ctx_start: tasks, and synchronous calls too) -> stopped
 *
 * The object belongs to one thread. Only reading, updating and waiting may be done from any while
 * it is started.
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

/* What each type of task is inside; every one of them has this as its only member. */
struct sync_event_task {
    struct doca_task task;
    struct doca_sync_event *event;
    enum sync_event_task_kind kind;
    uint64_t value; /* to set, to add, or to wait for */
    uint64_t mask;
    uint64_t *result; /* where to put the value that was read; may be NULL */
    struct sync_event_task *next_waiting;
};

/* The tasks of one kind: their callbacks as the types in the interface, cast. */
struct sync_event_tasks {
    void (*completed)(void);
    void (*failed)(void);
    uint32_t count; /* 0: not configured */
    struct task_pool pool;
};

#define SYNC_EVENT_COOKIE_SIZE 16

/* What processes share of an event. */
struct sync_event_page {
    uint64_t value;
    uint8_t cookie[SYNC_EVENT_COOKIE_SIZE]; /* random: tells an importer that it is the right one */
};

struct doca_sync_event {
    struct doca_ctx ctx;
    bool started; /* by itself, not as a context */
    bool has_publisher;
    bool has_subscriber;
    bool is_shared; /* a location is on the other side of PCI: the counter is in `page` */
    bool is_imported;
    struct doca_dev *publisher_dev; /* NULL unless that location is this processor */
    struct doca_dev *subscriber_dev;
    uint64_t own;           /* the counter, where nothing else holds it */
    uint64_t *address;      /* the application's memory for it, or NULL */
    struct doca_buf *buf;   /* the same */
    uint64_t *value;        /* the counter while started */
    struct sync_event_page *page;
    int page_fd; /* -1: none */
    uint8_t *descriptor;
    struct sync_event_tasks tasks[SYNC_EVENT_TASK_KINDS];
    struct pe_poller poller;
    struct sync_event_task *waiting;
    atomic_uint users;      /* threads inside a synchronous call, for which the counter stays */
    atomic_bool wants_wake; /* the engine may sleep until the next update through this object */
};

/* True while neither started nor a context in use. */
static inline bool sync_event_is_configurable(const struct doca_sync_event *event)
{
    return !event->started && ctx_is_idle(&event->ctx);
}

/* True while the counter may be used. Any thread. */
static inline bool sync_event_is_started(const struct doca_sync_event *event)
{
    return __atomic_load_n(&event->started, __ATOMIC_SEQ_CST)
            || __atomic_load_n(&event->ctx.state, __ATOMIC_SEQ_CST) == DOCA_CTX_STATE_RUNNING;
}

/*
 * Finds the counter's place when the event starts, and lets go of it. A stop leaves it be, for
 * tasks in flight and for threads that wait: the next start or the end lets go, once those threads
 * have seen the stop.
 */
doca_error_t sync_event_open_value(struct doca_sync_event *event);
void sync_event_close_value(struct doca_sync_event *event);

/*
 * Opens the page that is descriptor `page_fd` of `process`. NOT_FOUND: there is none that this one
 * may open, or it has another cookie.
 */
doca_error_t sync_event_open_page(struct doca_sync_event *event, uint64_t process,
        uint32_t page_fd, const uint8_t cookie[SYNC_EVENT_COOKIE_SIZE]);

/* Frees what an import or an export brought. */
void sync_event_free_page(struct doca_sync_event *event);

static inline uint64_t sync_event_read(const struct doca_sync_event *event)
{
    return __atomic_load_n(event->value, __ATOMIC_SEQ_CST);
}

/* Changes the counter and wakes an engine that sleeps until it changes. */
void sync_event_set(struct doca_sync_event *event, uint64_t value);
uint64_t sync_event_add(struct doca_sync_event *event, uint64_t value);

/* What the context does with its tasks when it starts, stops and goes. */
doca_error_t sync_event_start_tasks(struct doca_sync_event *event);
doca_error_t sync_event_stop_tasks(struct doca_sync_event *event);
doca_error_t sync_event_free_tasks(struct doca_sync_event *event);

/* The set_conf of each kind. */
doca_error_t sync_event_configure(struct doca_sync_event *event, enum sync_event_task_kind kind,
        void (*completed)(void), void (*failed)(void), uint32_t count);

/*
 * The alloc_init of each kind: a task with those operations. The caller fills in value, mask and
 * result.
 */
doca_error_t sync_event_allocate(struct doca_sync_event *event, enum sync_event_task_kind kind,
        const struct task_operations *operations, union doca_data user_data,
        struct sync_event_task **task);

/* For task_operations, the same for all kinds. */
doca_error_t sync_event_submit(struct doca_task *task, uint32_t flags);
void sync_event_execute(struct doca_task *task);
void sync_event_release(struct doca_task *task);

/* The callback that a completed task wants. */
void (*sync_event_callback(const struct sync_event_task *task))(void);

static inline struct sync_event_task *sync_event_task_of(struct doca_task *task)
{
    return CONTAINER_OF(task, struct sync_event_task, task);
}

#endif /* JUROM_SYNC_EVENT_H_ */
