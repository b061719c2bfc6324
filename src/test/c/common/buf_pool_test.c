/* SPDX-License-Identifier: Apache-2.0 */
#include "memory.h"

#include <stdlib.h>

#include <doca_buf_pool.h>

static struct memory memory;

static int open_memory(void **state)
{
    (void)state;
    memory_open(&memory);
    return 0;
}

static int close_memory(void **state)
{
    (void)state;
    memory_close(&memory);
    return 0;
}

static struct doca_buf_pool *make_pool(size_t elements, size_t size, size_t alignment)
{
    struct doca_buf_pool *pool;

    assert_ok(doca_buf_pool_create(elements, size, memory.mmap, &pool));
    assert_ok(doca_buf_pool_set_element_alignment(pool, alignment));
    return pool;
}

static uint8_t *head_of(const struct doca_buf *buf)
{
    void *head;

    assert_ok(doca_buf_get_head(buf, &head));
    return head;
}

static void buffers_have_the_configured_size_and_no_data_and_do_not_overlap(void **state)
{
    struct doca_buf_pool *pool = make_pool(4, 100, 1);
    struct doca_buf *bufs[4];
    size_t length;
    int i, j;

    (void)state;
    assert_ok(doca_buf_pool_start(pool));
    for (i = 0; i < 4; ++i) {
        assert_ok(doca_buf_pool_buf_alloc(pool, &bufs[i]));
        assert_ok(doca_buf_get_len(bufs[i], &length));
        assert_int_equal(100, length);
        assert_int_equal(0, data_length_of(bufs[i]));
        assert_true(head_of(bufs[i]) >= memory.bytes);
        assert_true(head_of(bufs[i]) + 100 <= memory.bytes + MEMORY_SIZE);
        for (j = 0; j < i; ++j)
            assert_true(labs(head_of(bufs[i]) - head_of(bufs[j])) >= 100);
    }
    assert_int_equal(DOCA_ERROR_EMPTY, doca_buf_pool_buf_alloc(pool, &bufs[0]));
    for (i = 3; i > 0; i--)
        assert_ok(doca_buf_dec_refcount(bufs[i], NULL));
    assert_int_equal(DOCA_ERROR_IN_USE, doca_buf_pool_stop(pool));
    assert_int_equal(DOCA_ERROR_IN_USE, doca_buf_pool_destroy(pool));
    assert_ok(doca_buf_dec_refcount(bufs[0], NULL));
    assert_ok(doca_buf_pool_stop(pool));
    assert_ok(doca_buf_pool_destroy(pool));
}

static void released_buffers_are_reused_and_are_then_empty(void **state)
{
    struct doca_buf_pool *pool = make_pool(3, 10, 1);
    struct doca_buf *bufs[3];
    int round, i;

    (void)state;
    assert_ok(doca_buf_pool_start(pool));
    for (round = 0; round < 3; ++round) {
        for (i = 0; i < 3; ++i) {
            assert_ok(doca_buf_pool_buf_alloc(pool, &bufs[i]));
            assert_int_equal(0, data_length_of(bufs[i]));
            assert_ok(doca_buf_set_data(bufs[i], head_of(bufs[i]) + 1, 9));
        }
        for (i = 0; i < 3; ++i)
            assert_ok(doca_buf_dec_refcount(bufs[i], NULL));
    }
    assert_ok(doca_buf_pool_destroy(pool));
}

static void a_buffer_of_a_pool_can_be_duplicated_by_an_inventory(void **state)
{
    struct doca_buf_pool *pool = make_pool(1, 10, 1);
    struct doca_buf *buf, *copy;

    (void)state;
    assert_ok(doca_buf_pool_start(pool));
    assert_ok(doca_buf_pool_buf_alloc(pool, &buf));

    assert_ok(doca_buf_inventory_buf_dup(memory.inventory, buf, &copy));

    assert_ptr_equal(head_of(buf), head_of(copy));
    assert_ok(doca_buf_dec_refcount(buf, NULL));
    assert_ok(doca_buf_dec_refcount(copy, NULL));
    assert_ok(doca_buf_pool_destroy(pool));
}

static void elements_are_aligned(void **state)
{
    struct doca_buf_pool *pool = make_pool(5, 100, 256);
    struct doca_buf *bufs[5];
    size_t alignment;
    int i;

    (void)state;
    assert_ok(doca_buf_pool_get_element_alignment(pool, &alignment));
    assert_int_equal(256, alignment);
    assert_ok(doca_buf_pool_start(pool));
    for (i = 0; i < 5; ++i) {
        assert_ok(doca_buf_pool_buf_alloc(pool, &bufs[i]));
        assert_int_equal(0, (uintptr_t)head_of(bufs[i]) % 256);
    }
    for (i = 0; i < 5; ++i)
        assert_ok(doca_buf_dec_refcount(bufs[i], NULL));
    assert_ok(doca_buf_pool_destroy(pool));
}

static void an_alignment_that_is_not_a_power_of_two_is_rejected(void **state)
{
    struct doca_buf_pool *pool = make_pool(1, 1, 1);

    (void)state;
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_buf_pool_set_element_alignment(pool, 0));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_buf_pool_set_element_alignment(pool, 24));
    assert_ok(doca_buf_pool_destroy(pool));
}

/* Starts a pool in a map of `length` bytes that begins 1 byte after an aligned address. */
static doca_error_t start_within(size_t length, size_t elements, size_t size, size_t alignment)
{
    uint8_t *base = (uint8_t *)(((uintptr_t)memory.bytes + 4095) & ~(uintptr_t)4095) + 1;
    struct doca_mmap *mmap = map_range(memory.dev, base, length, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE);
    struct doca_buf_pool *pool;
    doca_error_t status;

    assert_ok(doca_buf_pool_create(elements, size, mmap, &pool));
    assert_ok(doca_buf_pool_set_element_alignment(pool, alignment));
    status = doca_buf_pool_start(pool);
    assert_ok(doca_buf_pool_destroy(pool));
    assert_ok(doca_mmap_destroy(mmap));
    return status;
}

static void a_pool_that_does_not_fit_its_map_does_not_start(void **state)
{
    (void)state;
    assert_ok(start_within(100, 10, 10, 1));
    assert_ok(start_within(100, 1, 100, 1));
    assert_int_equal(DOCA_ERROR_INITIALIZATION, start_within(99, 10, 10, 1));
    assert_ok(start_within(63 + 64 + 10, 2, 10, 64));
    assert_int_equal(DOCA_ERROR_INITIALIZATION, start_within(63 + 64 + 9, 2, 10, 64));
    assert_int_equal(DOCA_ERROR_INITIALIZATION, start_within(62, 1, 1, 64));
    assert_int_equal(DOCA_ERROR_INITIALIZATION, start_within(100, 1, SIZE_MAX, 64));
    assert_int_equal(DOCA_ERROR_INITIALIZATION, start_within(100, 1, 1, (size_t)1 << 63));
}

static void elements_are_counted_and_keep_the_map_started(void **state)
{
    struct doca_buf_pool *pool = make_pool(3, 10, 1);
    struct doca_buf *buf;
    uint32_t count;

    (void)state;
    assert_ok(doca_buf_pool_get_num_free_elements(pool, &count));
    assert_int_equal(3, count);
    assert_ok(doca_buf_pool_start(pool));
    assert_ok(doca_buf_pool_buf_alloc(pool, &buf));
    assert_ok(doca_buf_pool_get_num_elements(pool, &count));
    assert_int_equal(3, count);
    assert_ok(doca_buf_pool_get_num_free_elements(pool, &count));
    assert_int_equal(2, count);
    assert_ok(doca_mmap_get_num_bufs(memory.mmap, &count));
    assert_int_equal(3, count);
    assert_int_equal(DOCA_ERROR_NOT_PERMITTED, doca_mmap_stop(memory.mmap));

    assert_ok(doca_buf_dec_refcount(buf, NULL));
    assert_ok(doca_buf_pool_stop(pool));
    assert_ok(doca_mmap_get_num_bufs(memory.mmap, &count));
    assert_int_equal(0, count);
    assert_ok(doca_buf_pool_destroy(pool));
}

static void a_stopped_pool_is_configured_and_a_started_pool_allocates(void **state)
{
    struct doca_buf_pool *pool = make_pool(1, 1, 1);
    union doca_data data = { .u64 = 7 };
    struct doca_buf *buf;

    (void)state;
    assert_int_equal(DOCA_ERROR_BAD_STATE, doca_buf_pool_buf_alloc(pool, &buf));
    assert_int_equal(DOCA_ERROR_NOT_PERMITTED, doca_buf_pool_stop(pool));
    assert_ok(doca_buf_pool_set_user_data(pool, data));

    assert_ok(doca_buf_pool_start(pool));
    assert_int_equal(DOCA_ERROR_NOT_PERMITTED, doca_buf_pool_start(pool));
    assert_int_equal(DOCA_ERROR_BAD_STATE, doca_buf_pool_set_user_data(pool, data));
    assert_int_equal(DOCA_ERROR_BAD_STATE, doca_buf_pool_set_element_alignment(pool, 2));
    data.u64 = 0;
    assert_ok(doca_buf_pool_get_user_data(pool, &data));
    assert_int_equal(7, data.u64);
    assert_ok(doca_buf_pool_stop(pool));
    assert_ok(doca_buf_pool_start(pool));
    assert_ok(doca_buf_pool_destroy(pool));
}

static void a_pool_of_a_stopped_map_does_not_start(void **state)
{
    struct doca_buf_pool *pool = make_pool(1, 1, 1);

    (void)state;
    assert_ok(doca_mmap_stop(memory.mmap));
    assert_int_equal(DOCA_ERROR_BAD_STATE, doca_buf_pool_start(pool));

    assert_ok(doca_mmap_start(memory.mmap));
    assert_ok(doca_buf_pool_start(pool));
    assert_ok(doca_buf_pool_destroy(pool));
}

static void null_arguments_are_rejected(void **state)
{
    struct doca_buf_pool *pool = make_pool(1, 1, 1);
    union doca_data data = { 0 };

    (void)state;
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_buf_pool_create(0, 1, memory.mmap, &pool));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_buf_pool_create(1, 0, memory.mmap, &pool));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_buf_pool_create(1, 1, NULL, &pool));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_buf_pool_create(1, 1, memory.mmap, NULL));
    assert_int_equal(
            DOCA_ERROR_INVALID_VALUE, doca_buf_pool_create(SIZE_MAX, 1, memory.mmap, &pool));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_buf_pool_destroy(NULL));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_buf_pool_start(NULL));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_buf_pool_stop(NULL));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_buf_pool_buf_alloc(NULL, NULL));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_buf_pool_buf_alloc(pool, NULL));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_buf_pool_set_user_data(NULL, data));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_buf_pool_get_user_data(pool, NULL));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_buf_pool_get_num_elements(pool, NULL));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_buf_pool_get_num_free_elements(pool, NULL));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_buf_pool_get_element_alignment(pool, NULL));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_buf_pool_set_element_alignment(NULL, 1));
    assert_ok(doca_buf_pool_destroy(pool));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(buffers_have_the_configured_size_and_no_data_and_do_not_overlap),
        cmocka_unit_test(released_buffers_are_reused_and_are_then_empty),
        cmocka_unit_test(a_buffer_of_a_pool_can_be_duplicated_by_an_inventory),
        cmocka_unit_test(elements_are_aligned),
        cmocka_unit_test(an_alignment_that_is_not_a_power_of_two_is_rejected),
        cmocka_unit_test(a_pool_that_does_not_fit_its_map_does_not_start),
        cmocka_unit_test(elements_are_counted_and_keep_the_map_started),
        cmocka_unit_test(a_stopped_pool_is_configured_and_a_started_pool_allocates),
        cmocka_unit_test(a_pool_of_a_stopped_map_does_not_start),
        cmocka_unit_test(null_arguments_are_rejected),
    };

    return cmocka_run_group_tests(tests, open_memory, close_memory);
}
