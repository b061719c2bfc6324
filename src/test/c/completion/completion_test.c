/* SPDX-License-Identifier: Apache-2.0 */
/* Records of completion arrays, with copies as tasks. */
#include "memory.h"
#include "progress.h"

#include <doca_dma.h>
#include <jurom_completion.h>

#define TASKS 8
#define CONTEXT 1000 /* user data of the context */

struct fixture {
    struct memory memory;
    struct doca_pe *pe;
    struct doca_dma *dma;
    struct doca_ctx *ctx;
    struct jurom_completion_array *array;
    struct jurom_completion_source *context_source;
    struct doca_buf *source;
    struct doca_buf *destination;
    struct doca_dma_task_memcpy *copies[TASKS];
    struct doca_task *tasks[TASKS];
    struct jurom_completion_source *sources[TASKS];
};

static struct fixture fixture;

static const struct jurom_completion_functions functions = {
    .progress = doca_pe_progress,
    .submit_ex = doca_task_submit_ex,
    .task_context = doca_task_get_ctx,
    .task_status = doca_task_get_status,
    .buf_data = doca_buf_get_data,
    .buf_data_len = doca_buf_get_data_len,
};

static void make_task(int i)
{
    union doca_data data = { 0 };

    assert_ok(doca_dma_task_memcpy_alloc_init(
            fixture.dma, fixture.source, fixture.destination, data, &fixture.copies[i]));
    fixture.tasks[i] = doca_dma_task_memcpy_as_task(fixture.copies[i]);
    assert_ok(jurom_completion_task_source(fixture.array, CONTEXT, i + 1, fixture.tasks[i],
            i == 0 ? fixture.destination : NULL, &fixture.sources[i]));
    data.ptr = fixture.sources[i];
    doca_task_set_user_data(fixture.tasks[i], data);
}

static int open_all(void **state)
{
    doca_dma_task_memcpy_completion_cb_t callback = (doca_dma_task_memcpy_completion_cb_t)
            jurom_completion_of_task;
    union doca_data data;

    (void)state;
    memory_open(&fixture.memory);
    assert_ok(doca_pe_create(&fixture.pe));
    assert_ok(jurom_completion_array_create(&functions, &fixture.array));
    assert_ok(doca_dma_create(fixture.memory.dev, &fixture.dma));
    fixture.ctx = doca_dma_as_ctx(fixture.dma);
    assert_ok(jurom_completion_context_source(fixture.array, CONTEXT, &fixture.context_source));
    data.ptr = fixture.context_source;
    assert_ok(doca_ctx_set_user_data(fixture.ctx, data));
    assert_ok(doca_ctx_set_state_changed_cb(fixture.ctx, jurom_completion_of_state));
    assert_ok(doca_dma_task_memcpy_set_conf(fixture.dma, callback, callback, TASKS));
    assert_ok(doca_pe_connect_ctx(fixture.pe, fixture.ctx));
    assert_ok(doca_ctx_start(fixture.ctx));
    fixture.array->delivered = fixture.array->appended;
    fixture.source = memory_buffer(&fixture.memory, 0, 1, 0, 1);
    fixture.destination = memory_buffer(&fixture.memory, 100, 100, 0, 0);
    for (int i = 0; i < TASKS; ++i)
        make_task(i);
    return 0;
}

static int close_all(void **state)
{
    (void)state;
    for (int i = 0; i < TASKS; ++i) {
        doca_task_free(fixture.tasks[i]);
        jurom_completion_source_destroy(fixture.sources[i]);
    }
    stop_context(fixture.pe, fixture.ctx);
    assert_ok(doca_buf_dec_refcount(fixture.source, NULL));
    assert_ok(doca_buf_dec_refcount(fixture.destination, NULL));
    assert_ok(doca_dma_destroy(fixture.dma));
    assert_ok(doca_pe_destroy(fixture.pe));
    jurom_completion_source_destroy(fixture.context_source);
    jurom_completion_array_destroy(fixture.array);
    memory_close(&fixture.memory);
    return 0;
}

static uint32_t submit(uint32_t count)
{
    doca_error_t status;
    uint32_t submitted = jurom_completion_submit(fixture.array, fixture.tasks, count, &status);

    assert_int_equal(submitted == count ? DOCA_SUCCESS : DOCA_ERROR_BAD_STATE, status);
    return submitted;
}

/* Takes the next record; fails if there is none. */
static const struct jurom_completion *take(void)
{
    assert_true(fixture.array->delivered < fixture.array->appended);
    return &fixture.array->records[fixture.array->delivered++];
}

static void a_drain_records_completions_in_order(void **state)
{
    (void)state;
    assert_int_equal(TASKS, submit(TASKS));
    assert_int_equal(TASKS, jurom_completion_drain(fixture.array, fixture.pe, 100));
    for (uint64_t i = 0; i < TASKS; ++i) {
        const struct jurom_completion *record = take();

        assert_int_equal(CONTEXT, record->context);
        assert_int_equal(i + 1, record->task);
        assert_int_equal(DOCA_SUCCESS, record->status);
    }
    assert_int_equal(fixture.array->delivered, fixture.array->appended);
}

static void a_drain_records_at_most_its_limit(void **state)
{
    (void)state;
    submit(TASKS);
    assert_int_equal(3, jurom_completion_drain(fixture.array, fixture.pe, 3));
    assert_int_equal(3, fixture.array->appended);
    assert_int_equal(2, jurom_completion_drain(fixture.array, fixture.pe, 2)); /* behind them */
    assert_int_equal(5, fixture.array->appended);
    fixture.array->delivered = 5;
    assert_int_equal(TASKS - 5, jurom_completion_drain(fixture.array, fixture.pe, 100));
    assert_int_equal(6, take()->task);
    assert_int_equal(0, jurom_completion_drain(fixture.array, fixture.pe, 100));
}

static void a_response_is_recorded_with_its_task(void **state)
{
    const struct jurom_completion *record;
    void *data;

    (void)state;
    submit(1);
    jurom_completion_drain(fixture.array, fixture.pe, 1);
    record = take();
    assert_ok(doca_buf_get_data(fixture.destination, &data));
    assert_ptr_equal(data, record->response);
    assert_int_equal(1, record->response_length);
}

static void a_state_change_ends_a_drain_and_is_recorded_outside_a_drain(void **state)
{
    const struct jurom_completion *record;

    (void)state;
    submit(2);
    assert_int_equal(DOCA_ERROR_IN_PROGRESS, doca_ctx_stop(fixture.ctx));
    record = take(); /* from the stop */
    assert_int_equal(0, record->task);
    assert_int_equal(CONTEXT, record->context);
    assert_int_equal(DOCA_CTX_STATE_RUNNING, record->previous);
    assert_int_equal(DOCA_CTX_STATE_STOPPING, record->next);

    while (fixture.array->appended < 3)
        jurom_completion_drain(fixture.array, fixture.pe, 100);
    assert_int_equal(1, take()->task);
    assert_int_equal(2, take()->task);
    assert_int_equal(DOCA_CTX_STATE_IDLE, take()->next);
}

static void the_array_grows_while_records_are_not_read(void **state)
{
    uint32_t capacity = fixture.array->capacity;

    (void)state;
    submit(1);
    jurom_completion_drain(fixture.array, fixture.pe, 1);
    for (int i = 0; i < TASKS; ++i)
        doca_task_free(fixture.tasks[i]);
    while (fixture.array->appended <= 2 * capacity) {
        assert_ok(doca_ctx_stop(fixture.ctx));
        assert_ok(doca_ctx_start(fixture.ctx));
    }
    assert_int_equal(0, fixture.array->lost);
    assert_int_equal(1, take()->task); /* still the first */
    while (fixture.array->delivered < fixture.array->appended)
        assert_int_equal(0, take()->task);
    for (int i = 0; i < TASKS; ++i) {
        jurom_completion_source_destroy(fixture.sources[i]);
        make_task(i);
    }
}

static void a_drain_stops_when_the_array_is_full(void **state)
{
    (void)state;
    submit(TASKS);
    fixture.array->appended = fixture.array->capacity - 2; /* as if these records were unread */
    assert_int_equal(2, jurom_completion_drain(fixture.array, fixture.pe, 100));
    assert_int_equal(fixture.array->capacity, fixture.array->appended);
    fixture.array->delivered = fixture.array->appended;
    assert_int_equal(TASKS - 2, jurom_completion_drain(fixture.array, fixture.pe, 100));
}

static void a_submission_stops_at_the_first_rejected_task(void **state)
{
    (void)state;
    assert_ok(doca_task_submit(fixture.tasks[2]));
    assert_int_equal(2, submit(4)); /* the third is in flight */
    assert_int_equal(3, jurom_completion_drain(fixture.array, fixture.pe, 100));
    assert_int_equal(3, take()->task);
    assert_int_equal(1, take()->task);
    assert_int_equal(2, take()->task);
    assert_int_equal(0, submit(0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_drain_records_completions_in_order, open_all, close_all),
        cmocka_unit_test_setup_teardown(a_drain_records_at_most_its_limit, open_all, close_all),
        cmocka_unit_test_setup_teardown(a_response_is_recorded_with_its_task, open_all, close_all),
        cmocka_unit_test_setup_teardown(
                a_state_change_ends_a_drain_and_is_recorded_outside_a_drain, open_all, close_all),
        cmocka_unit_test_setup_teardown(
                the_array_grows_while_records_are_not_read, open_all, close_all),
        cmocka_unit_test_setup_teardown(a_drain_stops_when_the_array_is_full, open_all, close_all),
        cmocka_unit_test_setup_teardown(
                a_submission_stops_at_the_first_rejected_task, open_all, close_all),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
