/* SPDX-License-Identifier: Apache-2.0 */
/* Synchronous calls of sync events. */
#include "exporter.h"
#include "sync_event_fixture.h"

#include <pthread.h>
#include <stdatomic.h>

#define THREADS 4
#define ADDITIONS 20000
#define ROUNDS 200

static int start_event(void **state)
{
    (void)state;
    dev = open_soft0();
    event = make_event();
    return doca_sync_event_start(event);
}

static int stop_event(void **state)
{
    (void)state;
    assert_ok(doca_sync_event_stop(event));
    assert_ok(doca_sync_event_destroy(event));
    return doca_dev_close(dev);
}

static void a_counter_starts_at_0_and_is_set_and_read(void **state)
{
    (void)state;
    assert_int_equal(0, value_of(event));
    assert_ok(doca_sync_event_update_set(event, UINT64_MAX));
    assert_int_equal(UINT64_MAX, value_of(event));
}

static void an_addition_returns_the_previous_value(void **state)
{
    uint64_t before = 99;

    (void)state;
    assert_ok(doca_sync_event_update_add(event, 5, &before));
    assert_int_equal(0, before);
    assert_ok(doca_sync_event_update_add(event, 7, &before));
    assert_int_equal(5, before);
    assert_ok(doca_sync_event_update_add(event, 1, NULL));
    assert_int_equal(13, value_of(event));
}

static void *add_many(void *argument)
{
    int i;

    for (i = 0; i < ADDITIONS; ++i)
        if (doca_sync_event_update_add(event, 1, NULL) != DOCA_SUCCESS)
            return argument;
    return NULL;
}

static void no_addition_of_several_threads_is_lost(void **state)
{
    pthread_t threads[THREADS];
    void *failure;
    int i;

    for (i = 0; i < THREADS; ++i)
        assert_int_equal(0, pthread_create(&threads[i], NULL, add_many, state));
    for (i = 0; i < THREADS; ++i) {
        pthread_join(threads[i], &failure);
        assert_null(failure);
    }
    assert_int_equal(THREADS * ADDITIONS, value_of(event));
}

static void a_wait_whose_condition_holds_returns_immediately(void **state)
{
    (void)state;
    assert_ok(doca_sync_event_update_set(event, 0x1205));
    assert_ok(doca_sync_event_wait_gt(event, 0x1204, ALL_BITS));
    assert_ok(doca_sync_event_wait_gt_yield(event, 4, 0xff));
    assert_ok(doca_sync_event_wait_eq(event, 0x1200, 0xff00));
    assert_ok(doca_sync_event_wait_eq_yield(event, 5, 0xff));
    assert_ok(doca_sync_event_wait_neq(event, 6, 0xff));
    assert_ok(doca_sync_event_wait_neq_yield(event, 0, ALL_BITS));
}

/* Waits for each odd value, then sets the next even one. */
static void *answer(void *argument)
{
    uint64_t i;

    for (i = 1; i < 2 * ROUNDS; i += 2)
        if (doca_sync_event_wait_eq_yield(event, i, ALL_BITS) != DOCA_SUCCESS
                || doca_sync_event_update_add(event, 1, NULL) != DOCA_SUCCESS)
            return argument;
    return NULL;
}

static void two_threads_alternate(void **state)
{
    pthread_t thread;
    void *failure;
    uint64_t i;

    assert_int_equal(0, pthread_create(&thread, NULL, answer, state));
    for (i = 1; i < 2 * ROUNDS; i += 2) {
        assert_ok(doca_sync_event_update_set(event, i));
        assert_ok(doca_sync_event_wait_gt_yield(event, i, ALL_BITS));
        assert_int_equal(i + 1, value_of(event));
    }
    pthread_join(thread, &failure);
    assert_null(failure);
}

static void *wait_for_one(void *argument)
{
    doca_error_t *result = argument;

    *result = doca_sync_event_wait_eq_yield(event, 1, ALL_BITS);
    return NULL;
}

static void a_wait_ends_when_the_event_is_stopped(void **state)
{
    doca_error_t status = DOCA_SUCCESS;
    pthread_t thread;

    (void)state;
    assert_int_equal(0, pthread_create(&thread, NULL, wait_for_one, &status));
    assert_ok(doca_sync_event_stop(event));
    pthread_join(thread, NULL);

    /* The wait may have begun after the stop. */
    assert_true(status == DOCA_ERROR_SHUTDOWN || status == DOCA_ERROR_BAD_STATE);
    assert_ok(doca_sync_event_start(event));
}

#define RESTARTS 20000

static atomic_bool restarted;

static void *wait_again_and_again(void *argument)
{
    (void)argument;
    while (!atomic_load(&restarted))
        doca_sync_event_wait_eq(event, 1, ALL_BITS);
    return NULL;
}

/* Each start maps the page of the counter again. */
static void waiting_threads_observe_the_stop_of_a_restarted_event(void **state)
{
    pthread_t thread;

    (void)state;
    assert_ok(doca_sync_event_stop(event));
    assert_ok(doca_sync_event_add_publisher_location_remote_pci(event));
    assert_ok(doca_sync_event_start(event));
    atomic_store(&restarted, false);
    assert_int_equal(0, pthread_create(&thread, NULL, wait_again_and_again, NULL));
    for (unsigned i = 0; i < RESTARTS; ++i) {
        assert_ok(doca_sync_event_stop(event));
        assert_ok(doca_sync_event_start(event));
    }
    atomic_store(&restarted, true);
    assert_ok(doca_sync_event_stop(event));
    pthread_join(thread, NULL);
    assert_ok(doca_sync_event_start(event));
}

static void a_stopped_event_cannot_be_used_and_can_be_restarted(void **state)
{
    uint64_t value;

    (void)state;
    assert_ok(doca_sync_event_update_set(event, 3));
    assert_ok(doca_sync_event_stop(event));
    assert_int_equal(DOCA_ERROR_BAD_STATE, doca_sync_event_stop(event));
    assert_int_equal(DOCA_ERROR_BAD_STATE, doca_sync_event_get(event, &value));
    assert_int_equal(DOCA_ERROR_BAD_STATE, doca_sync_event_update_set(event, 1));
    assert_int_equal(DOCA_ERROR_BAD_STATE, doca_sync_event_update_add(event, 1, NULL));
    assert_int_equal(DOCA_ERROR_BAD_STATE, doca_sync_event_wait_gt(event, 1, 1));

    assert_ok(doca_sync_event_start(event));
    assert_int_equal(0, value_of(event));
}

static void a_started_event_cannot_be_configured_or_destroyed(void **state)
{
    static uint64_t memory;

    (void)state;
    assert_int_equal(DOCA_ERROR_BAD_STATE, doca_sync_event_start(event));
    assert_int_equal(DOCA_ERROR_BAD_STATE, doca_sync_event_add_publisher_location_cpu(event, dev));
    assert_int_equal(
            DOCA_ERROR_BAD_STATE, doca_sync_event_add_subscriber_location_remote_pci(event));
    assert_int_equal(DOCA_ERROR_BAD_STATE, doca_sync_event_set_addr(event, &memory));
    assert_null(doca_sync_event_as_ctx(event));
    assert_int_equal(DOCA_ERROR_NOT_PERMITTED, doca_sync_event_destroy(event));
    assert_int_equal(DOCA_ERROR_IN_USE, doca_dev_close(dev));
}

static void an_event_requires_both_locations(void **state)
{
    struct doca_sync_event *other;

    (void)state;
    assert_ok(doca_sync_event_create(&other));
    assert_int_equal(DOCA_ERROR_BAD_STATE, doca_sync_event_start(other));
    assert_ok(doca_sync_event_add_publisher_location_cpu(other, dev));
    assert_int_equal(DOCA_ERROR_BAD_STATE, doca_sync_event_start(other));
    assert_ok(doca_sync_event_add_subscriber_location_cpu(other, dev));
    assert_ok(doca_sync_event_start(other));
    assert_ok(doca_sync_event_stop(other));
    assert_ok(doca_sync_event_destroy(other));
}

static void a_location_keeps_its_device_open(void **state)
{
    struct doca_sync_event *publisher, *subscriber;

    (void)state;
    assert_ok(doca_sync_event_stop(event));
    assert_ok(doca_sync_event_destroy(event));
    assert_ok(doca_sync_event_create(&publisher));
    assert_ok(doca_sync_event_create(&subscriber));
    assert_ok(doca_sync_event_add_publisher_location_cpu(publisher, dev));
    assert_int_equal(DOCA_ERROR_IN_USE, doca_dev_close(dev));
    assert_ok(doca_sync_event_destroy(publisher));
    assert_ok(doca_sync_event_add_subscriber_location_cpu(subscriber, dev));
    assert_int_equal(DOCA_ERROR_IN_USE, doca_dev_close(dev));
    assert_ok(doca_sync_event_destroy(subscriber));
    event = make_event();
    assert_ok(doca_sync_event_start(event));
}

static void the_counter_may_be_in_memory_of_the_application(void **state)
{
    struct doca_sync_event *other = make_event();
    static uint64_t memory[2];

    (void)state;
    memory[0] = 11;
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_sync_event_set_addr(other, NULL));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE,
            doca_sync_event_set_addr(other, (uint64_t *)((char *)memory + 4)));
    assert_ok(doca_sync_event_set_addr(other, memory));
    assert_ok(doca_sync_event_start(other));

    assert_int_equal(11, value_of(other));
    assert_ok(doca_sync_event_update_add(other, 1, NULL));
    assert_int_equal(12, memory[0]);
    assert_ok(doca_sync_event_stop(other));
    assert_ok(doca_sync_event_destroy(other));
}

static void the_counter_may_be_in_a_buffer_that_the_event_references(void **state)
{
    static struct memory memory;
    struct doca_sync_event *other = make_event();
    struct doca_buf *buf, *small, *odd;
    size_t offset;
    uint64_t value;

    (void)state;
    memory_open(&memory);
    offset = 16 - (uintptr_t)memory.bytes % 8; /* to a multiple of 8 */
    buf = memory_buffer(&memory, offset, 16, 8, 0);
    small = memory_buffer(&memory, offset, 15, 8, 0);
    odd = memory_buffer(&memory, offset, 16, 4, 0);
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_sync_event_set_doca_buf(other, NULL));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_sync_event_set_doca_buf(other, small));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_sync_event_set_doca_buf(other, odd));
    assert_ok(doca_sync_event_set_doca_buf(other, buf));
    assert_ok(doca_sync_event_start(other));

    assert_ok(doca_sync_event_update_set(other, 77));
    memcpy(&value, memory.bytes + offset + 8, sizeof(value));
    assert_int_equal(77, value);
    assert_ok(doca_buf_dec_refcount(buf, NULL));
    assert_ok(doca_buf_dec_refcount(small, NULL));
    assert_ok(doca_buf_dec_refcount(odd, NULL));
    assert_int_equal(77, value_of(other));
    assert_int_equal(DOCA_ERROR_NOT_PERMITTED, doca_mmap_stop(memory.mmap));
    assert_ok(doca_sync_event_stop(other));
    assert_ok(doca_sync_event_destroy(other));
    memory_close(&memory);
}

static void read_only_and_remote_memory_cannot_contain_the_counter(void **state)
{
    struct doca_sync_event *other = make_event();
    static uint64_t bytes[EXPORTER_SIZE / 8];
    struct doca_buf_inventory *inventory;
    struct doca_mmap *read_only, *remote;
    struct exporter exporter;
    doca_error_t status;
    struct doca_buf *buf;

    (void)state;
    assert_ok(doca_buf_inventory_create(1, &inventory));
    assert_ok(doca_buf_inventory_start(inventory));
    read_only = map_range(dev, bytes, sizeof(bytes), DOCA_ACCESS_FLAG_LOCAL_READ_ONLY);
    assert_ok(doca_buf_inventory_buf_get_by_addr(inventory, read_only, bytes, 8, &buf));
    assert_int_equal(DOCA_ERROR_NOT_PERMITTED, doca_sync_event_set_doca_buf(other, buf));
    assert_ok(doca_buf_dec_refcount(buf, NULL));
    assert_ok(doca_mmap_destroy(read_only));

    exporter_start(&exporter, dev, (uint8_t *)bytes);
    status = doca_mmap_create_from_export(
            NULL, &exporter.descriptor, sizeof(exporter.descriptor), dev, &remote);
    if (status == DOCA_SUCCESS) { /* the kernel may deny access */
        assert_ok(doca_buf_inventory_buf_get_by_addr(inventory, remote, bytes, 8, &buf));
        assert_int_equal(DOCA_ERROR_NOT_SUPPORTED, doca_sync_event_set_doca_buf(other, buf));
        assert_ok(doca_buf_dec_refcount(buf, NULL));
        assert_ok(doca_mmap_destroy(remote));
    }
    exporter_end(&exporter);
    assert_ok(doca_buf_inventory_destroy(inventory));
    assert_ok(doca_sync_event_destroy(other));
}

/* Only its address is used: there are no such objects. */
#define SOME_OBJECT ((void *)&event)

static void other_processors_and_machines_are_not_supported(void **state)
{
    struct doca_devinfo *info = doca_dev_as_devinfo(dev);
    struct doca_sync_event_remote_net *remote;
    doca_gpu_dev_sync_event_t *gpu_handle;
    doca_dpa_dev_sync_event_t dpa_handle;
    const uint8_t *data;
    size_t size;

    (void)state;
    assert_int_equal(
            DOCA_ERROR_NOT_SUPPORTED, doca_sync_event_add_publisher_location_dpa(event, NULL));
    assert_int_equal(
            DOCA_ERROR_NOT_SUPPORTED, doca_sync_event_add_publisher_location_gpu(event, NULL));
    assert_int_equal(
            DOCA_ERROR_NOT_SUPPORTED, doca_sync_event_add_publisher_location_remote_net(event));
    assert_int_equal(
            DOCA_ERROR_NOT_SUPPORTED, doca_sync_event_add_subscriber_location_dpa(event, NULL));
    assert_int_equal(
            DOCA_ERROR_NOT_SUPPORTED, doca_sync_event_add_subscriber_location_gpu(event, NULL));
    assert_int_equal(
            DOCA_ERROR_NOT_SUPPORTED, doca_sync_event_get_dpa_handle(event, NULL, &dpa_handle));
    assert_int_equal(
            DOCA_ERROR_NOT_SUPPORTED, doca_sync_event_get_gpu_handle(event, NULL, &gpu_handle));
    assert_int_equal(
            DOCA_ERROR_NOT_SUPPORTED, doca_sync_event_export_to_remote_net(event, &data, &size));
    assert_int_equal(DOCA_ERROR_NOT_SUPPORTED,
            doca_sync_event_remote_net_create_from_export(dev, SOME_OBJECT, 1, &remote));
    assert_int_equal(DOCA_ERROR_NOT_SUPPORTED, doca_sync_event_remote_net_destroy(SOME_OBJECT));
    assert_int_equal(DOCA_ERROR_NOT_SUPPORTED,
            doca_sync_event_remote_net_get_dpa_handle(SOME_OBJECT, NULL, NULL));
    assert_int_equal(DOCA_ERROR_NOT_SUPPORTED,
            doca_sync_event_remote_net_get_gpu_handle(SOME_OBJECT, NULL, NULL));
    assert_int_equal(DOCA_ERROR_NOT_SUPPORTED,
            doca_sync_event_cap_remote_net_is_create_from_export_supported(info));
    assert_int_equal(
            DOCA_ERROR_NOT_SUPPORTED, doca_sync_event_cap_is_export_to_remote_net_supported(info));
    assert_int_equal(
            DOCA_ERROR_NOT_SUPPORTED, doca_sync_event_cap_is_export_to_dpa_supported(info));
    assert_int_equal(
            DOCA_ERROR_NOT_SUPPORTED, doca_sync_event_cap_is_export_to_gpu_supported(info));
    assert_int_equal(DOCA_ERROR_NOT_SUPPORTED,
            doca_sync_event_cap_remote_net_is_export_to_dpa_supported(info));
    assert_int_equal(DOCA_ERROR_NOT_SUPPORTED,
            doca_sync_event_cap_remote_net_is_export_to_gpu_supported(info));
}

static void null_arguments_are_rejected(void **state)
{
    (void)state;
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_sync_event_create(NULL));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_sync_event_destroy(NULL));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_sync_event_start(NULL));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_sync_event_stop(NULL));
    assert_null(doca_sync_event_as_ctx(NULL));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_sync_event_get(event, NULL));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_sync_event_get(NULL, NULL));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_sync_event_update_set(NULL, 1));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_sync_event_update_add(NULL, 1, NULL));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_sync_event_wait_gt(NULL, 1, 1));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_sync_event_wait_eq_yield(NULL, 1, 1));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_sync_event_wait_neq(NULL, 1, 1));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_sync_event_set_addr(NULL, NULL));
    assert_int_equal(
            DOCA_ERROR_INVALID_VALUE, doca_sync_event_add_publisher_location_cpu(NULL, dev));
    assert_ok(doca_sync_event_stop(event));
    assert_int_equal(
            DOCA_ERROR_INVALID_VALUE, doca_sync_event_add_publisher_location_cpu(event, NULL));
    assert_int_equal(
            DOCA_ERROR_INVALID_VALUE, doca_sync_event_add_subscriber_location_cpu(event, NULL));
    assert_ok(doca_sync_event_start(event));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_sync_event_cap_task_get_is_supported(NULL));
    assert_int_equal(
            DOCA_ERROR_INVALID_VALUE, doca_sync_event_cap_is_export_to_gpu_supported(NULL));
}

#define STARTED(test) cmocka_unit_test_setup_teardown(test, start_event, stop_event)

int main(void)
{
    const struct CMUnitTest tests[] = {
        STARTED(a_counter_starts_at_0_and_is_set_and_read),
        STARTED(an_addition_returns_the_previous_value),
        STARTED(no_addition_of_several_threads_is_lost),
        STARTED(a_wait_whose_condition_holds_returns_immediately),
        STARTED(two_threads_alternate),
        STARTED(a_wait_ends_when_the_event_is_stopped),
        STARTED(waiting_threads_observe_the_stop_of_a_restarted_event),
        STARTED(a_stopped_event_cannot_be_used_and_can_be_restarted),
        STARTED(a_started_event_cannot_be_configured_or_destroyed),
        STARTED(an_event_requires_both_locations),
        STARTED(a_location_keeps_its_device_open),
        STARTED(the_counter_may_be_in_memory_of_the_application),
        STARTED(the_counter_may_be_in_a_buffer_that_the_event_references),
        STARTED(read_only_and_remote_memory_cannot_contain_the_counter),
        STARTED(other_processors_and_machines_are_not_supported),
        STARTED(null_arguments_are_rejected),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
