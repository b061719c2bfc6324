/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The error codes of functions that are called in the wrong state or with the wrong object, as the
 * vendor documents them. Each case calls one function of the table on the objects of `given`.
 */
#include "memory.h"
#include "progress.h"

#include <doca_buf_pool.h>
#include <doca_dma.h>
#include <doca_graph.h>
#include <doca_sha.h>
#include <doca_sync_event.h>

#define BLOCK 64 /* bytes of one part of a partial hash */

static struct {
    struct memory memory;
    struct doca_buf *buf; /* a living buffer of the memory's inventory */
    struct doca_mmap *stopped_map;
    struct doca_buf_inventory *stopped_inventory;
    struct doca_buf_pool *stopped_pool;
    struct doca_buf_pool *pool_of_stopped_map;
    struct doca_buf_pool *large_pool; /* more elements than its map has room for */
    struct doca_buf_pool *empty_pool; /* started; its only buffer is allocated */
    struct doca_buf *pooled;
    struct doca_pe *pe;
    struct doca_sync_event *event; /* running */
    struct doca_sync_event *unconnected_event;
    struct doca_dma *dma;                                 /* running */
    struct doca_sha *sha;                                 /* running */
    struct doca_sha_task_partial_hash *partial;           /* after its first part */
    struct doca_sha_task_partial_hash *submitted_partial; /* in flight */
    struct doca_task *addition;                           /* of the event */
    struct doca_task *foreign;                            /* of the SHA context */
    struct doca_graph *stopped_graph;
    struct doca_graph_node *first, *second, *third; /* of the stopped graph, in order */
    struct doca_graph *graph;                       /* started */
    struct doca_graph_node *node;                   /* its context node */
    struct doca_graph *other_graph;                 /* started */
    struct doca_graph_node *other_node;
    struct doca_graph *empty_graph;        /* configured and stopped, without nodes */
    struct doca_graph *outer;              /* stopped, with a node that runs `graph` */
    struct doca_graph_instance *instance;  /* of `graph` */
    struct doca_graph_instance *submitted; /* of `graph`, in flight */
} given;

static void on_event(struct doca_sync_event_task_notify_add *task, union doca_data task_data,
        union doca_data ctx_data)
{
    (void)task;
    (void)task_data;
    (void)ctx_data;
}

static void on_get(
        struct doca_sync_event_task_get *task, union doca_data task_data, union doca_data ctx_data)
{
    (void)task;
    (void)task_data;
    (void)ctx_data;
}

static void on_set(struct doca_sync_event_task_notify_set *task, union doca_data task_data,
        union doca_data ctx_data)
{
    (void)task;
    (void)task_data;
    (void)ctx_data;
}

static void on_wait_eq(struct doca_sync_event_task_wait_eq *task, union doca_data task_data,
        union doca_data ctx_data)
{
    (void)task;
    (void)task_data;
    (void)ctx_data;
}

static void on_wait_neq(struct doca_sync_event_task_wait_neq *task, union doca_data task_data,
        union doca_data ctx_data)
{
    (void)task;
    (void)task_data;
    (void)ctx_data;
}

static void on_copy(
        struct doca_dma_task_memcpy *task, union doca_data task_data, union doca_data ctx_data)
{
    (void)task;
    (void)task_data;
    (void)ctx_data;
}

static void on_hash(struct doca_sha_task_partial_hash *task, union doca_data task_data,
        union doca_data ctx_data)
{
    (void)task;
    (void)task_data;
    (void)ctx_data;
}

static void on_instance(struct doca_graph_instance *instance, union doca_data instance_data,
        union doca_data graph_data)
{
    (void)instance;
    (void)instance_data;
    (void)graph_data;
}

static doca_error_t on_node(void *cookie)
{
    (void)cookie;
    return DOCA_SUCCESS;
}

static struct doca_sync_event *make_event(void)
{
    struct doca_sync_event *event;

    assert_ok(doca_sync_event_create(&event));
    assert_ok(doca_sync_event_add_publisher_location_cpu(event, given.memory.dev));
    assert_ok(doca_sync_event_add_subscriber_location_cpu(event, given.memory.dev));
    assert_ok(doca_sync_event_task_notify_add_set_conf(event, on_event, on_event, 4));
    return event;
}

static void run(struct doca_ctx *ctx)
{
    assert_ok(doca_pe_connect_ctx(given.pe, ctx));
    assert_ok(doca_ctx_start(ctx));
}

static struct doca_buf_pool *make_pool(struct doca_mmap *mmap, size_t elements, size_t size)
{
    struct doca_buf_pool *pool;

    assert_ok(doca_buf_pool_create(elements, size, mmap, &pool));
    return pool;
}

static struct doca_sha_task_partial_hash *make_partial(void)
{
    struct doca_sha_task_partial_hash *partial;

    assert_ok(doca_sha_task_partial_hash_alloc_init(given.sha, DOCA_SHA_ALGORITHM_SHA256, given.buf,
            given.buf, (union doca_data){ 0 }, &partial));
    return partial;
}

static struct doca_graph *make_graph(void)
{
    struct doca_graph *graph;

    assert_ok(doca_graph_create(given.pe, &graph));
    assert_ok(doca_graph_set_conf(graph, on_instance, on_instance, 4));
    return graph;
}

/* Returns a started graph of one context node. */
static struct doca_graph *start_graph(struct doca_graph_node **node)
{
    struct doca_graph *graph = make_graph();

    assert_ok(doca_graph_node_create_from_ctx(graph, doca_sync_event_as_ctx(given.event), node));
    assert_ok(doca_graph_start(graph));
    return graph;
}

static void open_memory(void)
{
    memory_open(&given.memory);
    given.buf = memory_buffer(&given.memory, 0, 1024, 0, BLOCK);
    assert_ok(doca_mmap_create(&given.stopped_map));
    assert_ok(doca_mmap_set_memrange(given.stopped_map, given.memory.bytes, MEMORY_SIZE));
    assert_ok(doca_buf_inventory_create(1, &given.stopped_inventory));
    given.stopped_pool = make_pool(given.memory.mmap, 1, 8);
    given.pool_of_stopped_map = make_pool(given.stopped_map, 1, 8);
    given.large_pool = make_pool(given.memory.mmap, 2, MEMORY_SIZE);
    given.empty_pool = make_pool(given.memory.mmap, 1, 8);
    assert_ok(doca_buf_pool_start(given.empty_pool));
    assert_ok(doca_buf_pool_buf_alloc(given.empty_pool, &given.pooled));
}

static void open_contexts(void)
{
    struct doca_sync_event_task_notify_add *addition;

    assert_ok(doca_pe_create(&given.pe));
    given.unconnected_event = make_event();
    given.event = make_event();
    run(doca_sync_event_as_ctx(given.event));
    assert_ok(doca_sync_event_task_notify_add_alloc_init(
            given.event, 1, NULL, (union doca_data){ 0 }, &addition));
    given.addition = doca_sync_event_task_notify_add_as_doca_task(addition);
    assert_ok(doca_dma_create(given.memory.dev, &given.dma));
    assert_ok(doca_dma_task_memcpy_set_conf(given.dma, on_copy, on_copy, 4));
    run(doca_dma_as_ctx(given.dma));
    assert_ok(doca_sha_create(given.memory.dev, &given.sha));
    assert_ok(doca_sha_task_partial_hash_set_conf(given.sha, on_hash, on_hash, 2));
    run(doca_sha_as_ctx(given.sha));
    given.partial = make_partial();
    given.foreign = doca_sha_task_partial_hash_as_task(given.partial);
    assert_ok(doca_task_submit(given.foreign));
    progress_one(given.pe);
    given.submitted_partial = make_partial();
    assert_ok(doca_task_submit(doca_sha_task_partial_hash_as_task(given.submitted_partial)));
}

static void open_graphs(void)
{
    struct doca_graph_node *node;

    given.stopped_graph = make_graph();
    assert_ok(doca_graph_node_create_from_user(given.stopped_graph, on_node, &given.first));
    assert_ok(doca_graph_node_create_from_user(given.stopped_graph, on_node, &given.second));
    assert_ok(doca_graph_node_create_from_user(given.stopped_graph, on_node, &given.third));
    assert_ok(doca_graph_add_dependency(given.stopped_graph, given.first, given.second));
    assert_ok(doca_graph_add_dependency(given.stopped_graph, given.second, given.third));
    given.graph = start_graph(&given.node);
    given.other_graph = start_graph(&given.other_node);
    given.empty_graph = make_graph();
    given.outer = make_graph();
    assert_ok(doca_graph_node_create_from_graph(given.outer, given.graph, &node));
    assert_ok(doca_graph_instance_create(given.graph, &given.instance));
    assert_ok(doca_graph_instance_create(given.graph, &given.submitted));
    assert_ok(doca_graph_instance_set_ctx_node_data(given.submitted, given.node, given.addition));
    assert_ok(doca_graph_instance_submit(given.submitted));
}

static void close_graphs(void)
{
    assert_ok(doca_graph_instance_destroy(given.instance));
    assert_ok(doca_graph_instance_destroy(given.submitted));
    assert_ok(doca_graph_stop(given.graph));
    assert_ok(doca_graph_stop(given.other_graph));
    assert_ok(doca_graph_destroy(given.outer));
    assert_ok(doca_graph_destroy(given.stopped_graph));
    assert_ok(doca_graph_destroy(given.graph));
    assert_ok(doca_graph_destroy(given.other_graph));
    assert_ok(doca_graph_destroy(given.empty_graph));
}

static void close_contexts(void)
{
    doca_task_free(given.addition);
    doca_task_free(doca_sha_task_partial_hash_as_task(given.partial));
    doca_task_free(doca_sha_task_partial_hash_as_task(given.submitted_partial));
    stop_context(given.pe, doca_sync_event_as_ctx(given.event));
    stop_context(given.pe, doca_dma_as_ctx(given.dma));
    stop_context(given.pe, doca_sha_as_ctx(given.sha));
    assert_ok(doca_sync_event_destroy(given.event));
    assert_ok(doca_sync_event_destroy(given.unconnected_event));
    assert_ok(doca_dma_destroy(given.dma));
    assert_ok(doca_sha_destroy(given.sha));
    assert_ok(doca_pe_destroy(given.pe));
}

static void close_memory(void)
{
    assert_ok(doca_buf_dec_refcount(given.pooled, NULL));
    assert_ok(doca_buf_dec_refcount(given.buf, NULL));
    assert_ok(doca_buf_pool_destroy(given.stopped_pool));
    assert_ok(doca_buf_pool_destroy(given.pool_of_stopped_map));
    assert_ok(doca_buf_pool_destroy(given.large_pool));
    assert_ok(doca_buf_pool_destroy(given.empty_pool));
    assert_ok(doca_buf_inventory_destroy(given.stopped_inventory));
    assert_ok(doca_mmap_destroy(given.stopped_map));
    doca_buf_inventory_start(given.memory.inventory); /* a case may have stopped it */
    memory_close(&given.memory);
}

static int open_all(void **state)
{
    (void)state;
    open_memory();
    open_contexts();
    open_graphs();
    return 0;
}

/* Fails if a case changed an object. */
static int close_all(void **state)
{
    (void)state;
    progress_one(given.pe); /* the submitted partial hash */
    progress_one(given.pe); /* the submitted instance */
    close_graphs();
    close_contexts();
    close_memory();
    return 0;
}

static struct doca_buf *no_buf;
static struct doca_graph_node *no_node;
static const union doca_data no_data;

static doca_error_t pool_alloc_from_empty(void)
{
    return doca_buf_pool_buf_alloc(given.empty_pool, &no_buf);
}

static doca_error_t pool_alloc_before_start(void)
{
    return doca_buf_pool_buf_alloc(given.stopped_pool, &no_buf);
}

static doca_error_t pool_set_user_data_started(void)
{
    return doca_buf_pool_set_user_data(given.empty_pool, no_data);
}

static doca_error_t pool_set_alignment_started(void)
{
    return doca_buf_pool_set_element_alignment(given.empty_pool, 8);
}

static doca_error_t pool_start_with_stopped_map(void)
{
    return doca_buf_pool_start(given.pool_of_stopped_map);
}

static doca_error_t pool_start_with_small_map(void)
{
    return doca_buf_pool_start(given.large_pool);
}

static doca_error_t pool_start_started(void)
{
    return doca_buf_pool_start(given.empty_pool);
}

static doca_error_t pool_stop_stopped(void)
{
    return doca_buf_pool_stop(given.stopped_pool);
}

static doca_error_t pool_stop_with_buffers(void)
{
    return doca_buf_pool_stop(given.empty_pool);
}

static doca_error_t pool_destroy_with_buffers(void)
{
    return doca_buf_pool_destroy(given.empty_pool);
}

static doca_error_t inventory_stop_with_buffers(void)
{
    return doca_buf_inventory_stop(given.memory.inventory);
}

static doca_error_t inventory_destroy_with_buffers(void)
{
    return doca_buf_inventory_destroy(given.memory.inventory);
}

static doca_error_t inventory_dup_before_start(void)
{
    return doca_buf_inventory_buf_dup(given.stopped_inventory, given.buf, &no_buf);
}

static doca_error_t inventory_get_before_start(void)
{
    return doca_buf_inventory_buf_get_by_addr(
            given.stopped_inventory, given.memory.mmap, given.memory.bytes, 8, &no_buf);
}

static doca_error_t inventory_get_from_stopped_map(void)
{
    return doca_buf_inventory_buf_get_by_addr(
            given.memory.inventory, given.stopped_map, given.memory.bytes, 8, &no_buf);
}

static doca_error_t map_add_dev_started(void)
{
    return doca_mmap_add_dev(given.memory.mmap, given.memory.dev);
}

static doca_error_t map_rm_dev_started(void)
{
    return doca_mmap_rm_dev(given.memory.mmap, given.memory.dev);
}

static doca_error_t map_enable_thread_safety_started(void)
{
    return doca_mmap_enable_thread_safety(given.memory.mmap);
}

static doca_error_t map_start_started(void)
{
    return doca_mmap_start(given.memory.mmap);
}

static doca_error_t map_stop_stopped(void)
{
    return doca_mmap_stop(given.stopped_map);
}

static doca_error_t dma_destroy_running(void)
{
    return doca_dma_destroy(given.dma);
}

static doca_error_t dma_set_conf_running(void)
{
    return doca_dma_task_memcpy_set_conf(given.dma, on_copy, on_copy, 1);
}

static doca_error_t sha_destroy_running(void)
{
    return doca_sha_destroy(given.sha);
}

static doca_error_t partial_set_dst_in_progress(void)
{
    return doca_sha_task_partial_hash_set_dst(given.partial, given.buf);
}

static doca_error_t partial_set_dst_in_flight(void)
{
    return doca_sha_task_partial_hash_set_dst(given.submitted_partial, given.buf);
}

static doca_error_t partial_set_algorithm_in_progress(void)
{
    return doca_sha_task_partial_hash_set_algorithm(given.partial, DOCA_SHA_ALGORITHM_SHA1);
}

static doca_error_t graph_add_circle_of_two(void)
{
    return doca_graph_add_dependency(given.stopped_graph, given.second, given.first);
}

static doca_error_t graph_add_circle_of_three(void)
{
    return doca_graph_add_dependency(given.stopped_graph, given.third, given.first);
}

static doca_error_t graph_add_dependency_on_itself(void)
{
    return doca_graph_add_dependency(given.stopped_graph, given.first, given.first);
}

static doca_error_t graph_add_dependency_on_foreign_node(void)
{
    return doca_graph_add_dependency(given.stopped_graph, given.first, given.node);
}

static doca_error_t graph_add_dependency_of_foreign_node(void)
{
    return doca_graph_add_dependency(given.stopped_graph, given.node, given.first);
}

static doca_error_t graph_add_dependency_twice(void)
{
    return doca_graph_add_dependency(given.stopped_graph, given.first, given.second);
}

static doca_error_t graph_add_itself(void)
{
    return doca_graph_node_create_from_graph(given.stopped_graph, given.stopped_graph, &no_node);
}

static doca_error_t graph_add_graph_that_contains_it(void)
{
    return doca_graph_node_create_from_graph(given.graph, given.outer, &no_node);
}

static doca_error_t graph_add_stopped_graph(void)
{
    return doca_graph_node_create_from_graph(given.outer, given.stopped_graph, &no_node);
}

static doca_error_t graph_start_without_context_node(void)
{
    return doca_graph_start(given.stopped_graph);
}

static doca_error_t graph_start_without_nodes(void)
{
    return doca_graph_start(given.empty_graph);
}

static doca_error_t graph_start_started(void)
{
    return doca_graph_start(given.graph);
}

static doca_error_t graph_stop_stopped(void)
{
    return doca_graph_stop(given.stopped_graph);
}

static doca_error_t graph_destroy_started(void)
{
    return doca_graph_destroy(given.other_graph);
}

static doca_error_t instance_submit_submitted(void)
{
    return doca_graph_instance_submit(given.submitted);
}

static doca_error_t instance_destroy_submitted(void)
{
    return doca_graph_instance_destroy(given.submitted);
}

static doca_error_t instance_set_user_data_submitted(void)
{
    return doca_graph_instance_set_user_data(given.submitted, no_data);
}

static doca_error_t instance_set_task_of_other_context(void)
{
    return doca_graph_instance_set_ctx_node_data(given.instance, given.node, given.foreign);
}

static doca_error_t instance_set_task_of_foreign_node(void)
{
    return doca_graph_instance_set_ctx_node_data(given.instance, given.other_node, given.addition);
}

static doca_error_t event_get_set_conf_running(void)
{
    return doca_sync_event_task_get_set_conf(given.event, on_get, on_get, 1);
}

static doca_error_t event_notify_set_set_conf_running(void)
{
    return doca_sync_event_task_notify_set_set_conf(given.event, on_set, on_set, 1);
}

static doca_error_t event_notify_add_set_conf_running(void)
{
    return doca_sync_event_task_notify_add_set_conf(given.event, on_event, on_event, 1);
}

static doca_error_t event_wait_eq_set_conf_running(void)
{
    return doca_sync_event_task_wait_eq_set_conf(given.event, on_wait_eq, on_wait_eq, 1);
}

static doca_error_t event_wait_neq_set_conf_running(void)
{
    return doca_sync_event_task_wait_neq_set_conf(given.event, on_wait_neq, on_wait_neq, 1);
}

static doca_error_t event_destroy_running(void)
{
    return doca_sync_event_destroy(given.event);
}

static doca_error_t ctx_start_without_engine(void)
{
    return doca_ctx_start(doca_sync_event_as_ctx(given.unconnected_event));
}

static doca_error_t ctx_stop_without_engine(void)
{
    return doca_ctx_stop(doca_sync_event_as_ctx(given.unconnected_event));
}

static doca_error_t ctx_start_running(void)
{
    return doca_ctx_start(doca_dma_as_ctx(given.dma));
}

static doca_error_t ctx_set_user_data_running(void)
{
    return doca_ctx_set_user_data(doca_dma_as_ctx(given.dma), no_data);
}

static doca_error_t pe_connect_running(void)
{
    return doca_pe_connect_ctx(given.pe, doca_dma_as_ctx(given.dma));
}

static doca_error_t pe_destroy_with_contexts(void)
{
    return doca_pe_destroy(given.pe);
}

static const struct {
    const char *function;
    const char *state;
    doca_error_t expected;
    doca_error_t (*call)(void);
} cases[] = {
    { "doca_buf_pool_buf_alloc", "no free buffer", DOCA_ERROR_EMPTY, pool_alloc_from_empty },
    { "doca_buf_pool_buf_alloc", "stopped", DOCA_ERROR_BAD_STATE, pool_alloc_before_start },
    { "doca_buf_pool_set_user_data", "started", DOCA_ERROR_BAD_STATE, pool_set_user_data_started },
    { "doca_buf_pool_set_element_alignment", "started", DOCA_ERROR_BAD_STATE,
            pool_set_alignment_started },
    { "doca_buf_pool_start", "stopped map", DOCA_ERROR_BAD_STATE, pool_start_with_stopped_map },
    { "doca_buf_pool_start", "map too small", DOCA_ERROR_INITIALIZATION,
            pool_start_with_small_map },
    { "doca_buf_pool_start", "started", DOCA_ERROR_NOT_PERMITTED, pool_start_started },
    { "doca_buf_pool_stop", "stopped", DOCA_ERROR_NOT_PERMITTED, pool_stop_stopped },
    { "doca_buf_pool_stop", "with buffers", DOCA_ERROR_IN_USE, pool_stop_with_buffers },
    { "doca_buf_pool_destroy", "with buffers", DOCA_ERROR_IN_USE, pool_destroy_with_buffers },
    { "doca_buf_inventory_stop", "with buffers", DOCA_SUCCESS, inventory_stop_with_buffers },
    { "doca_buf_inventory_destroy", "with buffers", DOCA_ERROR_IN_USE,
            inventory_destroy_with_buffers },
    { "doca_buf_inventory_buf_dup", "stopped", DOCA_ERROR_BAD_STATE, inventory_dup_before_start },
    { "doca_buf_inventory_buf_get_by_args", "stopped", DOCA_ERROR_NOT_PERMITTED,
            inventory_get_before_start },
    { "doca_buf_inventory_buf_get_by_args", "stopped map", DOCA_ERROR_NOT_PERMITTED,
            inventory_get_from_stopped_map },
    { "doca_mmap_add_dev", "started", DOCA_ERROR_NOT_PERMITTED, map_add_dev_started },
    { "doca_mmap_rm_dev", "started", DOCA_ERROR_NOT_PERMITTED, map_rm_dev_started },
    { "doca_mmap_enable_thread_safety", "started", DOCA_ERROR_NOT_PERMITTED,
            map_enable_thread_safety_started },
    { "doca_mmap_start", "started", DOCA_ERROR_NOT_PERMITTED, map_start_started },
    { "doca_mmap_stop", "stopped", DOCA_ERROR_NOT_PERMITTED, map_stop_stopped },
    { "doca_dma_destroy", "running", DOCA_ERROR_IN_USE, dma_destroy_running },
    { "doca_dma_task_memcpy_set_conf", "running", DOCA_ERROR_BAD_STATE, dma_set_conf_running },
    { "doca_sha_destroy", "running", DOCA_ERROR_IN_USE, sha_destroy_running },
    { "doca_sha_task_partial_hash_set_dst", "between two parts", DOCA_ERROR_BAD_STATE,
            partial_set_dst_in_progress },
    { "doca_sha_task_partial_hash_set_dst", "in flight", DOCA_ERROR_BAD_STATE,
            partial_set_dst_in_flight },
    { "doca_sha_task_partial_hash_set_algorithm", "between two parts", DOCA_ERROR_BAD_STATE,
            partial_set_algorithm_in_progress },
    { "doca_graph_add_dependency", "circle of two", DOCA_ERROR_NOT_PERMITTED,
            graph_add_circle_of_two },
    { "doca_graph_add_dependency", "circle of three", DOCA_ERROR_NOT_PERMITTED,
            graph_add_circle_of_three },
    { "doca_graph_add_dependency", "on itself", DOCA_ERROR_NOT_PERMITTED,
            graph_add_dependency_on_itself },
    { "doca_graph_add_dependency", "to a foreign node", DOCA_ERROR_NOT_PERMITTED,
            graph_add_dependency_on_foreign_node },
    { "doca_graph_add_dependency", "from a foreign node", DOCA_ERROR_NOT_PERMITTED,
            graph_add_dependency_of_foreign_node },
    { "doca_graph_add_dependency", "exists", DOCA_ERROR_ALREADY_EXIST, graph_add_dependency_twice },
    { "doca_graph_node_create_from_graph", "itself", DOCA_ERROR_NOT_PERMITTED, graph_add_itself },
    { "doca_graph_node_create_from_graph", "contains it", DOCA_ERROR_NOT_PERMITTED,
            graph_add_graph_that_contains_it },
    { "doca_graph_node_create_from_graph", "stopped sub-graph", DOCA_ERROR_BAD_STATE,
            graph_add_stopped_graph },
    { "doca_graph_start", "no context node", DOCA_ERROR_BAD_STATE,
            graph_start_without_context_node },
    { "doca_graph_start", "no node", DOCA_ERROR_BAD_STATE, graph_start_without_nodes },
    { "doca_graph_start", "started", DOCA_ERROR_BAD_STATE, graph_start_started },
    { "doca_graph_stop", "stopped", DOCA_ERROR_BAD_STATE, graph_stop_stopped },
    { "doca_graph_destroy", "started", DOCA_ERROR_BAD_STATE, graph_destroy_started },
    { "doca_graph_instance_submit", "in flight", DOCA_ERROR_IN_USE, instance_submit_submitted },
    { "doca_graph_instance_destroy", "in flight", DOCA_ERROR_IN_USE, instance_destroy_submitted },
    { "doca_graph_instance_set_user_data", "in flight", DOCA_ERROR_IN_USE,
            instance_set_user_data_submitted },
    { "doca_graph_instance_set_ctx_node_data", "task of another context", DOCA_ERROR_NOT_PERMITTED,
            instance_set_task_of_other_context },
    { "doca_graph_instance_set_ctx_node_data", "foreign node", DOCA_ERROR_NOT_PERMITTED,
            instance_set_task_of_foreign_node },
    { "doca_sync_event_task_get_set_conf", "running", DOCA_ERROR_NOT_PERMITTED,
            event_get_set_conf_running },
    { "doca_sync_event_task_notify_set_set_conf", "running", DOCA_ERROR_NOT_PERMITTED,
            event_notify_set_set_conf_running },
    { "doca_sync_event_task_notify_add_set_conf", "running", DOCA_ERROR_NOT_PERMITTED,
            event_notify_add_set_conf_running },
    { "doca_sync_event_task_wait_eq_set_conf", "running", DOCA_ERROR_NOT_PERMITTED,
            event_wait_eq_set_conf_running },
    { "doca_sync_event_task_wait_neq_set_conf", "running", DOCA_ERROR_NOT_PERMITTED,
            event_wait_neq_set_conf_running },
    { "doca_sync_event_destroy", "running", DOCA_ERROR_NOT_PERMITTED, event_destroy_running },
    { "doca_ctx_start", "no engine", DOCA_ERROR_NOT_CONNECTED, ctx_start_without_engine },
    { "doca_ctx_stop", "no engine", DOCA_ERROR_NOT_CONNECTED, ctx_stop_without_engine },
    { "doca_ctx_start", "running", DOCA_ERROR_BAD_STATE, ctx_start_running },
    { "doca_ctx_set_user_data", "running", DOCA_ERROR_BAD_STATE, ctx_set_user_data_running },
    { "doca_pe_connect_ctx", "running", DOCA_ERROR_BAD_STATE, pe_connect_running },
    { "doca_pe_destroy", "with contexts", DOCA_ERROR_IN_USE, pe_destroy_with_contexts },
};

static void functions_return_the_documented_codes(void **state)
{
    size_t wrong = 0, i;
    doca_error_t status;

    (void)state;
    for (i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i) {
        open_all(NULL);
        status = cases[i].call();
        if (status != cases[i].expected) {
            print_error("%s (%s): %s instead of %s\n", cases[i].function, cases[i].state,
                    doca_error_get_name(status), doca_error_get_name(cases[i].expected));
            wrong++;
        } else {
            close_all(NULL);
        }
    }
    assert_int_equal(0, wrong);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(functions_return_the_documented_codes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
