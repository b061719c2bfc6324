/* SPDX-License-Identifier: Apache-2.0 */
/* Copies that fail when they execute, which stops their context. */
#include "dma_fixture.h"

static struct doca_buf *source, *nothing, *destination;
static unsigned transitions;

/* The context's state at each change, and the number of tasks completed by then. */
static struct {
    enum doca_ctx_states state;
    int ended;
} seen[8];

static void on_transition(union doca_data user_data, struct doca_ctx *ctx,
        enum doca_ctx_states before, enum doca_ctx_states next)
{
    (void)user_data;
    (void)ctx;
    (void)before;
    assert_true(transitions < sizeof(seen) / sizeof(seen[0]));
    seen[transitions].state = next;
    seen[transitions++].ended = dma.completed + dma.failed;
}

static int set_up(void **state)
{
    start_dma(state);
    stop_context(dma.pe, dma.ctx);
    assert_ok(doca_ctx_set_state_changed_cb(dma.ctx, on_transition));
    assert_ok(doca_ctx_start(dma.ctx));
    transitions = 0;
    source = memory_buffer(&dma.memory, 0, 8, 0, 4);
    nothing = memory_buffer(&dma.memory, 10, 8, 0, 0);
    destination = memory_buffer(&dma.memory, 100, 100, 0, 0);
    memset(dma.memory.bytes, 'x', 4);
    return 0;
}

static int tear_down(void **state)
{
    release(source);
    release(nothing);
    release(destination);
    return stop_dma(state);
}

static void a_copy_of_no_data_fails(void **state)
{
    (void)state;
    assert_int_equal(DOCA_ERROR_IO_FAILED, copy(nothing, destination));

    assert_int_equal(1, dma.failed);
    assert_int_equal(0, data_length_of(destination));
}

static void a_copy_of_a_list_fails_only_if_none_of_it_has_data(void **state)
{
    assert_ok(doca_buf_chain_list(nothing, memory_buffer(&dma.memory, 20, 8, 0, 2)));
    (void)state;
    assert_int_equal(DOCA_SUCCESS, copy(nothing, destination));
    assert_int_equal(2, data_length_of(destination));
    assert_int_equal(DOCA_CTX_STATE_RUNNING, state_of(dma.ctx));
}

static void a_failing_task_ends_the_tasks_in_flight_and_the_context(void **state)
{
    struct doca_dma_task_memcpy *tasks[DMA_TASKS];
    int i;

    (void)state;
    for (i = 0; i < DMA_TASKS; ++i) {
        tasks[i] = make_copy(i == 1 ? nothing : source, destination, (uint64_t)i);
        assert_ok(submit(tasks[i]));
    }
    for (i = 0; i < DMA_TASKS; ++i) { /* one call per task: programs count them */
        assert_int_equal(1, doca_pe_progress(dma.pe));
        assert_int_equal(i, dma.last_task_data);
        assert_int_equal(i == 0  ? DOCA_SUCCESS
                        : i == 1 ? DOCA_ERROR_IO_FAILED
                                 : DOCA_ERROR_SHUTDOWN,
                dma.last_status);
        assert_int_equal(
                i == 0 ? DOCA_CTX_STATE_RUNNING : DOCA_CTX_STATE_STOPPING, state_of(dma.ctx));
        assert_int_equal(i == 0 ? DOCA_SUCCESS : DOCA_ERROR_BAD_STATE,
                i == 0 ? DOCA_SUCCESS : submit(tasks[i]));
    }
    assert_int_equal(1, dma.completed);
    assert_int_equal(DMA_TASKS - 1, dma.failed);
    assert_int_equal(4, data_length_of(destination));

    assert_int_equal(1, doca_pe_progress(dma.pe));
    assert_int_equal(DOCA_CTX_STATE_IDLE, state_of(dma.ctx));
    assert_int_equal(2, transitions);
    assert_int_equal(DOCA_CTX_STATE_STOPPING, seen[0].state);
    assert_int_equal(1, seen[0].ended);
    assert_int_equal(DOCA_CTX_STATE_IDLE, seen[1].state);
    assert_int_equal(DMA_TASKS, seen[1].ended);
    assert_int_equal(0, doca_pe_progress(dma.pe));
    for (i = 0; i < DMA_TASKS; ++i)
        free_copy(tasks[i]);
}

static void a_failed_context_can_be_restarted(void **state)
{
    (void)state;
    assert_int_equal(DOCA_ERROR_IO_FAILED, copy(nothing, destination));
    assert_int_equal(DOCA_ERROR_IN_PROGRESS, doca_ctx_stop(dma.ctx));
    assert_int_equal(DOCA_ERROR_IN_USE, doca_dma_destroy(dma.dma));
    progress_one(dma.pe);
    assert_int_equal(DOCA_CTX_STATE_IDLE, state_of(dma.ctx));

    assert_ok(doca_ctx_start(dma.ctx));
    assert_int_equal(DOCA_SUCCESS, copy(source, destination));
    assert_int_equal(4, data_length_of(destination));
}

static void a_task_that_fails_during_a_stop_ends_later_tasks(void **state)
{
    struct doca_dma_task_memcpy *bad = make_copy(nothing, destination, 1);
    struct doca_dma_task_memcpy *good = make_copy(source, destination, 2);

    (void)state;
    assert_ok(submit(bad));
    assert_ok(submit(good));
    assert_int_equal(DOCA_ERROR_IN_PROGRESS, doca_ctx_stop(dma.ctx));
    progress_one(dma.pe);
    progress_one(dma.pe);
    assert_int_equal(DOCA_ERROR_SHUTDOWN, dma.last_status);
    progress_one(dma.pe);
    assert_int_equal(DOCA_CTX_STATE_IDLE, state_of(dma.ctx));
    assert_int_equal(2, transitions);
    free_copy(bad);
    free_copy(good);
}

static void a_flush_completes_no_copy(void **state)
{
    struct doca_dma_task_memcpy *task = make_copy(source, destination, 0);

    (void)state;
    assert_ok(doca_task_submit_ex(doca_dma_task_memcpy_as_task(task), DOCA_TASK_SUBMIT_FLAG_NONE));
    doca_ctx_flush_tasks(dma.ctx);
    assert_int_equal(0, dma.completed + dma.failed);
    progress_one(dma.pe);
    assert_int_equal(1, dma.completed);
    free_copy(task);
}

#define RUNNING(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUNNING(a_copy_of_no_data_fails),
        RUNNING(a_copy_of_a_list_fails_only_if_none_of_it_has_data),
        RUNNING(a_failing_task_ends_the_tasks_in_flight_and_the_context),
        RUNNING(a_failed_context_can_be_restarted),
        RUNNING(a_task_that_fails_during_a_stop_ends_later_tasks),
        RUNNING(a_flush_completes_no_copy),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
