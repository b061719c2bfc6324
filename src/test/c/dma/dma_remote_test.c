/* SPDX-License-Identifier: Apache-2.0 */
/* Copies to and from exported memory of other processes. */
#include "dma_fixture.h"
#include "exporter.h"

static uint8_t bytes[EXPORTER_SIZE];

/* Imports, or skips the test if the kernel denies access to another process's memory. */
static struct doca_mmap *import_from(struct exporter *exporter)
{
    struct doca_mmap *imported;
    doca_error_t status = doca_mmap_create_from_export(
            NULL, &exporter->descriptor, sizeof(exporter->descriptor), dma.memory.dev, &imported);

    if (status == DOCA_ERROR_NOT_PERMITTED || status == DOCA_ERROR_NOT_SUPPORTED) {
        exporter_end(exporter);
        skip();
    }
    assert_ok(status);
    return imported;
}

static struct doca_buf *remote_buffer(
        struct doca_mmap *mmap, size_t offset, size_t length, size_t data_length)
{
    struct doca_buf *buf;

    assert_ok(doca_buf_inventory_buf_get_by_args(
            dma.memory.inventory, mmap, bytes + offset, length, bytes + offset, data_length, &buf));
    return buf;
}

static void memory_of_another_process_is_read(void **state)
{
    static uint8_t expected[EXPORTER_SIZE];
    struct doca_buf *source, *destination;
    struct exporter exporter;
    struct doca_mmap *mmap;

    (void)state;
    exporter_start(&exporter, dma.memory.dev, bytes);
    mmap = import_from(&exporter);
    source = remote_buffer(mmap, 0, EXPORTER_SIZE, EXPORTER_SIZE);
    destination = memory_buffer(&dma.memory, 0, MEMORY_SIZE, 0, 0);
    exporter_fill(expected);

    assert_int_equal(DOCA_SUCCESS, copy(source, destination));

    assert_memory_equal(expected, dma.memory.bytes, EXPORTER_SIZE);
    assert_int_equal(EXPORTER_SIZE, data_length_of(destination));
    release(source);
    release(destination);
    assert_ok(doca_mmap_destroy(mmap));
    exporter_end(&exporter);
}

static void memory_of_another_process_is_written_only_within_the_range(void **state)
{
    static uint8_t its_bytes[EXPORTER_SIZE], expected[EXPORTER_SIZE];
    struct doca_buf *source, *destination;
    struct exporter exporter;
    struct doca_mmap *mmap;

    (void)state;
    exporter_start(&exporter, dma.memory.dev, bytes);
    mmap = import_from(&exporter);
    destination = remote_buffer(mmap, 4000, 200, 50);
    source = memory_buffer(&dma.memory, 0, 150, 0, 150);
    memset(dma.memory.bytes, 0x11, 150);

    assert_int_equal(DOCA_SUCCESS, copy(source, destination));

    exporter_step(&exporter, 'c', its_bytes);
    exporter_fill(expected);
    memset(expected + 4050, 0x11, 150);
    assert_memory_equal(expected, its_bytes, EXPORTER_SIZE);
    release(source);
    release(destination);
    assert_ok(doca_mmap_destroy(mmap));
    exporter_end(&exporter);
}

static void memory_is_copied_between_two_other_processes(void **state)
{
    static uint8_t its_bytes[EXPORTER_SIZE];
    struct doca_buf *source, *destination, *local;
    struct doca_mmap *from, *to;
    struct exporter first, second;

    (void)state;
    exporter_start(&first, dma.memory.dev, bytes);
    from = import_from(&first);
    exporter_start(&second, dma.memory.dev, bytes);
    to = import_from(&second);
    local = memory_buffer(&dma.memory, 0, 5, 0, 5);
    memcpy(dma.memory.bytes, "hello", 5);
    source = remote_buffer(from, 100, 5, 0);
    destination = remote_buffer(to, 7000, 5, 0);

    assert_int_equal(DOCA_SUCCESS, copy(local, source));
    assert_int_equal(DOCA_SUCCESS, copy(source, destination));

    exporter_step(&second, 'c', its_bytes);
    assert_memory_equal("hello", its_bytes + 7000, 5);
    release(local);
    release(source);
    release(destination);
    assert_ok(doca_mmap_destroy(from));
    assert_ok(doca_mmap_destroy(to));
    exporter_end(&second);
    exporter_end(&first);
}

static void a_copy_fails_after_the_exporter_has_exited(void **state)
{
    struct doca_buf *source, *destination;
    struct exporter exporter;
    struct doca_mmap *mmap;

    (void)state;
    exporter_start(&exporter, dma.memory.dev, bytes);
    mmap = import_from(&exporter);
    source = remote_buffer(mmap, 0, 100, 100);
    destination = memory_buffer(&dma.memory, 0, 100, 0, 0);
    exporter_end(&exporter);

    assert_int_equal(DOCA_ERROR_IO_FAILED, copy(source, destination));

    assert_int_equal(1, dma.failed);
    assert_int_equal(0, data_length_of(destination));
    release(source);
    release(destination);
    assert_ok(doca_mmap_destroy(mmap));
}

#define RUNNING(test) cmocka_unit_test_setup_teardown(test, start_dma, stop_dma)

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUNNING(memory_of_another_process_is_read),
        RUNNING(memory_of_another_process_is_written_only_within_the_range),
        RUNNING(memory_is_copied_between_two_other_processes),
        RUNNING(a_copy_fails_after_the_exporter_has_exited),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
