/* SPDX-License-Identifier: Apache-2.0 */
/* Tests the callbacks run by doca_pe_progress, their order, and its return value. */
#include <doca_pe.h>

#include "test_context.h"

#define SPINNING_CALLS 16
#define YIELDING_CALLS 20000

static unsigned yields;

/* Overrides sched_yield of the library: counts the calls and does not yield. */
__attribute__((visibility("default"))) int sched_yield(void)
{
    ++yields;
    return 0;
}

static void progress_returns_0_if_nothing_is_pending(void **state)
{
    assert_int_equal(0, doca_pe_progress(*state));
}

static void progress_of_a_null_engine_returns_0(void **state)
{
    (void)state;
    assert_int_equal(0, doca_pe_progress(NULL));
}

static void progress_returns_1_if_it_runs_a_completion_callback(void **state)
{
    struct test_context context;
    struct test_task task;

    test_context_init(&context, *state);
    test_task_init(&task, &context);
    test_context_run(&context);
    test_task_submit(&task);
    assert_int_equal(0, doca_pe_progress(*state));

    priv_doca_task_complete(&task.base, DOCA_SUCCESS);

    assert_int_equal(0, context.entries);
    assert_int_equal(1, doca_pe_progress(*state));
    assert_int_equal(1, context.entries);
    assert_completion(&context, 0, &task, DOCA_SUCCESS);
    assert_int_equal(0, doca_pe_progress(*state));
    assert_success(doca_ctx_stop(&context.ctx));
    assert_success(priv_doca_ctx_fini(&context.ctx));
}

static void progress_returns_1_if_it_performs_a_transition(void **state)
{
    struct test_context context;

    test_context_init(&context, *state);
    context.start_answer = DOCA_ERROR_IN_PROGRESS;
    assert_status(DOCA_ERROR_IN_PROGRESS, doca_ctx_start(&context.ctx));
    assert_int_equal(0, doca_pe_progress(*state));

    priv_doca_ctx_post_state(&context.ctx, DOCA_CTX_STATE_RUNNING);

    assert_int_equal(DOCA_CTX_STATE_STARTING, state_of(&context));
    assert_int_equal(1, doca_pe_progress(*state));
    assert_int_equal(DOCA_CTX_STATE_RUNNING, state_of(&context));
    assert_int_equal(0, doca_pe_progress(*state));
    assert_success(doca_ctx_stop(&context.ctx));
    assert_success(priv_doca_ctx_fini(&context.ctx));
}

static void each_call_runs_one_completion_in_order_of_arrival(void **state)
{
    static const unsigned order[] = { 2, 0, 3, 1 };
    struct test_context context;
    struct test_task tasks[4];

    test_context_init(&context, *state);
    test_context_run(&context);
    for (unsigned i = 0; i < 4; ++i) {
        test_task_init(&tasks[i], &context);
        test_task_submit(&tasks[i]);
    }
    for (unsigned i = 0; i < 4; ++i)
        priv_doca_task_complete(&tasks[order[i]].base, DOCA_SUCCESS);

    for (unsigned i = 0; i < 4; ++i) {
        assert_int_equal(1, doca_pe_progress(*state));
        assert_int_equal(i + 1, context.entries);
        assert_completion(&context, i, &tasks[order[i]], DOCA_SUCCESS);
    }
    assert_int_equal(0, doca_pe_progress(*state));
    assert_success(doca_ctx_stop(&context.ctx));
    assert_success(priv_doca_ctx_fini(&context.ctx));
}

static void completions_of_all_contexts_of_an_engine_are_ordered(void **state)
{
    struct test_context first, second;
    struct test_task task;

    test_context_init(&first, *state);
    test_context_init(&second, *state);
    second.start_answer = DOCA_ERROR_IN_PROGRESS;
    test_context_run(&first);
    test_task_init(&task, &first);
    test_task_submit(&task);
    assert_status(DOCA_ERROR_IN_PROGRESS, doca_ctx_start(&second.ctx));

    priv_doca_ctx_post_state(&second.ctx, DOCA_CTX_STATE_RUNNING);
    priv_doca_task_complete(&task.base, DOCA_SUCCESS);

    assert_int_equal(1, doca_pe_progress(*state));
    assert_transition(&second, 1, DOCA_CTX_STATE_STARTING, DOCA_CTX_STATE_RUNNING);
    assert_int_equal(0, first.entries);
    assert_int_equal(1, doca_pe_progress(*state));
    assert_int_equal(1, first.entries);
    assert_success(doca_ctx_stop(&first.ctx));
    assert_success(doca_ctx_stop(&second.ctx));
    assert_success(priv_doca_ctx_fini(&first.ctx));
    assert_success(priv_doca_ctx_fini(&second.ctx));
}

static void an_engine_with_connected_contexts_is_not_destroyed(void **state)
{
    struct test_context context;

    test_context_init(&context, *state);

    assert_status(DOCA_ERROR_IN_USE, doca_pe_destroy(*state));

    assert_success(priv_doca_ctx_fini(&context.ctx));
}

static void a_missing_argument_is_an_invalid_value(void **state)
{
    size_t count;

    assert_status(DOCA_ERROR_INVALID_VALUE, doca_pe_create(NULL));
    assert_status(DOCA_ERROR_INVALID_VALUE, doca_pe_destroy(NULL));
    assert_status(DOCA_ERROR_INVALID_VALUE, doca_pe_get_num_inflight_tasks(NULL, &count));
    assert_status(DOCA_ERROR_INVALID_VALUE, doca_pe_get_num_inflight_tasks(*state, NULL));
    assert_status(DOCA_ERROR_INVALID_VALUE,
            doca_pe_set_event_mode(NULL, DOCA_PE_EVENT_MODE_PROGRESS_ALL));
}

static void tasks_in_flight_are_counted_over_all_contexts(void **state)
{
    struct test_context contexts[2];
    struct test_task tasks[2];
    size_t count;

    for (unsigned i = 0; i < 2; ++i) {
        test_context_init(&contexts[i], *state);
        test_context_run(&contexts[i]);
        test_task_init(&tasks[i], &contexts[i]);
        test_task_submit(&tasks[i]);
    }

    assert_success(doca_pe_get_num_inflight_tasks(*state, &count));
    assert_int_equal(2, count);
    assert_success(doca_ctx_get_num_inflight_tasks(&contexts[0].ctx, &count));
    assert_int_equal(1, count);

    priv_doca_task_complete(&tasks[0].base, DOCA_SUCCESS);
    assert_success(doca_pe_get_num_inflight_tasks(*state, &count));
    assert_int_equal(2, count); /* the callback has not run yet */
    assert_int_equal(1, doca_pe_progress(*state));
    assert_success(doca_pe_get_num_inflight_tasks(*state, &count));
    assert_int_equal(1, count);

    priv_doca_task_complete(&tasks[1].base, DOCA_SUCCESS);
    assert_int_equal(1, doca_pe_progress(*state));
    for (unsigned i = 0; i < 2; ++i) {
        assert_success(doca_ctx_stop(&contexts[i].ctx));
        assert_success(priv_doca_ctx_fini(&contexts[i].ctx));
    }
}

static void the_event_mode_is_set_before_and_while_contexts_run(void **state)
{
    struct test_context context;

    assert_success(doca_pe_set_event_mode(*state, DOCA_PE_EVENT_MODE_PROGRESS_ALL));
    assert_success(doca_pe_set_event_mode(*state, DOCA_PE_EVENT_MODE_PROGRESS_SELECTIVE));
    assert_status(
            DOCA_ERROR_INVALID_VALUE, doca_pe_set_event_mode(*state, (enum doca_pe_event_mode)7));

    test_context_init(&context, *state);
    test_context_run(&context);
    assert_success(doca_pe_set_event_mode(*state, DOCA_PE_EVENT_MODE_PROGRESS_ALL));
    assert_success(doca_ctx_stop(&context.ctx));
    assert_success(priv_doca_ctx_fini(&context.ctx));
}

static void an_idle_engine_spins_and_then_yields(void **state)
{
    yields = 0;
    for (unsigned i = 0; i < SPINNING_CALLS; ++i)
        doca_pe_progress(*state);
    assert_int_equal(0, yields);

    for (unsigned i = 0; i < YIELDING_CALLS; ++i)
        doca_pe_progress(*state);
    assert_true(yields > 0);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, engine_set_up, engine_tear_down)
        TEST(progress_returns_0_if_nothing_is_pending),
        TEST(progress_of_a_null_engine_returns_0),
        TEST(progress_returns_1_if_it_runs_a_completion_callback),
        TEST(progress_returns_1_if_it_performs_a_transition),
        TEST(each_call_runs_one_completion_in_order_of_arrival),
        TEST(completions_of_all_contexts_of_an_engine_are_ordered),
        TEST(an_engine_with_connected_contexts_is_not_destroyed),
        TEST(a_missing_argument_is_an_invalid_value),
        TEST(tasks_in_flight_are_counted_over_all_contexts),
        TEST(the_event_mode_is_set_before_and_while_contexts_run),
        TEST(an_idle_engine_spins_and_then_yields),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
