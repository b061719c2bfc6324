/* SPDX-License-Identifier: Apache-2.0 */
/* A counter that two processes share: the child imports what this process exports. */
#include "sync_event_fixture.h"

#include <stdio.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define ADDITIONS 20000
#define ROUNDS 100
#define DESCRIPTORS_MAX 256

static const uint8_t *descriptor;
static size_t length;
static long blocks_before_write; /* of an event's memory, when the library wrote to it first */

/* Returns the number of blocks allocated for the event's memory. */
static long allocated_blocks(void)
{
    for (int fd = 0; fd < DESCRIPTORS_MAX; ++fd) {
        char path[64], target[64] = "";
        struct stat status;

        snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
        if (readlink(path, target, sizeof(target) - 1) > 0
                && strstr(target, "memfd:doca_sync_event") != NULL && fstat(fd, &status) == 0)
            return (long)status.st_blocks;
    }
    return 0;
}

/* Replaces the C library's function, through which the library writes to new memory first. */
__attribute__((visibility("default"))) ssize_t getrandom(void *buffer, size_t size, unsigned flags)
{
    blocks_before_write = allocated_blocks();
    return syscall(SYS_getrandom, buffer, size, flags);
}

static int start_shared_event(void **state)
{
    (void)state;
    dev = open_soft0();
    assert_ok(doca_sync_event_create(&event));
    assert_ok(doca_sync_event_add_publisher_location_remote_pci(event));
    assert_ok(doca_sync_event_add_subscriber_location_cpu(event, dev));
    assert_ok(doca_sync_event_start(event));
    assert_ok(doca_sync_event_export_to_remote_pci(event, dev, &descriptor, &length));
    return 0;
}

static int stop_shared_event(void **state)
{
    (void)state;
    assert_ok(doca_sync_event_stop(event));
    assert_ok(doca_sync_event_destroy(event));
    return doca_dev_close(dev);
}

static doca_error_t import(struct doca_sync_event **imported)
{
    return doca_sync_event_create_from_export(dev, descriptor, length, imported);
}

/* Runs `body` in a child process on an import of the event; its status is the body's. */
static pid_t start_importer(int (*body)(struct doca_sync_event *imported))
{
    struct doca_sync_event *imported;
    pid_t child = fork();

    assert_true(child >= 0);
    if (child == 0) {
        if (import(&imported) != DOCA_SUCCESS || doca_sync_event_start(imported) != DOCA_SUCCESS)
            _exit(100);
        _exit(body(imported));
    }
    return child;
}

static void assert_ends_well(pid_t child)
{
    int status;

    assert_int_equal(child, waitpid(child, &status, 0));
    assert_int_equal(0, status);
}

static int add_many(struct doca_sync_event *imported)
{
    int i;

    for (i = 0; i < ADDITIONS; ++i)
        if (doca_sync_event_update_add(imported, 1, NULL) != DOCA_SUCCESS)
            return 1;
    return 0;
}

static void additions_of_two_processes_are_all_counted(void **state)
{
    pid_t child = start_importer(add_many);

    (void)state;
    add_many(event);
    assert_ends_well(child);

    assert_int_equal(2 * ADDITIONS, value_of(event));
}

static int answer(struct doca_sync_event *imported)
{
    uint64_t i;

    for (i = 1; i < 2 * ROUNDS; i += 2)
        if (doca_sync_event_wait_eq_yield(imported, i, ALL_BITS) != DOCA_SUCCESS
                || doca_sync_event_update_set(imported, i + 1) != DOCA_SUCCESS)
            return 1;
    return 0;
}

static void two_processes_take_turns(void **state)
{
    pid_t child = start_importer(answer);
    uint64_t i;

    (void)state;
    for (i = 1; i < 2 * ROUNDS; i += 2) {
        assert_ok(doca_sync_event_update_set(event, i));
        assert_ok(doca_sync_event_wait_gt_yield(event, i, ALL_BITS));
        assert_int_equal(i + 1, value_of(event));
    }
    assert_ends_well(child);
}

static void an_import_in_the_same_process_shares_the_counter_too(void **state)
{
    struct doca_sync_event *imported;
    uint64_t value;

    (void)state;
    assert_ok(import(&imported));
    assert_int_equal(DOCA_ERROR_BAD_STATE, doca_sync_event_get(imported, &value));
    assert_ok(doca_sync_event_start(imported));
    assert_ok(doca_sync_event_update_set(imported, 31));
    assert_int_equal(31, value_of(event));
    assert_ok(doca_sync_event_stop(imported));
    assert_ok(doca_sync_event_destroy(imported));
}

static void an_import_outlives_the_exporters_event(void **state)
{
    struct doca_sync_event *imported;

    assert_ok(import(&imported));
    assert_ok(doca_sync_event_update_set(event, 8));
    stop_shared_event(state);
    dev = open_soft0();

    assert_ok(doca_sync_event_start(imported));
    assert_int_equal(8, value_of(imported));
    assert_ok(doca_sync_event_stop(imported));
    assert_ok(doca_sync_event_destroy(imported));
    assert_ok(doca_dev_close(dev));
    start_shared_event(state);
}

static void an_import_has_its_locations_and_is_not_exported_again(void **state)
{
    struct doca_sync_event *imported;
    static uint64_t memory;
    const uint8_t *data;
    size_t size;

    (void)state;
    assert_ok(import(&imported));
    assert_int_equal(DOCA_ERROR_NOT_PERMITTED, doca_sync_event_set_addr(imported, &memory));
    assert_int_equal(
            DOCA_ERROR_NOT_PERMITTED, doca_sync_event_add_publisher_location_cpu(imported, dev));
    assert_ok(doca_sync_event_start(imported));
    assert_int_equal(DOCA_ERROR_NOT_PERMITTED,
            doca_sync_event_export_to_remote_pci(imported, dev, &data, &size));
    assert_ok(doca_sync_event_stop(imported));
    assert_ok(doca_sync_event_destroy(imported));
}

static void only_started_events_with_a_remote_location_are_exported(void **state)
{
    struct doca_sync_event *local = make_event();
    static uint64_t memory;
    const uint8_t *data;
    size_t size;

    (void)state;
    assert_int_equal(
            DOCA_ERROR_BAD_STATE, doca_sync_event_export_to_remote_pci(local, dev, &data, &size));
    assert_ok(doca_sync_event_start(local));
    assert_int_equal(DOCA_ERROR_NOT_PERMITTED,
            doca_sync_event_export_to_remote_pci(local, dev, &data, &size));
    assert_ok(doca_sync_event_stop(local));

    assert_ok(doca_sync_event_add_subscriber_location_remote_pci(local));
    assert_ok(doca_sync_event_set_addr(local, &memory));
    assert_ok(doca_sync_event_start(local));
    assert_int_equal(DOCA_ERROR_NOT_SUPPORTED,
            doca_sync_event_export_to_remote_pci(local, dev, &data, &size));
    assert_ok(doca_sync_event_stop(local));
    assert_ok(doca_sync_event_destroy(local));
}

static void either_location_may_be_the_remote_one(void **state)
{
    struct doca_sync_event *other;
    const uint8_t *data;
    size_t size;

    (void)state;
    assert_ok(doca_sync_event_create(&other));
    assert_ok(doca_sync_event_add_publisher_location_cpu(other, dev));
    assert_ok(doca_sync_event_add_subscriber_location_remote_pci(other));
    assert_ok(doca_sync_event_start(other));
    assert_ok(doca_sync_event_export_to_remote_pci(other, dev, &data, &size));
    assert_ok(doca_sync_event_stop(other));
    assert_ok(doca_sync_event_destroy(other));
}

static void bytes_that_are_no_descriptor_are_refused(void **state)
{
    struct doca_sync_event *imported;
    uint8_t copy[64];
    size_t i;

    (void)state;
    assert_true(length <= sizeof(copy));
    memcpy(copy, descriptor, length);
    assert_int_equal(DOCA_ERROR_INVALID_VALUE,
            doca_sync_event_create_from_export(dev, copy, length - 1, &imported));
    assert_int_equal(
            DOCA_ERROR_INVALID_VALUE, doca_sync_event_create_from_export(dev, copy, 0, &imported));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE,
            doca_sync_event_create_from_export(dev, NULL, length, &imported));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE,
            doca_sync_event_create_from_export(NULL, copy, length, &imported));
    assert_int_equal(
            DOCA_ERROR_INVALID_VALUE, doca_sync_event_create_from_export(dev, copy, length, NULL));
    for (i = 0; i < length; ++i) {
        copy[i] ^= 0x55;
        assert_int_not_equal(
                DOCA_SUCCESS, doca_sync_event_create_from_export(dev, copy, length, &imported));
        copy[i] ^= 0x55;
    }
    copy[8]++; /* the version */
    assert_int_equal(DOCA_ERROR_UNSUPPORTED_VERSION,
            doca_sync_event_create_from_export(dev, copy, length, &imported));
}

static void an_event_that_is_gone_is_not_imported(void **state)
{
    struct doca_sync_event *imported;
    uint8_t copy[64];

    memcpy(copy, descriptor, length);
    stop_shared_event(state);
    dev = open_soft0();

    assert_int_equal(
            DOCA_ERROR_NOT_FOUND, doca_sync_event_create_from_export(dev, copy, length, &imported));
    assert_ok(doca_dev_close(dev));
    start_shared_event(state);
}

static void null_arguments_are_refused(void **state)
{
    const uint8_t *data;
    size_t size;

    (void)state;
    assert_int_equal(DOCA_ERROR_INVALID_VALUE,
            doca_sync_event_export_to_remote_pci(NULL, dev, &data, &size));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE,
            doca_sync_event_export_to_remote_pci(event, NULL, &data, &size));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE,
            doca_sync_event_export_to_remote_pci(event, dev, NULL, &size));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE,
            doca_sync_event_export_to_remote_pci(event, dev, &data, NULL));
    assert_ok(doca_sync_event_cap_is_export_to_remote_pci_supported(doca_dev_as_devinfo(dev)));
    assert_ok(doca_sync_event_cap_is_create_from_export_supported(doca_dev_as_devinfo(dev)));
}

/* Otherwise a write ends the process with SIGBUS if the system has no memory left. */
static void memory_is_allocated_before_it_is_written(void **state)
{
    (void)state;
    assert_in_range(blocks_before_write, 1, 8);
}

#define SHARED(test) cmocka_unit_test_setup_teardown(test, start_shared_event, stop_shared_event)

int main(void)
{
    const struct CMUnitTest tests[] = {
        SHARED(additions_of_two_processes_are_all_counted),
        SHARED(two_processes_take_turns),
        SHARED(an_import_in_the_same_process_shares_the_counter_too),
        SHARED(an_import_outlives_the_exporters_event),
        SHARED(an_import_has_its_locations_and_is_not_exported_again),
        SHARED(only_started_events_with_a_remote_location_are_exported),
        SHARED(either_location_may_be_the_remote_one),
        SHARED(bytes_that_are_no_descriptor_are_refused),
        SHARED(an_event_that_is_gone_is_not_imported),
        SHARED(null_arguments_are_refused),
        SHARED(memory_is_allocated_before_it_is_written),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
