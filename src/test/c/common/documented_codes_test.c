/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A table of the error codes of functions that are called in the wrong state or with the wrong
 * object, as the vendor documents them.
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

static void open_all(void)
{
    open_memory();
    open_contexts();
    open_graphs();
}

/* Fails if a case changed an object. */
static void close_all(void)
{
    progress_one(given.pe); /* the submitted partial hash */
    progress_one(given.pe); /* the submitted instance */
    close_graphs();
    close_contexts();
    close_memory();
}

static struct doca_buf *no_buf;
static struct doca_graph_node *no_node;
static const union doca_data no_data;

static unsigned wrong;

/* Fails later, so that all differences are reported. */
static void check(const char *call, const char *state, doca_error_t expected, doca_error_t actual)
{
    if (actual == expected) {
        close_all();
        return;
    }
    print_error("%s (%s): %s instead of %s\n", call, state, doca_error_get_name(actual),
            doca_error_get_name(expected));
    wrong++;
}

/* Each call has objects of its own. */
#define CASE(call, state, expected) (open_all(), check(#call, state, expected, call))

static void functions_return_the_documented_codes(void **state)
{
    (void)state;
    CASE(doca_buf_pool_buf_alloc(given.empty_pool, &no_buf), "no free buffer", DOCA_ERROR_EMPTY);
    CASE(doca_buf_pool_buf_alloc(given.stopped_pool, &no_buf), "stopped", DOCA_ERROR_BAD_STATE);
    CASE(doca_buf_pool_set_user_data(given.empty_pool, no_data), "started", DOCA_ERROR_BAD_STATE);
    CASE(doca_buf_pool_set_element_alignment(given.empty_pool, 8), "started", DOCA_ERROR_BAD_STATE);
    CASE(doca_buf_pool_start(given.pool_of_stopped_map), "stopped map", DOCA_ERROR_BAD_STATE);
    CASE(doca_buf_pool_start(given.large_pool), "map too small", DOCA_ERROR_INITIALIZATION);
    CASE(doca_buf_pool_start(given.empty_pool), "started", DOCA_ERROR_NOT_PERMITTED);
    CASE(doca_buf_pool_stop(given.stopped_pool), "stopped", DOCA_ERROR_NOT_PERMITTED);
    CASE(doca_buf_pool_stop(given.empty_pool), "with buffers", DOCA_ERROR_IN_USE);
    CASE(doca_buf_pool_destroy(given.empty_pool), "with buffers", DOCA_ERROR_IN_USE);
    CASE(doca_buf_inventory_stop(given.memory.inventory), "with buffers", DOCA_SUCCESS);
    CASE(doca_buf_inventory_destroy(given.memory.inventory), "with buffers", DOCA_ERROR_IN_USE);
    CASE(doca_buf_inventory_buf_dup(given.stopped_inventory, given.buf, &no_buf), "stopped",
            DOCA_ERROR_BAD_STATE);
    CASE(doca_buf_inventory_buf_get_by_addr(
                 given.stopped_inventory, given.memory.mmap, given.memory.bytes, 8, &no_buf),
            "stopped", DOCA_ERROR_NOT_PERMITTED);
    CASE(doca_buf_inventory_buf_get_by_addr(
                 given.memory.inventory, given.stopped_map, given.memory.bytes, 8, &no_buf),
            "stopped map", DOCA_ERROR_NOT_PERMITTED);
    CASE(doca_mmap_add_dev(given.memory.mmap, given.memory.dev), "started",
            DOCA_ERROR_NOT_PERMITTED);
    CASE(doca_mmap_rm_dev(given.memory.mmap, given.memory.dev), "started",
            DOCA_ERROR_NOT_PERMITTED);
    CASE(doca_mmap_enable_thread_safety(given.memory.mmap), "started", DOCA_ERROR_NOT_PERMITTED);
    CASE(doca_mmap_start(given.memory.mmap), "started", DOCA_ERROR_NOT_PERMITTED);
    CASE(doca_mmap_stop(given.stopped_map), "stopped", DOCA_ERROR_NOT_PERMITTED);
    CASE(doca_dma_destroy(given.dma), "running", DOCA_ERROR_IN_USE);
    CASE(doca_dma_task_memcpy_set_conf(given.dma, on_copy, on_copy, 1), "running",
            DOCA_ERROR_BAD_STATE);
    CASE(doca_sha_destroy(given.sha), "running", DOCA_ERROR_IN_USE);
    CASE(doca_sha_task_partial_hash_set_dst(given.partial, given.buf), "between two parts",
            DOCA_ERROR_BAD_STATE);
    CASE(doca_sha_task_partial_hash_set_dst(given.submitted_partial, given.buf), "in flight",
            DOCA_ERROR_BAD_STATE);
    CASE(doca_sha_task_partial_hash_set_algorithm(given.partial, DOCA_SHA_ALGORITHM_SHA1),
            "between two parts", DOCA_ERROR_BAD_STATE);
    CASE(doca_graph_add_dependency(given.stopped_graph, given.second, given.first), "circle of two",
            DOCA_ERROR_NOT_PERMITTED);
    CASE(doca_graph_add_dependency(given.stopped_graph, given.third, given.first),
            "circle of three", DOCA_ERROR_NOT_PERMITTED);
    CASE(doca_graph_add_dependency(given.stopped_graph, given.first, given.first), "on itself",
            DOCA_ERROR_NOT_PERMITTED);
    CASE(doca_graph_add_dependency(given.stopped_graph, given.first, given.node),
            "to a foreign node", DOCA_ERROR_NOT_PERMITTED);
    CASE(doca_graph_add_dependency(given.stopped_graph, given.node, given.first),
            "from a foreign node", DOCA_ERROR_NOT_PERMITTED);
    CASE(doca_graph_add_dependency(given.stopped_graph, given.first, given.second), "exists",
            DOCA_ERROR_ALREADY_EXIST);
    CASE(doca_graph_node_create_from_graph(given.stopped_graph, given.stopped_graph, &no_node),
            "itself", DOCA_ERROR_NOT_PERMITTED);
    CASE(doca_graph_node_create_from_graph(given.graph, given.outer, &no_node), "contains it",
            DOCA_ERROR_NOT_PERMITTED);
    CASE(doca_graph_node_create_from_graph(given.outer, given.stopped_graph, &no_node),
            "stopped sub-graph", DOCA_ERROR_BAD_STATE);
    CASE(doca_graph_start(given.stopped_graph), "no context node", DOCA_ERROR_BAD_STATE);
    CASE(doca_graph_start(given.empty_graph), "no node", DOCA_ERROR_BAD_STATE);
    CASE(doca_graph_start(given.graph), "started", DOCA_ERROR_BAD_STATE);
    CASE(doca_graph_stop(given.stopped_graph), "stopped", DOCA_ERROR_BAD_STATE);
    CASE(doca_graph_destroy(given.other_graph), "started", DOCA_ERROR_BAD_STATE);
    CASE(doca_graph_instance_submit(given.submitted), "in flight", DOCA_ERROR_IN_USE);
    CASE(doca_graph_instance_destroy(given.submitted), "in flight", DOCA_ERROR_IN_USE);
    CASE(doca_graph_instance_set_user_data(given.submitted, no_data), "in flight",
            DOCA_ERROR_IN_USE);
    CASE(doca_graph_instance_set_ctx_node_data(given.instance, given.node, given.foreign),
            "task of another context", DOCA_ERROR_NOT_PERMITTED);
    CASE(doca_graph_instance_set_ctx_node_data(given.instance, given.other_node, given.addition),
            "foreign node", DOCA_ERROR_NOT_PERMITTED);
    CASE(doca_sync_event_task_get_set_conf(given.event, on_get, on_get, 1), "running",
            DOCA_ERROR_NOT_PERMITTED);
    CASE(doca_sync_event_task_notify_set_set_conf(given.event, on_set, on_set, 1), "running",
            DOCA_ERROR_NOT_PERMITTED);
    CASE(doca_sync_event_task_notify_add_set_conf(given.event, on_event, on_event, 1), "running",
            DOCA_ERROR_NOT_PERMITTED);
    CASE(doca_sync_event_task_wait_eq_set_conf(given.event, on_wait_eq, on_wait_eq, 1), "running",
            DOCA_ERROR_NOT_PERMITTED);
    CASE(doca_sync_event_task_wait_neq_set_conf(given.event, on_wait_neq, on_wait_neq, 1),
            "running", DOCA_ERROR_NOT_PERMITTED);
    CASE(doca_sync_event_destroy(given.event), "running", DOCA_ERROR_NOT_PERMITTED);
    CASE(doca_ctx_start(doca_sync_event_as_ctx(given.unconnected_event)), "no engine",
            DOCA_ERROR_NOT_CONNECTED);
    CASE(doca_ctx_stop(doca_sync_event_as_ctx(given.unconnected_event)), "no engine",
            DOCA_ERROR_NOT_CONNECTED);
    CASE(doca_ctx_start(doca_dma_as_ctx(given.dma)), "running", DOCA_ERROR_BAD_STATE);
    CASE(doca_ctx_set_user_data(doca_dma_as_ctx(given.dma), no_data), "running",
            DOCA_ERROR_BAD_STATE);
    CASE(doca_pe_connect_ctx(given.pe, doca_dma_as_ctx(given.dma)), "running",
            DOCA_ERROR_BAD_STATE);
    CASE(doca_pe_destroy(given.pe), "with contexts", DOCA_ERROR_IN_USE);
    assert_int_equal(0, wrong);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(functions_return_the_documented_codes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
