/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Hash tasks: each hashes a whole message. Executed by the doca_pe_progress that runs the callback.
 */
#include "sha.h"

static struct doca_sha_task_hash *from_task(struct doca_task *task)
{
    return CONTAINER_OF(task, struct doca_sha_task_hash, job.task);
}

static struct sha_job *job_of(struct doca_sha_task_hash *task)
{
    return task == NULL ? NULL : &task->job;
}

static doca_error_t submit(struct doca_task *task, uint32_t flags)
{
    doca_error_t status = sha_job_check(sha_job_of(task));

    (void)flags;
    if (status == DOCA_SUCCESS)
        priv_doca_task_complete(task, DOCA_SUCCESS);
    return status;
}

static doca_error_t hash(const struct sha_job *job)
{
    EVP_MD_CTX *digest = job->sha->digest;
    doca_error_t status;

    if (EVP_DigestInit_ex(digest, sha_algorithm_find(job->algorithm)->method(), NULL) != 1)
        return DOCA_ERROR_DRIVER;
    status = sha_job_update(job, digest);
    return status == DOCA_SUCCESS ? sha_job_finish(job, digest) : status;
}

/*
 * Check again: the application may have changed the buffers since the submission, although it must
 * not.
 */
static void execute(struct doca_task *task)
{
    const struct sha_job *job = sha_job_of(task);

    if (sha_job_check(job) != DOCA_SUCCESS)
        task->status = DOCA_ERROR_IO_FAILED;
    else
        task->status = hash(job);
}

static void call_back(struct doca_task *task, union doca_data task_data, union doca_data ctx_data)
{
    struct doca_sha_task_hash *hash_task = from_task(task);

    if (task->status == DOCA_SUCCESS)
        hash_task->job.sha->hash_completed(hash_task, task_data, ctx_data);
    else
        hash_task->job.sha->hash_failed(hash_task, task_data, ctx_data);
}

static void release(struct doca_task *task)
{
    priv_doca_task_pool_give(&from_task(task)->job.sha->hash_tasks, from_task(task));
}

static const struct task_operations operations = {
    .submit = submit,
    .execute = execute,
    .call_back = call_back,
    .release = release,
};

doca_error_t doca_sha_task_hash_alloc_init(struct doca_sha *sha, enum doca_sha_algorithm algorithm,
        struct doca_buf const *src_buf, struct doca_buf *dst_buf, union doca_data user_data,
        struct doca_sha_task_hash **task)
{
    const struct sha_job template = {
        .task.user_data = user_data,
        .sha = sha,
        .algorithm = algorithm,
        .source = src_buf,
        .destination = dst_buf,
    };
    struct sha_job *job;
    doca_error_t status;

    if (sha == NULL || task == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    status = sha_job_allocate(&template, &sha->hash_tasks, &operations, &job);
    if (status == DOCA_SUCCESS)
        *task = from_task(&job->task);
    return status;
}

doca_error_t doca_sha_task_hash_set_src(
        struct doca_sha_task_hash *task, struct doca_buf const *src_buf)
{
    return sha_job_set_source(job_of(task), src_buf);
}

struct doca_buf const *doca_sha_task_hash_get_src(struct doca_sha_task_hash const *task)
{
    return task == NULL ? NULL : task->job.source;
}

doca_error_t doca_sha_task_hash_set_dst(struct doca_sha_task_hash *task, struct doca_buf *dst_buf)
{
    return sha_job_set_destination(job_of(task), dst_buf);
}

struct doca_buf const *doca_sha_task_hash_get_dst(struct doca_sha_task_hash const *task)
{
    return task == NULL ? NULL : task->job.destination;
}

doca_error_t doca_sha_task_hash_set_algorithm(
        struct doca_sha_task_hash *task, enum doca_sha_algorithm algorithm)
{
    if (task == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    if (sha_algorithm_find(algorithm) == NULL)
        return DOCA_ERROR_NOT_SUPPORTED;
    if (task->job.task.inflight)
        return DOCA_ERROR_BAD_STATE;

    task->job.algorithm = algorithm;
    return DOCA_SUCCESS;
}

enum doca_sha_algorithm doca_sha_task_hash_get_algorithm(struct doca_sha_task_hash const *task)
{
    return task == NULL ? DOCA_SHA_ALGORITHM_SHA1 : task->job.algorithm;
}

struct doca_task *doca_sha_task_hash_as_task(struct doca_sha_task_hash *task)
{
    return task == NULL ? NULL : &task->job.task;
}
