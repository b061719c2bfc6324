/* SPDX-License-Identifier: Apache-2.0 */
/* A graph on an engine with one running context (a sync event), and a record of the nodes that ran. */
#ifndef JUROM_GRAPH_FIXTURE_H_
#define JUROM_GRAPH_FIXTURE_H_

#include "sync_event_fixture.h"

#include <doca_graph.h>

#define GRAPH_TASKS 16
#define GRAPH_INSTANCES 4

static struct doca_pe *pe;
static struct doca_ctx *ctx;
static struct doca_graph *graph;
static int completed, failed, callbacks; /* instances; callbacks of tasks */
static uint64_t last_instance_data, last_graph_data;

/* The user nodes that ran, one letter each. */
static char trail[256];

static inline doca_error_t write_down(void *cookie)
{
    strncat(trail, cookie, sizeof(trail) - strlen(trail) - 1);
    return DOCA_SUCCESS;
}

static inline doca_error_t fail_always(void *cookie)
{
    write_down(cookie);
    return DOCA_ERROR_UNEXPECTED;
}

static inline void on_instance(struct doca_graph_instance *instance, union doca_data instance_data,
        union doca_data graph_data)
{
    (void)instance;
    completed++;
    last_instance_data = instance_data.u64;
    last_graph_data = graph_data.u64;
}

static inline void on_instance_failed(struct doca_graph_instance *instance,
        union doca_data instance_data, union doca_data graph_data)
{
    (void)instance;
    (void)instance_data;
    (void)graph_data;
    failed++;
}

static inline void on_task(struct doca_sync_event_task_notify_add *task, union doca_data task_data,
        union doca_data ctx_data)
{
    (void)task;
    (void)task_data;
    (void)ctx_data;
    callbacks++;
}

static inline void on_get(
        struct doca_sync_event_task_get *task, union doca_data task_data, union doca_data ctx_data)
{
    (void)task;
    (void)task_data;
    (void)ctx_data;
    callbacks++;
}

static inline struct doca_graph *make_graph(void)
{
    struct doca_graph *made;

    assert_ok(doca_graph_create(pe, &made));
    assert_ok(doca_graph_set_conf(made, on_instance, on_instance_failed, GRAPH_INSTANCES));
    return made;
}

static inline int open_graph(void **state)
{
    (void)state;
    completed = failed = callbacks = 0;
    trail[0] = '\0';
    dev = open_soft0();
    assert_ok(doca_pe_create(&pe));
    event = make_event();
    ctx = doca_sync_event_as_ctx(event);
    assert_ok(doca_sync_event_task_notify_add_set_conf(event, on_task, on_task, GRAPH_TASKS));
    assert_ok(doca_sync_event_task_get_set_conf(event, on_get, on_get, GRAPH_TASKS));
    assert_ok(doca_pe_connect_ctx(pe, ctx));
    assert_ok(doca_ctx_start(ctx));
    graph = make_graph();
    return 0;
}

/* Fails if an instance or a task was not destroyed. */
static inline int close_graph(void **state)
{
    (void)state;
    doca_graph_stop(graph);
    assert_ok(doca_graph_destroy(graph));
    stop_context(pe, ctx);
    assert_ok(doca_sync_event_destroy(event));
    assert_ok(doca_pe_destroy(pe));
    return doca_dev_close(dev);
}

static inline struct doca_graph_node *task_node(struct doca_graph *of)
{
    struct doca_graph_node *node;

    assert_ok(doca_graph_node_create_from_ctx(of, ctx, &node));
    return node;
}

static inline struct doca_graph_node *user_node(struct doca_graph *of)
{
    struct doca_graph_node *node;

    assert_ok(doca_graph_node_create_from_user(of, write_down, &node));
    return node;
}

static inline void depend(
        struct doca_graph *of, struct doca_graph_node *from, struct doca_graph_node *to)
{
    assert_ok(doca_graph_add_dependency(of, from, to));
}

static inline struct doca_graph_instance *make_instance(struct doca_graph *of)
{
    struct doca_graph_instance *instance;

    assert_ok(doca_graph_instance_create(of, &instance));
    return instance;
}

/* Creates a task that adds `value` to the counter. */
static inline struct doca_task *make_addition(uint64_t value)
{
    struct doca_sync_event_task_notify_add *task;

    assert_ok(doca_sync_event_task_notify_add_alloc_init(
            event, value, NULL, (union doca_data){ 0 }, &task));
    return doca_sync_event_task_notify_add_as_doca_task(task);
}

#endif /* JUROM_GRAPH_FIXTURE_H_ */
