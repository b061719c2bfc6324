/* SPDX-License-Identifier: Apache-2.0 */
/* Life cycle of graphs and instances, and rejected arguments. */
#include "graph_fixture.h"

static void a_dependency_that_closes_a_cycle_is_rejected(void **state)
{
    struct doca_graph_node *a = task_node(graph), *b = user_node(graph), *c = user_node(graph);

    (void)state;
    depend(graph, a, b);
    depend(graph, b, c);
    depend(graph, a, c);
    assert_int_equal(DOCA_ERROR_NOT_PERMITTED, doca_graph_add_dependency(graph, c, a));
    assert_int_equal(DOCA_ERROR_NOT_PERMITTED, doca_graph_add_dependency(graph, b, a));
    assert_ok(doca_graph_start(graph));
}

static void a_dependency_connects_two_nodes_of_the_graph_once(void **state)
{
    struct doca_graph_node *a = task_node(graph), *b = user_node(graph), *foreign;
    struct doca_graph *other = make_graph();

    (void)state;
    foreign = user_node(other);
    assert_int_equal(DOCA_ERROR_NOT_PERMITTED, doca_graph_add_dependency(graph, a, a));
    assert_int_equal(DOCA_ERROR_NOT_PERMITTED, doca_graph_add_dependency(graph, a, foreign));
    assert_int_equal(DOCA_ERROR_NOT_PERMITTED, doca_graph_add_dependency(graph, foreign, a));
    assert_ok(doca_graph_add_dependency(graph, a, b));
    assert_int_equal(DOCA_ERROR_ALREADY_EXIST, doca_graph_add_dependency(graph, a, b));
    assert_ok(doca_graph_destroy(other));
}

static void a_graph_without_configuration_or_context_does_not_start(void **state)
{
    struct doca_graph *other;

    (void)state;
    assert_int_equal(DOCA_ERROR_BAD_STATE, doca_graph_start(graph));
    user_node(graph);
    assert_int_equal(DOCA_ERROR_BAD_STATE, doca_graph_start(graph));
    task_node(graph);
    assert_ok(doca_graph_start(graph));

    assert_ok(doca_graph_create(pe, &other));
    task_node(other);
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_graph_start(other));
    assert_ok(doca_graph_destroy(other));
}

static void a_context_of_another_engine_is_rejected_at_the_start(void **state)
{
    struct doca_sync_event *foreign = make_event();
    struct doca_graph_node *node;

    (void)state;
    assert_ok(doca_graph_node_create_from_ctx(graph, doca_sync_event_as_ctx(foreign), &node));
    assert_int_equal(DOCA_ERROR_NOT_CONNECTED, doca_graph_start(graph));

    assert_ok(doca_pe_connect_ctx(pe, doca_sync_event_as_ctx(foreign)));
    assert_ok(doca_graph_start(graph));
    assert_ok(doca_graph_stop(graph));
    assert_ok(doca_graph_destroy(graph));
    assert_ok(doca_sync_event_destroy(foreign));
    graph = make_graph();
}

static void a_graph_cannot_be_a_node_of_itself(void **state)
{
    struct doca_graph *middle = make_graph(), *inner = make_graph();
    struct doca_graph_node *node;

    (void)state;
    assert_int_equal(
            DOCA_ERROR_NOT_PERMITTED, doca_graph_node_create_from_graph(graph, graph, &node));
    task_node(inner);
    assert_ok(doca_graph_start(inner));
    assert_ok(doca_graph_node_create_from_graph(middle, inner, &node));
    assert_ok(doca_graph_start(middle));
    assert_ok(doca_graph_node_create_from_graph(graph, middle, &node));
    assert_int_equal(
            DOCA_ERROR_NOT_PERMITTED, doca_graph_node_create_from_graph(inner, graph, &node));
    assert_int_equal(
            DOCA_ERROR_NOT_PERMITTED, doca_graph_node_create_from_graph(middle, graph, &node));

    assert_ok(doca_graph_destroy(graph));
    assert_ok(doca_graph_stop(middle));
    assert_ok(doca_graph_destroy(middle));
    assert_ok(doca_graph_stop(inner));
    assert_ok(doca_graph_destroy(inner));
    graph = make_graph();
}

static void a_sub_graph_has_the_same_engine_and_starts_first(void **state)
{
    struct doca_graph *foreign, *sub = make_graph();
    struct doca_graph_node *node;
    struct doca_pe *other;

    (void)state;
    assert_ok(doca_pe_create(&other));
    assert_ok(doca_graph_create(other, &foreign));
    assert_int_equal(
            DOCA_ERROR_INVALID_VALUE, doca_graph_node_create_from_graph(graph, foreign, &node));
    assert_ok(doca_graph_destroy(foreign));
    assert_ok(doca_pe_destroy(other));

    task_node(sub);
    assert_int_equal(DOCA_ERROR_BAD_STATE, doca_graph_node_create_from_graph(graph, sub, &node));
    assert_ok(doca_graph_start(sub));
    assert_ok(doca_graph_node_create_from_graph(graph, sub, &node));
    assert_ok(doca_graph_stop(sub));
    assert_int_equal(DOCA_ERROR_BAD_STATE, doca_graph_start(graph));
    assert_ok(doca_graph_start(sub));
    assert_ok(doca_graph_start(graph)); /* the sub-graph has the context node */
    assert_ok(doca_graph_stop(graph));
    assert_ok(doca_graph_destroy(graph));
    assert_ok(doca_graph_stop(sub));
    assert_ok(doca_graph_destroy(sub));
    graph = make_graph();
}

static void a_started_graph_cannot_be_changed_or_destroyed(void **state)
{
    struct doca_graph_node *a = task_node(graph), *b = user_node(graph), *node;
    union doca_data data = { 0 };

    (void)state;
    assert_ok(doca_graph_start(graph));
    assert_int_equal(DOCA_ERROR_BAD_STATE, doca_graph_start(graph));
    assert_int_equal(DOCA_ERROR_BAD_STATE, doca_graph_add_dependency(graph, a, b));
    assert_int_equal(DOCA_ERROR_BAD_STATE, doca_graph_node_create_from_ctx(graph, ctx, &node));
    assert_int_equal(
            DOCA_ERROR_BAD_STATE, doca_graph_node_create_from_user(graph, write_down, &node));
    assert_int_equal(
            DOCA_ERROR_BAD_STATE, doca_graph_set_conf(graph, on_instance, on_instance_failed, 1));
    assert_int_equal(DOCA_ERROR_BAD_STATE, doca_graph_set_user_data(graph, data));
    assert_int_equal(DOCA_ERROR_BAD_STATE, doca_graph_destroy(graph));

    assert_ok(doca_graph_stop(graph));
    assert_int_equal(DOCA_ERROR_BAD_STATE, doca_graph_stop(graph));
    assert_ok(doca_graph_add_dependency(graph, a, b));
    assert_ok(doca_graph_start(graph));
}

static void instances_are_limited_and_prevent_their_graph_from_stopping(void **state)
{
    struct doca_graph_instance *instances[GRAPH_INSTANCES], *another;
    int i;

    (void)state;
    task_node(graph);
    assert_int_equal(DOCA_ERROR_BAD_STATE, doca_graph_instance_create(graph, &another));
    assert_ok(doca_graph_start(graph));
    for (i = 0; i < GRAPH_INSTANCES; ++i)
        instances[i] = make_instance(graph);
    assert_int_equal(DOCA_ERROR_NO_MEMORY, doca_graph_instance_create(graph, &another));
    assert_int_equal(DOCA_ERROR_IN_USE, doca_graph_stop(graph));
    for (i = 0; i < GRAPH_INSTANCES; ++i)
        assert_ok(doca_graph_instance_destroy(instances[i]));
    assert_ok(doca_graph_stop(graph));
}

static void an_instance_requires_the_data_of_its_nodes(void **state)
{
    struct doca_graph *sub = make_graph();
    struct doca_graph_node *add = task_node(graph), *inner;
    struct doca_graph_instance *instance, *sub_instance;
    struct doca_task *task = make_addition(1), *sub_task = make_addition(1);

    (void)state;
    task_node(sub);
    assert_ok(doca_graph_start(sub));
    assert_ok(doca_graph_node_create_from_graph(graph, sub, &inner));
    assert_ok(doca_graph_start(graph));
    instance = make_instance(graph);
    sub_instance = make_instance(sub);
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_graph_instance_submit(instance));
    assert_ok(doca_graph_instance_set_ctx_node_data(instance, add, task));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_graph_instance_submit(instance));
    assert_ok(doca_graph_instance_set_sub_graph_node_data(instance, inner, sub_instance));

    assert_ok(doca_graph_instance_submit(
            instance)); /* the missing data of the inner instance is detected later */
    progress_one(pe);
    assert_int_equal(1, failed);
    assert_ok(doca_graph_instance_destroy(instance));
    assert_ok(doca_graph_instance_destroy(sub_instance));
    assert_ok(doca_graph_stop(graph));
    assert_ok(doca_graph_destroy(graph));
    assert_ok(doca_graph_stop(sub));
    assert_ok(doca_graph_destroy(sub));
    doca_task_free(task);
    doca_task_free(sub_task);
    graph = make_graph();
}

static void data_must_match_the_kind_context_and_graph_of_its_node(void **state)
{
    struct doca_graph_node *add = task_node(graph), *user = user_node(graph), *foreign;
    struct doca_graph *other = make_graph();
    struct doca_sync_event *second = make_event();
    struct doca_graph_node *second_node;
    struct doca_graph_instance *instance;
    struct doca_task *task = make_addition(1);

    (void)state;
    foreign = task_node(other);
    assert_ok(doca_pe_connect_ctx(pe, doca_sync_event_as_ctx(second)));
    assert_ok(doca_graph_node_create_from_ctx(graph, doca_sync_event_as_ctx(second), &second_node));
    assert_ok(doca_graph_start(graph));
    instance = make_instance(graph);
    assert_int_equal(
            DOCA_ERROR_INVALID_VALUE, doca_graph_instance_set_ctx_node_data(instance, user, task));
    assert_int_equal(DOCA_ERROR_NOT_PERMITTED,
            doca_graph_instance_set_ctx_node_data(instance, foreign, task));
    assert_int_equal(DOCA_ERROR_NOT_PERMITTED,
            doca_graph_instance_set_ctx_node_data(instance, second_node, task));
    assert_int_equal(
            DOCA_ERROR_INVALID_VALUE, doca_graph_instance_set_ctx_node_data(instance, add, NULL));
    assert_int_equal(
            DOCA_ERROR_INVALID_VALUE, doca_graph_instance_set_user_node_data(instance, add, NULL));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE,
            doca_graph_instance_set_sub_graph_node_data(instance, add, instance));
    assert_ok(doca_graph_instance_set_user_node_data(instance, user, NULL));

    assert_ok(doca_graph_instance_destroy(instance));
    assert_ok(doca_graph_stop(graph));
    assert_ok(doca_graph_destroy(graph));
    assert_ok(doca_graph_destroy(other));
    assert_ok(doca_sync_event_destroy(second));
    doca_task_free(task);
    graph = make_graph();
}

static void a_running_instance_cannot_be_changed_or_destroyed(void **state)
{
    struct doca_graph_node *add = task_node(graph);
    struct doca_task *task = make_addition(1);
    struct doca_graph_instance *instance;

    (void)state;
    assert_ok(doca_graph_start(graph));
    instance = make_instance(graph);
    assert_ok(doca_graph_instance_set_ctx_node_data(instance, add, task));
    assert_ok(doca_graph_instance_submit(instance));
    assert_int_equal(DOCA_ERROR_IN_USE, doca_graph_instance_submit(instance));
    assert_int_equal(
            DOCA_ERROR_BAD_STATE, doca_graph_instance_set_ctx_node_data(instance, add, task));
    assert_int_equal(DOCA_ERROR_IN_USE, doca_graph_instance_destroy(instance));

    progress_one(pe);
    assert_ok(doca_graph_instance_destroy(instance));
    doca_task_free(task);
}

static void null_arguments_are_rejected(void **state)
{
    struct doca_graph_instance *instance;
    struct doca_graph_node *node;
    union doca_data data = { 0 };
    struct doca_graph *other;

    (void)state;
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_graph_create(NULL, &other));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_graph_create(pe, NULL));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_graph_destroy(NULL));
    assert_int_equal(
            DOCA_ERROR_INVALID_VALUE, doca_graph_set_conf(graph, NULL, on_instance_failed, 1));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_graph_set_conf(graph, on_instance, NULL, 1));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE,
            doca_graph_set_conf(graph, on_instance, on_instance_failed, 0));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_graph_set_user_data(NULL, data));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_graph_get_user_data(graph, NULL));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_graph_node_create_from_ctx(graph, NULL, &node));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_graph_node_create_from_ctx(graph, ctx, NULL));
    assert_int_equal(
            DOCA_ERROR_INVALID_VALUE, doca_graph_node_create_from_user(graph, NULL, &node));
    assert_int_equal(
            DOCA_ERROR_INVALID_VALUE, doca_graph_node_create_from_graph(graph, NULL, &node));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_graph_add_dependency(graph, NULL, NULL));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_graph_start(NULL));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_graph_stop(NULL));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_graph_instance_create(NULL, &instance));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_graph_instance_create(graph, NULL));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_graph_instance_destroy(NULL));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_graph_instance_submit(NULL));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_graph_instance_set_user_data(NULL, data));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_graph_instance_get_user_data(NULL, &data));
}

#define OPENED(test) cmocka_unit_test_setup_teardown(test, open_graph, close_graph)

int main(void)
{
    const struct CMUnitTest tests[] = {
        OPENED(a_dependency_that_closes_a_cycle_is_rejected),
        OPENED(a_dependency_connects_two_nodes_of_the_graph_once),
        OPENED(a_graph_without_configuration_or_context_does_not_start),
        OPENED(a_context_of_another_engine_is_rejected_at_the_start),
        OPENED(a_graph_cannot_be_a_node_of_itself),
        OPENED(a_sub_graph_has_the_same_engine_and_starts_first),
        OPENED(a_started_graph_cannot_be_changed_or_destroyed),
        OPENED(instances_are_limited_and_prevent_their_graph_from_stopping),
        OPENED(an_instance_requires_the_data_of_its_nodes),
        OPENED(data_must_match_the_kind_context_and_graph_of_its_node),
        OPENED(a_running_instance_cannot_be_changed_or_destroyed),
        OPENED(null_arguments_are_rejected),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
