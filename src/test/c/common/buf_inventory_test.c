/* SPDX-License-Identifier: Apache-2.0 */
#include "memory.h"

#include <malloc.h>

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

static doca_error_t get(
        struct doca_buf_inventory *inventory, size_t offset, size_t length, struct doca_buf **buf)
{
    return doca_buf_inventory_buf_get_by_addr(
            inventory, memory.mmap, memory.bytes + offset, length, buf);
}

static void elements_are_counted(void **state)
{
    struct doca_buf_inventory *inventory;
    struct doca_buf *buf;
    uint32_t count;

    (void)state;
    assert_ok(doca_buf_inventory_create(3, &inventory));
    assert_ok(doca_buf_inventory_start(inventory));
    assert_ok(get(inventory, 0, 10, &buf));

    assert_ok(doca_buf_inventory_get_num_elements(inventory, &count));
    assert_int_equal(3, count);
    assert_ok(doca_buf_inventory_get_num_free_elements(inventory, &count));
    assert_int_equal(2, count);
    assert_ok(doca_mmap_get_num_bufs(memory.mmap, &count));
    assert_int_equal(1, count);

    assert_ok(doca_buf_dec_refcount(buf, NULL));
    assert_ok(doca_mmap_get_num_bufs(memory.mmap, &count));
    assert_int_equal(0, count);
    assert_ok(doca_buf_inventory_destroy(inventory));
}

static void an_exhausted_inventory_returns_no_memory_until_a_release_or_an_expansion(void **state)
{
    struct doca_buf_inventory *inventory;
    struct doca_buf *a, *b, *c;
    uint32_t count;

    (void)state;
    assert_ok(doca_buf_inventory_create(1, &inventory));
    assert_int_equal(DOCA_ERROR_BAD_STATE, doca_buf_inventory_expand(inventory, 1));
    assert_ok(doca_buf_inventory_start(inventory));
    assert_ok(get(inventory, 0, 10, &a));
    assert_int_equal(DOCA_ERROR_NO_MEMORY, get(inventory, 0, 10, &b));

    assert_ok(doca_buf_inventory_expand(inventory, 1));
    assert_ok(get(inventory, 0, 10, &b));
    assert_int_equal(DOCA_ERROR_NO_MEMORY, get(inventory, 0, 10, &c));
    assert_ok(doca_buf_inventory_get_num_elements(inventory, &count));
    assert_int_equal(2, count);

    assert_ok(doca_buf_dec_refcount(a, NULL));
    assert_ok(get(inventory, 0, 10, &c));
    assert_ok(doca_buf_dec_refcount(b, NULL));
    assert_ok(doca_buf_dec_refcount(c, NULL));
    assert_ok(doca_buf_inventory_destroy(inventory));
}

static void regions_and_data_must_lie_within_the_map(void **state)
{
    uint8_t *bytes = memory.bytes;
    struct doca_buf *buf;

    (void)state;
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, get(memory.inventory, MEMORY_SIZE - 9, 10, &buf));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, get(memory.inventory, MEMORY_SIZE, 1, &buf));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, get(memory.inventory, (size_t)-1, 2, &buf));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, get(memory.inventory, 1, SIZE_MAX, &buf));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, get(memory.inventory, 1, 0, &buf));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE,
            doca_buf_inventory_buf_get_by_args(
                    memory.inventory, memory.mmap, bytes + 10, 10, bytes + 9, 1, &buf));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE,
            doca_buf_inventory_buf_get_by_args(
                    memory.inventory, memory.mmap, bytes + 10, 10, bytes + 21, 0, &buf));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE,
            doca_buf_inventory_buf_get_by_args(
                    memory.inventory, memory.mmap, bytes + 10, 10, bytes + 15, 6, &buf));

    assert_ok(get(memory.inventory, MEMORY_SIZE - 10, 10, &buf));
    assert_ok(doca_buf_dec_refcount(buf, NULL));
}

static void buf_by_addr_returns_an_empty_buffer_and_buf_by_data_a_full_one(void **state)
{
    struct doca_buf *by_addr, *by_data;

    (void)state;
    assert_ok(get(memory.inventory, 5, 10, &by_addr));
    assert_ok(doca_buf_inventory_buf_get_by_data(
            memory.inventory, memory.mmap, memory.bytes + 5, 10, &by_data));

    assert_int_equal(0, data_length_of(by_addr));
    assert_int_equal(10, data_length_of(by_data));
    assert_ok(doca_buf_dec_refcount(by_addr, NULL));
    assert_ok(doca_buf_dec_refcount(by_data, NULL));
}

static void a_duplicate_has_the_same_region_and_data_and_its_own_reference_count(void **state)
{
    struct doca_buf *original = memory_buffer(&memory, 100, 50, 7, 11), *copy;
    void *data;
    size_t length;

    (void)state;
    assert_ok(doca_buf_inventory_buf_dup(memory.inventory, original, &copy));
    assert_ok(doca_buf_set_data_len(original, 1));
    assert_ok(doca_buf_dec_refcount(original, NULL));

    assert_ok(doca_buf_get_data(copy, &data));
    assert_ptr_equal(memory.bytes + 107, data);
    assert_int_equal(11, data_length_of(copy));
    assert_ok(doca_buf_get_len(copy, &length));
    assert_int_equal(50, length);
    assert_ok(doca_buf_dec_refcount(copy, NULL));
}

static void a_duplicate_of_the_head_of_a_list_is_a_single_buffer(void **state)
{
    struct doca_buf *a = memory_buffer(&memory, 0, 10, 0, 10);
    struct doca_buf *b = memory_buffer(&memory, 10, 10, 0, 10), *copy;
    uint8_t in_list;

    (void)state;
    assert_ok(doca_buf_chain_list(a, b));
    assert_ok(doca_buf_inventory_buf_dup(memory.inventory, a, &copy));

    assert_ok(doca_buf_is_in_list(copy, &in_list));
    assert_int_equal(0, in_list);
    assert_ok(doca_buf_dec_refcount(copy, NULL));
    assert_ok(doca_buf_dec_refcount(a, NULL));
}

static void buffers_are_allocated_only_between_start_and_stop(void **state)
{
    struct doca_buf_inventory *inventory;
    struct doca_buf *buf;

    (void)state;
    assert_ok(doca_buf_inventory_create(1, &inventory));
    assert_int_equal(DOCA_ERROR_NOT_PERMITTED, get(inventory, 0, 1, &buf));
    assert_int_equal(DOCA_ERROR_NOT_PERMITTED, doca_buf_inventory_stop(inventory));

    assert_ok(doca_buf_inventory_start(inventory));
    assert_int_equal(DOCA_ERROR_NOT_PERMITTED, doca_buf_inventory_start(inventory));
    assert_ok(get(inventory, 0, 1, &buf));
    assert_ok(doca_buf_dec_refcount(buf, NULL));
    assert_ok(doca_buf_inventory_stop(inventory));
    assert_int_equal(DOCA_ERROR_NOT_PERMITTED, get(inventory, 0, 1, &buf));
    assert_ok(doca_buf_inventory_destroy(inventory));
}

static void buffers_survive_the_stop_of_their_inventory(void **state)
{
    struct doca_buf_inventory *inventory;
    struct doca_buf *buf, *next;
    uint32_t count;

    (void)state;
    assert_ok(doca_buf_inventory_create(1, &inventory));
    assert_ok(doca_buf_inventory_start(inventory));
    assert_ok(get(inventory, 0, 10, &buf));

    assert_ok(doca_buf_inventory_stop(inventory));

    assert_int_equal(DOCA_ERROR_IN_USE, doca_buf_inventory_destroy(inventory));
    assert_int_equal(DOCA_ERROR_NOT_PERMITTED, doca_mmap_stop(memory.mmap));
    assert_ok(doca_buf_set_data(buf, memory.bytes, 10));
    assert_ok(doca_buf_inventory_start(inventory));
    assert_int_equal(DOCA_ERROR_NO_MEMORY, get(inventory, 0, 1, &next));
    assert_ok(doca_buf_inventory_stop(inventory));
    assert_ok(doca_buf_dec_refcount(buf, NULL));
    assert_ok(doca_buf_inventory_get_num_free_elements(inventory, &count));
    assert_int_equal(1, count);
    assert_ok(doca_buf_inventory_destroy(inventory));
}

static void a_stopped_map_allocates_no_buffers_and_a_map_with_buffers_does_not_stop(void **state)
{
    struct doca_buf *buf;

    (void)state;
    assert_ok(get(memory.inventory, 0, 1, &buf));
    assert_int_equal(DOCA_ERROR_NOT_PERMITTED, doca_mmap_stop(memory.mmap));
    assert_int_equal(DOCA_ERROR_NOT_PERMITTED, doca_mmap_destroy(memory.mmap));
    assert_ok(doca_buf_dec_refcount(buf, NULL));

    assert_ok(doca_mmap_stop(memory.mmap));
    assert_int_equal(DOCA_ERROR_NOT_PERMITTED, get(memory.inventory, 0, 1, &buf));
    assert_ok(doca_mmap_start(memory.mmap));
}

static void user_data_is_stored_and_cannot_be_changed_after_the_start(void **state)
{
    struct doca_buf_inventory *inventory;
    union doca_data data = { .u64 = 42 };

    (void)state;
    assert_ok(doca_buf_inventory_create(1, &inventory));
    assert_ok(doca_buf_inventory_set_user_data(inventory, data));
    assert_ok(doca_buf_inventory_start(inventory));
    assert_int_equal(DOCA_ERROR_NOT_PERMITTED, doca_buf_inventory_set_user_data(inventory, data));
    data.u64 = 0;

    assert_ok(doca_buf_inventory_get_user_data(inventory, &data));
    assert_int_equal(42, data.u64);
    assert_ok(doca_buf_inventory_destroy(inventory));
}

static void a_million_buffers_are_acquired_and_released_without_allocation(void **state)
{
    struct mallinfo2 before, after;
    struct doca_buf *buf;
    int i;

    (void)state;
    assert_ok(get(memory.inventory, 0, 10, &buf));
    assert_ok(doca_buf_dec_refcount(buf, NULL));
    before = mallinfo2();
    for (i = 0; i < 1000000; ++i) {
        if (get(memory.inventory, (size_t)i % MEMORY_SIZE, 1, &buf) != DOCA_SUCCESS
                || doca_buf_dec_refcount(buf, NULL) != DOCA_SUCCESS)
            fail();
    }
    after = mallinfo2();

    assert_int_equal(before.uordblks, after.uordblks);
}

static void null_arguments_are_rejected(void **state)
{
    struct doca_buf_inventory *inventory;
    union doca_data data = { 0 };
    struct doca_buf *buf;
    uint32_t count;

    (void)state;
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_buf_inventory_create(0, &inventory));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_buf_inventory_create(1, NULL));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_buf_inventory_create(SIZE_MAX, &inventory));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_buf_inventory_destroy(NULL));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_buf_inventory_start(NULL));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_buf_inventory_stop(NULL));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_buf_inventory_expand(NULL, 1));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_buf_inventory_expand(memory.inventory, 0));
    assert_int_equal(
            DOCA_ERROR_INVALID_VALUE, doca_buf_inventory_expand(memory.inventory, UINT32_MAX));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, get(NULL, 0, 1, &buf));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, get(memory.inventory, 0, 1, NULL));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE,
            doca_buf_inventory_buf_get_by_addr(memory.inventory, NULL, memory.bytes, 1, &buf));
    assert_int_equal(
            DOCA_ERROR_INVALID_VALUE, doca_buf_inventory_buf_dup(memory.inventory, NULL, &buf));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_buf_inventory_set_user_data(NULL, data));
    assert_int_equal(
            DOCA_ERROR_INVALID_VALUE, doca_buf_inventory_get_user_data(memory.inventory, NULL));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_buf_inventory_get_num_elements(NULL, &count));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE,
            doca_buf_inventory_get_num_free_elements(memory.inventory, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(elements_are_counted),
        cmocka_unit_test(an_exhausted_inventory_returns_no_memory_until_a_release_or_an_expansion),
        cmocka_unit_test(regions_and_data_must_lie_within_the_map),
        cmocka_unit_test(buf_by_addr_returns_an_empty_buffer_and_buf_by_data_a_full_one),
        cmocka_unit_test(a_duplicate_has_the_same_region_and_data_and_its_own_reference_count),
        cmocka_unit_test(a_duplicate_of_the_head_of_a_list_is_a_single_buffer),
        cmocka_unit_test(buffers_are_allocated_only_between_start_and_stop),
        cmocka_unit_test(buffers_survive_the_stop_of_their_inventory),
        cmocka_unit_test(a_stopped_map_allocates_no_buffers_and_a_map_with_buffers_does_not_stop),
        cmocka_unit_test(user_data_is_stored_and_cannot_be_changed_after_the_start),
        cmocka_unit_test(a_million_buffers_are_acquired_and_released_without_allocation),
        cmocka_unit_test(null_arguments_are_rejected),
    };

    return cmocka_run_group_tests(tests, open_memory, close_memory);
}
