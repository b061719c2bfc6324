/* SPDX-License-Identifier: Apache-2.0 */
/* Tests the calls permitted in a completion callback: submit, free or keep tasks. */
#include <doca_pe.h>

#include "test_context.h"

#define ROUNDS 20

static struct test_context context;
static struct test_task task, other;
static struct doca_pe *pe;

static int set_up(void **state)
{
    int status = engine_set_up(state);

    pe = *state;
    test_context_init(&context, pe);
    test_task_init(&task, &context);
    test_task_init(&other, &context);
    task.complete_in_submit = true;
    other.complete_in_submit = true;
    test_context_run(&context);
    return status;
}

static int tear_down(void **state)
{
    if (state_of(&context) != DOCA_CTX_STATE_IDLE)
        doca_ctx_stop(&context.ctx);
    return priv_doca_ctx_fini(&context.ctx) + engine_tear_down(state);
}

static void submit_again(struct test_task *completed)
{
    if (completed->submits < ROUNDS)
        test_task_submit(completed);
}

static void a_callback_may_resubmit_its_own_task(void **state)
{
    (void)state;
    task.on_completion = submit_again;

    test_task_submit(&task);
    for (unsigned i = 0; i < ROUNDS; ++i) {
        assert_int_equal(1, doca_pe_progress(pe));
        assert_int_equal(i + 1, context.entries);
    }

    assert_int_equal(0, doca_pe_progress(pe));
    assert_int_equal(ROUNDS, task.submits);
}

static void submit_other(struct test_task *completed)
{
    (void)completed;
    test_task_submit(&other);
}

static void a_callback_may_submit_another_task(void **state)
{
    (void)state;
    task.on_completion = submit_other;

    test_task_submit(&task);

    assert_int_equal(1, doca_pe_progress(pe));
    assert_int_equal(1, doca_pe_progress(pe));
    assert_int_equal(0, doca_pe_progress(pe));
    assert_completion(&context, 1, &other, DOCA_SUCCESS);
}

static void free_own(struct test_task *completed)
{
    doca_task_free(&completed->base);
}

static void a_callback_may_free_its_own_task(void **state)
{
    (void)state;
    task.on_completion = free_own;

    test_task_submit(&task);

    assert_int_equal(1, doca_pe_progress(pe));
    assert_int_equal(1, task.releases);
}

static void free_other(struct test_task *completed)
{
    (void)completed;
    doca_task_free(&other.base);
}

static void a_callback_may_free_another_idle_task(void **state)
{
    (void)state;
    task.on_completion = free_other;

    test_task_submit(&task);

    assert_int_equal(1, doca_pe_progress(pe));
    assert_int_equal(1, other.releases);
    assert_int_equal(0, task.releases);
}

static void a_callback_cannot_free_a_task_in_flight(void **state)
{
    (void)state;
    task.on_completion = free_other;
    test_task_submit(&task);
    test_task_submit(&other);

    assert_int_equal(1, doca_pe_progress(pe));

    assert_int_equal(0, other.releases);
    assert_int_equal(1, doca_pe_progress(pe));
    assert_completion(&context, 1, &other, DOCA_SUCCESS);
}

static size_t seen;

static void count_inflight(struct test_task *completed)
{
    assert_success(doca_ctx_get_num_inflight_tasks(&completed->context->ctx, &seen));
}

static void a_task_is_not_in_flight_in_its_callback(void **state)
{
    (void)state;
    task.on_completion = count_inflight;
    test_task_submit(&task);
    test_task_submit(&other);
    seen = 99;

    assert_int_equal(1, doca_pe_progress(pe));

    assert_int_equal(1, seen);
    assert_int_equal(1, doca_pe_progress(pe));
}

static void stop_context(struct test_task *completed)
{
    assert_success(doca_ctx_stop(&completed->context->ctx));
}

static void a_callback_may_stop_the_context(void **state)
{
    (void)state;
    task.on_completion = stop_context;

    test_task_submit(&task);

    assert_int_equal(1, doca_pe_progress(pe));
    assert_int_equal(DOCA_CTX_STATE_IDLE, state_of(&context));
    assert_int_equal(3, context.entries);
    assert_transition(&context, 1, DOCA_CTX_STATE_RUNNING, DOCA_CTX_STATE_STOPPING);
    assert_transition(&context, 2, DOCA_CTX_STATE_STOPPING, DOCA_CTX_STATE_IDLE);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
        TEST(a_callback_may_resubmit_its_own_task),
        TEST(a_callback_may_submit_another_task),
        TEST(a_callback_may_free_its_own_task),
        TEST(a_callback_may_free_another_idle_task),
        TEST(a_callback_cannot_free_a_task_in_flight),
        TEST(a_task_is_not_in_flight_in_its_callback),
        TEST(a_callback_may_stop_the_context),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
