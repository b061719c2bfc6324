/* SPDX-License-Identifier: Apache-2.0 */
#include "memory.h"

#include <stdlib.h>

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

static uint32_t list_length_of(const struct doca_buf *buf)
{
    uint32_t length;

    assert_ok(doca_buf_get_list_len(buf, &length));
    return length;
}

static uint32_t free_buffers(void)
{
    uint32_t count;

    assert_ok(doca_buf_inventory_get_num_free_elements(memory.inventory, &count));
    return count;
}

static void a_single_buffer_is_a_list_of_one_element(void **state)
{
    struct doca_buf *buf = make_buffer(), *other;
    uint8_t first, last, in_list;

    (void)state;
    assert_ok(doca_buf_is_first_in_list(buf, &first));
    assert_ok(doca_buf_is_last_in_list(buf, &last));
    assert_ok(doca_buf_is_in_list(buf, &in_list));
    assert_int_equal(1, first);
    assert_int_equal(1, last);
    assert_int_equal(0, in_list);
    assert_int_equal(1, list_length_of(buf));
    assert_ok(doca_buf_get_next_in_list(buf, &other));
    assert_null(other);
    assert_ok(doca_buf_get_last_in_list(buf, &other));
    assert_ptr_equal(buf, other);
    release(buf);
}

static void a_chained_list_is_traversed_in_order(void **state)
{
    struct doca_buf *a = make_buffer(), *b = make_buffer(), *c = make_buffer(), *at;
    uint8_t first, last, in_list;

    (void)state;
    assert_ok(doca_buf_chain_list(b, c));
    assert_ok(doca_buf_chain_list(a, b));

    assert_int_equal(3, list_length_of(a));
    assert_ok(doca_buf_get_next_in_list(a, &at));
    assert_ptr_equal(b, at);
    assert_ok(doca_buf_get_next_in_list(b, &at));
    assert_ptr_equal(c, at);
    assert_ok(doca_buf_get_next_in_list(c, &at));
    assert_null(at);
    assert_ok(doca_buf_get_last_in_list(b, &at));
    assert_ptr_equal(c, at);
    assert_ok(doca_buf_is_first_in_list(b, &first));
    assert_ok(doca_buf_is_last_in_list(b, &last));
    assert_ok(doca_buf_is_in_list(b, &in_list));
    assert_int_equal(0, first);
    assert_int_equal(0, last);
    assert_int_equal(1, in_list);
    release(a);
}

static void releasing_the_head_releases_the_whole_list(void **state)
{
    struct doca_buf *a = make_buffer();

    (void)state;
    assert_ok(doca_buf_chain_list(a, make_buffer()));
    assert_ok(doca_buf_chain_list(a, make_buffer()));
    assert_ok(doca_buf_inc_refcount(a, NULL));
    assert_int_equal(MEMORY_BUFFERS - 3, free_buffers());

    release(a);
    assert_int_equal(3, list_length_of(a));
    release(a);
    assert_int_equal(MEMORY_BUFFERS, free_buffers());
}

static void only_the_head_of_a_list_can_be_referenced_and_duplicated(void **state)
{
    struct doca_buf *a = make_buffer(), *b = make_buffer(), *copy;

    (void)state;
    assert_ok(doca_buf_chain_list(a, b));
    assert_int_equal(DOCA_ERROR_NOT_PERMITTED, doca_buf_inc_refcount(b, NULL));
    assert_int_equal(
            DOCA_ERROR_NOT_PERMITTED, doca_buf_inventory_buf_dup(memory.inventory, b, &copy));

    assert_int_equal(1, refcount_of(b));
    release(a);
}

static void releasing_an_element_other_than_the_head_is_not_permitted(void **state)
{
    struct doca_buf *a = make_buffer(), *b = make_buffer();

    (void)state;
    assert_ok(doca_buf_chain_list(a, b));

    assert_int_equal(DOCA_ERROR_NOT_PERMITTED, doca_buf_dec_refcount(b, NULL));

    assert_int_equal(2, list_length_of(a));
    release(a);
}

static void chaining_requires_two_heads(void **state)
{
    struct doca_buf *a = make_buffer(), *b = make_buffer(), *c = make_buffer();

    (void)state;
    assert_ok(doca_buf_chain_list(a, b));

    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_buf_chain_list(b, c));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_buf_chain_list(c, b));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_buf_chain_list(a, a));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_buf_chain_list(a, NULL));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_buf_chain_list(NULL, a));

    assert_int_equal(2, list_length_of(a));
    release(a);
    release(c);
}

static void chaining_requires_a_single_reference_to_the_second_list(void **state)
{
    struct doca_buf *a = make_buffer(), *b = make_buffer();

    (void)state;
    assert_ok(doca_buf_inc_refcount(b, NULL));
    assert_int_equal(DOCA_ERROR_NOT_PERMITTED, doca_buf_chain_list(a, b));

    assert_ok(doca_buf_dec_refcount(b, NULL));
    assert_ok(doca_buf_chain_list(a, b));
    release(a);
}

static void chaining_at_the_tail_requires_the_last_element(void **state)
{
    struct doca_buf *a = make_buffer(), *b = make_buffer(), *c = make_buffer();

    (void)state;
    assert_ok(doca_buf_chain_list_tail(a, a, b));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_buf_chain_list_tail(a, a, c));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_buf_chain_list_tail(a, NULL, c));
    assert_ok(doca_buf_chain_list_tail(a, b, c));

    assert_int_equal(3, list_length_of(a));
    release(a);
}

static void unchaining_splits_a_list_into_two(void **state)
{
    struct doca_buf *a = make_buffer(), *b = make_buffer(), *c = make_buffer(), *at;

    (void)state;
    assert_ok(doca_buf_chain_list(a, b));
    assert_ok(doca_buf_chain_list(a, c));

    assert_ok(doca_buf_unchain_list(a, b));

    assert_int_equal(1, list_length_of(a));
    assert_int_equal(2, list_length_of(b));
    assert_ok(doca_buf_get_last_in_list(a, &at));
    assert_ptr_equal(a, at);
    assert_ok(doca_buf_get_last_in_list(c, &at));
    assert_ptr_equal(c, at);
    release(a);
    release(b);
}

static void unchaining_a_buffer_outside_the_list_is_rejected(void **state)
{
    struct doca_buf *a = make_buffer(), *b = make_buffer(), *c = make_buffer();

    (void)state;
    assert_ok(doca_buf_chain_list(a, b));

    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_buf_unchain_list(a, c));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_buf_unchain_list(a, a));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_buf_unchain_list(b, b));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_buf_unchain_list(c, b));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_buf_unchain_list(a, NULL));

    assert_int_equal(2, list_length_of(a));
    release(a);
    release(c);
}

static void only_the_head_of_a_list_returns_its_length(void **state)
{
    struct doca_buf *a = make_buffer(), *b = make_buffer();
    uint32_t length;

    (void)state;
    assert_ok(doca_buf_chain_list(a, b));
    assert_int_equal(DOCA_ERROR_NOT_PERMITTED, doca_buf_get_list_len(b, &length));
    release(a);
}

/* A model of the lists as arrays; the library must agree with it after each step. */
#define MODEL_BUFFERS 12
#define MODEL_STEPS 20000

struct model_list {
    struct doca_buf *elements[MODEL_BUFFERS];
    uint32_t length;
};

static void assert_same_list(const struct model_list *model)
{
    struct doca_buf *at, *last;
    uint32_t i;

    assert_int_equal(model->length, list_length_of(model->elements[0]));
    at = model->elements[0];
    for (i = 0; i < model->length; ++i) {
        assert_ptr_equal(model->elements[i], at);
        assert_ok(doca_buf_get_last_in_list(at, &last));
        assert_ptr_equal(model->elements[model->length - 1], last);
        assert_ok(doca_buf_get_next_in_list(at, &at));
    }
    assert_null(at);
}

static void random_chaining_and_unchaining_agrees_with_an_array_model(void **state)
{
    struct model_list lists[MODEL_BUFFERS];
    unsigned seed = 20;
    int count, step, i, from, to;
    uint32_t cut;

    (void)state;
    for (count = 0; count < MODEL_BUFFERS; ++count)
        lists[count] = (struct model_list){ .elements = { make_buffer() }, .length = 1 };

    for (step = 0; step < MODEL_STEPS; ++step) {
        to = rand_r(&seed) % count;
        from = rand_r(&seed) % count;
        cut = 1 + (uint32_t)rand_r(&seed) % MODEL_BUFFERS;
        if (rand_r(&seed) % 2 == 0 && to != from) {
            assert_ok(doca_buf_chain_list(lists[to].elements[0], lists[from].elements[0]));
            memcpy(lists[to].elements + lists[to].length, lists[from].elements,
                    lists[from].length * sizeof(lists[from].elements[0]));
            lists[to].length += lists[from].length;
            lists[from] = lists[--count];
        } else if (cut < lists[to].length) {
            assert_ok(doca_buf_unchain_list(lists[to].elements[0], lists[to].elements[cut]));
            lists[count].length = lists[to].length - cut;
            memcpy(lists[count].elements, lists[to].elements + cut,
                    lists[count].length * sizeof(lists[count].elements[0]));
            lists[to].length = cut;
            count++;
        }
        for (i = 0; i < count; ++i)
            assert_same_list(&lists[i]);
    }
    for (i = 0; i < count; ++i)
        release(lists[i].elements[0]);
    assert_int_equal(MEMORY_BUFFERS, free_buffers());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_single_buffer_is_a_list_of_one_element),
        cmocka_unit_test(a_chained_list_is_traversed_in_order),
        cmocka_unit_test(releasing_the_head_releases_the_whole_list),
        cmocka_unit_test(only_the_head_of_a_list_can_be_referenced_and_duplicated),
        cmocka_unit_test(releasing_an_element_other_than_the_head_is_not_permitted),
        cmocka_unit_test(chaining_requires_two_heads),
        cmocka_unit_test(chaining_requires_a_single_reference_to_the_second_list),
        cmocka_unit_test(chaining_at_the_tail_requires_the_last_element),
        cmocka_unit_test(unchaining_splits_a_list_into_two),
        cmocka_unit_test(unchaining_a_buffer_outside_the_list_is_rejected),
        cmocka_unit_test(only_the_head_of_a_list_returns_its_length),
        cmocka_unit_test(random_chaining_and_unchaining_agrees_with_an_array_model),
    };

    return cmocka_run_group_tests(tests, open_memory, close_memory);
}
