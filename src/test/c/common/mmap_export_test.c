/* SPDX-License-Identifier: Apache-2.0 */
/* Exports between two processes: the child exports, this process imports. */
#include "exporter.h"
#include "memory.h"

#include <pthread.h>
#include <signal.h>

#include <common/mmap_access.h>

#define SIZE EXPORTER_SIZE
#define BUFFERS 100000
#define MANY (3 * EXPORT_SLOTS)

static struct doca_dev *dev;
static uint8_t bytes[SIZE];

static int open_device(void **state)
{
    (void)state;
    dev = open_soft0();
    return 0;
}

static int close_device(void **state)
{
    (void)state;
    return doca_dev_close(dev);
}

static doca_error_t import(const void *descriptor, size_t length, struct doca_mmap **mmap)
{
    return doca_mmap_create_from_export(NULL, descriptor, length, dev, mmap);
}

static void exported_and_imported_maps_report_their_kind(void **state)
{
    struct doca_mmap *mmap = map_range(dev, bytes, SIZE, DOCA_ACCESS_FLAG_PCI_READ_WRITE);
    union doca_data data = { .u64 = 5 };
    struct doca_mmap *imported;
    const void *descriptor;
    uint8_t answer;
    void *address;
    size_t length;

    (void)state;
    assert_ok(doca_mmap_get_exported(mmap, &answer));
    assert_int_equal(0, answer);
    assert_ok(doca_mmap_export_pci(mmap, dev, &descriptor, &length));
    assert_ok(doca_mmap_get_exported(mmap, &answer));
    assert_int_equal(1, answer);
    assert_ok(doca_mmap_get_from_export(mmap, &answer));
    assert_int_equal(0, answer);

    assert_ok(doca_mmap_create_from_export(&data, descriptor, length, dev, &imported));
    assert_ok(doca_mmap_get_from_export(imported, &answer));
    assert_int_equal(1, answer);
    assert_ok(doca_mmap_get_exported(imported, &answer));
    assert_int_equal(0, answer);
    data.u64 = 0;
    assert_ok(doca_mmap_get_user_data(imported, &data));
    assert_int_equal(5, data.u64);
    assert_ok(doca_mmap_get_memrange(imported, &address, &length));
    assert_ptr_equal(bytes, address);
    assert_int_equal(SIZE, length);
    assert_ok(doca_mmap_destroy(imported));
    assert_ok(doca_mmap_destroy(mmap));
}

static void an_imported_map_is_started_and_cannot_be_changed(void **state)
{
    struct doca_mmap *mmap = map_range(dev, bytes, SIZE, DOCA_ACCESS_FLAG_PCI_READ_ONLY);
    struct doca_buf_inventory *inventory;
    struct doca_mmap *imported;
    const void *descriptor;
    struct doca_buf *buf;
    size_t length;

    (void)state;
    assert_ok(doca_buf_inventory_create(1, &inventory));
    assert_ok(doca_buf_inventory_start(inventory));
    assert_ok(doca_mmap_export_pci(mmap, dev, &descriptor, &length));
    assert_ok(import(descriptor, length, &imported));

    assert_ok(doca_buf_inventory_buf_get_by_data(inventory, imported, bytes, SIZE, &buf));
    assert_int_equal(DOCA_ERROR_NOT_PERMITTED, doca_mmap_destroy(imported));
    assert_ok(doca_buf_dec_refcount(buf, NULL));
    assert_int_equal(DOCA_ERROR_NOT_PERMITTED, doca_mmap_start(imported));
    assert_int_equal(DOCA_ERROR_NOT_PERMITTED, doca_mmap_stop(imported));
    assert_int_equal(DOCA_ERROR_NOT_PERMITTED, doca_mmap_set_permissions(imported, 0));
    assert_int_equal(
            DOCA_ERROR_NOT_PERMITTED, doca_mmap_export_pci(imported, dev, &descriptor, &length));
    assert_ok(doca_mmap_destroy(imported));
    assert_ok(doca_mmap_destroy(mmap));
    assert_ok(doca_buf_inventory_destroy(inventory));
}

static void an_exported_map_with_imports_in_this_process_cannot_be_stopped(void **state)
{
    struct doca_mmap *mmap = map_range(dev, bytes, SIZE, DOCA_ACCESS_FLAG_PCI_READ_ONLY);
    struct doca_mmap *first, *second;
    const void *descriptor;
    size_t length;

    (void)state;
    assert_ok(doca_mmap_export_pci(mmap, dev, &descriptor, &length));
    assert_ok(import(descriptor, length, &first));
    assert_ok(import(descriptor, length, &second));
    assert_int_equal(DOCA_ERROR_IN_USE, doca_mmap_stop(mmap));
    assert_ok(doca_mmap_destroy(first));
    assert_int_equal(DOCA_ERROR_IN_USE, doca_mmap_destroy(mmap));
    assert_ok(doca_mmap_destroy(second));
    assert_ok(doca_mmap_destroy(mmap));
}

static atomic_bool ended;

/* Allocates and releases buffers. Returns NULL if no allocation failed. */
static void *make_buffers(void *mmap)
{
    struct doca_buf_inventory *inventory = NULL;
    doca_error_t status = doca_buf_inventory_create(1, &inventory);
    struct doca_buf *buf;
    unsigned i;

    if (status == DOCA_SUCCESS)
        status = doca_buf_inventory_start(inventory);
    for (i = 0; i < BUFFERS && status == DOCA_SUCCESS; ++i) {
        status = doca_buf_inventory_buf_get_by_addr(inventory, mmap, bytes, 1, &buf);
        if (status == DOCA_SUCCESS)
            status = doca_buf_dec_refcount(buf, NULL);
    }
    doca_buf_inventory_destroy(inventory);
    atomic_store(&ended, true);
    return status == DOCA_SUCCESS ? NULL : mmap;
}

static void a_rejected_stop_does_not_affect_other_threads(void **state)
{
    struct doca_mmap *mmap = map_range(dev, bytes, SIZE, DOCA_ACCESS_FLAG_PCI_READ_ONLY);
    struct doca_mmap *imported;
    const void *descriptor;
    pthread_t thread;
    uint32_t buffers;
    void *failure;
    size_t length;

    (void)state;
    assert_ok(doca_mmap_export_pci(mmap, dev, &descriptor, &length));
    assert_ok(import(descriptor, length, &imported));
    atomic_store(&ended, false);
    assert_int_equal(0, pthread_create(&thread, NULL, make_buffers, mmap));
    while (!atomic_load(&ended))
        doca_mmap_stop(mmap);
    pthread_join(thread, &failure);

    assert_ok(doca_mmap_get_num_bufs(mmap, &buffers));
    assert_int_equal(0, buffers);
    assert_null(failure);
    assert_int_equal(DOCA_ERROR_IN_USE, doca_mmap_destroy(mmap));
    assert_ok(doca_mmap_destroy(imported));
    assert_ok(doca_mmap_destroy(mmap));
}

static void stopping_a_map_invalidates_its_descriptor(void **state)
{
    struct doca_mmap *mmap = map_range(dev, bytes, SIZE, DOCA_ACCESS_FLAG_PCI_READ_ONLY);
    struct mmap_descriptor copy;
    struct doca_mmap *imported;
    const void *descriptor;
    size_t length;

    (void)state;
    assert_ok(doca_mmap_export_pci(mmap, dev, &descriptor, &length));
    assert_int_equal(sizeof(copy), length);
    memcpy(&copy, descriptor, length);
    assert_ok(doca_mmap_stop(mmap));
    assert_int_equal(DOCA_ERROR_NOT_FOUND, import(&copy, length, &imported));

    assert_ok(doca_mmap_start(mmap));
    assert_ok(doca_mmap_export_pci(mmap, dev, &descriptor, &length));
    assert_int_equal(DOCA_ERROR_NOT_FOUND, import(&copy, length, &imported));
    assert_ok(doca_mmap_destroy(mmap));
}

static void exports_require_a_permission_a_device_of_the_map_and_a_started_map(void **state)
{
    struct doca_mmap *mmap = map_range(dev, bytes, SIZE, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE);
    const void *descriptor;
    size_t length;

    (void)state;
    assert_int_equal(
            DOCA_ERROR_NOT_PERMITTED, doca_mmap_export_pci(mmap, dev, &descriptor, &length));
    assert_int_equal(
            DOCA_ERROR_NOT_PERMITTED, doca_mmap_export_rdma(mmap, dev, &descriptor, &length));

    assert_ok(doca_mmap_stop(mmap));
    assert_ok(doca_mmap_set_permissions(mmap, DOCA_ACCESS_FLAG_RDMA_WRITE));
    assert_int_equal(
            DOCA_ERROR_NOT_PERMITTED, doca_mmap_export_rdma(mmap, dev, &descriptor, &length));
    assert_ok(doca_mmap_rm_dev(mmap, dev));
    assert_ok(doca_mmap_start(mmap));
    assert_int_equal(DOCA_ERROR_NOT_FOUND, doca_mmap_export_rdma(mmap, dev, &descriptor, &length));

    assert_ok(doca_mmap_stop(mmap));
    assert_ok(doca_mmap_add_dev(mmap, dev));
    assert_ok(doca_mmap_start(mmap));
    assert_ok(doca_mmap_export_rdma(mmap, dev, &descriptor, &length));
    assert_int_equal(
            DOCA_ERROR_NOT_PERMITTED, doca_mmap_export_pci(mmap, dev, &descriptor, &length));
    assert_ok(doca_mmap_destroy(mmap));
}

static void access_follows_the_permissions_of_the_export(void **state)
{
    static const struct {
        uint32_t permissions;
        doca_error_t (*export)(
                struct doca_mmap *, const struct doca_dev *, const void **, size_t *);
        bool readable, writable;
    } cases[] = {
        { DOCA_ACCESS_FLAG_PCI_READ_ONLY, doca_mmap_export_pci, true, false },
        { DOCA_ACCESS_FLAG_PCI_READ_WRITE, doca_mmap_export_pci, true, true },
        { DOCA_ACCESS_FLAG_PCI_READ_ONLY | DOCA_ACCESS_FLAG_LOCAL_READ_WRITE, doca_mmap_export_pci,
                true, false },
        { DOCA_ACCESS_FLAG_RDMA_READ, doca_mmap_export_rdma, true, false },
        { DOCA_ACCESS_FLAG_RDMA_WRITE, doca_mmap_export_rdma, false, true },
        { DOCA_ACCESS_FLAG_RDMA_ATOMIC, doca_mmap_export_rdma, false, false },
    };
    struct doca_mmap *mmap, *imported;
    const void *descriptor;
    size_t length, i;

    (void)state;
    for (i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i) {
        mmap = map_range(dev, bytes, SIZE, cases[i].permissions);
        assert_ok(cases[i].export(mmap, dev, &descriptor, &length));
        assert_ok(import(descriptor, length, &imported));
        assert_int_equal(cases[i].readable, priv_doca_mmap_is_readable(imported));
        assert_int_equal(cases[i].writable, priv_doca_mmap_is_writable(imported));
        assert_ok(doca_mmap_destroy(imported));
        assert_ok(doca_mmap_destroy(mmap));
    }
}

static void an_invalid_descriptor_is_rejected(void **state)
{
    struct doca_mmap *mmap = map_range(dev, bytes, SIZE, DOCA_ACCESS_FLAG_PCI_READ_ONLY);
    uint8_t copy[sizeof(struct mmap_descriptor) + 1];
    struct doca_mmap *imported;
    const void *descriptor;
    size_t length, i;

    (void)state;
    assert_ok(doca_mmap_export_pci(mmap, dev, &descriptor, &length));
    memcpy(copy, descriptor, length);
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, import(copy, length + 1, &imported));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, import(copy, length - 1, &imported));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, import(copy, 0, &imported));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, import(NULL, length, &imported));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, import(copy, length, NULL));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE,
            doca_mmap_create_from_export(NULL, copy, length, NULL, &imported));

    for (i = 0; i < length; ++i) {
        copy[i] ^= 0xff;
        assert_int_not_equal(DOCA_SUCCESS, import(copy, length, &imported));
        copy[i] ^= 0xff;
    }
    copy[offsetof(struct mmap_descriptor, version)]++;
    assert_int_equal(DOCA_ERROR_UNSUPPORTED_VERSION, import(copy, length, &imported));
    assert_int_equal(DOCA_ERROR_UNSUPPORTED_VERSION, import(copy, length - 1, &imported));
    assert_ok(doca_mmap_destroy(mmap));
}

/* Imports, or skips the test if the kernel denies access to another process's memory. */
static struct doca_mmap *import_from(struct exporter *exporter)
{
    struct doca_mmap *imported;
    doca_error_t status = import(&exporter->descriptor, sizeof(exporter->descriptor), &imported);

    if (status == DOCA_ERROR_NOT_PERMITTED || status == DOCA_ERROR_NOT_SUPPORTED) {
        exporter_end(exporter);
        skip();
    }
    assert_ok(status);
    return imported;
}

static void another_process_reads_and_writes_the_memory_of_the_exporter(void **state)
{
    static uint8_t its_bytes[SIZE], expected[SIZE];
    struct exporter exporter;
    struct doca_mmap *imported;
    uint8_t got[100];

    (void)state;
    exporter_start(&exporter, dev, bytes);
    imported = import_from(&exporter);
    assert_false(priv_doca_mmap_is_direct(imported));

    exporter_fill(expected);
    assert_ok(priv_doca_mmap_read(imported, got, bytes + 4000, sizeof(got)));
    assert_memory_equal(expected + 4000, got, sizeof(got));

    assert_ok(priv_doca_mmap_write(imported, bytes + 4090, "across a page", 13));
    exporter_step(&exporter, 'c', its_bytes);
    memcpy(expected + 4090, "across a page", 13);
    assert_memory_equal(expected, its_bytes, SIZE);

    assert_ok(doca_mmap_destroy(imported));
    exporter_end(&exporter);
}

static void access_fails_after_the_exporter_has_stopped_its_map(void **state)
{
    static uint8_t its_bytes[SIZE], expected[SIZE];
    struct exporter exporter;
    struct doca_mmap *imported, *again;
    uint8_t got;

    (void)state;
    exporter_start(&exporter, dev, bytes);
    imported = import_from(&exporter);
    exporter_step(&exporter, 's', its_bytes);

    assert_int_equal(DOCA_ERROR_IO_FAILED, priv_doca_mmap_read(imported, &got, bytes, 1));
    assert_int_equal(DOCA_ERROR_IO_FAILED, priv_doca_mmap_write(imported, bytes, "x", 1));
    assert_int_equal(DOCA_ERROR_NOT_FOUND,
            import(&exporter.descriptor, sizeof(exporter.descriptor), &again));
    exporter_step(&exporter, 'c', its_bytes);
    exporter_fill(expected);
    assert_memory_equal(expected, its_bytes, SIZE);

    assert_ok(doca_mmap_destroy(imported));
    exporter_end(&exporter);
}

static void access_fails_after_the_exporter_has_exited(void **state)
{
    struct exporter exporter;
    struct doca_mmap *imported, *again;
    uint8_t got;

    (void)state;
    exporter_start(&exporter, dev, bytes);
    imported = import_from(&exporter);
    exporter_end(&exporter);

    assert_int_equal(DOCA_ERROR_IO_FAILED, priv_doca_mmap_read(imported, &got, bytes, 1));
    assert_int_equal(DOCA_ERROR_IO_FAILED, priv_doca_mmap_write(imported, bytes, "x", 1));
    assert_int_equal(DOCA_ERROR_NOT_FOUND,
            import(&exporter.descriptor, sizeof(exporter.descriptor), &again));
    assert_ok(doca_mmap_destroy(imported));
}

static void a_process_can_export_any_number_of_maps(void **state)
{
    struct doca_mmap *maps[MANY], *imported;
    const void *descriptor;
    unsigned round, pages = 0;
    size_t length;

    (void)state;
    for (round = 0; round < 3; ++round) {
        for (unsigned i = 0; i < MANY; ++i) {
            maps[i] = map_range(dev, bytes + i, 1, DOCA_ACCESS_FLAG_PCI_READ_ONLY);
            assert_ok(doca_mmap_export_pci(maps[i], dev, &descriptor, &length));
        }
        for (unsigned i = 0; i < MANY; ++i) {
            void *address;

            assert_ok(doca_mmap_export_pci(maps[i], dev, &descriptor, &length));
            assert_ok(import(descriptor, length, &imported));
            assert_ok(doca_mmap_get_memrange(imported, &address, &length));
            assert_ptr_equal(bytes + i, address);
            assert_ok(doca_mmap_destroy(imported));
        }
        for (unsigned i = 0; i < MANY; ++i)
            assert_ok(doca_mmap_destroy(maps[i]));
        if (round == 0)
            pages = pages_of_exports();
        assert_int_equal(pages, pages_of_exports());
    }
    assert_in_range(pages, 1, 1 + MANY / EXPORT_SLOTS);
}

static void an_export_of_one_kind_grants_no_other(void **state)
{
    struct doca_mmap *mmap = map_range(dev, bytes, SIZE,
            DOCA_ACCESS_FLAG_PCI_READ_ONLY | DOCA_ACCESS_FLAG_RDMA_READ
                    | DOCA_ACCESS_FLAG_RDMA_WRITE);
    struct doca_mmap *by_pci, *by_rdma;
    const void *pci, *rdma;
    size_t length;

    (void)state;
    assert_ok(doca_mmap_export_pci(mmap, dev, &pci, &length));
    assert_ok(import(pci, length, &by_pci));
    assert_ok(doca_mmap_export_rdma(mmap, dev, &rdma, &length));
    assert_ok(import(rdma, length, &by_rdma));

    assert_memory_not_equal(pci, rdma, length);
    assert_false(priv_doca_mmap_is_writable(by_pci));
    assert_true(priv_doca_mmap_is_writable(by_rdma));
    assert_ok(doca_mmap_destroy(by_pci));
    assert_ok(doca_mmap_destroy(by_rdma));
    assert_ok(doca_mmap_destroy(mmap));
}

static void every_device_can_export_pci_memory(void **state)
{
    struct doca_devinfo *info = doca_dev_as_devinfo(dev);
    uint8_t supported;

    (void)state;
    assert_ok(doca_mmap_cap_is_export_pci_supported(info, &supported));
    assert_int_equal(1, supported);
    assert_ok(doca_mmap_cap_is_create_from_export_pci_supported(info, &supported));
    assert_int_equal(1, supported);
    assert_int_equal(
            DOCA_ERROR_INVALID_VALUE, doca_mmap_cap_is_export_pci_supported(NULL, &supported));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE,
            doca_mmap_cap_is_create_from_export_pci_supported(info, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exported_and_imported_maps_report_their_kind),
        cmocka_unit_test(an_imported_map_is_started_and_cannot_be_changed),
        cmocka_unit_test(an_exported_map_with_imports_in_this_process_cannot_be_stopped),
        cmocka_unit_test(a_rejected_stop_does_not_affect_other_threads),
        cmocka_unit_test(stopping_a_map_invalidates_its_descriptor),
        cmocka_unit_test(exports_require_a_permission_a_device_of_the_map_and_a_started_map),
        cmocka_unit_test(access_follows_the_permissions_of_the_export),
        cmocka_unit_test(an_invalid_descriptor_is_rejected),
        cmocka_unit_test(another_process_reads_and_writes_the_memory_of_the_exporter),
        cmocka_unit_test(access_fails_after_the_exporter_has_stopped_its_map),
        cmocka_unit_test(access_fails_after_the_exporter_has_exited),
        cmocka_unit_test(a_process_can_export_any_number_of_maps),
        cmocka_unit_test(an_export_of_one_kind_grants_no_other),
        cmocka_unit_test(every_device_can_export_pci_memory),
    };

    signal(SIGPIPE, SIG_IGN);
    return cmocka_run_group_tests(tests, open_device, close_device);
}
