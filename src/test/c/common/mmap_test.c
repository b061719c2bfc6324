/* SPDX-License-Identifier: Apache-2.0 */
#include "memory.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#define PCI_AND_RDMA (DOCA_ACCESS_FLAG_PCI_READ_WRITE | DOCA_ACCESS_FLAG_RDMA_READ)
#define THREADS 3
#define ROUNDS 20000

static struct doca_dev *dev;
static uint8_t bytes[4096];

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

static struct doca_mmap *make_map(void)
{
    return map_range(dev, bytes, sizeof(bytes), PCI_AND_RDMA);
}

static void a_map_returns_its_range(void **state)
{
    struct doca_mmap *mmap;
    void *address;
    size_t length;

    (void)state;
    assert_ok(doca_mmap_create(&mmap));
    assert_int_equal(DOCA_ERROR_BAD_STATE, doca_mmap_get_memrange(mmap, &address, &length));
    assert_ok(doca_mmap_set_memrange(mmap, bytes + 1, 100));
    assert_int_equal(DOCA_ERROR_NOT_PERMITTED, doca_mmap_set_memrange(mmap, bytes, 9));

    assert_ok(doca_mmap_get_memrange(mmap, &address, &length));
    assert_ptr_equal(bytes + 1, address);
    assert_int_equal(100, length);
    assert_ok(doca_mmap_destroy(mmap));
}

static void an_invalid_range_is_rejected(void **state)
{
    struct doca_mmap *mmap;

    (void)state;
    assert_ok(doca_mmap_create(&mmap));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_mmap_set_memrange(mmap, NULL, 1));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_mmap_set_memrange(mmap, bytes, 0));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_mmap_set_memrange(mmap, bytes, SIZE_MAX));
    assert_int_equal(DOCA_ERROR_BAD_STATE, doca_mmap_start(mmap));
    assert_ok(doca_mmap_destroy(mmap));
}

static void a_started_map_cannot_be_changed_until_it_is_stopped(void **state)
{
    struct doca_mmap *mmap = make_map();
    union doca_data data = { 0 };

    (void)state;
    assert_int_equal(DOCA_ERROR_NOT_PERMITTED, doca_mmap_start(mmap));
    assert_int_equal(DOCA_ERROR_BAD_STATE, doca_mmap_set_memrange(mmap, bytes, 1));
    assert_int_equal(DOCA_ERROR_BAD_STATE, doca_mmap_set_permissions(mmap, 0));
    assert_int_equal(DOCA_ERROR_NOT_PERMITTED, doca_mmap_add_dev(mmap, dev));
    assert_int_equal(DOCA_ERROR_NOT_PERMITTED, doca_mmap_rm_dev(mmap, dev));
    assert_int_equal(DOCA_ERROR_BAD_STATE, doca_mmap_set_user_data(mmap, data));
    assert_int_equal(DOCA_ERROR_NOT_PERMITTED, doca_mmap_set_max_num_devices(mmap, 9));
    assert_int_equal(DOCA_ERROR_BAD_STATE, doca_mmap_set_free_cb(mmap, NULL, NULL));
    assert_int_equal(DOCA_ERROR_NOT_PERMITTED, doca_mmap_enable_thread_safety(mmap));

    assert_ok(doca_mmap_stop(mmap));
    assert_int_equal(DOCA_ERROR_NOT_PERMITTED, doca_mmap_stop(mmap));
    assert_int_equal(DOCA_ERROR_NOT_PERMITTED, doca_mmap_set_memrange(mmap, bytes, 1));
    assert_int_equal(DOCA_ERROR_NOT_PERMITTED, doca_mmap_set_max_num_devices(mmap, 9));
    assert_ok(doca_mmap_set_permissions(mmap, PCI_AND_RDMA));
    assert_ok(doca_mmap_enable_thread_safety(mmap));
    assert_ok(doca_mmap_start(mmap));
    assert_ok(doca_mmap_destroy(mmap));
}

static void a_map_with_buffers_cannot_be_stopped_or_destroyed(void **state)
{
    struct doca_mmap *mmap = make_map();
    struct doca_buf_inventory *inventory;
    struct doca_buf *buf;

    (void)state;
    assert_ok(doca_buf_inventory_create(1, &inventory));
    assert_ok(doca_buf_inventory_start(inventory));
    assert_ok(doca_buf_inventory_buf_get_by_addr(inventory, mmap, bytes, 1, &buf));
    assert_int_equal(DOCA_ERROR_NOT_PERMITTED, doca_mmap_stop(mmap));
    assert_int_equal(DOCA_ERROR_NOT_PERMITTED, doca_mmap_destroy(mmap));
    assert_ok(doca_buf_dec_refcount(buf, NULL));
    assert_ok(doca_mmap_destroy(mmap));
    assert_ok(doca_buf_inventory_destroy(inventory));
}

static void invalid_permissions_are_rejected(void **state)
{
    struct doca_mmap *mmap;

    (void)state;
    assert_ok(doca_mmap_create(&mmap));
    assert_ok(doca_mmap_set_permissions(mmap, 0x7f));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_mmap_set_permissions(mmap, 0x80));
    assert_ok(doca_mmap_destroy(mmap));
}

static void a_device_is_added_once_and_can_be_removed(void **state)
{
    struct doca_mmap *mmap;

    (void)state;
    assert_ok(doca_mmap_create(&mmap));
    assert_int_equal(DOCA_ERROR_NOT_FOUND, doca_mmap_rm_dev(mmap, dev));
    assert_ok(doca_mmap_add_dev(mmap, dev));
    assert_int_equal(DOCA_ERROR_ALREADY_EXIST, doca_mmap_add_dev(mmap, dev));
    assert_int_equal(DOCA_ERROR_IN_USE, doca_dev_close(dev));
    assert_ok(doca_mmap_rm_dev(mmap, dev));
    assert_ok(doca_mmap_destroy(mmap));
}

static void the_configured_number_of_devices_is_the_limit(void **state)
{
    struct doca_devinfo **list;
    struct doca_mmap *mmap;
    struct doca_dev *other = NULL;
    uint32_t count, limit;

    (void)state;
    assert_ok(doca_devinfo_create_list(&list, &count));
    assert_ok(doca_mmap_create(&mmap));
    assert_ok(doca_mmap_get_max_num_devices(mmap, &limit));
    assert_true(limit >= 1);
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_mmap_set_max_num_devices(mmap, 0));
    assert_ok(doca_mmap_set_max_num_devices(mmap, 1));
    assert_ok(doca_mmap_add_dev(mmap, dev));
    if (count > 1) {
        assert_ok(doca_dev_open(list[1], &other));
        assert_int_equal(DOCA_ERROR_NO_MEMORY, doca_mmap_add_dev(mmap, other));
        assert_ok(doca_mmap_set_max_num_devices(mmap, 2));
        assert_ok(doca_mmap_add_dev(mmap, other));
        assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_mmap_set_max_num_devices(mmap, 1));
        assert_ok(doca_mmap_set_max_num_devices(mmap, 2));
        assert_ok(doca_mmap_rm_dev(mmap, other));
        assert_ok(doca_mmap_add_dev(mmap, other));
    }
    assert_ok(doca_mmap_destroy(mmap));
    if (count > 1)
        assert_ok(doca_dev_close(other));
    assert_ok(doca_devinfo_destroy_list(list));
}

static void remember_free(void *address, size_t length, void *cookie)
{
    uint64_t *calls = cookie;

    assert_ptr_equal(bytes, address);
    assert_int_equal(sizeof(bytes), length);
    ++*calls;
}

static void the_free_callback_runs_once_when_the_map_is_destroyed(void **state)
{
    struct doca_mmap *mmap = make_map();
    uint64_t calls = 0;

    (void)state;
    assert_ok(doca_mmap_stop(mmap));
    assert_ok(doca_mmap_set_free_cb(mmap, remember_free, &calls));
    assert_ok(doca_mmap_start(mmap));
    assert_ok(doca_mmap_stop(mmap));
    assert_int_equal(0, calls);

    assert_ok(doca_mmap_destroy(mmap));
    assert_int_equal(1, calls);
}

static void the_free_callback_does_not_run_for_a_map_without_memory(void **state)
{
    struct doca_mmap *mmap;
    uint64_t calls = 0;

    (void)state;
    assert_ok(doca_mmap_create(&mmap));
    assert_ok(doca_mmap_set_free_cb(mmap, remember_free, &calls));
    assert_ok(doca_mmap_destroy(mmap));
    assert_int_equal(0, calls);
}

static void user_data_is_stored(void **state)
{
    union doca_data data = { .u64 = 99 };
    struct doca_mmap *mmap;

    (void)state;
    assert_ok(doca_mmap_create(&mmap));
    assert_ok(doca_mmap_set_user_data(mmap, data));
    data.u64 = 0;
    assert_ok(doca_mmap_get_user_data(mmap, &data));
    assert_int_equal(99, data.u64);
    assert_ok(doca_mmap_destroy(mmap));
}

static void *make_buffers(void *argument)
{
    struct doca_mmap *mmap = argument;
    struct doca_buf_inventory *inventory;
    struct doca_buf *buf;
    int i;

    if (doca_buf_inventory_create(1, &inventory) != DOCA_SUCCESS
            || doca_buf_inventory_start(inventory) != DOCA_SUCCESS)
        return argument;
    for (i = 0; i < ROUNDS; ++i)
        if (doca_buf_inventory_buf_get_by_addr(inventory, mmap, bytes, 1, &buf) != DOCA_SUCCESS
                || doca_buf_dec_refcount(buf, NULL) != DOCA_SUCCESS)
            return argument;
    return doca_buf_inventory_destroy(inventory) == DOCA_SUCCESS ? NULL : argument;
}

static void inventories_of_several_threads_may_use_one_map(void **state)
{
    struct doca_mmap *mmap = make_map();
    pthread_t threads[THREADS];
    void *failure;
    uint32_t count;
    int i;

    (void)state;
    for (i = 0; i < THREADS; ++i)
        assert_int_equal(0, pthread_create(&threads[i], NULL, make_buffers, mmap));
    for (i = 0; i < THREADS; ++i) {
        pthread_join(threads[i], &failure);
        assert_null(failure);
    }
    assert_ok(doca_mmap_get_num_bufs(mmap, &count));
    assert_int_equal(0, count);
    assert_ok(doca_mmap_destroy(mmap));
}

static atomic_bool ended;

static void *attempt_buffers(void *mmap)
{
    struct doca_buf_inventory *inventory = NULL;
    struct doca_buf *buf;

    doca_buf_inventory_create(1, &inventory);
    doca_buf_inventory_start(inventory);
    for (int i = 0; i < 10 * ROUNDS; ++i)
        if (doca_buf_inventory_buf_get_by_addr(inventory, mmap, bytes, 1, &buf) == DOCA_SUCCESS)
            doca_buf_dec_refcount(buf, NULL);
    atomic_store(&ended, true);
    doca_buf_inventory_destroy(inventory);
    return NULL;
}

static void a_start_concurrent_with_a_rejected_buffer_does_not_count_it(void **state)
{
    struct doca_mmap *mmap = make_map();
    uint32_t count = 0, most = 0;
    pthread_t thread;

    (void)state;
    atomic_store(&ended, false);
    assert_int_equal(0, pthread_create(&thread, NULL, attempt_buffers, mmap));
    while (!atomic_load(&ended)) {
        doca_mmap_stop(mmap);
        doca_mmap_start(mmap);
        doca_mmap_get_num_bufs(mmap, &count);
        most = count > most ? count : most;
    }
    pthread_join(thread, NULL);

    assert_true(most <= 1);
    assert_ok(doca_mmap_destroy(mmap));
}

/* Creates a started, thread-safe map of the bytes that counts calls of its free callback. */
static struct doca_mmap *make_safe_map(uint64_t *calls)
{
    struct doca_mmap *mmap;

    assert_ok(doca_mmap_create(&mmap));
    assert_ok(doca_mmap_enable_thread_safety(mmap));
    assert_ok(doca_mmap_set_memrange(mmap, bytes, sizeof(bytes)));
    assert_ok(doca_mmap_set_free_cb(mmap, remember_free, calls));
    assert_ok(doca_mmap_add_dev(mmap, dev));
    assert_ok(doca_mmap_start(mmap));
    return mmap;
}

static void a_destroyed_thread_safe_map_is_freed_with_its_last_buffer(void **state)
{
    struct doca_buf_inventory *inventory;
    struct doca_buf *first, *last, *copy;
    uint64_t calls = 0;
    struct doca_mmap *mmap = make_safe_map(&calls);
    size_t length;

    (void)state;
    assert_ok(doca_buf_inventory_create(3, &inventory));
    assert_ok(doca_buf_inventory_start(inventory));
    assert_ok(doca_buf_inventory_buf_get_by_addr(inventory, mmap, bytes, 9, &first));
    assert_ok(doca_buf_inventory_buf_get_by_addr(inventory, mmap, bytes, 9, &last));
    assert_ok(doca_mmap_destroy(mmap));

    assert_ok(doca_buf_dec_refcount(first, NULL));
    assert_ok(doca_buf_get_len(last, &length));
    assert_int_equal(9, length);
    assert_int_equal(DOCA_ERROR_NOT_PERMITTED, doca_buf_inventory_buf_dup(inventory, last, &copy));
    assert_int_equal(0, calls);
    assert_ok(doca_buf_dec_refcount(last, NULL));
    assert_int_equal(1, calls);
    assert_ok(doca_buf_inventory_destroy(inventory));
}

static void a_destroyed_thread_safe_map_without_buffers_is_freed_immediately(void **state)
{
    uint64_t calls = 0;

    (void)state;
    assert_ok(doca_mmap_destroy(make_safe_map(&calls)));
    assert_int_equal(1, calls);
}

static pthread_barrier_t made;

/* Allocates a buffer, and releases it concurrently with other threads and the destruction. */
static void *release_buffer(void *mmap)
{
    struct doca_buf_inventory *inventory = NULL;
    struct doca_buf *buf = NULL;

    doca_buf_inventory_create(1, &inventory);
    doca_buf_inventory_start(inventory);
    doca_buf_inventory_buf_get_by_addr(inventory, mmap, bytes, 1, &buf);
    pthread_barrier_wait(&made);
    doca_buf_dec_refcount(buf, NULL);
    return doca_buf_inventory_destroy(inventory) == DOCA_SUCCESS ? NULL : mmap;
}

static void a_thread_safe_map_is_freed_once_by_the_last_thread(void **state)
{
    pthread_t threads[THREADS];
    uint64_t calls = 0;
    void *failure;

    (void)state;
    assert_int_equal(0, pthread_barrier_init(&made, NULL, THREADS + 1));
    for (uint64_t round = 1; round <= 100; ++round) {
        struct doca_mmap *mmap = make_safe_map(&calls);

        for (int i = 0; i < THREADS; ++i)
            assert_int_equal(0, pthread_create(&threads[i], NULL, release_buffer, mmap));
        pthread_barrier_wait(&made);
        assert_ok(doca_mmap_destroy(mmap));
        for (int i = 0; i < THREADS; ++i) {
            pthread_join(threads[i], &failure);
            assert_null(failure);
        }
        assert_int_equal(round, calls);
    }
    pthread_barrier_destroy(&made);
}

static void memory_of_other_devices_is_not_supported(void **state)
{
    struct doca_mmap *mmap;
    doca_dpa_dev_mmap_t handle;

    (void)state;
    assert_ok(doca_mmap_create(&mmap));
    assert_int_equal(DOCA_ERROR_NOT_SUPPORTED, doca_mmap_set_dmabuf_memrange(mmap, 1, bytes, 0, 1));
    assert_int_equal(DOCA_ERROR_NOT_SUPPORTED, doca_mmap_set_dpa_memrange(mmap, NULL, 0, 1));
    assert_int_equal(DOCA_ERROR_NOT_SUPPORTED, doca_mmap_dev_get_dpa_handle(mmap, dev, &handle));
    assert_ok(doca_mmap_destroy(mmap));
}

static void null_arguments_are_rejected(void **state)
{
    struct doca_mmap *mmap = make_map();
    union doca_data data = { 0 };
    doca_dpa_dev_mmap_t handle;
    void *address;
    size_t length;

    (void)state;
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_mmap_create(NULL));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_mmap_destroy(NULL));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_mmap_start(NULL));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_mmap_stop(NULL));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_mmap_add_dev(NULL, dev));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_mmap_rm_dev(NULL, dev));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_mmap_set_memrange(NULL, bytes, 1));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_mmap_get_memrange(mmap, NULL, &length));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_mmap_get_memrange(mmap, &address, NULL));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_mmap_set_free_cb(NULL, NULL, NULL));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_mmap_get_user_data(mmap, NULL));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_mmap_set_user_data(NULL, data));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_mmap_get_max_num_devices(mmap, NULL));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_mmap_set_max_num_devices(NULL, 1));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_mmap_get_num_bufs(mmap, NULL));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_mmap_get_exported(mmap, NULL));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_mmap_get_from_export(mmap, NULL));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_mmap_set_permissions(NULL, 0));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_mmap_enable_thread_safety(NULL));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_mmap_set_dmabuf_memrange(NULL, 1, bytes, 0, 1));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_mmap_set_dpa_memrange(NULL, NULL, 0, 1));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_mmap_dev_get_dpa_handle(mmap, NULL, &handle));
    assert_ok(doca_mmap_stop(mmap));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_mmap_add_dev(mmap, NULL));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_mmap_rm_dev(mmap, NULL));
    assert_ok(doca_mmap_destroy(mmap));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_map_returns_its_range),
        cmocka_unit_test(an_invalid_range_is_rejected),
        cmocka_unit_test(a_started_map_cannot_be_changed_until_it_is_stopped),
        cmocka_unit_test(a_map_with_buffers_cannot_be_stopped_or_destroyed),
        cmocka_unit_test(invalid_permissions_are_rejected),
        cmocka_unit_test(a_device_is_added_once_and_can_be_removed),
        cmocka_unit_test(the_configured_number_of_devices_is_the_limit),
        cmocka_unit_test(the_free_callback_runs_once_when_the_map_is_destroyed),
        cmocka_unit_test(the_free_callback_does_not_run_for_a_map_without_memory),
        cmocka_unit_test(user_data_is_stored),
        cmocka_unit_test(inventories_of_several_threads_may_use_one_map),
        cmocka_unit_test(a_start_concurrent_with_a_rejected_buffer_does_not_count_it),
        cmocka_unit_test(a_destroyed_thread_safe_map_is_freed_with_its_last_buffer),
        cmocka_unit_test(a_destroyed_thread_safe_map_without_buffers_is_freed_immediately),
        cmocka_unit_test(a_thread_safe_map_is_freed_once_by_the_last_thread),
        cmocka_unit_test(memory_of_other_devices_is_not_supported),
        cmocka_unit_test(null_arguments_are_rejected),
    };

    return cmocka_run_group_tests(tests, open_device, close_device);
}
