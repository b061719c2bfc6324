/* SPDX-License-Identifier: Apache-2.0 */
/* From buffers to a digest. */
#include "sha.h"

#include "common/buf_data.h"

doca_error_t sha_job_check(const struct sha_job *job)
{
    doca_error_t result = priv_doca_buf_check_source(job->source, job->sha->dev);

    if (result != DOCA_SUCCESS)
        return result;
    return priv_doca_buf_check_destination(job->destination, job->sha->dev,
            sha_algorithm_find(job->algorithm)->digest_size);
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
