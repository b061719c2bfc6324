/* SPDX-License-Identifier: Apache-2.0 */
/* Tests contexts that fail, and the calls permitted in state-changed callbacks. */
#include <stdlib.h>

#include <doca_pe.h>

#include "test_context.h"

static struct test_task tasks[2];

static void a_failed_context_becomes_stopping_and_then_idle(void **state)
{
    struct test_context context;

    test_context_init(&context, *state);
    test_context_run(&context);

    priv_doca_ctx_post_failure(&context.ctx);
    priv_doca_ctx_post_failure(&context.ctx);

    assert_int_equal(0, context.entries);
    assert_int_equal(1, doca_pe_progress(*state));
    assert_transition(&context, 0, DOCA_CTX_STATE_RUNNING, DOCA_CTX_STATE_STOPPING);
    assert_int_equal(1, doca_pe_progress(*state));
    assert_transition(&context, 1, DOCA_CTX_STATE_STOPPING, DOCA_CTX_STATE_IDLE);
    assert_int_equal(0, doca_pe_progress(*state));
    assert_success(priv_doca_ctx_fini(&context.ctx)); /* without doca_ctx_stop */
}

static void the_tasks_of_a_failed_context_complete_before_it_is_idle(void **state)
{
    struct test_context context;

    test_context_init(&context, *state);
    test_context_run(&context);
    for (unsigned i = 0; i < 2; ++i) {
        test_task_init(&tasks[i], &context);
        test_task_submit(&tasks[i]);
    }

    priv_doca_ctx_post_failure(&context.ctx);
    for (unsigned i = 0; i < 2; ++i)
        priv_doca_task_complete(&tasks[i].base, DOCA_ERROR_CONNECTION_RESET);
    while (doca_pe_progress(*state) != 0)
        continue;

    assert_int_equal(4, context.entries);
    assert_transition(&context, 0, DOCA_CTX_STATE_RUNNING, DOCA_CTX_STATE_STOPPING);
    assert_completion(&context, 1, &tasks[0], DOCA_ERROR_CONNECTION_RESET);
    assert_completion(&context, 2, &tasks[1], DOCA_ERROR_CONNECTION_RESET);
    assert_transition(&context, 3, DOCA_CTX_STATE_STOPPING, DOCA_CTX_STATE_IDLE);
    assert_success(priv_doca_ctx_fini(&context.ctx));
}

static void a_failing_context_rejects_tasks_and_stop(void **state)
{
    struct test_context context;

    test_context_init(&context, *state);
    test_context_run(&context);
    test_task_init(&tasks[0], &context);
    context.stop_answer = DOCA_ERROR_UNEXPECTED; /* must not be used */

    priv_doca_ctx_post_failure(&context.ctx);

    assert_int_equal(DOCA_CTX_STATE_RUNNING, state_of(&context));
    assert_status(DOCA_ERROR_BAD_STATE, doca_task_submit(&tasks[0].base));
    assert_int_equal(0, tasks[0].submits);
    assert_status(DOCA_ERROR_IN_PROGRESS, doca_ctx_stop(&context.ctx));
    assert_int_equal(1, doca_pe_progress(*state));
    assert_status(DOCA_ERROR_IN_PROGRESS, doca_ctx_stop(&context.ctx));
    assert_int_equal(1, doca_pe_progress(*state));
    assert_success(doca_ctx_stop(&context.ctx));
    assert_success(priv_doca_ctx_fini(&context.ctx));
}

static void a_context_may_become_idle_as_soon_as_it_is_stopped_while_failing(void **state)
{
    for (unsigned events = 0; events < 2; ++events) { /* events of the failure so far */
        struct test_context context;

        test_context_init(&context, *state);
        test_context_run(&context);
        context.idle_on_stop = true;
        priv_doca_ctx_post_failure(&context.ctx);
        for (unsigned i = 0; i < events; ++i)
            assert_int_equal(1, doca_pe_progress(*state));

        assert_success(doca_ctx_stop(&context.ctx));

        assert_int_equal(2, context.entries);
        assert_transition(&context, 0, DOCA_CTX_STATE_RUNNING, DOCA_CTX_STATE_STOPPING);
        assert_transition(&context, 1, DOCA_CTX_STATE_STOPPING, DOCA_CTX_STATE_IDLE);
        assert_int_equal(0, doca_pe_progress(*state));
        test_context_run(&context);
        assert_success(doca_ctx_stop(&context.ctx));
        assert_success(priv_doca_ctx_fini(&context.ctx));
    }
}

static void a_failure_of_a_context_that_is_not_running_is_ignored(void **state)
{
    struct test_context context;

    test_context_init(&context, *state);

    priv_doca_ctx_post_failure(&context.ctx);

    assert_int_equal(0, doca_pe_progress(*state));
    assert_success(doca_ctx_start(&context.ctx));
    assert_success(doca_ctx_stop(&context.ctx));
    assert_success(priv_doca_ctx_fini(&context.ctx));
}

static void a_context_can_be_restarted_after_a_failure(void **state)
{
    struct test_context context;

    test_context_init(&context, *state);
    test_context_run(&context);
    priv_doca_ctx_post_failure(&context.ctx);
    assert_int_equal(1, doca_pe_progress(*state));
    assert_int_equal(1, doca_pe_progress(*state));

    test_context_run(&context);
    test_task_init(&tasks[0], &context);
    tasks[0].complete_in_submit = true;
    test_task_submit(&tasks[0]);

    assert_int_equal(1, doca_pe_progress(*state));
    assert_completion(&context, 0, &tasks[0], DOCA_SUCCESS);
    assert_success(doca_ctx_stop(&context.ctx));
    assert_success(priv_doca_ctx_fini(&context.ctx));
}

static void submit_when_running(struct test_context *context, enum doca_ctx_states next)
{
    if (next != DOCA_CTX_STATE_RUNNING)
        return;
    test_task_init(&tasks[0], context);
    test_task_submit(&tasks[0]);
}

static void the_callback_may_submit_tasks_on_running(void **state)
{
    struct test_context context;

    test_context_init(&context, *state);
    context.start_answer = DOCA_ERROR_IN_PROGRESS;
    context.on_state = submit_when_running;
    assert_status(DOCA_ERROR_IN_PROGRESS, doca_ctx_start(&context.ctx));
    priv_doca_ctx_post_state(&context.ctx, DOCA_CTX_STATE_RUNNING);

    assert_int_equal(1, doca_pe_progress(*state));

    assert_int_equal(1, tasks[0].submits);
    priv_doca_task_complete(&tasks[0].base, DOCA_SUCCESS);
    assert_int_equal(1, doca_pe_progress(*state));
    assert_completion(&context, 2, &tasks[0], DOCA_SUCCESS);
    assert_success(doca_ctx_stop(&context.ctx));
    assert_success(priv_doca_ctx_fini(&context.ctx));
}

static unsigned destroyed;

static void destroy_when_idle(struct test_context *context, enum doca_ctx_states next)
{
    if (next != DOCA_CTX_STATE_IDLE)
        return;
    assert_success(priv_doca_ctx_fini(&context->ctx));
    free(context);
    ++destroyed;
}

static struct test_context *new_context(struct doca_pe *pe)
{
    struct test_context *context = malloc(sizeof(*context));

    assert_non_null(context);
    test_context_init(context, pe);
    context->on_state = destroy_when_idle;
    return context;
}

static void the_callback_may_destroy_the_context_on_idle(void **state)
{
    struct test_context *context;

    destroyed = 0;
    context = new_context(*state); /* stopped synchronously */
    test_context_run(context);
    assert_success(doca_ctx_stop(&context->ctx));
    assert_int_equal(1, destroyed);

    context = new_context(*state); /* stopped asynchronously */
    test_context_run(context);
    context->stop_answer = DOCA_ERROR_IN_PROGRESS;
    assert_status(DOCA_ERROR_IN_PROGRESS, doca_ctx_stop(&context->ctx));
    priv_doca_ctx_post_state(&context->ctx, DOCA_CTX_STATE_IDLE);
    assert_int_equal(1, doca_pe_progress(*state));
    assert_int_equal(2, destroyed);

    context = new_context(*state); /* failed */
    test_context_run(context);
    priv_doca_ctx_post_failure(&context->ctx);
    assert_int_equal(1, doca_pe_progress(*state));
    assert_int_equal(1, doca_pe_progress(*state));
    assert_int_equal(3, destroyed);

    context = new_context(*state); /* failed to start */
    context->start_answer = DOCA_ERROR_IN_PROGRESS;
    assert_status(DOCA_ERROR_IN_PROGRESS, doca_ctx_start(&context->ctx));
    priv_doca_ctx_post_state(&context->ctx, DOCA_CTX_STATE_IDLE);
    assert_int_equal(1, doca_pe_progress(*state));
    assert_int_equal(4, destroyed);
}

static void restart_when_idle(struct test_context *context, enum doca_ctx_states next)
{
    if (next == DOCA_CTX_STATE_IDLE && context->entries < 4)
        assert_success(doca_ctx_start(&context->ctx));
}

static void the_callback_may_restart_the_context_on_idle(void **state)
{
    struct test_context context;

    test_context_init(&context, *state);
    test_context_run(&context);
    context.on_state = restart_when_idle;

    priv_doca_ctx_post_failure(&context.ctx);
    assert_int_equal(1, doca_pe_progress(*state));
    assert_int_equal(1, doca_pe_progress(*state));

    assert_int_equal(DOCA_CTX_STATE_RUNNING, state_of(&context));
    assert_transition(&context, 2, DOCA_CTX_STATE_IDLE, DOCA_CTX_STATE_RUNNING);
    context.on_state = NULL;
    assert_success(doca_ctx_stop(&context.ctx));
    assert_success(priv_doca_ctx_fini(&context.ctx));
}

static void stop_when_running(struct test_context *context, enum doca_ctx_states next)
{
    if (next == DOCA_CTX_STATE_RUNNING)
        assert_status(context->stop_answer, doca_ctx_stop(&context->ctx));
}

static void the_callback_may_stop_the_context_on_running(void **state)
{
    struct test_context context;

    test_context_init(&context, *state);
    context.on_state = stop_when_running;

    assert_success(doca_ctx_start(&context.ctx));

    assert_int_equal(DOCA_CTX_STATE_IDLE, state_of(&context));
    assert_int_equal(3, context.entries);
    assert_success(priv_doca_ctx_fini(&context.ctx));
}

static void destroying_a_context_discards_its_queued_event(void **state)
{
    struct test_context context;

    test_context_init(&context, *state);
    priv_doca_ctx_post_state(&context.ctx, DOCA_CTX_STATE_IDLE);

    assert_success(priv_doca_ctx_fini(&context.ctx));

    assert_int_equal(0, doca_pe_progress(*state));
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, engine_set_up, engine_tear_down)
        TEST(a_failed_context_becomes_stopping_and_then_idle),
        TEST(the_tasks_of_a_failed_context_complete_before_it_is_idle),
        TEST(a_failing_context_rejects_tasks_and_stop),
        TEST(a_context_may_become_idle_as_soon_as_it_is_stopped_while_failing),
        TEST(a_failure_of_a_context_that_is_not_running_is_ignored),
        TEST(a_context_can_be_restarted_after_a_failure),
        TEST(the_callback_may_submit_tasks_on_running),
        TEST(the_callback_may_destroy_the_context_on_idle),
        TEST(the_callback_may_restart_the_context_on_idle),
        TEST(the_callback_may_stop_the_context_on_running),
        TEST(destroying_a_context_discards_its_queued_event),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
