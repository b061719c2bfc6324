/* SPDX-License-Identifier: Apache-2.0 */
/* A running SHA context that records the results of its tasks, and known digests. */
#ifndef JUROM_SHA_FIXTURE_H_
#define JUROM_SHA_FIXTURE_H_

#include "memory.h"
#include "progress.h"

#include <stdio.h>

#include <doca_sha.h>

#define SHA_LOG_TASKS 2 /* 4 of each kind */

struct sha_fixture {
    struct memory memory;
    struct doca_pe *pe;
    struct doca_sha *sha;
    struct doca_ctx *ctx;
    int completed;
    int failed;
    uint64_t last_task_data;
    doca_error_t last_status;
};

static struct sha_fixture sha;

static inline void remember(const struct doca_task *task, union doca_data task_data)
{
    sha.last_task_data = task_data.u64;
    sha.last_status = doca_task_get_status(task);
    if (sha.last_status == DOCA_SUCCESS)
        sha.completed++;
    else
        sha.failed++;
}

static inline void on_hash(
        struct doca_sha_task_hash *task, union doca_data task_data, union doca_data ctx_data)
{
    (void)ctx_data;
    remember(doca_sha_task_hash_as_task(task), task_data);
}

static inline void on_partial_hash(struct doca_sha_task_partial_hash *task,
        union doca_data task_data, union doca_data ctx_data)
{
    (void)ctx_data;
    remember(doca_sha_task_partial_hash_as_task(task), task_data);
}

static inline int start_sha(void **state)
{
    (void)state;
    memset(&sha, 0, sizeof(sha));
    memory_open(&sha.memory);
    assert_ok(doca_pe_create(&sha.pe));
    assert_ok(doca_sha_create(sha.memory.dev, &sha.sha));
    sha.ctx = doca_sha_as_ctx(sha.sha);
    assert_ok(doca_sha_task_hash_set_conf(sha.sha, on_hash, on_hash, SHA_LOG_TASKS));
    assert_ok(doca_sha_task_partial_hash_set_conf(
            sha.sha, on_partial_hash, on_partial_hash, SHA_LOG_TASKS));
    assert_ok(doca_pe_connect_ctx(sha.pe, sha.ctx));
    assert_ok(doca_ctx_start(sha.ctx));
    return 0;
}

/* Fails if a task or a buffer was not released. */
static inline int stop_sha(void **state)
{
    (void)state;
    stop_context(sha.pe, sha.ctx);
    assert_ok(doca_sha_destroy(sha.sha));
    assert_ok(doca_pe_destroy(sha.pe));
    memory_close(&sha.memory);
    return 0;
}

/* Returns a source buffer at `offset` that contains `text`. */
static inline struct doca_buf *text_buffer(size_t offset, const char *text)
{
    memcpy(sha.memory.bytes + offset, text, strlen(text));
    return memory_buffer(&sha.memory, offset, strlen(text) + 1, 0, strlen(text));
}

static inline void release(struct doca_buf *buf)
{
    assert_ok(doca_buf_dec_refcount(buf, NULL));
}

/* Compares the buffer's data with a digest in hexadecimal digits. */
static inline void assert_digest(const char *hex, const struct doca_buf *buf)
{
    char text[129];
    void *data;
    size_t i;

    assert_ok(doca_buf_get_data(buf, &data));
    for (i = 0; i < data_length_of(buf); ++i)
        snprintf(text + 2 * i, 3, "%02x", ((uint8_t *)data)[i]);
    assert_string_equal(hex, text);
}

/* Examples of FIPS 180. */
#define SHA1_ABC "a9993e364706816aba3e25717850c26c9cd0d89d"
#define SHA256_ABC "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
#define SHA512_ABC \
    "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a" \
    "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
/* 64 bytes: one block of SHA-256. */
#define A_BLOCK "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"

#define SHA256_EMPTY "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

#endif /* JUROM_SHA_FIXTURE_H_ */
