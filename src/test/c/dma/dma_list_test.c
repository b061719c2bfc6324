/* SPDX-License-Identifier: Apache-2.0 */
/* Lists as sources and destinations. */
#include "dma_fixture.h"

#include <stdbool.h>
#include <stdlib.h>

static struct doca_buf *buffer(size_t offset, size_t length, size_t data, size_t data_length)
{
    return memory_buffer(&dma.memory, offset, length, data, data_length);
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

/* A model of a list: the offset of each element in the memory. */
struct model {
    int elements;
    struct {
        size_t offset, size, data, data_length;
    } element[4];
};

static struct model random_model(unsigned *seed, size_t base)
{
    struct model model = { .elements = 1 + rand_r(seed) % 4 };
    int i;

    for (i = 0; i < model.elements; ++i) {
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

    for (i = 0; i < model->elements; ++i) {
        element = buffer(model->element[i].offset, model->element[i].size, model->element[i].data,
                model->element[i].data_length);
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

    for (i = 0; i < model->elements; ++i) {
        memcpy(data + length, memory + model->element[i].offset + model->element[i].data,
                model->element[i].data_length);
        length += model->element[i].data_length;
    }
    return length;
}

/* Scatters `data` over the model's tail rooms; false if it does not fit. */
static bool model_scatter(struct model *model, uint8_t *memory, const uint8_t *data, size_t length)
{
    size_t end, part;
    int i;

    for (i = 0; i < model->elements; ++i) {
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

    for (i = 0; i < model->elements; ++i) {
        assert_int_equal(model->element[i].data_length, data_length_of(list));
        assert_ok(doca_buf_get_next_in_list(list, &list));
    }
}

static void random_lists_agree_with_an_array_model(void **state)
{
    static uint8_t expected[MEMORY_SIZE], data[1024];
    struct doca_buf *source, *destination;
    struct model from, to, unchanged;
    struct doca_dma_task_memcpy *task;
    int round, fitted = 0;
    unsigned seed = 4;
    size_t length, i;

    (void)state;
    for (i = 0; i < MEMORY_SIZE; ++i)
        dma.memory.bytes[i] = (uint8_t)rand_r(&seed);
    for (round = 0; round < 2000; ++round) {
        do
            from = random_model(&seed, 0);
        while (model_gather(&from, dma.memory.bytes, data) == 0); /* a copy of no data fails */
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

#define RUNNING(test) cmocka_unit_test_setup_teardown(test, start_dma, stop_dma)

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUNNING(a_list_is_gathered_and_scattered),
        RUNNING(random_lists_agree_with_an_array_model),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
