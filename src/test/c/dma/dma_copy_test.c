/* SPDX-License-Identifier: Apache-2.0 */
/* Copies between two single buffers. */
#include "dma_fixture.h"

#include <common/buf.h>

static struct doca_buf *buffer(size_t offset, size_t length, size_t data, size_t data_length)
{
    return memory_buffer(&dma.memory, offset, length, data, data_length);
}

static void the_data_is_appended_in_the_tail_room(void **state)
{
    uint8_t *bytes = dma.memory.bytes, expected[30];
    struct doca_buf *source = buffer(0, 30, 10, 5);
    struct doca_buf *destination = buffer(100, 30, 4, 3);

    (void)state;
    memset(bytes, 's', 30);
    memcpy(bytes + 10, "12345", 5);
    memset(bytes + 100, 'd', 30);
    memset(expected, 'd', 30);
    memcpy(expected + 7, "12345", 5);

    assert_int_equal(DOCA_SUCCESS, copy(source, destination));

    assert_memory_equal(expected, bytes + 100, 30);
    assert_int_equal(8, data_length_of(destination));
    assert_int_equal(5, data_length_of(source));
    release(source);
    release(destination);
}

static void the_copy_executes_in_the_progress_that_runs_the_callback(void **state)
{
    struct doca_buf *source = buffer(0, 4, 0, 4), *destination = buffer(100, 4, 0, 0);
    struct doca_dma_task_memcpy *task = make_copy(source, destination, 5);
    size_t inflight;

    (void)state;
    memcpy(dma.memory.bytes, "copy", 4);
    assert_ok(submit(task));
    assert_int_equal(0, dma.completed);
    assert_int_equal(0, data_length_of(destination));
    assert_int_equal(0, dma.memory.bytes[100]);
    assert_ok(doca_ctx_get_num_inflight_tasks(dma.ctx, &inflight));
    assert_int_equal(1, inflight);

    assert_int_equal(1, doca_pe_progress(dma.pe));
    assert_int_equal(1, dma.completed);
    assert_int_equal(5, dma.last_task_data);
    assert_int_equal(77, dma.last_ctx_data);
    assert_memory_equal("copy", dma.memory.bytes + 100, 4);
    assert_int_equal(0, doca_pe_progress(dma.pe));
    free_copy(task);
    release(source);
    release(destination);
}

static void a_copy_submitted_by_an_event_handler_makes_the_handle_readable(void **state)
{
    struct doca_buf *source = buffer(0, 4, 0, 4), *destination = buffer(100, 4, 0, 0);
    struct doca_dma_task_memcpy *task = make_copy(source, destination, 5);

    (void)state;
    request_notification(dma.pe);
    assert_ok(submit(task));

    assert_true(was_notified(dma.pe));
    assert_int_equal(1, doca_pe_progress(dma.pe));
    free_copy(task);
    release(source);
    release(destination);
}

static void a_buffer_may_be_appended_to_itself(void **state)
{
    struct doca_buf *buf = buffer(0, 8, 0, 3);

    (void)state;
    memcpy(dma.memory.bytes, "abc", 3);

    assert_int_equal(DOCA_SUCCESS, copy(buf, buf));

    assert_memory_equal("abcabc\0\0", dma.memory.bytes, 8);
    assert_int_equal(6, data_length_of(buf));
    release(buf);
}

static void buffers_of_tasks_can_be_copied(void **state)
{
    struct doca_buf *buf = buffer(0, 8, 0, 4), payload;
    uint8_t own[8] = { 0 };

    (void)state;
    memcpy(dma.memory.bytes, "data", 4);
    priv_doca_buf_init(&payload, own, sizeof(own), own, 0);

    assert_int_equal(DOCA_SUCCESS, copy(buf, &payload));
    assert_memory_equal("data\0\0\0\0", own, 8);
    assert_int_equal(DOCA_SUCCESS, copy(&payload, buf));
    assert_memory_equal("datadata", dma.memory.bytes, 8);
    release(buf);
}

static void a_destination_that_is_too_small_is_rejected_and_unchanged(void **state)
{
    struct doca_buf *source = buffer(0, 8, 0, 8), *destination = buffer(100, 4, 0, 0);
    struct doca_dma_task_memcpy *task;

    (void)state;
    memset(dma.memory.bytes, 'x', 8);
    assert_ok(doca_buf_chain_list(destination, buffer(200, 4, 1, 0)));
    task = make_copy(source, destination, 0);

    assert_int_equal(DOCA_ERROR_INVALID_VALUE, submit(task));
    assert_int_equal(0, doca_pe_progress(dma.pe));
    assert_int_equal(0, dma.memory.bytes[100]);
    assert_int_equal(0, data_length_of(destination));

    assert_ok(doca_buf_set_data_len(source, 7));
    assert_ok(submit(task));
    progress_one(dma.pe);
    assert_int_equal(1, dma.completed);
    free_copy(task);
    release(source);
    release(destination);
}

static void read_only_memory_cannot_be_a_destination(void **state)
{
    static uint8_t bytes[16];
    struct doca_mmap *mmap = map_range(
            dma.memory.dev, bytes, sizeof(bytes), DOCA_ACCESS_FLAG_LOCAL_READ_ONLY);
    struct doca_buf *read_only, *writable = buffer(0, 16, 0, 4);
    struct doca_dma_task_memcpy *task;

    (void)state;
    assert_ok(
            doca_buf_inventory_buf_get_by_addr(dma.memory.inventory, mmap, bytes, 16, &read_only));
    task = make_copy(writable, read_only, 0);
    assert_int_equal(DOCA_ERROR_NOT_PERMITTED, submit(task));
    free_copy(task);

    assert_ok(doca_buf_set_data_len(read_only, 4));
    assert_int_equal(DOCA_SUCCESS, copy(read_only, writable));
    release(read_only);
    release(writable);
    assert_ok(doca_mmap_destroy(mmap));
}

static void memory_without_the_device_is_rejected(void **state)
{
    static uint8_t bytes[16];
    struct doca_buf *foreign, *known = buffer(0, 16, 0, 4);
    struct doca_dma_task_memcpy *from, *to;
    struct doca_mmap *mmap;

    (void)state;
    assert_ok(doca_mmap_create(&mmap));
    assert_ok(doca_mmap_set_memrange(mmap, bytes, sizeof(bytes)));
    assert_ok(doca_mmap_start(mmap));
    assert_ok(doca_buf_inventory_buf_get_by_addr(dma.memory.inventory, mmap, bytes, 16, &foreign));
    from = make_copy(foreign, known, 0);
    to = make_copy(known, foreign, 0);

    assert_int_equal(DOCA_ERROR_NOT_PERMITTED, submit(from));
    assert_int_equal(DOCA_ERROR_NOT_PERMITTED, submit(to));

    free_copy(from);
    free_copy(to);
    release(foreign);
    release(known);
    assert_ok(doca_mmap_destroy(mmap));
}

static void a_released_buffer_is_rejected(void **state)
{
    struct doca_buf *source = buffer(0, 8, 0, 4), *destination = buffer(100, 8, 0, 0);
    struct doca_dma_task_memcpy *task = make_copy(source, destination, 0);

    (void)state;
    release(source);
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, submit(task));

    free_copy(task);
    release(destination);
}

static void releasing_a_buffer_in_flight_fails_the_task(void **state)
{
    struct doca_buf *source = buffer(0, 8, 0, 4), *destination = buffer(100, 8, 0, 0);
    struct doca_dma_task_memcpy *task = make_copy(source, destination, 0);

    (void)state;
    assert_ok(submit(task));
    release(source);
    progress_one(dma.pe);

    assert_int_equal(1, dma.failed);
    assert_int_equal(0, dma.completed);
    assert_int_equal(DOCA_ERROR_IO_FAILED, dma.last_status);
    assert_int_equal(0, data_length_of(destination));
    free_copy(task);
    release(destination);
}

#define RUNNING(test) cmocka_unit_test_setup_teardown(test, start_dma, stop_dma)

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUNNING(the_data_is_appended_in_the_tail_room),
        RUNNING(the_copy_executes_in_the_progress_that_runs_the_callback),
        RUNNING(a_copy_submitted_by_an_event_handler_makes_the_handle_readable),
        RUNNING(a_buffer_may_be_appended_to_itself),
        RUNNING(buffers_of_tasks_can_be_copied),
        RUNNING(a_destination_that_is_too_small_is_rejected_and_unchanged),
        RUNNING(read_only_memory_cannot_be_a_destination),
        RUNNING(memory_without_the_device_is_rejected),
        RUNNING(a_released_buffer_is_rejected),
        RUNNING(releasing_a_buffer_in_flight_fails_the_task),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
