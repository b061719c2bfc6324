/* SPDX-License-Identifier: Apache-2.0 */
#include "sha_fixture.h"

#include <stdbool.h>
#include <stdlib.h>

#include <openssl/evp.h>

#define RESULT 60000 /* offset of destinations in the memory */

static struct doca_buf *make_destination(void)
{
    return memory_buffer(&sha.memory, RESULT, 128, 0, 0);
}

static struct doca_sha_task_partial_hash *make_task(enum doca_sha_algorithm algorithm,
        const struct doca_buf *source, struct doca_buf *destination)
{
    struct doca_sha_task_partial_hash *task;

    assert_ok(doca_sha_task_partial_hash_alloc_init(
            sha.sha, algorithm, source, destination, (union doca_data){ .u64 = 3 }, &task));
    return task;
}

static doca_error_t submit(struct doca_sha_task_partial_hash *task)
{
    return doca_task_submit(doca_sha_task_partial_hash_as_task(task));
}

static void free_task(struct doca_sha_task_partial_hash *task)
{
    doca_task_free(doca_sha_task_partial_hash_as_task(task));
}

/* Hashes the part of the memory at `offset`, and returns the task's status. */
static doca_error_t hash_part(
        struct doca_sha_task_partial_hash *task, size_t offset, size_t length, bool final)
{
    struct doca_buf *source = memory_buffer(&sha.memory, offset, length + 1, 0, length);
    doca_error_t status;

    assert_ok(doca_sha_task_partial_hash_set_src(task, source));
    if (final)
        assert_ok(doca_sha_task_partial_hash_set_is_final_buf(task));
    status = submit(task);
    if (status == DOCA_SUCCESS) {
        progress_one(sha.pe);
        status = sha.last_status;
    }
    release(source);
    return status;
}

static void assert_digest_of_memory(
        const EVP_MD *method, size_t length, const struct doca_buf *destination)
{
    unsigned char digest[EVP_MAX_MD_SIZE];
    unsigned size;
    void *data;

    assert_int_equal(1, EVP_Digest(sha.memory.bytes, length, digest, &size, method, NULL));
    assert_ok(doca_buf_get_data(destination, &data));
    assert_int_equal(size, data_length_of(destination));
    assert_memory_equal(digest, data, size);
}

static void random_parts_have_the_digest_of_the_whole_message(void **state)
{
    const EVP_MD *const methods[] = { EVP_sha1(), EVP_sha256(), EVP_sha512() };
    static const size_t blocks[] = { 64, 64, 128 };
    struct doca_buf *source = text_buffer(RESULT + 200, "first"), *destination;
    struct doca_sha_task_partial_hash *task;
    int round, parts, algorithm;
    size_t length, part, i;
    unsigned seed = 12;

    (void)state;
    for (i = 0; i < RESULT; ++i)
        sha.memory.bytes[i] = (uint8_t)rand_r(&seed);
    for (round = 0; round < 300; ++round) {
        algorithm = round % 3;
        destination = make_destination();
        task = make_task((enum doca_sha_algorithm)algorithm, source, destination);
        length = 0;
        for (parts = rand_r(&seed) % 5; parts > 0; parts--) {
            part = blocks[algorithm] * (1 + (size_t)rand_r(&seed) % 20);
            assert_int_equal(DOCA_SUCCESS, hash_part(task, length, part, false));
            assert_int_equal(0, doca_sha_task_partial_hash_get_has_result(task));
            assert_int_equal(0, data_length_of(destination));
            length += part;
        }
        part = (size_t)rand_r(&seed) % 300;
        assert_int_equal(DOCA_SUCCESS, hash_part(task, length, part, true));
        assert_int_equal(1, doca_sha_task_partial_hash_get_has_result(task));
        assert_digest_of_memory(methods[algorithm], length + part, destination);
        free_task(task);
        release(destination);
    }
    release(source);
}

static void a_task_must_be_reset_before_the_next_message(void **state)
{
    struct doca_buf *source = text_buffer(0, "abc"), *destination = make_destination();
    struct doca_sha_task_partial_hash *task = make_task(
            DOCA_SHA_ALGORITHM_SHA256, source, destination);

    (void)state;
    assert_int_equal(DOCA_SUCCESS, hash_part(task, 0, 3, true));
    assert_int_equal(DOCA_ERROR_BAD_STATE, submit(task));
    assert_int_equal(DOCA_ERROR_BAD_STATE, doca_sha_task_partial_hash_set_is_final_buf(task));

    assert_ok(doca_sha_task_partial_hash_reset(task));
    assert_int_equal(0, doca_sha_task_partial_hash_get_is_final(task));
    assert_int_equal(0, doca_sha_task_partial_hash_get_has_result(task));
    assert_ok(doca_sha_task_partial_hash_set_algorithm(task, DOCA_SHA_ALGORITHM_SHA1));
    assert_ok(doca_buf_reset_data_len(destination));
    assert_int_equal(DOCA_SUCCESS, hash_part(task, 0, 3, true));
    assert_digest(SHA1_ABC, destination);
    free_task(task);
    release(source);
    release(destination);
}

static void a_reset_discards_the_previous_parts(void **state)
{
    struct doca_buf *source = text_buffer(1000, "abc"), *destination = make_destination();
    struct doca_sha_task_partial_hash *task = make_task(
            DOCA_SHA_ALGORITHM_SHA256, source, destination);

    (void)state;
    assert_int_equal(DOCA_SUCCESS, hash_part(task, 0, 64, false));
    assert_ok(doca_sha_task_partial_hash_reset(task));
    assert_int_equal(DOCA_SUCCESS, hash_part(task, 1000, 3, true));

    assert_digest(SHA256_ABC, destination);
    free_task(task);
    release(source);
    release(destination);
}

static void all_parts_except_the_last_are_multiples_of_the_block_size(void **state)
{
    struct doca_buf *source = text_buffer(0, "abc"), *destination = make_destination();
    struct doca_sha_task_partial_hash *task = make_task(
            DOCA_SHA_ALGORITHM_SHA512, source, destination);

    (void)state;
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, hash_part(task, 0, 64, false));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, hash_part(task, 0, 129, false));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, hash_part(task, 0, 0, false));
    assert_int_equal(DOCA_SUCCESS, hash_part(task, 0, 128, false));
    assert_int_equal(DOCA_SUCCESS, hash_part(task, 128, 1, true));

    assert_digest_of_memory(EVP_sha512(), 129, destination);
    free_task(task);
    release(source);
    release(destination);
}

static void the_algorithm_cannot_be_changed_after_the_first_part(void **state)
{
    struct doca_buf *source = text_buffer(0, "abc"), *destination = make_destination();
    struct doca_sha_task_partial_hash *task = make_task(
            DOCA_SHA_ALGORITHM_SHA256, source, destination);

    (void)state;
    assert_int_equal(DOCA_SUCCESS, hash_part(task, 0, 64, false));
    assert_int_equal(DOCA_ERROR_BAD_STATE,
            doca_sha_task_partial_hash_set_algorithm(task, DOCA_SHA_ALGORITHM_SHA1));
    assert_int_equal(DOCA_SHA_ALGORITHM_SHA256, doca_sha_task_partial_hash_get_algorithm(task));
    free_task(task);
    release(source);
    release(destination);
}

static void only_a_reset_recovers_from_a_failed_part(void **state)
{
    struct doca_buf *source = text_buffer(0, A_BLOCK), *destination = make_destination();
    struct doca_sha_task_partial_hash *task = make_task(
            DOCA_SHA_ALGORITHM_SHA256, source, destination);

    (void)state;
    assert_ok(submit(task));
    release(source);
    progress_one(sha.pe);
    assert_int_equal(1, sha.failed);
    assert_int_equal(DOCA_CTX_STATE_STOPPING, state_of(sha.ctx));
    progress_one(sha.pe);
    assert_ok(doca_ctx_start(sha.ctx));
    assert_int_equal(DOCA_ERROR_BAD_STATE, hash_part(task, 0, 64, false));

    assert_ok(doca_sha_task_partial_hash_reset(task));
    memcpy(sha.memory.bytes, "abc", 3);
    assert_int_equal(DOCA_SUCCESS, hash_part(task, 0, 3, true));
    assert_digest(SHA256_ABC, destination);
    free_task(task);
    release(destination);
}

static void two_messages_can_be_hashed_alternately(void **state)
{
    struct doca_buf *source = text_buffer(0, "abc"), *one = make_destination();
    struct doca_buf *two = memory_buffer(&sha.memory, RESULT + 200, 128, 0, 0);
    struct doca_sha_task_partial_hash *first, *second;

    (void)state;
    first = make_task(DOCA_SHA_ALGORITHM_SHA256, source, one);
    second = make_task(DOCA_SHA_ALGORITHM_SHA1, source, two);
    assert_int_equal(DOCA_SUCCESS, hash_part(first, 0, 64, false));
    assert_int_equal(DOCA_SUCCESS, hash_part(second, 0, 128, false));
    assert_int_equal(DOCA_SUCCESS, hash_part(first, 64, 10, true));
    assert_int_equal(DOCA_SUCCESS, hash_part(second, 128, 20, true));

    assert_digest_of_memory(EVP_sha256(), 74, one);
    assert_digest_of_memory(EVP_sha1(), 148, two);
    free_task(first);
    free_task(second);
    release(source);
    release(one);
    release(two);
}

static void a_task_can_be_changed_only_while_it_is_not_in_flight(void **state)
{
    struct doca_buf *source = text_buffer(0, A_BLOCK), *destination = make_destination();
    struct doca_sha_task_partial_hash *task = make_task(
            DOCA_SHA_ALGORITHM_SHA256, source, destination);

    (void)state;
    assert_ok(submit(task));
    assert_int_equal(DOCA_ERROR_BAD_STATE, doca_sha_task_partial_hash_set_src(task, source));
    assert_int_equal(DOCA_ERROR_BAD_STATE, doca_sha_task_partial_hash_set_dst(task, destination));
    assert_int_equal(DOCA_ERROR_BAD_STATE, doca_sha_task_partial_hash_reset(task));
    assert_int_equal(DOCA_ERROR_BAD_STATE, doca_sha_task_partial_hash_set_is_final_buf(task));
    assert_int_equal(DOCA_ERROR_BAD_STATE,
            doca_sha_task_partial_hash_set_algorithm(task, DOCA_SHA_ALGORITHM_SHA1));
    progress_one(sha.pe);

    assert_ok(doca_sha_task_partial_hash_set_src(task, source));
    assert_int_equal(DOCA_ERROR_BAD_STATE, doca_sha_task_partial_hash_set_dst(task, destination));
    assert_ok(doca_sha_task_partial_hash_reset(task));
    assert_ok(doca_sha_task_partial_hash_set_dst(task, destination));
    assert_ptr_equal(source, doca_sha_task_partial_hash_get_src(task));
    assert_ptr_equal(destination, doca_sha_task_partial_hash_get_dst(task));
    free_task(task);
    release(source);
    release(destination);
}

static void tasks_are_limited_to_the_configured_power_of_two(void **state)
{
    struct doca_buf *source = text_buffer(0, "abc"), *destination = make_destination();
    struct doca_sha_task_partial_hash *tasks[1 << SHA_LOG_TASKS], *another;
    union doca_data data = { 0 };
    int i;

    (void)state;
    for (i = 0; i < 1 << SHA_LOG_TASKS; ++i)
        tasks[i] = make_task(DOCA_SHA_ALGORITHM_SHA1, source, destination);
    assert_int_equal(DOCA_ERROR_NO_MEMORY,
            doca_sha_task_partial_hash_alloc_init(
                    sha.sha, DOCA_SHA_ALGORITHM_SHA1, source, destination, data, &another));
    for (i = 0; i < 1 << SHA_LOG_TASKS; ++i)
        free_task(tasks[i]);
    release(source);
    release(destination);
}

static void null_and_invalid_arguments_are_rejected(void **state)
{
    struct doca_sha_task_partial_hash *task;
    struct doca_buf *buf = text_buffer(0, "abc");
    union doca_data data = { 0 };

    (void)state;
    assert_int_equal(DOCA_ERROR_INVALID_VALUE,
            doca_sha_task_partial_hash_set_conf(sha.sha, on_partial_hash, NULL, 1));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE,
            doca_sha_task_partial_hash_set_conf(sha.sha, on_partial_hash, on_partial_hash, 17));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE,
            doca_sha_task_partial_hash_alloc_init(
                    NULL, DOCA_SHA_ALGORITHM_SHA1, buf, buf, data, &task));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE,
            doca_sha_task_partial_hash_alloc_init(
                    sha.sha, DOCA_SHA_ALGORITHM_SHA1, NULL, buf, data, &task));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE,
            doca_sha_task_partial_hash_alloc_init(
                    sha.sha, DOCA_SHA_ALGORITHM_SHA1, buf, NULL, data, &task));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE,
            doca_sha_task_partial_hash_alloc_init(
                    sha.sha, DOCA_SHA_ALGORITHM_SHA1, buf, buf, data, NULL));
    assert_int_equal(DOCA_ERROR_NOT_SUPPORTED,
            doca_sha_task_partial_hash_alloc_init(sha.sha, 3, buf, buf, data, &task));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_sha_task_partial_hash_reset(NULL));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_sha_task_partial_hash_set_src(NULL, buf));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_sha_task_partial_hash_set_dst(NULL, buf));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_sha_task_partial_hash_set_is_final_buf(NULL));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE,
            doca_sha_task_partial_hash_set_algorithm(NULL, DOCA_SHA_ALGORITHM_SHA1));
    assert_int_equal(0, doca_sha_task_partial_hash_get_is_final(NULL));
    assert_int_equal(0, doca_sha_task_partial_hash_get_has_result(NULL));
    assert_null(doca_sha_task_partial_hash_get_src(NULL));
    assert_null(doca_sha_task_partial_hash_get_dst(NULL));
    assert_null(doca_sha_task_partial_hash_as_task(NULL));
    task = make_task(DOCA_SHA_ALGORITHM_SHA1, buf, buf);
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_sha_task_partial_hash_set_src(task, NULL));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_sha_task_partial_hash_set_dst(task, NULL));
    assert_int_equal(DOCA_ERROR_NOT_SUPPORTED, doca_sha_task_partial_hash_set_algorithm(task, 3));
    free_task(task);
    release(buf);
}

#define RUNNING(test) cmocka_unit_test_setup_teardown(test, start_sha, stop_sha)

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUNNING(random_parts_have_the_digest_of_the_whole_message),
        RUNNING(a_task_must_be_reset_before_the_next_message),
        RUNNING(a_reset_discards_the_previous_parts),
        RUNNING(all_parts_except_the_last_are_multiples_of_the_block_size),
        RUNNING(the_algorithm_cannot_be_changed_after_the_first_part),
        RUNNING(only_a_reset_recovers_from_a_failed_part),
        RUNNING(two_messages_can_be_hashed_alternately),
        RUNNING(a_task_can_be_changed_only_while_it_is_not_in_flight),
        RUNNING(tasks_are_limited_to_the_configured_power_of_two),
        RUNNING(null_and_invalid_arguments_are_rejected),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
