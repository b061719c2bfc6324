/* SPDX-License-Identifier: Apache-2.0 */
#include "sha_fixture.h"

#define RESULT 4096 /* offset of destinations in the memory */

static struct doca_buf *make_destination(void)
{
    return memory_buffer(&sha.memory, RESULT, 128, 0, 0);
}

static struct doca_sha_task_hash *make_task(enum doca_sha_algorithm algorithm,
        const struct doca_buf *source, struct doca_buf *destination)
{
    struct doca_sha_task_hash *task;

    assert_ok(doca_sha_task_hash_alloc_init(
            sha.sha, algorithm, source, destination, (union doca_data){ .u64 = 9 }, &task));
    return task;
}

static doca_error_t submit(struct doca_sha_task_hash *task)
{
    return doca_task_submit(doca_sha_task_hash_as_task(task));
}

static void free_task(struct doca_sha_task_hash *task)
{
    doca_task_free(doca_sha_task_hash_as_task(task));
}

static void hash_now(enum doca_sha_algorithm algorithm, const struct doca_buf *source,
        struct doca_buf *destination)
{
    struct doca_sha_task_hash *task = make_task(algorithm, source, destination);

    assert_ok(submit(task));
    progress_one(sha.pe);
    assert_int_equal(DOCA_SUCCESS, sha.last_status);
    free_task(task);
}

static void digests_match_those_of_the_standard(void **state)
{
    static const struct {
        enum doca_sha_algorithm algorithm;
        const char *digest;
    } cases[] = {
        { DOCA_SHA_ALGORITHM_SHA1, SHA1_ABC },
        { DOCA_SHA_ALGORITHM_SHA256, SHA256_ABC },
        { DOCA_SHA_ALGORITHM_SHA512, SHA512_ABC },
    };
    struct doca_buf *source = text_buffer(0, "abc"), *destination;
    size_t i;

    (void)state;
    for (i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i) {
        destination = make_destination();
        hash_now(cases[i].algorithm, source, destination);
        assert_digest(cases[i].digest, destination);
        release(destination);
    }
    release(source);
}

static void the_empty_message_has_a_digest(void **state)
{
    struct doca_buf *source = text_buffer(0, ""), *destination = make_destination();

    (void)state;
    hash_now(DOCA_SHA_ALGORITHM_SHA256, source, destination);

    assert_digest(SHA256_EMPTY, destination);
    release(source);
    release(destination);
}

static void a_list_is_one_message_and_the_digest_may_be_scattered(void **state)
{
    struct doca_buf *source = text_buffer(0, "a"), *rest = text_buffer(100, "bc");
    struct doca_buf *destination = memory_buffer(&sha.memory, RESULT, 5, 0, 0);
    struct doca_buf *more = memory_buffer(&sha.memory, RESULT + 5, 30, 0, 0);
    struct doca_buf *whole = memory_buffer(&sha.memory, RESULT, 32, 0, 32);

    (void)state;
    assert_ok(doca_buf_chain_list(source, rest));
    assert_ok(doca_buf_chain_list(destination, more));

    hash_now(DOCA_SHA_ALGORITHM_SHA256, source, destination);

    assert_digest(SHA256_ABC, whole);
    assert_int_equal(5, data_length_of(destination));
    assert_int_equal(27, data_length_of(more));
    release(source);
    release(destination);
    release(whole);
}

static void the_digest_is_appended_in_the_progress_that_runs_the_callback(void **state)
{
    struct doca_buf *source = text_buffer(0, "abc"), *destination = make_destination();
    struct doca_sha_task_hash *task;

    (void)state;
    assert_ok(doca_buf_set_data_len(destination, 4));
    task = make_task(DOCA_SHA_ALGORITHM_SHA1, source, destination);
    assert_ok(submit(task));
    assert_int_equal(0, sha.completed);
    assert_int_equal(4, data_length_of(destination));

    assert_int_equal(1, doca_pe_progress(sha.pe));
    assert_int_equal(1, sha.completed);
    assert_int_equal(9, sha.last_task_data);
    assert_int_equal(24, data_length_of(destination));
    assert_ok(doca_buf_set_data(destination, sha.memory.bytes + RESULT + 4, 20));
    assert_digest(SHA1_ABC, destination);
    free_task(task);
    release(source);
    release(destination);
}

static void a_hash_submitted_by_an_event_handler_makes_the_handle_readable(void **state)
{
    struct doca_buf *source = text_buffer(0, "abc"), *destination = make_destination();
    struct doca_sha_task_hash *task = make_task(DOCA_SHA_ALGORITHM_SHA1, source, destination);

    (void)state;
    request_notification(sha.pe);
    assert_ok(submit(task));

    assert_true(was_notified(sha.pe));
    assert_int_equal(1, doca_pe_progress(sha.pe));
    free_task(task);
    release(source);
    release(destination);
}

static void a_destination_smaller_than_the_digest_is_rejected(void **state)
{
    struct doca_buf *source = text_buffer(0, "abc");
    struct doca_buf *destination = memory_buffer(&sha.memory, RESULT, 31, 0, 0);
    struct doca_sha_task_hash *task = make_task(DOCA_SHA_ALGORITHM_SHA256, source, destination);

    (void)state;
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, submit(task));

    assert_ok(doca_sha_task_hash_set_algorithm(task, DOCA_SHA_ALGORITHM_SHA1));
    assert_ok(submit(task));
    progress_one(sha.pe);
    assert_digest(SHA1_ABC, destination);
    assert_ok(doca_sha_task_hash_set_algorithm(task, DOCA_SHA_ALGORITHM_SHA512));
    assert_int_equal(DOCA_SHA_ALGORITHM_SHA512, doca_sha_task_hash_get_algorithm(task));
    free_task(task);
    release(source);
    release(destination);
}

static void read_only_memory_cannot_be_a_destination(void **state)
{
    static uint8_t bytes[64];
    struct doca_mmap *mmap = map_range(
            sha.memory.dev, bytes, sizeof(bytes), DOCA_ACCESS_FLAG_LOCAL_READ_ONLY);
    struct doca_buf *source = text_buffer(0, "abc"), *destination;
    struct doca_sha_task_hash *task;

    (void)state;
    assert_ok(doca_buf_inventory_buf_get_by_addr(
            sha.memory.inventory, mmap, bytes, 64, &destination));
    task = make_task(DOCA_SHA_ALGORITHM_SHA256, source, destination);

    assert_int_equal(DOCA_ERROR_NOT_PERMITTED, submit(task));

    free_task(task);
    release(source);
    release(destination);
    assert_ok(doca_mmap_destroy(mmap));
}

static void releasing_a_buffer_in_flight_fails_the_task(void **state)
{
    struct doca_buf *source = text_buffer(0, "abc"), *destination = make_destination();
    struct doca_sha_task_hash *task = make_task(DOCA_SHA_ALGORITHM_SHA1, source, destination);

    (void)state;
    assert_ok(submit(task));
    release(source);
    progress_one(sha.pe);

    assert_int_equal(1, sha.failed);
    assert_int_equal(DOCA_ERROR_IO_FAILED, sha.last_status);
    assert_int_equal(0, data_length_of(destination));
    free_task(task);
    release(destination);
}

static void a_task_can_be_changed_only_while_it_is_not_in_flight(void **state)
{
    struct doca_buf *source = text_buffer(0, "abc"), *other = text_buffer(100, "x");
    struct doca_buf *destination = make_destination();
    struct doca_sha_task_hash *task = make_task(DOCA_SHA_ALGORITHM_SHA1, source, destination);

    (void)state;
    assert_ok(submit(task));
    assert_int_equal(DOCA_ERROR_BAD_STATE, doca_sha_task_hash_set_src(task, other));
    assert_int_equal(DOCA_ERROR_BAD_STATE, doca_sha_task_hash_set_dst(task, other));
    assert_int_equal(DOCA_ERROR_BAD_STATE,
            doca_sha_task_hash_set_algorithm(task, DOCA_SHA_ALGORITHM_SHA256));
    progress_one(sha.pe);

    assert_ok(doca_sha_task_hash_set_src(task, other));
    assert_ok(doca_sha_task_hash_set_dst(task, other));
    assert_ptr_equal(other, doca_sha_task_hash_get_src(task));
    assert_ptr_equal(other, doca_sha_task_hash_get_dst(task));
    assert_int_equal(DOCA_SHA_ALGORITHM_SHA1, doca_sha_task_hash_get_algorithm(task));
    free_task(task);
    release(source);
    release(other);
    release(destination);
}

static void tasks_are_limited_to_the_configured_power_of_two(void **state)
{
    struct doca_buf *source = text_buffer(0, "abc"), *destination = make_destination();
    struct doca_sha_task_hash *tasks[1 << SHA_LOG_TASKS], *another;
    union doca_data data = { 0 };
    int i;

    (void)state;
    for (i = 0; i < 1 << SHA_LOG_TASKS; ++i)
        tasks[i] = make_task(DOCA_SHA_ALGORITHM_SHA1, source, destination);
    assert_int_equal(DOCA_ERROR_NO_MEMORY,
            doca_sha_task_hash_alloc_init(
                    sha.sha, DOCA_SHA_ALGORITHM_SHA1, source, destination, data, &another));

    stop_context(sha.pe, sha.ctx);
    assert_int_equal(DOCA_ERROR_IN_USE, doca_sha_destroy(sha.sha));
    assert_int_equal(DOCA_ERROR_BAD_STATE, submit(tasks[0]));
    for (i = 0; i < 1 << SHA_LOG_TASKS; ++i)
        free_task(tasks[i]);
    assert_int_equal(DOCA_ERROR_BAD_STATE,
            doca_sha_task_hash_alloc_init(
                    sha.sha, DOCA_SHA_ALGORITHM_SHA1, source, destination, data, &another));
    release(source);
    release(destination);
}

static void a_context_is_configured_and_destroyed_only_while_idle(void **state)
{
    struct doca_sha *other;

    (void)state;
    assert_int_equal(
            DOCA_ERROR_BAD_STATE, doca_sha_task_hash_set_conf(sha.sha, on_hash, on_hash, 1));
    assert_int_equal(DOCA_ERROR_BAD_STATE,
            doca_sha_task_partial_hash_set_conf(sha.sha, on_partial_hash, on_partial_hash, 1));
    assert_int_equal(DOCA_ERROR_IN_USE, doca_sha_destroy(sha.sha));

    assert_ok(doca_sha_create(sha.memory.dev, &other));
    assert_ok(doca_pe_connect_ctx(sha.pe, doca_sha_as_ctx(other)));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_ctx_start(doca_sha_as_ctx(other)));
    assert_ok(doca_sha_task_hash_set_conf(other, on_hash, on_hash, 16));
    assert_ok(doca_sha_task_partial_hash_set_conf(other, on_partial_hash, on_partial_hash, 16));
    assert_ok(doca_sha_destroy(other));
}

static void capabilities_report_the_sizes_of_each_algorithm(void **state)
{
    static const uint32_t digests[] = { 20, 32, 64 }, blocks[] = { 64, 64, 128 };
    struct doca_devinfo *info = doca_dev_as_devinfo(sha.memory.dev);
    enum doca_sha_algorithm algorithm;
    uint32_t size;
    uint64_t bytes;

    (void)state;
    for (algorithm = DOCA_SHA_ALGORITHM_SHA1; algorithm <= DOCA_SHA_ALGORITHM_SHA512; algorithm++) {
        assert_ok(doca_sha_cap_task_hash_get_supported(info, algorithm));
        assert_ok(doca_sha_cap_task_partial_hash_get_supported(info, algorithm));
        assert_ok(doca_sha_cap_get_min_dst_buf_size(info, algorithm, &size));
        assert_int_equal(digests[algorithm], size);
        assert_ok(doca_sha_cap_get_partial_hash_block_size(info, algorithm, &size));
        assert_int_equal(blocks[algorithm], size);
    }
    assert_int_equal(DOCA_ERROR_NOT_SUPPORTED, doca_sha_cap_task_hash_get_supported(info, 3));
    assert_int_equal(DOCA_ERROR_NOT_SUPPORTED, doca_sha_cap_get_min_dst_buf_size(info, 3, &size));
    assert_int_equal(
            DOCA_ERROR_NOT_SUPPORTED, doca_sha_cap_get_partial_hash_block_size(info, -1, &size));
    assert_ok(doca_sha_cap_get_max_list_buf_num_elem(info, &size));
    assert_true(size >= 64);
    assert_ok(doca_sha_cap_get_max_src_buf_size(info, &bytes));
    assert_true(bytes >= 2 << 20);
    assert_true(bytes <= ALLOCATED_MAX && size <= ALLOCATED_MAX / bytes);
    assert_ok(doca_sha_cap_get_max_num_tasks(sha.sha, &size));
    assert_true(size >= 1024);
}

static void null_and_invalid_arguments_are_rejected(void **state)
{
    struct doca_buf *buf = text_buffer(0, "abc");
    struct doca_sha_task_hash *task;
    union doca_data data = { 0 };
    struct doca_sha *other;

    (void)state;
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_sha_create(NULL, &other));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_sha_create(sha.memory.dev, NULL));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_sha_destroy(NULL));
    assert_null(doca_sha_as_ctx(NULL));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE,
            doca_sha_cap_task_hash_get_supported(NULL, DOCA_SHA_ALGORITHM_SHA1));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_sha_cap_get_max_num_tasks(NULL, NULL));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE,
            doca_sha_cap_get_max_src_buf_size(doca_dev_as_devinfo(sha.memory.dev), NULL));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_sha_cap_get_max_list_buf_num_elem(NULL, NULL));
    assert_int_equal(
            DOCA_ERROR_INVALID_VALUE, doca_sha_task_hash_set_conf(sha.sha, NULL, on_hash, 1));
    assert_int_equal(
            DOCA_ERROR_INVALID_VALUE, doca_sha_task_hash_set_conf(sha.sha, on_hash, on_hash, 17));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE,
            doca_sha_task_hash_alloc_init(NULL, DOCA_SHA_ALGORITHM_SHA1, buf, buf, data, &task));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE,
            doca_sha_task_hash_alloc_init(
                    sha.sha, DOCA_SHA_ALGORITHM_SHA1, NULL, buf, data, &task));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE,
            doca_sha_task_hash_alloc_init(
                    sha.sha, DOCA_SHA_ALGORITHM_SHA1, buf, NULL, data, &task));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE,
            doca_sha_task_hash_alloc_init(sha.sha, DOCA_SHA_ALGORITHM_SHA1, buf, buf, data, NULL));
    assert_int_equal(DOCA_ERROR_NOT_SUPPORTED,
            doca_sha_task_hash_alloc_init(sha.sha, 7, buf, buf, data, &task));
    task = make_task(DOCA_SHA_ALGORITHM_SHA1, buf, buf);
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_sha_task_hash_set_src(task, NULL));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_sha_task_hash_set_dst(task, NULL));
    assert_int_equal(DOCA_ERROR_NOT_SUPPORTED, doca_sha_task_hash_set_algorithm(task, 3));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_sha_task_hash_set_src(NULL, buf));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_sha_task_hash_set_dst(NULL, buf));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE,
            doca_sha_task_hash_set_algorithm(NULL, DOCA_SHA_ALGORITHM_SHA1));
    assert_null(doca_sha_task_hash_get_src(NULL));
    assert_null(doca_sha_task_hash_get_dst(NULL));
    assert_null(doca_sha_task_hash_as_task(NULL));
    free_task(task);
    release(buf);
}

#define RUNNING(test) cmocka_unit_test_setup_teardown(test, start_sha, stop_sha)

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUNNING(digests_match_those_of_the_standard),
        RUNNING(the_empty_message_has_a_digest),
        RUNNING(a_list_is_one_message_and_the_digest_may_be_scattered),
        RUNNING(the_digest_is_appended_in_the_progress_that_runs_the_callback),
        RUNNING(a_hash_submitted_by_an_event_handler_makes_the_handle_readable),
        RUNNING(a_destination_smaller_than_the_digest_is_rejected),
        RUNNING(read_only_memory_cannot_be_a_destination),
        RUNNING(releasing_a_buffer_in_flight_fails_the_task),
        RUNNING(a_task_can_be_changed_only_while_it_is_not_in_flight),
        RUNNING(tasks_are_limited_to_the_configured_power_of_two),
        RUNNING(a_context_is_configured_and_destroyed_only_while_idle),
        RUNNING(capabilities_report_the_sizes_of_each_algorithm),
        RUNNING(null_and_invalid_arguments_are_rejected),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
