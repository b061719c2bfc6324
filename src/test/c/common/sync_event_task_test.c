/* SPDX-License-Identifier: Apache-2.0 */
/* Tasks of sync events that run as contexts. */
#include "sync_event_task_fixture.h"

static void tasks_execute_in_the_order_of_their_submission(void **state)
{
    struct doca_sync_event_task_notify_add *add;
    struct doca_task *set = make_set(40, 1), *get;
    uint64_t value = 0, before = 0;

    (void)state;
    assert_ok(doca_sync_event_task_notify_add_alloc_init(event, 2, &before, tag(2), &add));
    get = make_get(&value, 3);
    assert_ok(doca_task_submit(set));
    assert_ok(doca_task_submit(doca_sync_event_task_notify_add_as_doca_task(add)));
    assert_ok(doca_task_submit(get));
    assert_int_equal(0, value_of(event));

    assert_int_equal(1, doca_pe_progress(pe));
    assert_int_equal(40, value_of(event));
    assert_int_equal(1, doca_pe_progress(pe));
    assert_int_equal(40, before);
    assert_int_equal(1, doca_pe_progress(pe));
    assert_int_equal(42, value);
    assert_int_equal(3, completed);
    assert_int_equal(0, doca_pe_progress(pe));
    doca_task_free(set);
    doca_task_free(get);
    doca_task_free(doca_sync_event_task_notify_add_as_doca_task(add));
}

static void the_result_of_an_addition_is_optional(void **state)
{
    struct doca_sync_event_task_notify_add *add;

    (void)state;
    assert_ok(doca_sync_event_task_notify_add_alloc_init(event, 2, NULL, tag(0), &add));
    assert_ok(doca_task_submit(doca_sync_event_task_notify_add_as_doca_task(add)));
    progress_one(pe);

    assert_int_equal(2, value_of(event));
    doca_task_free(doca_sync_event_task_notify_add_as_doca_task(add));
}

static void tasks_can_be_changed_only_between_submissions(void **state)
{
    struct doca_sync_event_task_wait_neq *task;
    struct doca_sync_event_task_get *get;
    struct doca_sync_event_task_notify_set *set;
    struct doca_sync_event_task_notify_add *add;
    struct doca_sync_event_task_wait_eq *equal;
    uint64_t one, two;

    (void)state;
    assert_ok(doca_sync_event_task_wait_neq_alloc_init(event, 0, ALL_BITS, tag(0), &task));
    assert_ok(doca_task_submit(doca_sync_event_task_wait_neq_as_doca_task(task)));
    doca_sync_event_task_wait_neq_set_wait_val(task, 5);
    doca_sync_event_task_wait_neq_set_mask(task, 6);
    assert_int_equal(0, doca_sync_event_task_wait_neq_get_wait_val(task));
    assert_int_equal(ALL_BITS, doca_sync_event_task_wait_neq_get_mask(task));
    assert_ok(doca_sync_event_update_set(event, 1));
    progress_one(pe);
    doca_sync_event_task_wait_neq_set_wait_val(task, 5);
    doca_sync_event_task_wait_neq_set_mask(task, 6);
    assert_int_equal(5, doca_sync_event_task_wait_neq_get_wait_val(task));
    assert_int_equal(6, doca_sync_event_task_wait_neq_get_mask(task));
    doca_task_free(doca_sync_event_task_wait_neq_as_doca_task(task));

    assert_ok(doca_sync_event_task_get_alloc_init(event, &one, tag(0), &get));
    assert_ok(doca_task_submit(doca_sync_event_task_get_as_doca_task(get)));
    doca_sync_event_task_get_set_ret_val_ptr(get, NULL);
    assert_ptr_equal(&one, doca_sync_event_task_get_get_ret_val_ptr(get));
    progress_one(pe);
    doca_sync_event_task_get_set_ret_val_ptr(get, &two);
    assert_ptr_equal(&two, doca_sync_event_task_get_get_ret_val_ptr(get));
    doca_sync_event_task_get_set_ret_val_ptr(get, NULL);
    assert_int_equal(
            DOCA_ERROR_INVALID_VALUE, doca_task_submit(doca_sync_event_task_get_as_doca_task(get)));
    doca_task_free(doca_sync_event_task_get_as_doca_task(get));

    assert_ok(doca_sync_event_task_notify_set_alloc_init(event, 1, tag(0), &set));
    assert_ok(doca_task_submit(doca_sync_event_task_notify_set_as_doca_task(set)));
    doca_sync_event_task_notify_set_set_set_val(set, 9);
    assert_int_equal(1, doca_sync_event_task_notify_set_get_set_val(set));
    progress_one(pe);
    doca_sync_event_task_notify_set_set_set_val(set, 2);
    assert_int_equal(2, doca_sync_event_task_notify_set_get_set_val(set));
    doca_task_free(doca_sync_event_task_notify_set_as_doca_task(set));

    assert_ok(doca_sync_event_task_notify_add_alloc_init(event, 1, &one, tag(0), &add));
    assert_ok(doca_task_submit(doca_sync_event_task_notify_add_as_doca_task(add)));
    doca_sync_event_task_notify_add_set_inc_val(add, 9);
    doca_sync_event_task_notify_add_set_fetched_val_ptr(add, NULL);
    assert_int_equal(1, doca_sync_event_task_notify_add_get_inc_val(add));
    assert_ptr_equal(&one, doca_sync_event_task_notify_add_get_fetched_val_ptr(add));
    progress_one(pe);
    doca_sync_event_task_notify_add_set_inc_val(add, 3);
    doca_sync_event_task_notify_add_set_fetched_val_ptr(add, &two);
    assert_int_equal(3, doca_sync_event_task_notify_add_get_inc_val(add));
    assert_ptr_equal(&two, doca_sync_event_task_notify_add_get_fetched_val_ptr(add));
    doca_task_free(doca_sync_event_task_notify_add_as_doca_task(add));

    assert_ok(doca_sync_event_task_wait_eq_alloc_init(event, 1, 3, tag(0), &equal));
    assert_ok(doca_task_submit(doca_sync_event_task_wait_eq_as_doca_task(equal)));
    doca_sync_event_task_wait_eq_set_wait_val(equal, 9);
    doca_sync_event_task_wait_eq_set_mask(equal, 9);
    assert_int_equal(1, doca_sync_event_task_wait_eq_get_wait_val(equal));
    assert_int_equal(3, doca_sync_event_task_wait_eq_get_mask(equal));
    assert_ok(doca_sync_event_update_set(event, 5));
    progress_one(pe);
    doca_sync_event_task_wait_eq_set_wait_val(equal, 3);
    doca_sync_event_task_wait_eq_set_mask(equal, 4);
    assert_int_equal(3, doca_sync_event_task_wait_eq_get_wait_val(equal));
    assert_int_equal(4, doca_sync_event_task_wait_eq_get_mask(equal));
    doca_task_free(doca_sync_event_task_wait_eq_as_doca_task(equal));
}

static void tasks_are_limited_and_prevent_the_destruction_of_the_event(void **state)
{
    struct doca_sync_event_task_notify_set *another;
    struct doca_task *tasks[TASKS];
    int i;

    (void)state;
    for (i = 0; i < TASKS; ++i)
        tasks[i] = make_set(1, 0);
    assert_int_equal(DOCA_ERROR_NO_MEMORY,
            doca_sync_event_task_notify_set_alloc_init(event, 1, tag(0), &another));
    stop_context(pe, ctx);
    assert_int_equal(DOCA_ERROR_BAD_STATE,
            doca_sync_event_task_notify_set_alloc_init(event, 1, tag(0), &another));
    assert_int_equal(DOCA_ERROR_IN_USE, doca_sync_event_destroy(event));
    for (i = 0; i < TASKS; ++i)
        doca_task_free(tasks[i]);
}

static void an_event_starts_either_by_itself_or_as_a_context(void **state)
{
    struct doca_sync_event *other = make_event();
    struct doca_ctx *other_ctx = doca_sync_event_as_ctx(other);

    (void)state;
    assert_int_equal(DOCA_ERROR_BAD_STATE, doca_sync_event_start(event));
    assert_int_equal(DOCA_ERROR_BAD_STATE, doca_sync_event_stop(event));
    assert_int_equal(
            DOCA_ERROR_NOT_PERMITTED, doca_sync_event_task_get_set_conf(event, on_get, on_get, 1));

    assert_ok(doca_pe_connect_ctx(pe, other_ctx));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_ctx_start(other_ctx));
    assert_ok(doca_sync_event_start(other));
    assert_int_equal(DOCA_ERROR_BAD_STATE, doca_ctx_start(other_ctx));
    assert_ok(doca_sync_event_stop(other));
    assert_ok(doca_sync_event_destroy(other));
}

static void null_and_invalid_arguments_are_rejected(void **state)
{
    struct doca_sync_event_task_get *get;
    uint64_t value;

    (void)state;
    assert_int_equal(
            DOCA_ERROR_INVALID_VALUE, doca_sync_event_task_get_set_conf(NULL, on_get, on_get, 1));
    assert_int_equal(
            DOCA_ERROR_INVALID_VALUE, doca_sync_event_task_get_set_conf(event, NULL, on_get, 1));
    assert_int_equal(
            DOCA_ERROR_INVALID_VALUE, doca_sync_event_task_get_set_conf(event, on_get, NULL, 1));
    assert_int_equal(
            DOCA_ERROR_INVALID_VALUE, doca_sync_event_task_get_set_conf(event, on_get, on_get, 0));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE,
            doca_sync_event_task_get_alloc_init(NULL, &value, tag(0), &get));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE,
            doca_sync_event_task_get_alloc_init(event, NULL, tag(0), &get));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE,
            doca_sync_event_task_get_alloc_init(event, &value, tag(0), NULL));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE,
            doca_sync_event_task_notify_set_alloc_init(NULL, 1, tag(0), NULL));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE,
            doca_sync_event_task_wait_eq_alloc_init(event, 1, 1, tag(0), NULL));
    assert_null(doca_sync_event_task_get_as_doca_task(NULL));
    assert_null(doca_sync_event_task_notify_set_as_doca_task(NULL));
    assert_null(doca_sync_event_task_notify_add_as_doca_task(NULL));
    assert_null(doca_sync_event_task_wait_eq_as_doca_task(NULL));
    assert_null(doca_sync_event_task_wait_neq_as_doca_task(NULL));
    assert_int_equal(0, doca_sync_event_task_wait_eq_get_mask(NULL));
    assert_null(doca_sync_event_task_get_get_ret_val_ptr(NULL));
}

#define STARTED(test) cmocka_unit_test_setup_teardown(test, start_event, stop_event)

int main(void)
{
    const struct CMUnitTest tests[] = {
        STARTED(tasks_execute_in_the_order_of_their_submission),
        STARTED(the_result_of_an_addition_is_optional),
        STARTED(tasks_can_be_changed_only_between_submissions),
        STARTED(tasks_are_limited_and_prevent_the_destruction_of_the_event),
        STARTED(an_event_starts_either_by_itself_or_as_a_context),
        STARTED(null_and_invalid_arguments_are_rejected),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
