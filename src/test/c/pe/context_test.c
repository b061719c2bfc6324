/* SPDX-License-Identifier: Apache-2.0 */
/* Tests the states of a context and the calls permitted in each. */
#include <doca_pe.h>

#include "test_context.h"

static struct test_context context;
static struct doca_pe *pe;

static int set_up(void **state)
{
    int status = engine_set_up(state);

    pe = *state;
    test_context_init(&context, pe);
    return status;
}

/* Destroys the context in any state. */
static int tear_down(void **state)
{
    context.stop_answer = DOCA_SUCCESS;
    context.on_state = NULL;
    while (doca_pe_progress(pe) != 0)
        continue;
    if (state_of(&context) != DOCA_CTX_STATE_IDLE)
        doca_ctx_stop(&context.ctx);
    return priv_doca_ctx_fini(&context.ctx) + engine_tear_down(state);
}

static void begin_start(void)
{
    context.start_answer = DOCA_ERROR_IN_PROGRESS;
    assert_status(DOCA_ERROR_IN_PROGRESS, doca_ctx_start(&context.ctx));
}

static void a_successful_start_is_running_at_once(void **state)
{
    (void)state;
    assert_success(doca_ctx_start(&context.ctx));

    assert_int_equal(DOCA_CTX_STATE_RUNNING, state_of(&context));
    assert_int_equal(1, context.entries);
    assert_transition(&context, 0, DOCA_CTX_STATE_IDLE, DOCA_CTX_STATE_RUNNING);
    assert_int_equal(0, doca_pe_progress(pe));
}

static void a_start_in_progress_is_starting_until_progress_completes_it(void **state)
{
    (void)state;
    begin_start();
    assert_transition(&context, 0, DOCA_CTX_STATE_IDLE, DOCA_CTX_STATE_STARTING);
    assert_int_equal(0, doca_pe_progress(pe));

    priv_doca_ctx_post_state(&context.ctx, DOCA_CTX_STATE_RUNNING);

    assert_int_equal(1, context.entries);
    assert_int_equal(1, doca_pe_progress(pe));
    assert_transition(&context, 1, DOCA_CTX_STATE_STARTING, DOCA_CTX_STATE_RUNNING);
}

static void a_start_that_fails_synchronously_leaves_the_context_idle(void **state)
{
    (void)state;
    context.start_answer = DOCA_ERROR_NOT_FOUND;

    assert_status(DOCA_ERROR_NOT_FOUND, doca_ctx_start(&context.ctx));

    assert_int_equal(DOCA_CTX_STATE_IDLE, state_of(&context));
    assert_int_equal(0, context.entries);
}

static void a_start_that_fails_asynchronously_becomes_idle_in_progress(void **state)
{
    (void)state;
    begin_start();

    priv_doca_ctx_post_state(&context.ctx, DOCA_CTX_STATE_IDLE);

    assert_int_equal(1, doca_pe_progress(pe));
    assert_transition(&context, 1, DOCA_CTX_STATE_STARTING, DOCA_CTX_STATE_IDLE);
    context.start_answer = DOCA_SUCCESS;
    assert_success(doca_ctx_start(&context.ctx)); /* the context can be restarted */
}

static void a_stop_of_an_idle_context_is_harmless(void **state)
{
    (void)state;
    assert_success(doca_ctx_stop(&context.ctx));
    assert_int_equal(0, context.entries);
}

static void a_stop_that_succeeds_at_once_passes_stopping(void **state)
{
    (void)state;
    test_context_run(&context);

    assert_success(doca_ctx_stop(&context.ctx));

    assert_int_equal(2, context.entries);
    assert_transition(&context, 0, DOCA_CTX_STATE_RUNNING, DOCA_CTX_STATE_STOPPING);
    assert_transition(&context, 1, DOCA_CTX_STATE_STOPPING, DOCA_CTX_STATE_IDLE);
}

static void a_stop_in_progress_is_stopping_until_progress_completes_it(void **state)
{
    (void)state;
    test_context_run(&context);
    context.stop_answer = DOCA_ERROR_IN_PROGRESS;

    assert_status(DOCA_ERROR_IN_PROGRESS, doca_ctx_stop(&context.ctx));
    assert_transition(&context, 0, DOCA_CTX_STATE_RUNNING, DOCA_CTX_STATE_STOPPING);
    assert_status(DOCA_ERROR_IN_PROGRESS, doca_ctx_stop(&context.ctx));
    assert_int_equal(1, context.entries);
    priv_doca_ctx_post_state(&context.ctx, DOCA_CTX_STATE_IDLE);
    assert_status(DOCA_ERROR_IN_PROGRESS, doca_ctx_stop(&context.ctx));

    assert_int_equal(1, doca_pe_progress(pe));
    assert_transition(&context, 1, DOCA_CTX_STATE_STOPPING, DOCA_CTX_STATE_IDLE);
}

static void a_context_that_is_stopped_while_starting_does_not_reach_running(void **state)
{
    (void)state;
    begin_start();
    priv_doca_ctx_post_state(&context.ctx, DOCA_CTX_STATE_RUNNING);

    assert_success(doca_ctx_stop(&context.ctx));

    assert_int_equal(0, doca_pe_progress(pe));
    assert_int_equal(3, context.entries);
    assert_transition(&context, 1, DOCA_CTX_STATE_STARTING, DOCA_CTX_STATE_STOPPING);
    assert_transition(&context, 2, DOCA_CTX_STATE_STOPPING, DOCA_CTX_STATE_IDLE);
}

static void a_rejected_stop_changes_nothing(void **state)
{
    (void)state;
    test_context_run(&context);
    context.stop_answer = DOCA_ERROR_IN_USE;

    assert_status(DOCA_ERROR_IN_USE, doca_ctx_stop(&context.ctx));

    assert_int_equal(DOCA_CTX_STATE_RUNNING, state_of(&context));
    assert_int_equal(0, context.entries);
}

static void a_stop_rejected_while_starting_does_not_prevent_running(void **state)
{
    (void)state;
    begin_start();
    priv_doca_ctx_post_state(&context.ctx, DOCA_CTX_STATE_RUNNING);
    context.stop_answer = DOCA_ERROR_IN_USE;

    assert_status(DOCA_ERROR_IN_USE, doca_ctx_stop(&context.ctx));

    assert_int_equal(1, doca_pe_progress(pe));
    assert_transition(&context, 1, DOCA_CTX_STATE_STARTING, DOCA_CTX_STATE_RUNNING);
}

static void a_stop_with_a_pending_transition_to_idle_is_in_progress(void **state)
{
    (void)state;
    begin_start();
    priv_doca_ctx_post_state(&context.ctx, DOCA_CTX_STATE_IDLE);

    assert_status(DOCA_ERROR_IN_PROGRESS, doca_ctx_stop(&context.ctx));

    assert_int_equal(1, doca_pe_progress(pe));
    assert_transition(&context, 1, DOCA_CTX_STATE_STARTING, DOCA_CTX_STATE_IDLE);
}

static void a_context_requires_a_progress_engine_to_start(void **state)
{
    struct test_context alone;

    (void)state;
    test_context_init(&alone, NULL);

    assert_status(DOCA_ERROR_NOT_CONNECTED, doca_ctx_start(&alone.ctx));

    assert_int_equal(DOCA_CTX_STATE_IDLE, state_of(&alone));
    assert_success(priv_doca_ctx_fini(&alone.ctx));
}

static void a_context_can_only_be_started_when_idle(void **state)
{
    (void)state;
    begin_start();
    assert_status(DOCA_ERROR_BAD_STATE, doca_ctx_start(&context.ctx));
    priv_doca_ctx_post_state(&context.ctx, DOCA_CTX_STATE_RUNNING);
    assert_int_equal(1, doca_pe_progress(pe));
    assert_status(DOCA_ERROR_BAD_STATE, doca_ctx_start(&context.ctx));
    context.stop_answer = DOCA_ERROR_IN_PROGRESS;
    assert_status(DOCA_ERROR_IN_PROGRESS, doca_ctx_stop(&context.ctx));
    assert_status(DOCA_ERROR_BAD_STATE, doca_ctx_start(&context.ctx));
    priv_doca_ctx_post_state(&context.ctx, DOCA_CTX_STATE_IDLE);
}

static void a_context_can_only_be_connected_once(void **state)
{
    struct doca_pe *other;

    (void)state;
    assert_success(doca_pe_create(&other));
    assert_status(DOCA_ERROR_NOT_PERMITTED, doca_pe_connect_ctx(pe, &context.ctx));
    assert_status(DOCA_ERROR_NOT_PERMITTED, doca_pe_connect_ctx(other, &context.ctx));
    assert_success(doca_ctx_start(&context.ctx));
    assert_success(doca_ctx_stop(&context.ctx));
    assert_status(DOCA_ERROR_NOT_PERMITTED, doca_pe_connect_ctx(other, &context.ctx));
    assert_success(doca_pe_destroy(other));
}

static void a_context_can_only_be_connected_when_idle(void **state)
{
    (void)state;
    test_context_run(&context);
    assert_status(DOCA_ERROR_BAD_STATE, doca_pe_connect_ctx(pe, &context.ctx));
}

static void settings_can_only_be_changed_when_idle(void **state)
{
    union doca_data old = { .u64 = 1 }, new = { .u64 = 2 }, seen;

    (void)state;
    assert_success(doca_ctx_set_user_data(&context.ctx, old));
    assert_success(doca_ctx_start(&context.ctx));

    assert_int_equal(1, context.journal[0].ctx_data.u64);
    assert_status(DOCA_ERROR_BAD_STATE, doca_ctx_set_user_data(&context.ctx, new));
    assert_status(DOCA_ERROR_BAD_STATE, doca_ctx_set_state_changed_cb(&context.ctx, NULL));
    assert_success(doca_ctx_get_user_data(&context.ctx, &seen));
    assert_int_equal(1, seen.u64);

    assert_success(doca_ctx_stop(&context.ctx));
    assert_int_equal(3, context.entries);
    assert_success(doca_ctx_set_user_data(&context.ctx, new));
    assert_success(doca_ctx_get_user_data(&context.ctx, &seen));
    assert_int_equal(2, seen.u64);
}

static void a_context_without_a_callback_changes_its_state(void **state)
{
    (void)state;
    assert_success(doca_ctx_set_state_changed_cb(&context.ctx, NULL));
    test_context_run(&context);
    assert_int_equal(DOCA_CTX_STATE_RUNNING, state_of(&context));
}

static void a_context_can_only_be_destroyed_when_idle(void **state)
{
    (void)state;
    begin_start();
    assert_status(DOCA_ERROR_NOT_PERMITTED, priv_doca_ctx_fini(&context.ctx));
    priv_doca_ctx_post_state(&context.ctx, DOCA_CTX_STATE_RUNNING);
    assert_int_equal(1, doca_pe_progress(pe));
    assert_status(DOCA_ERROR_NOT_PERMITTED, priv_doca_ctx_fini(&context.ctx));
    context.stop_answer = DOCA_ERROR_IN_PROGRESS;
    assert_status(DOCA_ERROR_IN_PROGRESS, doca_ctx_stop(&context.ctx));
    assert_status(DOCA_ERROR_NOT_PERMITTED, priv_doca_ctx_fini(&context.ctx));
    priv_doca_ctx_post_state(&context.ctx, DOCA_CTX_STATE_IDLE);
}

static void a_missing_argument_is_an_invalid_value(void **state)
{
    enum doca_ctx_states seen;
    union doca_data data = { 0 };
    size_t count;

    (void)state;
    assert_status(DOCA_ERROR_INVALID_VALUE, doca_pe_connect_ctx(NULL, &context.ctx));
    assert_status(DOCA_ERROR_INVALID_VALUE, doca_pe_connect_ctx(pe, NULL));
    assert_status(DOCA_ERROR_INVALID_VALUE, doca_ctx_start(NULL));
    assert_status(DOCA_ERROR_INVALID_VALUE, doca_ctx_stop(NULL));
    assert_status(DOCA_ERROR_INVALID_VALUE, doca_ctx_get_state(NULL, &seen));
    assert_status(DOCA_ERROR_INVALID_VALUE, doca_ctx_get_state(&context.ctx, NULL));
    assert_status(DOCA_ERROR_INVALID_VALUE, doca_ctx_set_user_data(NULL, data));
    assert_status(DOCA_ERROR_INVALID_VALUE, doca_ctx_get_user_data(NULL, &data));
    assert_status(DOCA_ERROR_INVALID_VALUE, doca_ctx_get_user_data(&context.ctx, NULL));
    assert_status(DOCA_ERROR_INVALID_VALUE, doca_ctx_set_state_changed_cb(NULL, NULL));
    assert_status(DOCA_ERROR_INVALID_VALUE, doca_ctx_get_num_inflight_tasks(NULL, &count));
    assert_status(DOCA_ERROR_INVALID_VALUE, doca_ctx_get_num_inflight_tasks(&context.ctx, NULL));
    doca_ctx_flush_tasks(NULL);
}

static void a_flush_reaches_the_context(void **state)
{
    (void)state;
    doca_ctx_flush_tasks(&context.ctx);
    assert_int_equal(1, context.flushes);
}

static void hardware_features_are_not_supported(void **state)
{
    uint32_t vectors;

    (void)state;
    assert_status(DOCA_ERROR_NOT_SUPPORTED, doca_ctx_set_datapath_on_gpu(&context.ctx, NULL));
    assert_status(DOCA_ERROR_NOT_SUPPORTED, doca_ctx_set_datapath_on_dpa(&context.ctx, NULL));
    assert_status(DOCA_ERROR_NOT_SUPPORTED, doca_ctx_set_completion_vector(&context.ctx, 0));
    assert_status(
            DOCA_ERROR_NOT_SUPPORTED, doca_ctx_cap_get_num_completion_vectors(NULL, &vectors));
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
        TEST(a_successful_start_is_running_at_once),
        TEST(a_start_in_progress_is_starting_until_progress_completes_it),
        TEST(a_start_that_fails_synchronously_leaves_the_context_idle),
        TEST(a_start_that_fails_asynchronously_becomes_idle_in_progress),
        TEST(a_stop_of_an_idle_context_is_harmless),
        TEST(a_stop_that_succeeds_at_once_passes_stopping),
        TEST(a_stop_in_progress_is_stopping_until_progress_completes_it),
        TEST(a_context_that_is_stopped_while_starting_does_not_reach_running),
        TEST(a_rejected_stop_changes_nothing),
        TEST(a_stop_rejected_while_starting_does_not_prevent_running),
        TEST(a_stop_with_a_pending_transition_to_idle_is_in_progress),
        TEST(a_context_requires_a_progress_engine_to_start),
        TEST(a_context_can_only_be_started_when_idle),
        TEST(a_context_can_only_be_connected_once),
        TEST(a_context_can_only_be_connected_when_idle),
        TEST(settings_can_only_be_changed_when_idle),
        TEST(a_context_without_a_callback_changes_its_state),
        TEST(a_context_can_only_be_destroyed_when_idle),
        TEST(a_missing_argument_is_an_invalid_value),
        TEST(a_flush_reaches_the_context),
        TEST(hardware_features_are_not_supported),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
