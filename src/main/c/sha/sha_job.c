/* SPDX-License-Identifier: Apache-2.0 */
/* Code shared by both task types: computes a digest over buffers. */
#include "sha.h"

#include <common/buf_data.h>
#include <common/sdk_log.h>

SDK_LOG_REGISTER(DOCA::SHA)

doca_error_t sha_job_allocate(const struct sha_job *template, struct task_pool *pool,
        const struct task_operations *operations, struct sha_job **job)
{
    struct sha_job *allocated;

    if (template->sha == NULL || template->source == NULL || template->destination == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    if (sha_algorithm_find(template->algorithm) == NULL)
        return DOCA_ERROR_NOT_SUPPORTED;
    if (template->sha->ctx.state != DOCA_CTX_STATE_RUNNING)
        return DOCA_ERROR_BAD_STATE;
    allocated = priv_doca_task_pool_take(pool);
    if (allocated == NULL) {
        SDK_LOG_DBG("All %u tasks of this kind of the SHA context are in use", pool->count);
        return DOCA_ERROR_NO_MEMORY;
    }

    *allocated = *template;
    priv_doca_task_init(&allocated->task, &template->sha->ctx, operations);
    allocated->task.user_data = template->task.user_data;
    *job = allocated;
    return DOCA_SUCCESS;
}

doca_error_t sha_job_set_source(struct sha_job *job, const struct doca_buf *source)
{
    if (job == NULL || source == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    if (job->task.inflight)
        return DOCA_ERROR_BAD_STATE;

    job->source = source;
    return DOCA_SUCCESS;
}

doca_error_t sha_job_set_destination(struct sha_job *job, struct doca_buf *destination)
{
    if (job == NULL || destination == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    if (job->task.inflight)
        return DOCA_ERROR_BAD_STATE;

    job->destination = destination;
    return DOCA_SUCCESS;
}

doca_error_t sha_job_check(const struct sha_job *job)
{
    doca_error_t status = priv_doca_buf_check_source(job->source, job->sha->dev);

    if (status != DOCA_SUCCESS)
        return status;
    return priv_doca_buf_check_destination(
            job->destination, job->sha->dev, sha_algorithm_find(job->algorithm)->digest_size);
}

static doca_error_t update(void *argument, const void *bytes, size_t length)
{
    return EVP_DigestUpdate(argument, bytes, length) == 1 ? DOCA_SUCCESS : DOCA_ERROR_DRIVER;
}

doca_error_t sha_job_update(const struct sha_job *job, EVP_MD_CTX *digest)
{
    return priv_doca_buf_visit(job->source, update, digest);
}

doca_error_t sha_job_finish(const struct sha_job *job, EVP_MD_CTX *digest)
{
    unsigned char bytes[EVP_MAX_MD_SIZE];
    unsigned length;

    if (EVP_DigestFinal_ex(digest, bytes, &length) != 1)
        return DOCA_ERROR_DRIVER;
    return priv_doca_buf_append(job->destination, bytes, length);
}
