/* SPDX-License-Identifier: Apache-2.0 */
#include "memory.h"

#include <common/buf.h>

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

static struct doca_buf *make_buffer(void)
{
    return memory_buffer(&memory, 1000, 100, 10, 20);
}

static void release(struct doca_buf *buf)
{
    assert_ok(doca_buf_dec_refcount(buf, NULL));
}

static uint16_t refcount_of(const struct doca_buf *buf)
{
    uint16_t refcount;

    assert_ok(doca_buf_get_refcount(buf, &refcount));
    return refcount;
}

static uint32_t free_buffers(void)
{
    uint32_t count;

    assert_ok(doca_buf_inventory_get_num_free_elements(memory.inventory, &count));
    return count;
}

static void assert_section(const struct doca_buf *buf, size_t offset, size_t length)
{
    void *data;

    assert_ok(doca_buf_get_data(buf, &data));
    assert_ptr_equal(memory.bytes + offset, data);
    assert_int_equal(length, data_length_of(buf));
}

static void a_buffer_returns_its_region_and_data(void **state)
{
    struct doca_buf *buf = make_buffer();
    size_t length;
    void *head;

    (void)state;
    assert_ok(doca_buf_get_head(buf, &head));
    assert_ptr_equal(memory.bytes + 1000, head);
    assert_ok(doca_buf_get_len(buf, &length));
    assert_int_equal(100, length);
    assert_section(buf, 1010, 20);
    assert_int_equal(1, refcount_of(buf));
    release(buf);
}

static void the_data_section_can_be_moved_within_the_region(void **state)
{
    struct doca_buf *buf = make_buffer();

    (void)state;
    assert_ok(doca_buf_set_data(buf, memory.bytes + 1000, 100));
    assert_section(buf, 1000, 100);
    assert_ok(doca_buf_set_data(buf, memory.bytes + 1100, 0));
    assert_section(buf, 1100, 0);
    release(buf);
}

static void a_data_section_outside_the_region_is_rejected_without_effect(void **state)
{
    struct doca_buf *buf = make_buffer();

    (void)state;
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_buf_set_data(buf, memory.bytes + 999, 1));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_buf_set_data(buf, memory.bytes + 1000, 101));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_buf_set_data(buf, memory.bytes + 1101, 0));
    assert_int_equal(
            DOCA_ERROR_INVALID_VALUE, doca_buf_set_data(buf, memory.bytes + 1001, SIZE_MAX));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_buf_set_data(buf, NULL, 0));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_buf_set_data_len(buf, 91));

    assert_section(buf, 1010, 20);
    release(buf);
}

static void the_data_length_can_be_set_and_reset(void **state)
{
    struct doca_buf *buf = make_buffer();

    (void)state;
    assert_ok(doca_buf_set_data_len(buf, 90));
    assert_section(buf, 1010, 90);
    assert_ok(doca_buf_reset_data_len(buf));
    assert_section(buf, 1010, 0);
    release(buf);
}

static void functions_return_the_previous_reference_count(void **state)
{
    struct doca_buf *buf = make_buffer();
    uint16_t before;

    (void)state;
    assert_ok(doca_buf_inc_refcount(buf, &before));
    assert_int_equal(1, before);
    assert_ok(doca_buf_dec_refcount(buf, &before));
    assert_int_equal(2, before);
    assert_ok(doca_buf_dec_refcount(buf, &before));
    assert_int_equal(1, before);
    assert_int_equal(MEMORY_BUFFERS, free_buffers());
}

static void the_pointer_for_the_count_may_be_null(void **state)
{
    struct doca_buf *buf = make_buffer();

    (void)state;
    assert_ok(doca_buf_inc_refcount(buf, NULL));
    assert_ok(doca_buf_dec_refcount(buf, NULL));
    assert_int_equal(1, refcount_of(buf));
    release(buf);
}

static void a_reference_count_does_not_overflow(void **state)
{
    struct doca_buf *buf = make_buffer();
    int i;

    (void)state;
    for (i = 1; i < UINT16_MAX; ++i)
        assert_ok(doca_buf_inc_refcount(buf, NULL));
    assert_int_equal(DOCA_ERROR_TOO_BIG, doca_buf_inc_refcount(buf, NULL));
    for (i = 0; i < UINT16_MAX; ++i)
        release(buf);
}

static void a_released_buffer_is_rejected(void **state)
{
    struct doca_buf *buf = make_buffer(), *other;
    uint8_t byte;
    void *data;

    (void)state;
    release(buf);
    assert_int_equal(DOCA_ERROR_BAD_STATE, doca_buf_dec_refcount(buf, NULL));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_buf_inc_refcount(buf, NULL));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_buf_get_data(buf, &data));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_buf_set_data_len(buf, 0));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_buf_get_next_in_list(buf, &other));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_buf_is_in_list(buf, &byte));
    assert_int_equal(MEMORY_BUFFERS, free_buffers());
}

static void an_application_cannot_release_a_buffer_of_a_task(void **state)
{
    struct doca_buf payload;

    (void)state;
    priv_doca_buf_init(&payload, memory.bytes, 8, memory.bytes, 0);
    assert_ok(doca_buf_inc_refcount(&payload, NULL));

    assert_ok(doca_buf_dec_refcount(&payload, NULL));
    assert_int_equal(DOCA_ERROR_NOT_PERMITTED, doca_buf_dec_refcount(&payload, NULL));
    assert_int_equal(1, refcount_of(&payload));
}

static void null_arguments_are_rejected(void **state)
{
    struct doca_buf *buf = make_buffer();
    uint8_t byte;

    (void)state;
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_buf_inc_refcount(NULL, NULL));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_buf_dec_refcount(NULL, NULL));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_buf_get_refcount(buf, NULL));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_buf_get_len(buf, NULL));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_buf_get_head(buf, NULL));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_buf_get_data(buf, NULL));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_buf_get_data_len(buf, NULL));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_buf_set_data(NULL, NULL, 0));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_buf_set_data_len(NULL, 0));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_buf_reset_data_len(NULL));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_buf_get_next_in_list(buf, NULL));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_buf_get_last_in_list(NULL, NULL));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_buf_is_last_in_list(buf, NULL));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_buf_is_first_in_list(NULL, &byte));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_buf_is_in_list(buf, NULL));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_buf_get_list_len(buf, NULL));
    release(buf);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_buffer_returns_its_region_and_data),
        cmocka_unit_test(the_data_section_can_be_moved_within_the_region),
        cmocka_unit_test(a_data_section_outside_the_region_is_rejected_without_effect),
        cmocka_unit_test(the_data_length_can_be_set_and_reset),
        cmocka_unit_test(functions_return_the_previous_reference_count),
        cmocka_unit_test(the_pointer_for_the_count_may_be_null),
        cmocka_unit_test(a_reference_count_does_not_overflow),
        cmocka_unit_test(a_released_buffer_is_rejected),
        cmocka_unit_test(an_application_cannot_release_a_buffer_of_a_task),
        cmocka_unit_test(null_arguments_are_rejected),
    };

    return cmocka_run_group_tests(tests, open_memory, close_memory);
}
