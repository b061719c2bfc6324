/* SPDX-License-Identifier: Apache-2.0 */
#include "dma_fixture.h"

#include <stdbool.h>
#include <stdlib.h>

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

static void nothing_is_copied_before_the_progress_that_calls_back(void **state)
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

static void a_list_is_gathered_and_scattered(void **state)
{
    uint8_t *bytes = dma.memory.bytes;
    struct doca_buf *source = buffer(0, 10, 0, 3), *destination = buffer(100, 4, 0, 2);
    struct doca_buf *full = buffer(110, 4, 2, 2), *last = buffer(120, 10, 1, 0);
    struct doca_buf *untouched = buffer(140, 10, 0, 0);

    (void)state;
    memcpy(bytes, "abc.......DEF", 13);
    assert_ok(doca_buf_chain_list(source, buffer(10, 3, 0, 3)));
    assert_ok(doca_buf_chain_list(destination, full));
    assert_ok(doca_buf_chain_list(destination, last));
    assert_ok(doca_buf_chain_list(destination, untouched));

    assert_int_equal(DOCA_SUCCESS, copy(source, destination));

    assert_memory_equal("\0\0ab", bytes + 100, 4);
    assert_memory_equal("\0\0\0\0", bytes + 110, 4);
    assert_memory_equal("\0cDEF\0", bytes + 120, 6);
    assert_int_equal(4, data_length_of(destination));
    assert_int_equal(2, data_length_of(full));
    assert_int_equal(4, data_length_of(last));
    assert_int_equal(0, data_length_of(untouched));
    release(source);
    release(destination);
}

static void a_buffer_may_be_copied_behind_its_own_data(void **state)
{
    struct doca_buf *buf = buffer(0, 8, 0, 3);

    (void)state;
    memcpy(dma.memory.bytes, "abc", 3);

    assert_int_equal(DOCA_SUCCESS, copy(buf, buf));

    assert_memory_equal("abcabc\0\0", dma.memory.bytes, 8);
    assert_int_equal(6, data_length_of(buf));
    release(buf);
}

static void no_data_is_a_copy_too(void **state)
{
    struct doca_buf *source = buffer(0, 8, 0, 0), *destination = buffer(10, 1, 0, 1);

    (void)state;
    assert_int_equal(DOCA_SUCCESS, copy(source, destination));
    assert_int_equal(1, data_length_of(destination));
    release(source);
    release(destination);
}

static void a_destination_that_is_too_small_is_refused_and_unchanged(void **state)
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

static void memory_that_is_read_only_is_no_destination(void **state)
{
    static uint8_t bytes[16];
    struct doca_mmap *mmap = map_range(dma.memory.dev, bytes, sizeof(bytes),
            DOCA_ACCESS_FLAG_LOCAL_READ_ONLY);
    struct doca_buf *read_only, *writable = buffer(0, 16, 0, 4);
    struct doca_dma_task_memcpy *task;

    (void)state;
    assert_ok(doca_buf_inventory_buf_get_by_addr(dma.memory.inventory, mmap, bytes, 16,
            &read_only));
    task = make_copy(writable, read_only, 0);
    assert_int_equal(DOCA_ERROR_NOT_PERMITTED, submit(task));
    free_copy(task);

    assert_int_equal(DOCA_SUCCESS, copy(read_only, writable));
    release(read_only);
    release(writable);
    assert_ok(doca_mmap_destroy(mmap));
}

static void memory_that_the_device_does_not_know_is_refused(void **state)
{
    static uint8_t bytes[16];
    struct doca_buf *foreign, *known = buffer(0, 16, 0, 4);
    struct doca_dma_task_memcpy *from, *to;
    struct doca_mmap *mmap;

    (void)state;
    assert_ok(doca_mmap_create(&mmap));
    assert_ok(doca_mmap_set_memrange(mmap, bytes, sizeof(bytes)));
    assert_ok(doca_mmap_start(mmap));
    assert_ok(doca_buf_inventory_buf_get_by_addr(dma.memory.inventory, mmap, bytes, 16,
            &foreign));
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

static void a_released_buffer_is_refused(void **state)
{
    struct doca_buf *source = buffer(0, 8, 0, 4), *destination = buffer(100, 8, 0, 0);
    struct doca_dma_task_memcpy *task = make_copy(source, destination, 0);

    (void)state;
    release(source);
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, submit(task));

    free_copy(task);
    release(destination);
}

static void a_buffer_released_in_flight_makes_the_task_fail(void **state)
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

static void copies_are_made_in_the_order_of_their_submission(void **state)
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
    assert_ptr_equal(a, doca_dma_task_memcpy_get_src(task)); /* in flight: not now */
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

static void tasks_are_limited_and_exist_in_a_running_context_only(void **state)
{
    struct doca_buf *source = buffer(0, 1, 0, 1), *destination = buffer(10, 1, 0, 0);
    struct doca_dma_task_memcpy *tasks[DMA_TASKS], *another;
    union doca_data data = {0};
    int i;

    (void)state;
    for (i = 0; i < DMA_TASKS; i++)
        tasks[i] = make_copy(source, destination, 0);
    assert_int_equal(DOCA_ERROR_NO_MEMORY,
            doca_dma_task_memcpy_alloc_init(dma.dma, source, destination, data, &another));
    free_copy(tasks[0]);
    assert_ok(doca_dma_task_memcpy_alloc_init(dma.dma, source, destination, data, &another));

    stop_context(dma.pe, dma.ctx);
    assert_int_equal(DOCA_ERROR_BAD_STATE, submit(another));
    assert_int_equal(DOCA_ERROR_IN_USE, doca_dma_destroy(dma.dma));
    free_copy(another);
    for (i = 1; i < DMA_TASKS; i++)
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

static void a_context_can_be_configured_anew_and_started_again(void **state)
{
    struct doca_buf *source = buffer(0, 1, 0, 1), *destination = buffer(10, 1, 0, 0);
    struct doca_dma_task_memcpy *kept, *other;
    union doca_data data = {0};

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

static void a_context_is_configured_before_its_start_and_destroyed_idle(void **state)
{
    struct doca_dma *other;

    (void)state;
    assert_int_equal(DOCA_ERROR_BAD_STATE,
            doca_dma_task_memcpy_set_conf(dma.dma, on_completed, on_failed, 1));
    assert_int_equal(DOCA_ERROR_NOT_PERMITTED, doca_dma_destroy(dma.dma));

    assert_ok(doca_dma_create(dma.memory.dev, &other));
    assert_ok(doca_pe_connect_ctx(dma.pe, doca_dma_as_ctx(other)));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_ctx_start(doca_dma_as_ctx(other)));
    assert_int_equal(DOCA_CTX_STATE_IDLE, state_of(doca_dma_as_ctx(other)));
    assert_ok(doca_dma_destroy(other));
}

static int resubmissions;

static void submit_again(struct doca_dma_task_memcpy *task, union doca_data task_data,
        union doca_data ctx_data)
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

    for (i = 1; i <= 3; i++) {
        assert_int_equal(1, doca_pe_progress(dma.pe));
        assert_int_equal(i, dma.completed);
    }
    assert_int_equal(3, data_length_of(destination));
    release(source);
    release(destination);
}

/* What the test itself knows about a list: each element's place in the memory. */
struct model {
    int elements;
    struct {
        size_t offset, size, data, data_length;
    } element[4];
};

static struct model random_model(unsigned *seed, size_t base)
{
    struct model model = {.elements = 1 + rand_r(seed) % 4};
    int i;

    for (i = 0; i < model.elements; i++) {
        model.element[i].offset = base + (size_t)i * 256;
        model.element[i].size = 1 + (size_t)rand_r(seed) % 200;
        model.element[i].data = (size_t)rand_r(seed) % (model.element[i].size + 1);
        model.element[i].data_length = (size_t)rand_r(seed)
                % (model.element[i].size - model.element[i].data + 1);
    }
    return model;
}

static struct doca_buf *make_list(const struct model *model)
{
    struct doca_buf *list = NULL, *element;
    int i;

    for (i = 0; i < model->elements; i++) {
        element = buffer(model->element[i].offset, model->element[i].size,
                model->element[i].data, model->element[i].data_length);
        if (list == NULL)
            list = element;
        else
            assert_ok(doca_buf_chain_list(list, element));
    }
    return list;
}

static size_t model_gather(const struct model *model, const uint8_t *memory, uint8_t *data)
{
    size_t length = 0;
    int i;

    for (i = 0; i < model->elements; i++) {
        memcpy(data + length, memory + model->element[i].offset + model->element[i].data,
                model->element[i].data_length);
        length += model->element[i].data_length;
    }
    return length;
}

/* Scatters `data` over the model's tail rooms; false when it does not fit. */
static bool model_scatter(struct model *model, uint8_t *memory, const uint8_t *data,
        size_t length)
{
    size_t end, part;
    int i;

    for (i = 0; i < model->elements; i++) {
        end = model->element[i].data + model->element[i].data_length;
        part = model->element[i].size - end < length ? model->element[i].size - end : length;
        memcpy(memory + model->element[i].offset + end, data, part);
        model->element[i].data_length += part;
        data += part;
        length -= part;
    }
    return length == 0;
}

static void assert_lengths(const struct model *model, struct doca_buf *list)
{
    int i;

    for (i = 0; i < model->elements; i++) {
        assert_int_equal(model->element[i].data_length, data_length_of(list));
        assert_ok(doca_buf_get_next_in_list(list, &list));
    }
}

static void random_lists_agree_with_arrays(void **state)
{
    static uint8_t expected[MEMORY_SIZE], data[1024];
    struct doca_buf *source, *destination;
    struct model from, to, unchanged;
    struct doca_dma_task_memcpy *task;
    int round, fitted = 0;
    unsigned seed = 4;
    size_t length, i;

    (void)state;
    for (i = 0; i < MEMORY_SIZE; i++)
        dma.memory.bytes[i] = (uint8_t)rand_r(&seed);
    for (round = 0; round < 2000; round++) {
        from = random_model(&seed, 0);
        to = unchanged = random_model(&seed, 4096);
        source = make_list(&from);
        destination = make_list(&to);
        task = make_copy(source, destination, 0);
        memcpy(expected, dma.memory.bytes, MEMORY_SIZE);
        length = model_gather(&from, expected, data);
        if (model_scatter(&to, expected, data, length)) {
            assert_ok(submit(task));
            progress_one(dma.pe);
            assert_int_equal(DOCA_SUCCESS, dma.last_status);
            assert_memory_equal(expected, dma.memory.bytes, MEMORY_SIZE);
            assert_lengths(&to, destination);
            fitted++;
        } else {
            assert_int_equal(DOCA_ERROR_INVALID_VALUE, submit(task));
            assert_lengths(&unchanged, destination);
        }
        assert_lengths(&from, source);
        free_copy(task);
        release(source);
        release(destination);
    }
    assert_in_range(fitted, 100, 1900);
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

static void null_and_impossible_arguments_are_refused(void **state)
{
    struct doca_buf *buf = buffer(0, 1, 0, 1);
    struct doca_dma_task_memcpy *task;
    union doca_data data = {0};
    struct doca_gpu_dma *gpu;
    struct doca_dma *other;
    uint64_t size;

    (void)state;
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_dma_create(NULL, &other));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_dma_create(dma.memory.dev, NULL));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_dma_destroy(NULL));
    assert_null(doca_dma_as_ctx(NULL));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_dma_cap_task_memcpy_is_supported(NULL));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE,
            doca_dma_cap_task_memcpy_get_max_buf_list_len(NULL, NULL));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE,
            doca_dma_cap_task_memcpy_get_max_buf_size(NULL, &size));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_dma_cap_get_max_num_tasks(dma.dma, NULL));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE,
            doca_dma_task_memcpy_set_conf(NULL, on_completed, on_failed, 1));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE,
            doca_dma_task_memcpy_set_conf(dma.dma, NULL, on_failed, 1));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE,
            doca_dma_task_memcpy_set_conf(dma.dma, on_completed, NULL, 1));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE,
            doca_dma_task_memcpy_set_conf(dma.dma, on_completed, on_failed, 0));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE,
            doca_dma_task_memcpy_set_conf(dma.dma, on_completed, on_failed, UINT32_MAX));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE,
            doca_dma_task_memcpy_alloc_init(NULL, buf, buf, data, &task));
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
        RUNNING(the_data_is_appended_in_the_tail_room),
        RUNNING(nothing_is_copied_before_the_progress_that_calls_back),
        RUNNING(a_list_is_gathered_and_scattered),
        RUNNING(a_buffer_may_be_copied_behind_its_own_data),
        RUNNING(no_data_is_a_copy_too),
        RUNNING(a_destination_that_is_too_small_is_refused_and_unchanged),
        RUNNING(memory_that_is_read_only_is_no_destination),
        RUNNING(memory_that_the_device_does_not_know_is_refused),
        RUNNING(a_released_buffer_is_refused),
        RUNNING(a_buffer_released_in_flight_makes_the_task_fail),
        RUNNING(copies_are_made_in_the_order_of_their_submission),
        RUNNING(source_and_destination_can_be_replaced_between_submissions),
        RUNNING(tasks_are_limited_and_exist_in_a_running_context_only),
        RUNNING(tasks_in_flight_complete_before_the_context_is_idle),
        RUNNING(a_context_can_be_configured_anew_and_started_again),
        RUNNING(a_context_is_configured_before_its_start_and_destroyed_idle),
        RUNNING(a_task_may_be_submitted_again_or_freed_in_its_own_callback),
        RUNNING(random_lists_agree_with_arrays),
        RUNNING(every_device_can_copy),
        RUNNING(null_and_impossible_arguments_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
