/* SPDX-License-Identifier: Apache-2.0 */
/* A sync event that runs as a context, and a record of the tasks that completed. */
#ifndef JUROM_SYNC_EVENT_TASK_FIXTURE_H_
#define JUROM_SYNC_EVENT_TASK_FIXTURE_H_

#include "sync_event_fixture.h"

#define TASKS 4 /* of each kind */

static struct doca_pe *pe;
static struct doca_ctx *ctx;
static int completed, failed;
static uint64_t order[16]; /* user data of the tasks in completion order */
static doca_error_t last_status;

static inline void remember(const struct doca_task *task, union doca_data task_data)
{
    last_status = doca_task_get_status(task);
    if (last_status == DOCA_SUCCESS)
        order[completed++] = task_data.u64;
    else
        failed++;
}

static inline void on_get(
        struct doca_sync_event_task_get *task, union doca_data task_data, union doca_data ctx_data)
{
    (void)ctx_data;
    remember(doca_sync_event_task_get_as_doca_task(task), task_data);
}

static inline void on_set(struct doca_sync_event_task_notify_set *task, union doca_data task_data,
        union doca_data ctx_data)
{
    (void)ctx_data;
    remember(doca_sync_event_task_notify_set_as_doca_task(task), task_data);
}

static inline void on_add(struct doca_sync_event_task_notify_add *task, union doca_data task_data,
        union doca_data ctx_data)
{
    (void)ctx_data;
    remember(doca_sync_event_task_notify_add_as_doca_task(task), task_data);
}

static inline void on_equal(struct doca_sync_event_task_wait_eq *task, union doca_data task_data,
        union doca_data ctx_data)
{
    (void)ctx_data;
    remember(doca_sync_event_task_wait_eq_as_doca_task(task), task_data);
}

static inline void on_other(struct doca_sync_event_task_wait_neq *task, union doca_data task_data,
        union doca_data ctx_data)
{
    (void)ctx_data;
    remember(doca_sync_event_task_wait_neq_as_doca_task(task), task_data);
}

static inline int start_event(void **state)
{
    (void)state;
    completed = failed = 0;
    dev = open_soft0();
    assert_ok(doca_pe_create(&pe));
    event = make_event();
    ctx = doca_sync_event_as_ctx(event);
    assert_ok(doca_sync_event_task_get_set_conf(event, on_get, on_get, TASKS));
    assert_ok(doca_sync_event_task_notify_set_set_conf(event, on_set, on_set, TASKS));
    assert_ok(doca_sync_event_task_notify_add_set_conf(event, on_add, on_add, TASKS));
    assert_ok(doca_sync_event_task_wait_eq_set_conf(event, on_equal, on_equal, TASKS));
    assert_ok(doca_sync_event_task_wait_neq_set_conf(event, on_other, on_other, TASKS));
    assert_ok(doca_pe_connect_ctx(pe, ctx));
    assert_ok(doca_ctx_start(ctx));
    return 0;
}

static inline int stop_event(void **state)
{
    (void)state;
    stop_context(pe, ctx);
    assert_ok(doca_sync_event_destroy(event));
    assert_ok(doca_pe_destroy(pe));
    return doca_dev_close(dev);
}

static inline union doca_data tag(uint64_t value)
{
    return (union doca_data){ .u64 = value };
}

static inline struct doca_task *make_get(uint64_t *value, uint64_t user_data)
{
    struct doca_sync_event_task_get *task;

    assert_ok(doca_sync_event_task_get_alloc_init(event, value, tag(user_data), &task));
    return doca_sync_event_task_get_as_doca_task(task);
}

static inline struct doca_task *make_set(uint64_t value, uint64_t user_data)
{
    struct doca_sync_event_task_notify_set *task;

    assert_ok(doca_sync_event_task_notify_set_alloc_init(event, value, tag(user_data), &task));
    return doca_sync_event_task_notify_set_as_doca_task(task);
}

static inline struct doca_task *make_equal(uint64_t value, uint64_t mask, uint64_t user_data)
{
    struct doca_sync_event_task_wait_eq *task;

    assert_ok(doca_sync_event_task_wait_eq_alloc_init(event, value, mask, tag(user_data), &task));
    return doca_sync_event_task_wait_eq_as_doca_task(task);
}

static inline struct doca_task *make_other(uint64_t value, uint64_t mask, uint64_t user_data)
{
    struct doca_sync_event_task_wait_neq *task;

    assert_ok(doca_sync_event_task_wait_neq_alloc_init(event, value, mask, tag(user_data), &task));
    return doca_sync_event_task_wait_neq_as_doca_task(task);
}

#endif /* JUROM_SYNC_EVENT_TASK_FIXTURE_H_ */
