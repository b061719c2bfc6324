/* SPDX-License-Identifier: Apache-2.0 */
/* The SHA context: hashes the data of a buffer list, in one or several parts. Not thread-safe. */
#ifndef JUROM_SHA_H_
#define JUROM_SHA_H_

#include <stdbool.h>
#include <stdint.h>

#include <openssl/evp.h>

#include <doca_sha.h>

#include <common/ctx.h>
#include <common/software_engine.h>
#include <common/task.h>

struct sha_algorithm {
    const EVP_MD *(*method)(void);
    uint32_t digest_size; /* bytes */
    uint32_t block_size;  /* bytes; each part of a partial hash but the last is a multiple of it */
};

struct doca_sha {
    struct doca_ctx ctx;
    struct doca_dev *dev;
    EVP_MD_CTX *digest; /* for the hash task being executed */
    doca_sha_task_hash_completion_cb_t hash_completed;
    doca_sha_task_hash_completion_cb_t hash_failed;
    doca_sha_task_partial_hash_completion_cb_t partial_completed;
    doca_sha_task_partial_hash_completion_cb_t partial_failed;
    uint32_t hash_tasks_count; /* 0: not configured */
    uint32_t partial_tasks_count;
    struct task_pool hash_tasks;
    struct task_pool partial_tasks;
};

/* Base of both task types. */
struct sha_job {
    struct doca_task task;
    struct doca_sha *sha;
    enum doca_sha_algorithm algorithm;
    const struct doca_buf *source;
    struct doca_buf *destination;
};

struct doca_sha_task_hash {
    struct sha_job job;
};

struct doca_sha_task_partial_hash {
    struct sha_job job;
    EVP_MD_CTX *digest; /* digest of the parts so far */
    bool begun;         /* since the last reset */
    bool is_final;
    bool has_result;
    bool broken; /* a part failed: a reset is required */
};

/* Returns the algorithm, or NULL for an invalid value. */
const struct sha_algorithm *sha_algorithm_find(enum doca_sha_algorithm algorithm);

/* sha_job.c: code shared by both task types */

/*
 * Implements alloc_init of both types: allocates a task from `pool`, and sets its job to `template`
 * with its user data and operations. The rest of the task retains the values of its last use.
 */
doca_error_t sha_job_allocate(const struct sha_job *template, struct task_pool *pool,
        const struct task_operations *operations, struct sha_job **job);

/* Implements set_src of both types. INVALID_VALUE: NULL. BAD_STATE: the task is in flight. */
doca_error_t sha_job_set_source(struct sha_job *job, const struct doca_buf *source);
/* Implements set_dst of both types. INVALID_VALUE: NULL. BAD_STATE: the task is in flight. */
doca_error_t sha_job_set_destination(struct sha_job *job, struct doca_buf *destination);

/* Returns the job that embeds `task`. */
static inline struct sha_job *sha_job_of(struct doca_task *task)
{
    return CONTAINER_OF(task, struct sha_job, task);
}

/* Returns SUCCESS if the job's buffers are usable in their current state. */
doca_error_t sha_job_check(const struct sha_job *job);

/* Adds the source's data to `digest`. */
doca_error_t sha_job_update(const struct sha_job *job, EVP_MD_CTX *digest);

/* Finishes `digest` and appends it to the destination. */
doca_error_t sha_job_finish(const struct sha_job *job, EVP_MD_CTX *digest);

#endif /* JUROM_SHA_H_ */
