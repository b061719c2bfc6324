/* SPDX-License-Identifier: Apache-2.0 */
/* Graphs that run as nodes of other graphs. */
#include "graph_fixture.h"

/* Creates a started graph with one node that adds `value`, and an instance of it. */
static struct doca_graph_instance *make_sub_instance(struct doca_graph *sub, struct doca_task *task)
{
    struct doca_graph_node *node = task_node(sub);
    struct doca_graph_instance *instance;

    assert_ok(doca_graph_start(sub));
    instance = make_instance(sub);
    assert_ok(doca_graph_instance_set_ctx_node_data(instance, node, task));
    return instance;
}

static void a_graph_runs_as_a_node_of_another(void **state)
{
    struct doca_graph *sub = make_graph();
    struct doca_graph_node *inner, *after = user_node(graph);
    struct doca_graph_instance *instance, *sub_instance;
    struct doca_task *task = make_addition(5);

    (void)state;
    sub_instance = make_sub_instance(sub, task);
    assert_ok(doca_graph_node_create_from_graph(graph, sub, &inner));
    depend(graph, inner, after);
    assert_ok(doca_graph_start(graph));
    instance = make_instance(graph);
    assert_ok(doca_graph_instance_set_sub_graph_node_data(instance, inner, sub_instance));
    assert_ok(doca_graph_instance_set_user_node_data(instance, after, "a"));

    assert_ok(doca_graph_instance_submit(instance));
    assert_int_equal(0, doca_pe_progress(pe));
    assert_int_equal(DOCA_ERROR_IN_USE, doca_graph_instance_submit(sub_instance));
    progress_one(pe);
    assert_int_equal(1, completed); /* only the outer instance completes visibly */
    assert_int_equal(5, value_of(event));
    assert_string_equal("a", trail);

    assert_ok(doca_graph_instance_submit(sub_instance)); /* not as a node */
    progress_one(pe);
    assert_int_equal(2, completed);
    assert_int_equal(DOCA_ERROR_IN_USE, doca_graph_instance_destroy(sub_instance));
    assert_ok(doca_graph_instance_destroy(instance));
    assert_ok(doca_graph_instance_destroy(sub_instance));
    assert_int_equal(DOCA_ERROR_IN_USE, doca_graph_stop(sub));
    assert_ok(doca_graph_stop(graph));
    assert_ok(doca_graph_stop(sub));
    assert_int_equal(DOCA_ERROR_IN_USE, doca_graph_destroy(sub));
    assert_ok(doca_graph_destroy(graph));
    assert_ok(doca_graph_destroy(sub));
    doca_task_free(task);
    graph = make_graph();
}

static void a_sub_graph_instance_that_is_already_running_fails_the_instance(void **state)
{
    struct doca_graph *sub = make_graph();
    struct doca_graph_instance *instance, *sub_instance;
    struct doca_task *task = make_addition(5);
    struct doca_graph_node *inner;

    (void)state;
    sub_instance = make_sub_instance(sub, task);
    assert_ok(doca_graph_node_create_from_graph(graph, sub, &inner));
    assert_ok(doca_graph_start(graph));
    instance = make_instance(graph);
    assert_ok(doca_graph_instance_set_sub_graph_node_data(instance, inner, sub_instance));
    assert_ok(doca_graph_instance_submit(sub_instance));
    assert_ok(doca_graph_instance_submit(instance));
    progress_one(pe);
    progress_one(pe);

    assert_int_equal(1, completed);
    assert_int_equal(1, failed);
    assert_ok(doca_graph_instance_destroy(instance));
    assert_ok(doca_graph_instance_destroy(sub_instance));
    assert_ok(doca_graph_stop(graph));
    assert_ok(doca_graph_destroy(graph));
    assert_ok(doca_graph_stop(sub));
    assert_ok(doca_graph_destroy(sub));
    doca_task_free(task);
    graph = make_graph();
}

#define OPENED(test) cmocka_unit_test_setup_teardown(test, open_graph, close_graph)

int main(void)
{
    const struct CMUnitTest tests[] = {
        OPENED(a_graph_runs_as_a_node_of_another),
        OPENED(a_sub_graph_instance_that_is_already_running_fails_the_instance),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
