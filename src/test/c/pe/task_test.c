/* SPDX-License-Identifier: Apache-2.0 */
/* Tests submission, completion, status and user data of tasks. */
#include <doca_pe.h>

#include "test_context.h"

static struct test_context context;
static struct test_task task;
static struct doca_pe *pe;

static int set_up(void **state)
{
    int status = engine_set_up(state);

    pe = *state;
    test_context_init(&context, pe);
    test_task_init(&task, &context);
    test_context_run(&context);
    return status;
}

static int tear_down(void **state)
{
    if (task.base.inflight) {
        priv_doca_task_complete(&task.base, DOCA_ERROR_SHUTDOWN);
        doca_pe_progress(pe);
    }
    doca_ctx_stop(&context.ctx);
    return priv_doca_ctx_fini(&context.ctx) + engine_tear_down(state);
}

static size_t inflight(void)
{
    size_t count;

    assert_success(doca_ctx_get_num_inflight_tasks(&context.ctx, &count));
    return count;
}

static void a_callback_never_runs_inside_submit(void **state)
{
    (void)state;
    task.complete_in_submit = true;

    test_task_submit(&task);

    assert_int_equal(0, context.entries);
    assert_int_equal(1, doca_pe_progress(pe));
    assert_completion(&context, 0, &task, DOCA_SUCCESS);
}

static void all_submit_functions_submit(void **state)
{
    (void)state;
    task.complete_in_submit = true;

    assert_success(doca_task_submit(&task.base));
    assert_int_equal(1, doca_pe_progress(pe));
    assert_success(doca_task_try_submit(&task.base));
    assert_int_equal(1, doca_pe_progress(pe));
    assert_success(doca_task_submit_ex(&task.base, DOCA_TASK_SUBMIT_FLAG_NONE));
    assert_int_equal(1, doca_pe_progress(pe));
    assert_success(doca_task_submit_ex(
            &task.base, DOCA_TASK_SUBMIT_FLAG_FLUSH | DOCA_TASK_SUBMIT_FLAG_OPTIMIZE_REPORTS));
    assert_int_equal(1, doca_pe_progress(pe));

    assert_int_equal(4, task.submits);
    assert_int_equal(4, context.entries);
}

static void a_failed_submit_leaves_the_task_with_its_owner(void **state)
{
    (void)state;
    task.submit_answer = DOCA_ERROR_AGAIN;

    assert_status(DOCA_ERROR_AGAIN, doca_task_submit(&task.base));

    assert_int_equal(0, inflight());
    assert_int_equal(0, doca_pe_progress(pe));
    task.submit_answer = DOCA_SUCCESS;
    task.complete_in_submit = true;
    test_task_submit(&task);
    assert_int_equal(1, doca_pe_progress(pe));
    assert_int_equal(1, context.entries);
}

static void a_task_in_flight_cannot_be_submitted(void **state)
{
    (void)state;
    test_task_submit(&task);
    assert_status(DOCA_ERROR_BAD_STATE, doca_task_submit(&task.base));
    priv_doca_task_complete(&task.base, DOCA_SUCCESS);
    assert_status(DOCA_ERROR_BAD_STATE, doca_task_submit(&task.base));

    assert_int_equal(1, task.submits);
    assert_int_equal(1, inflight());
    assert_int_equal(1, doca_pe_progress(pe));
    assert_int_equal(0, inflight());
}

static void tasks_can_only_be_submitted_while_their_context_runs(void **state)
{
    (void)state;
    assert_success(doca_ctx_stop(&context.ctx));
    assert_status(DOCA_ERROR_BAD_STATE, doca_task_submit(&task.base));

    context.start_answer = DOCA_ERROR_IN_PROGRESS;
    assert_status(DOCA_ERROR_IN_PROGRESS, doca_ctx_start(&context.ctx));
    assert_status(DOCA_ERROR_BAD_STATE, doca_task_submit(&task.base));
    priv_doca_ctx_post_state(&context.ctx, DOCA_CTX_STATE_RUNNING);
    assert_int_equal(1, doca_pe_progress(pe));

    context.stop_answer = DOCA_ERROR_IN_PROGRESS;
    assert_status(DOCA_ERROR_IN_PROGRESS, doca_ctx_stop(&context.ctx));
    assert_status(DOCA_ERROR_BAD_STATE, doca_task_submit(&task.base));
    priv_doca_ctx_post_state(&context.ctx, DOCA_CTX_STATE_IDLE);
    assert_int_equal(1, doca_pe_progress(pe));
    assert_int_equal(0, task.submits);
}

static void the_status_is_set_by_the_completion(void **state)
{
    (void)state;
    test_task_submit(&task);
    priv_doca_task_complete(&task.base, DOCA_ERROR_IO_FAILED);

    assert_int_equal(1, doca_pe_progress(pe));

    assert_completion(&context, 0, &task, DOCA_ERROR_IO_FAILED);
    assert_status(DOCA_ERROR_IO_FAILED, doca_task_get_status(&task.base));
}

static void a_task_executed_in_progress_sets_its_status(void **state)
{
    (void)state;
    task.complete_in_submit = true;
    task.executes = true;
    task.execute_status = DOCA_ERROR_TOO_BIG;

    test_task_submit(&task);
    assert_int_equal(1, doca_pe_progress(pe));

    assert_completion(&context, 0, &task, DOCA_ERROR_TOO_BIG);
}

static void the_callback_receives_the_user_data_of_task_and_context(void **state)
{
    union doca_data own = { .u64 = 0x1122334455667788 }, of_context = { .ptr = &context };

    (void)state;
    assert_success(doca_ctx_stop(&context.ctx));
    assert_success(doca_ctx_set_user_data(&context.ctx, of_context));
    test_context_run(&context);
    doca_task_set_user_data(&task.base, own);
    task.complete_in_submit = true;

    test_task_submit(&task);
    assert_int_equal(1, doca_pe_progress(pe));

    assert_int_equal(own.u64, context.journal[0].task_data.u64);
    assert_ptr_equal(&context, context.journal[0].ctx_data.ptr);
    assert_int_equal(own.u64, doca_task_get_user_data(&task.base).u64);
    assert_ptr_equal(&context.ctx, doca_task_get_ctx(&task.base));
}

static void a_task_in_flight_cannot_be_freed(void **state)
{
    (void)state;
    test_task_submit(&task);
    doca_task_free(&task.base);
    assert_int_equal(0, task.releases);

    priv_doca_task_complete(&task.base, DOCA_SUCCESS);
    assert_int_equal(1, doca_pe_progress(pe));
    doca_task_free(&task.base);
    assert_int_equal(1, task.releases);
}

static struct doca_task *observed;

static void observe(struct doca_task *base, void *argument)
{
    observed = base;
    assert_ptr_equal(&task, argument);
}

static void an_observer_replaces_the_callback(void **state)
{
    (void)state;
    task.complete_in_submit = true;
    task.base.observer = observe;
    task.base.observer_argument = &task;

    test_task_submit(&task);
    assert_int_equal(1, doca_pe_progress(pe));

    assert_ptr_equal(&task.base, observed);
    assert_int_equal(0, context.entries);
}

static void a_null_task_is_an_invalid_value(void **state)
{
    (void)state;
    assert_status(DOCA_ERROR_INVALID_VALUE, doca_task_submit(NULL));
    assert_status(DOCA_ERROR_INVALID_VALUE, doca_task_try_submit(NULL));
    assert_status(DOCA_ERROR_INVALID_VALUE, doca_task_submit_ex(NULL, 0));
    assert_status(DOCA_ERROR_INVALID_VALUE, doca_task_get_status(NULL));
    assert_null(doca_task_get_ctx(NULL));
    assert_int_equal(0, doca_task_get_user_data(NULL).u64);
    doca_task_set_user_data(NULL, (union doca_data){ 0 });
    doca_task_free(NULL);
}

static void task_batches_are_not_supported(void **state)
{
    (void)state;
    assert_status(DOCA_ERROR_NOT_SUPPORTED, doca_task_batch_submit(NULL));
    assert_status(DOCA_ERROR_NOT_SUPPORTED, doca_task_batch_try_submit(NULL));
    assert_status(DOCA_ERROR_NOT_SUPPORTED, doca_task_batch_get_status(NULL));
    assert_null(doca_task_batch_get_ctx(NULL));
    assert_int_equal(0, doca_task_batch_get_tasks_num(NULL));
    doca_task_batch_free(NULL);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
        TEST(a_callback_never_runs_inside_submit),
        TEST(all_submit_functions_submit),
        TEST(a_failed_submit_leaves_the_task_with_its_owner),
        TEST(a_task_in_flight_cannot_be_submitted),
        TEST(tasks_can_only_be_submitted_while_their_context_runs),
        TEST(the_status_is_set_by_the_completion),
        TEST(a_task_executed_in_progress_sets_its_status),
        TEST(the_callback_receives_the_user_data_of_task_and_context),
        TEST(a_task_in_flight_cannot_be_freed),
        TEST(an_observer_replaces_the_callback),
        TEST(a_null_task_is_an_invalid_value),
        TEST(task_batches_are_not_supported),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
