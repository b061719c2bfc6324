/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Partial hash tasks: hash one message in several submissions, each with the next part as its
 * source.
 *
 * The size of each part but the last is a multiple of the algorithm's block size. The last part is
 * submitted after doca_sha_task_partial_hash_set_is_final_buf and writes the digest to the
 * destination; a reset then begins the next message. Executed by the doca_pe_progress that runs the
 * callback.
 */
#include "sha.h"

#include <common/buf_data.h>
#include <common/sdk_log.h>

SDK_LOG_REGISTER(DOCA::SHA)

static struct doca_sha_task_partial_hash *from_task(struct doca_task *task)
{
    return CONTAINER_OF(task, struct doca_sha_task_partial_hash, job.task);
}

static struct sha_job *job_of(struct doca_sha_task_partial_hash *task)
{
    return task == NULL ? NULL : &task->job;
}

static doca_error_t check_part(const struct doca_sha_task_partial_hash *partial)
{
    uint32_t block = sha_algorithm_find(partial->job.algorithm)->block_size;
    size_t length = priv_doca_buf_total_data(partial->job.source);

    if (partial->is_final || (length > 0 && length % block == 0))
        return DOCA_SUCCESS;
    SDK_LOG_DBG("A part other than the last has %zu bytes, which is not a multiple of the block "
                "size of %u bytes",
            length, block);
    return DOCA_ERROR_INVALID_VALUE;
}

static doca_error_t submit(struct doca_task *task, uint32_t flags)
{
    struct doca_sha_task_partial_hash *partial = from_task(task);
    doca_error_t status;

    (void)flags;
    if (partial->has_result || partial->broken)
        return DOCA_ERROR_BAD_STATE;
    status = sha_job_check(&partial->job);
    if (status == DOCA_SUCCESS)
        status = check_part(partial);
    if (status == DOCA_SUCCESS)
        priv_doca_task_complete(task, DOCA_SUCCESS);
    return status;
}

static doca_error_t hash_part(struct doca_sha_task_partial_hash *partial)
{
    const struct sha_job *job = &partial->job;
    doca_error_t status;

    if (!partial->begun
            && EVP_DigestInit_ex(
                       partial->digest, sha_algorithm_find(job->algorithm)->method(), NULL)
                    != 1)
        return DOCA_ERROR_DRIVER;
    partial->begun = true;
    status = sha_job_update(job, partial->digest);
    if (status == DOCA_SUCCESS && partial->is_final)
        status = sha_job_finish(job, partial->digest);
    return status;
}

/*
 * Check again: the application may have changed the buffers since the submission, although it must
 * not.
 */
static void execute(struct doca_task *task)
{
    struct doca_sha_task_partial_hash *partial = from_task(task);

    if (sha_job_check(&partial->job) != DOCA_SUCCESS || check_part(partial) != DOCA_SUCCESS)
        task->status = DOCA_ERROR_IO_FAILED;
    else
        task->status = hash_part(partial);
    partial->broken = task->status != DOCA_SUCCESS;
    partial->has_result = task->status == DOCA_SUCCESS && partial->is_final;
}

static void call_back(struct doca_task *task, union doca_data task_data, union doca_data ctx_data)
{
    struct doca_sha_task_partial_hash *partial = from_task(task);

    if (task->status == DOCA_SUCCESS)
        partial->job.sha->partial_completed(partial, task_data, ctx_data);
    else
        partial->job.sha->partial_failed(partial, task_data, ctx_data);
}

static void release(struct doca_task *task)
{
    struct doca_sha_task_partial_hash *partial = from_task(task);

    EVP_MD_CTX_free(partial->digest);
    partial->digest = NULL;
    priv_doca_task_pool_give(&partial->job.sha->partial_tasks, partial);
}

static const struct task_operations operations = {
    .submit = submit,
    .execute = execute,
    .call_back = call_back,
    .release = release,
};

doca_error_t doca_sha_task_partial_hash_alloc_init(struct doca_sha *sha,
        enum doca_sha_algorithm algorithm, struct doca_buf const *src_buf, struct doca_buf *dst_buf,
        union doca_data user_data, struct doca_sha_task_partial_hash **task)
{
    const struct sha_job template = {
        .task.user_data = user_data,
        .sha = sha,
        .algorithm = algorithm,
        .source = src_buf,
        .destination = dst_buf,
    };
    struct doca_sha_task_partial_hash *partial;
    struct sha_job *job;
    doca_error_t status;

    if (sha == NULL || task == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    status = sha_job_allocate(&template, &sha->partial_tasks, &operations, &job);
    if (status != DOCA_SUCCESS)
        return status;

    partial = from_task(&job->task);
    *partial = (struct doca_sha_task_partial_hash){ .job = *job, .digest = EVP_MD_CTX_new() };
    if (partial->digest == NULL) {
        release(&job->task);
        return DOCA_ERROR_NO_MEMORY;
    }
    *task = partial;
    return DOCA_SUCCESS;
}

doca_error_t doca_sha_task_partial_hash_reset(struct doca_sha_task_partial_hash *task)
{
    if (task == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    if (task->job.task.inflight)
        return DOCA_ERROR_BAD_STATE;

    task->begun = false;
    task->is_final = false;
    task->has_result = false;
    task->broken = false;
    return DOCA_SUCCESS;
}

doca_error_t doca_sha_task_partial_hash_set_src(
        struct doca_sha_task_partial_hash *task, struct doca_buf const *src_buf)
{
    return sha_job_set_source(job_of(task), src_buf);
}

struct doca_buf const *doca_sha_task_partial_hash_get_src(
        struct doca_sha_task_partial_hash const *task)
{
    return task == NULL ? NULL : task->job.source;
}

doca_error_t doca_sha_task_partial_hash_set_dst(
        struct doca_sha_task_partial_hash *task, struct doca_buf *dst_buf)
{
    if (task != NULL && task->begun && !task->has_result)
        return DOCA_ERROR_BAD_STATE;
    return sha_job_set_destination(job_of(task), dst_buf);
}

struct doca_buf const *doca_sha_task_partial_hash_get_dst(
        struct doca_sha_task_partial_hash const *task)
{
    return task == NULL ? NULL : task->job.destination;
}

/* Only valid between two messages. */
doca_error_t doca_sha_task_partial_hash_set_algorithm(
        struct doca_sha_task_partial_hash *task, enum doca_sha_algorithm algorithm)
{
    if (task == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    if (sha_algorithm_find(algorithm) == NULL)
        return DOCA_ERROR_NOT_SUPPORTED;
    if (task->job.task.inflight || task->begun)
        return DOCA_ERROR_BAD_STATE;

    task->job.algorithm = algorithm;
    return DOCA_SUCCESS;
}

enum doca_sha_algorithm doca_sha_task_partial_hash_get_algorithm(
        struct doca_sha_task_partial_hash const *task)
{
    return task == NULL ? DOCA_SHA_ALGORITHM_SHA1 : task->job.algorithm;
}

doca_error_t doca_sha_task_partial_hash_set_is_final_buf(struct doca_sha_task_partial_hash *task)
{
    if (task == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    if (task->job.task.inflight || task->has_result)
        return DOCA_ERROR_BAD_STATE;

    task->is_final = true;
    return DOCA_SUCCESS;
}

uint8_t doca_sha_task_partial_hash_get_is_final(struct doca_sha_task_partial_hash const *task)
{
    return task != NULL && task->is_final;
}

uint8_t doca_sha_task_partial_hash_get_has_result(struct doca_sha_task_partial_hash const *task)
{
    return task != NULL && task->has_result;
}

struct doca_task *doca_sha_task_partial_hash_as_task(struct doca_sha_task_partial_hash *task)
{
    return task == NULL ? NULL : &task->job.task;
}
