/* SPDX-License-Identifier: Apache-2.0 */
/* Life cycle of the context and of its tasks. */
#include "dma_fixture.h"

#include <stdlib.h>

static struct doca_buf *buffer(size_t offset, size_t length, size_t data, size_t data_length)
{
    return memory_buffer(&dma.memory, offset, length, data, data_length);
}

static void copies_execute_in_the_order_of_their_submission(void **state)
{
    struct doca_buf *a = buffer(0, 1, 0, 1), *b = buffer(10, 1, 0, 1);
    struct doca_buf *destination = buffer(100, 2, 0, 0);
    struct doca_dma_task_memcpy *first = make_copy(b, destination, 1);
    struct doca_dma_task_memcpy *second = make_copy(a, destination, 2);

    (void)state;
    dma.memory.bytes[0] = 'a';
    dma.memory.bytes[10] = 'b';
    assert_ok(submit(first));
    assert_ok(doca_task_try_submit(doca_dma_task_memcpy_as_task(second)));

    progress_one(dma.pe);
    assert_int_equal(1, dma.last_task_data);
    progress_one(dma.pe);
    assert_int_equal(2, dma.last_task_data);
    assert_memory_equal("ba", dma.memory.bytes + 100, 2);
    free_copy(first);
    free_copy(second);
    release(a);
    release(b);
    release(destination);
}

static void source_and_destination_can_be_replaced_between_submissions(void **state)
{
    struct doca_buf *a = buffer(0, 1, 0, 1), *b = buffer(10, 1, 0, 1);
    struct doca_buf *first = buffer(100, 1, 0, 0), *second = buffer(110, 1, 0, 0);
    struct doca_dma_task_memcpy *task = make_copy(a, first, 0);

    (void)state;
    dma.memory.bytes[10] = 'b';
    assert_ok(submit(task));
    doca_dma_task_memcpy_set_src(task, b);
    assert_ptr_equal(a, doca_dma_task_memcpy_get_src(task)); /* unchanged: the task is in flight */
    progress_one(dma.pe);

    doca_dma_task_memcpy_set_src(task, b);
    doca_dma_task_memcpy_set_dst(task, second);
    assert_ptr_equal(b, doca_dma_task_memcpy_get_src(task));
    assert_ptr_equal(second, doca_dma_task_memcpy_get_dst(task));
    assert_ok(submit(task));
    progress_one(dma.pe);
    assert_int_equal('b', dma.memory.bytes[110]);
    free_copy(task);
    release(a);
    release(b);
    release(first);
    release(second);
}

static void tasks_are_limited_and_require_a_running_context(void **state)
{
    struct doca_buf *source = buffer(0, 1, 0, 1), *destination = buffer(10, 1, 0, 0);
    struct doca_dma_task_memcpy *tasks[DMA_TASKS], *another;
    union doca_data data = { 0 };
    int i;

    (void)state;
    for (i = 0; i < DMA_TASKS; ++i)
        tasks[i] = make_copy(source, destination, 0);
    assert_int_equal(DOCA_ERROR_NO_MEMORY,
            doca_dma_task_memcpy_alloc_init(dma.dma, source, destination, data, &another));
    free_copy(tasks[0]);
    assert_ok(doca_dma_task_memcpy_alloc_init(dma.dma, source, destination, data, &another));

    stop_context(dma.pe, dma.ctx);
    assert_int_equal(DOCA_ERROR_BAD_STATE, submit(another));
    assert_int_equal(DOCA_ERROR_IN_USE, doca_dma_destroy(dma.dma));
    free_copy(another);
    for (i = 1; i < DMA_TASKS; ++i)
        free_copy(tasks[i]);
    assert_int_equal(DOCA_ERROR_BAD_STATE,
            doca_dma_task_memcpy_alloc_init(dma.dma, source, destination, data, &another));
    release(source);
    release(destination);
}

static void tasks_in_flight_complete_before_the_context_is_idle(void **state)
{
    struct doca_buf *source = buffer(0, 1, 0, 1), *destination = buffer(10, 2, 0, 0);
    struct doca_dma_task_memcpy *first = make_copy(source, destination, 0);
    struct doca_dma_task_memcpy *second = make_copy(source, destination, 0);

    (void)state;
    assert_ok(submit(first));
    assert_ok(submit(second));
    assert_int_equal(DOCA_ERROR_IN_PROGRESS, doca_ctx_stop(dma.ctx));
    assert_int_equal(DOCA_CTX_STATE_STOPPING, state_of(dma.ctx));

    assert_int_equal(1, doca_pe_progress(dma.pe));
    assert_int_equal(1, doca_pe_progress(dma.pe));
    assert_int_equal(2, dma.completed);
    assert_int_equal(DOCA_CTX_STATE_STOPPING, state_of(dma.ctx));
    assert_int_equal(1, doca_pe_progress(dma.pe));
    assert_int_equal(DOCA_CTX_STATE_IDLE, state_of(dma.ctx));
    free_copy(first);
    free_copy(second);
    release(source);
    release(destination);
}

static void a_context_can_be_reconfigured_and_restarted(void **state)
{
    struct doca_buf *source = buffer(0, 1, 0, 1), *destination = buffer(10, 1, 0, 0);
    struct doca_dma_task_memcpy *kept, *other;
    union doca_data data = { 0 };

    (void)state;
    kept = make_copy(source, destination, 0);
    stop_context(dma.pe, dma.ctx);
    assert_ok(doca_dma_task_memcpy_set_conf(dma.dma, on_completed, on_failed, 1));
    assert_int_equal(DOCA_ERROR_IN_USE, doca_ctx_start(dma.ctx));
    free_copy(kept);

    assert_ok(doca_ctx_start(dma.ctx));
    other = make_copy(source, destination, 0);
    assert_int_equal(DOCA_ERROR_NO_MEMORY,
            doca_dma_task_memcpy_alloc_init(dma.dma, source, destination, data, &kept));
    assert_ok(submit(other));
    progress_one(dma.pe);
    assert_int_equal(1, dma.completed);
    free_copy(other);
    release(source);
    release(destination);
}

static void a_context_is_configured_and_destroyed_only_while_idle(void **state)
{
    struct doca_dma *other;

    (void)state;
    assert_int_equal(DOCA_ERROR_BAD_STATE,
            doca_dma_task_memcpy_set_conf(dma.dma, on_completed, on_failed, 1));
    assert_int_equal(DOCA_ERROR_IN_USE, doca_dma_destroy(dma.dma));

    assert_ok(doca_dma_create(dma.memory.dev, &other));
    assert_ok(doca_pe_connect_ctx(dma.pe, doca_dma_as_ctx(other)));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_ctx_start(doca_dma_as_ctx(other)));
    assert_int_equal(DOCA_CTX_STATE_IDLE, state_of(doca_dma_as_ctx(other)));
    assert_ok(doca_dma_destroy(other));
}

static int resubmissions;

static void submit_again(
        struct doca_dma_task_memcpy *task, union doca_data task_data, union doca_data ctx_data)
{
    on_completed(task, task_data, ctx_data);
    if (--resubmissions > 0)
        assert_ok(submit(task));
    else
        free_copy(task);
}

static void a_task_may_be_submitted_again_or_freed_in_its_own_callback(void **state)
{
    struct doca_buf *source = buffer(0, 1, 0, 1), *destination = buffer(10, 3, 0, 0);
    int i;

    (void)state;
    stop_context(dma.pe, dma.ctx);
    assert_ok(doca_dma_task_memcpy_set_conf(dma.dma, submit_again, on_failed, DMA_TASKS));
    assert_ok(doca_ctx_start(dma.ctx));
    resubmissions = 3;
    assert_ok(submit(make_copy(source, destination, 0)));

    for (i = 1; i <= 3; ++i) {
        assert_int_equal(1, doca_pe_progress(dma.pe));
        assert_int_equal(i, dma.completed);
    }
    assert_int_equal(3, data_length_of(destination));
    release(source);
    release(destination);
}

/* Programs allocate one buffer of the maximum size, or a list of the maximum length. */
static void a_program_can_allocate_and_copy_the_maximum_size(void **state)
{
    struct doca_devinfo *info = doca_dev_as_devinfo(dma.memory.dev);
    struct doca_mmap *from, *to;
    struct doca_buf *source, *destination;
    uint8_t *memory;
    uint32_t count;
    uint64_t size;

    (void)state;
    assert_ok(doca_dma_cap_task_memcpy_get_max_buf_list_len(info, &count));
    assert_ok(doca_dma_cap_task_memcpy_get_max_buf_size(info, &size));
    assert_true(size <= ALLOCATED_MAX && count <= ALLOCATED_MAX / size);
    memory = calloc(2, size);
    assert_non_null(memory);
    memory[size - 1] = 7;
    from = map_range(dma.memory.dev, memory, size, DOCA_ACCESS_FLAG_LOCAL_READ_ONLY);
    to = map_range(dma.memory.dev, memory + size, size, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE);
    assert_ok(
            doca_buf_inventory_buf_get_by_data(dma.memory.inventory, from, memory, size, &source));
    assert_ok(doca_buf_inventory_buf_get_by_addr(
            dma.memory.inventory, to, memory + size, size, &destination));

    assert_int_equal(DOCA_SUCCESS, copy(source, destination));

    assert_int_equal(size, data_length_of(destination));
    assert_int_equal(7, memory[2 * size - 1]);
    release(source);
    release(destination);
    assert_ok(doca_mmap_destroy(from));
    assert_ok(doca_mmap_destroy(to));
    free(memory);
}

static void every_device_can_copy(void **state)
{
    struct doca_devinfo *info = doca_dev_as_devinfo(dma.memory.dev);
    uint32_t count;
    uint64_t size;

    (void)state;
    assert_ok(doca_dma_cap_task_memcpy_is_supported(info));
    assert_ok(doca_dma_cap_task_memcpy_get_max_buf_list_len(info, &count));
    assert_true(count >= 64);
    assert_ok(doca_dma_cap_task_memcpy_get_max_buf_size(info, &size));
    assert_true(size >= 2 << 20);
    assert_ok(doca_dma_cap_get_max_num_tasks(dma.dma, &count));
    assert_true(count >= 1024);
}

static void null_and_invalid_arguments_are_rejected(void **state)
{
    struct doca_buf *buf = buffer(0, 1, 0, 1);
    struct doca_dma_task_memcpy *task;
    union doca_data data = { 0 };
    struct doca_gpu_dma *gpu;
    struct doca_dma *other;
    uint64_t size;

    (void)state;
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_dma_create(NULL, &other));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_dma_create(dma.memory.dev, NULL));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_dma_destroy(NULL));
    assert_null(doca_dma_as_ctx(NULL));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_dma_cap_task_memcpy_is_supported(NULL));
    assert_int_equal(
            DOCA_ERROR_INVALID_VALUE, doca_dma_cap_task_memcpy_get_max_buf_list_len(NULL, NULL));
    assert_int_equal(
            DOCA_ERROR_INVALID_VALUE, doca_dma_cap_task_memcpy_get_max_buf_size(NULL, &size));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_dma_cap_get_max_num_tasks(dma.dma, NULL));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE,
            doca_dma_task_memcpy_set_conf(NULL, on_completed, on_failed, 1));
    assert_int_equal(
            DOCA_ERROR_INVALID_VALUE, doca_dma_task_memcpy_set_conf(dma.dma, NULL, on_failed, 1));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE,
            doca_dma_task_memcpy_set_conf(dma.dma, on_completed, NULL, 1));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE,
            doca_dma_task_memcpy_set_conf(dma.dma, on_completed, on_failed, 0));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE,
            doca_dma_task_memcpy_set_conf(dma.dma, on_completed, on_failed, UINT32_MAX));
    assert_int_equal(
            DOCA_ERROR_INVALID_VALUE, doca_dma_task_memcpy_alloc_init(NULL, buf, buf, data, &task));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE,
            doca_dma_task_memcpy_alloc_init(dma.dma, NULL, buf, data, &task));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE,
            doca_dma_task_memcpy_alloc_init(dma.dma, buf, NULL, data, &task));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE,
            doca_dma_task_memcpy_alloc_init(dma.dma, buf, buf, data, NULL));
    assert_null(doca_dma_task_memcpy_as_task(NULL));
    assert_null(doca_dma_task_memcpy_get_src(NULL));
    assert_null(doca_dma_task_memcpy_get_dst(NULL));
    doca_dma_task_memcpy_set_src(NULL, buf);
    doca_dma_task_memcpy_set_dst(NULL, buf);
    task = make_copy(buf, buf, 0);
    doca_dma_task_memcpy_set_src(task, NULL);
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, submit(task));
    doca_dma_task_memcpy_set_src(task, buf);
    doca_dma_task_memcpy_set_dst(task, NULL);
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, submit(task));
    free_copy(task);
    assert_int_equal(DOCA_ERROR_NOT_SUPPORTED, doca_dma_get_gpu_handle(dma.dma, &gpu));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_dma_get_gpu_handle(NULL, &gpu));
    release(buf);
}

#define RUNNING(test) cmocka_unit_test_setup_teardown(test, start_dma, stop_dma)

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUNNING(copies_execute_in_the_order_of_their_submission),
        RUNNING(source_and_destination_can_be_replaced_between_submissions),
        RUNNING(tasks_are_limited_and_require_a_running_context),
        RUNNING(tasks_in_flight_complete_before_the_context_is_idle),
        RUNNING(a_context_can_be_reconfigured_and_restarted),
        RUNNING(a_context_is_configured_and_destroyed_only_while_idle),
        RUNNING(a_task_may_be_submitted_again_or_freed_in_its_own_callback),
        RUNNING(every_device_can_copy),
        RUNNING(a_program_can_allocate_and_copy_the_maximum_size),
        RUNNING(null_and_invalid_arguments_are_rejected),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
