/* SPDX-License-Identifier: Apache-2.0 */
/* Execution of instances. */
#include "graph_fixture.h"

#include <stdbool.h>
#include <stdlib.h>

static void nodes_run_after_their_dependencies(void **state)
{
    struct doca_graph_node *last = user_node(graph), *add = task_node(graph);
    struct doca_graph_node *first = user_node(graph);
    struct doca_task *task = make_addition(3);
    struct doca_graph_instance *instance;

    (void)state;
    depend(graph, first, add);
    depend(graph, add, last);
    assert_ok(doca_graph_start(graph));
    instance = make_instance(graph);
    assert_ok(doca_graph_instance_set_user_node_data(instance, first, "1"));
    assert_ok(doca_graph_instance_set_ctx_node_data(instance, add, task));
    assert_ok(doca_graph_instance_set_user_node_data(instance, last, "2"));

    assert_ok(doca_graph_instance_submit(instance));
    assert_string_equal("", trail);
    progress_one(pe);

    assert_int_equal(1, completed);
    assert_string_equal("12", trail);
    assert_int_equal(3, value_of(event));
    assert_ok(doca_graph_instance_destroy(instance));
    doca_task_free(task);
}

static void an_instance_submitted_by_an_event_handler_makes_the_handle_readable(void **state)
{
    struct doca_graph_node *add = task_node(graph);
    struct doca_task *task = make_addition(1);
    struct doca_graph_instance *instance;

    (void)state;
    assert_ok(doca_graph_start(graph));
    instance = make_instance(graph);
    assert_ok(doca_graph_instance_set_ctx_node_data(instance, add, task));
    request_notification(pe);
    assert_ok(doca_graph_instance_submit(instance));

    assert_true(was_notified(pe));
    progress_one(pe);
    assert_ok(doca_graph_instance_destroy(instance));
    doca_task_free(task);
}

static void only_the_completion_of_the_instance_counts_as_progress(void **state)
{
    struct doca_graph_node *add = task_node(graph), *user = user_node(graph);
    struct doca_task *task = make_addition(1);
    struct doca_graph_instance *instance;
    int zeros = 0;

    (void)state;
    depend(graph, add, user);
    assert_ok(doca_graph_start(graph));
    instance = make_instance(graph);
    assert_ok(doca_graph_instance_set_ctx_node_data(instance, add, task));
    assert_ok(doca_graph_instance_set_user_node_data(instance, user, "u"));
    assert_ok(doca_graph_instance_submit(instance));

    while (doca_pe_progress(pe) == 0) {
        assert_int_equal(0, completed);
        assert_true(++zeros < 100);
    }
    assert_int_equal(1, completed);
    assert_true(zeros >= 3); /* both nodes, and the task */
    assert_int_equal(0, doca_pe_progress(pe));
    assert_ok(doca_graph_instance_destroy(instance));
    doca_task_free(task);
}

static void a_task_calls_its_own_callback_unless_a_graph_runs_it(void **state)
{
    struct doca_graph_node *add = task_node(graph);
    struct doca_task *task = make_addition(1);
    struct doca_graph_instance *instance;

    (void)state;
    assert_ok(doca_graph_start(graph));
    instance = make_instance(graph);
    assert_ok(doca_graph_instance_set_ctx_node_data(instance, add, task));
    assert_ok(doca_graph_instance_submit(instance));
    progress_one(pe);
    assert_int_equal(0, callbacks);

    assert_ok(doca_task_submit(task));
    assert_int_equal(1, doca_pe_progress(pe));
    assert_int_equal(1, callbacks);
    assert_int_equal(2, value_of(event));
    assert_ok(doca_graph_instance_destroy(instance));
    doca_task_free(task);
}

static void completions_pass_the_user_data_of_the_instance_and_the_graph(void **state)
{
    struct doca_graph_node *add = task_node(graph);
    struct doca_task *task = make_addition(1);
    struct doca_graph_instance *instance;
    union doca_data data = { .u64 = 11 };

    (void)state;
    assert_ok(doca_graph_set_user_data(graph, data));
    assert_ok(doca_graph_start(graph));
    instance = make_instance(graph);
    data.u64 = 12;
    assert_ok(doca_graph_instance_set_user_data(instance, data));
    assert_ok(doca_graph_instance_set_ctx_node_data(instance, add, task));
    assert_ok(doca_graph_instance_submit(instance));
    progress_one(pe);

    assert_int_equal(11, last_graph_data);
    assert_int_equal(12, last_instance_data);
    data.u64 = 0;
    assert_ok(doca_graph_get_user_data(graph, &data));
    assert_int_equal(11, data.u64);
    assert_ok(doca_graph_instance_get_user_data(instance, &data));
    assert_int_equal(12, data.u64);
    assert_ok(doca_graph_instance_destroy(instance));
    doca_task_free(task);
}

static void a_failing_user_node_fails_the_instance_and_stops_its_branch(void **state)
{
    struct doca_graph_node *add = task_node(graph), *bad, *after = user_node(graph);
    struct doca_task *task = make_addition(1);
    struct doca_graph_instance *instance;

    (void)state;
    assert_ok(doca_graph_node_create_from_user(graph, fail_always, &bad));
    depend(graph, bad, after);
    assert_ok(doca_graph_start(graph));
    instance = make_instance(graph);
    assert_ok(doca_graph_instance_set_ctx_node_data(instance, add, task));
    assert_ok(doca_graph_instance_set_user_node_data(instance, bad, "b"));
    assert_ok(doca_graph_instance_set_user_node_data(instance, after, "a"));
    assert_ok(doca_graph_instance_submit(instance));
    progress_one(pe);

    assert_int_equal(1, failed);
    assert_int_equal(0, completed);
    assert_string_equal("b", trail);
    assert_int_equal(1, value_of(event)); /* the task had been submitted */
    assert_int_equal(0, doca_pe_progress(pe));
    assert_ok(doca_graph_instance_destroy(instance));
    doca_task_free(task);
}

static void a_task_whose_submission_is_rejected_fails_the_instance(void **state)
{
    struct doca_graph_node *read = task_node(graph), *after = user_node(graph);
    struct doca_sync_event_task_get *get;
    struct doca_graph_instance *instance;
    uint64_t value;

    (void)state;
    depend(graph, read, after);
    assert_ok(doca_graph_start(graph));
    assert_ok(doca_sync_event_task_get_alloc_init(event, &value, (union doca_data){ 0 }, &get));
    doca_sync_event_task_get_set_ret_val_ptr(get, NULL); /* its submission fails */
    instance = make_instance(graph);
    assert_ok(doca_graph_instance_set_ctx_node_data(
            instance, read, doca_sync_event_task_get_as_doca_task(get)));
    assert_ok(doca_graph_instance_set_user_node_data(instance, after, "a"));
    assert_ok(doca_graph_instance_submit(instance));
    progress_one(pe);
    assert_int_equal(1, failed);
    assert_string_equal("", trail);

    doca_sync_event_task_get_set_ret_val_ptr(get, &value);
    assert_ok(doca_graph_instance_submit(instance));
    progress_one(pe);
    assert_int_equal(1, completed);
    assert_string_equal("a", trail);
    assert_ok(doca_graph_instance_destroy(instance));
    doca_task_free(doca_sync_event_task_get_as_doca_task(get));
}

static void a_task_in_flight_elsewhere_fails_the_instance_and_completes_there(void **state)
{
    struct doca_graph_node *add = task_node(graph);
    struct doca_task *task = make_addition(1);
    struct doca_graph_instance *instance;

    (void)state;
    assert_ok(doca_graph_start(graph));
    instance = make_instance(graph);
    assert_ok(doca_graph_instance_set_ctx_node_data(instance, add, task));
    assert_ok(doca_graph_instance_submit(instance));
    assert_ok(doca_task_submit(task));

    progress_one(pe);
    assert_int_equal(1, callbacks);
    progress_one(pe);
    assert_int_equal(1, failed);
    assert_int_equal(1, value_of(event));
    assert_ok(doca_graph_instance_destroy(instance));
    doca_task_free(task);
}

static void instances_run_concurrently_with_each_other_and_with_other_tasks(void **state)
{
    struct doca_graph_node *add = task_node(graph);
    struct doca_task *tasks[GRAPH_INSTANCES], *plain = make_addition(100);
    struct doca_graph_instance *instances[GRAPH_INSTANCES];
    int i;

    (void)state;
    assert_ok(doca_graph_start(graph));
    for (i = 0; i < GRAPH_INSTANCES; ++i) {
        tasks[i] = make_addition(1);
        instances[i] = make_instance(graph);
        assert_ok(doca_graph_instance_set_ctx_node_data(instances[i], add, tasks[i]));
        assert_ok(doca_graph_instance_submit(instances[i]));
    }
    assert_ok(doca_task_submit(plain));
    for (i = 0; i < GRAPH_INSTANCES + 1; ++i)
        progress_one(pe);

    assert_int_equal(GRAPH_INSTANCES, completed);
    assert_int_equal(1, callbacks);
    assert_int_equal(100 + GRAPH_INSTANCES, value_of(event));
    for (i = 0; i < GRAPH_INSTANCES; ++i) {
        assert_ok(doca_graph_instance_destroy(instances[i]));
        doca_task_free(tasks[i]);
    }
    doca_task_free(plain);
}

static int submissions;

static void submit_again(struct doca_graph_instance *instance, union doca_data instance_data,
        union doca_data graph_data)
{
    on_instance(instance, instance_data, graph_data);
    if (--submissions > 0)
        assert_ok(doca_graph_instance_submit(instance));
    else
        assert_ok(doca_graph_instance_destroy(instance));
}

static void an_instance_may_be_submitted_again_or_destroyed_in_its_callback(void **state)
{
    struct doca_graph_node *add = task_node(graph);
    struct doca_task *task = make_addition(1);
    struct doca_graph_instance *instance;
    int i;

    (void)state;
    assert_ok(doca_graph_set_conf(graph, submit_again, on_instance_failed, 1));
    assert_ok(doca_graph_start(graph));
    instance = make_instance(graph);
    assert_ok(doca_graph_instance_set_ctx_node_data(instance, add, task));
    submissions = 3;
    assert_ok(doca_graph_instance_submit(instance));
    for (i = 1; i <= 3; ++i) {
        progress_one(pe);
        assert_int_equal(i, completed);
    }

    assert_int_equal(3, value_of(event));
    doca_task_free(task);
}

/* Random graphs: each user node checks that its predecessors have run and that it has not. */
#define NODES 12

struct random_node {
    struct random_node *all;
    bool depends_on[NODES];
    int runs;
};

static doca_error_t check_order(void *cookie)
{
    struct random_node *node = cookie;
    int i;

    for (i = 0; i < NODES; ++i)
        if (node->depends_on[i] && node->all[i].runs != node->runs + 1)
            return DOCA_ERROR_UNEXPECTED;
    node->runs++;
    return DOCA_SUCCESS;
}

static void random_graphs_run_each_node_once_in_order(void **state)
{
    struct random_node nodes[NODES];
    struct doca_graph_node *handles[NODES], *add;
    struct doca_task *task = make_addition(1);
    struct doca_graph_instance *instance;
    unsigned seed = 9;
    int round, i, j, run;

    (void)state;
    for (round = 0; round < 200; ++round) {
        memset(nodes, 0, sizeof(nodes));
        add = task_node(graph);
        for (i = 0; i < NODES; ++i) {
            nodes[i].all = nodes;
            assert_ok(doca_graph_node_create_from_user(graph, check_order, &handles[i]));
        }
        for (i = 0; i < NODES; ++i)
            for (j = 0; j < NODES; ++j) /* in index order: no cycles */
                if (i * 7 % NODES < j * 7 % NODES && rand_r(&seed) % 3 == 0) {
                    depend(graph, handles[i], handles[j]);
                    nodes[j].depends_on[i] = true;
                }
        depend(graph, handles[rand_r(&seed) % NODES], add);
        assert_ok(doca_graph_start(graph));
        instance = make_instance(graph);
        assert_ok(doca_graph_instance_set_ctx_node_data(instance, add, task));
        for (i = 0; i < NODES; ++i)
            assert_ok(doca_graph_instance_set_user_node_data(instance, handles[i], &nodes[i]));
        for (run = 1; run <= 2; ++run) {
            assert_ok(doca_graph_instance_submit(instance));
            progress_one(pe);
            assert_int_equal(0, failed);
            for (i = 0; i < NODES; ++i)
                assert_int_equal(run, nodes[i].runs);
        }
        assert_ok(doca_graph_instance_destroy(instance));
        assert_ok(doca_graph_stop(graph));
        assert_ok(doca_graph_destroy(graph));
        graph = make_graph();
    }
    assert_int_equal(2 * round, value_of(event));
    doca_task_free(task);
}

#define OPENED(test) cmocka_unit_test_setup_teardown(test, open_graph, close_graph)

int main(void)
{
    const struct CMUnitTest tests[] = {
        OPENED(nodes_run_after_their_dependencies),
        OPENED(an_instance_submitted_by_an_event_handler_makes_the_handle_readable),
        OPENED(only_the_completion_of_the_instance_counts_as_progress),
        OPENED(a_task_calls_its_own_callback_unless_a_graph_runs_it),
        OPENED(completions_pass_the_user_data_of_the_instance_and_the_graph),
        OPENED(a_failing_user_node_fails_the_instance_and_stops_its_branch),
        OPENED(a_task_whose_submission_is_rejected_fails_the_instance),
        OPENED(a_task_in_flight_elsewhere_fails_the_instance_and_completes_there),
        OPENED(instances_run_concurrently_with_each_other_and_with_other_tasks),
        OPENED(an_instance_may_be_submitted_again_or_destroyed_in_its_callback),
        OPENED(random_graphs_run_each_node_once_in_order),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
