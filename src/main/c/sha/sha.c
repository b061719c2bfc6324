/* SPDX-License-Identifier: Apache-2.0 */
/* Creation, configuration, start and stop of the SHA context, and its algorithms. */
#include "sha.h"

#include <stdlib.h>

#include <common/dev.h>
#include <common/sdk_log.h>

SDK_LOG_REGISTER(DOCA::SHA)

#define LOG_TASKS_MAX 16 /* log2 of ENGINE_TASKS_MAX */

const struct sha_algorithm *sha_algorithm_find(enum doca_sha_algorithm algorithm)
{
    static const struct sha_algorithm algorithms[] = {
        [DOCA_SHA_ALGORITHM_SHA1] = { EVP_sha1, 20, 64 },
        [DOCA_SHA_ALGORITHM_SHA256] = { EVP_sha256, 32, 64 },
        [DOCA_SHA_ALGORITHM_SHA512] = { EVP_sha512, 64, 128 },
    };

    if ((size_t)algorithm >= sizeof(algorithms) / sizeof(algorithms[0]))
        return NULL;
    return &algorithms[algorithm];
}

static doca_error_t start(struct doca_ctx *ctx)
{
    struct doca_sha *sha = CONTAINER_OF(ctx, struct doca_sha, ctx);
    doca_error_t status;

    if (sha->hash_tasks_count == 0 && sha->partial_tasks_count == 0) {
        SDK_LOG_ERR("The SHA context has no tasks: call doca_sha_task_hash_set_conf or "
                    "doca_sha_task_partial_hash_set_conf before doca_ctx_start");
        return DOCA_ERROR_INVALID_VALUE;
    }
    status = priv_doca_task_pool_fill(
            &sha->hash_tasks, sha->hash_tasks_count, sizeof(struct doca_sha_task_hash));
    if (status != DOCA_SUCCESS)
        return status;
    return priv_doca_task_pool_fill(&sha->partial_tasks, sha->partial_tasks_count,
            sizeof(struct doca_sha_task_partial_hash));
}

static const struct ctx_operations operations = {
    .name = "SHA context",
    .start = start,
    .stop = priv_doca_engine_stop,
};

doca_error_t doca_sha_create(struct doca_dev *dev, struct doca_sha **sha)
{
    struct doca_sha *created;

    if (dev == NULL || sha == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    created = calloc(1, sizeof(*created));
    if (created == NULL)
        return DOCA_ERROR_NO_MEMORY;
    created->digest = EVP_MD_CTX_new();
    if (created->digest == NULL) {
        free(created);
        return DOCA_ERROR_NO_MEMORY;
    }

    priv_doca_ctx_init(&created->ctx, &operations);
    priv_doca_dev_acquire(dev);
    created->dev = dev;
    *sha = created;
    return DOCA_SUCCESS;
}

doca_error_t doca_sha_destroy(struct doca_sha *sha)
{
    doca_error_t status;

    if (sha == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    if (!ctx_is_idle(&sha->ctx))
        return DOCA_ERROR_IN_USE;
    status = priv_doca_task_pool_empty(&sha->hash_tasks);
    if (status == DOCA_SUCCESS)
        status = priv_doca_task_pool_empty(&sha->partial_tasks);
    if (status != DOCA_SUCCESS)
        return status;

    priv_doca_ctx_fini(&sha->ctx);
    priv_doca_dev_release(sha->dev);
    EVP_MD_CTX_free(sha->digest);
    free(sha);
    return DOCA_SUCCESS;
}

struct doca_ctx *doca_sha_as_ctx(struct doca_sha *sha)
{
    return sha == NULL ? NULL : &sha->ctx;
}

doca_error_t doca_sha_cap_get_max_num_tasks(struct doca_sha *sha, uint32_t *max_num_tasks)
{
    if (sha == NULL || max_num_tasks == NULL)
        return DOCA_ERROR_INVALID_VALUE;

    *max_num_tasks = ENGINE_TASKS_MAX;
    return DOCA_SUCCESS;
}

doca_error_t doca_sha_task_hash_set_conf(struct doca_sha *sha,
        doca_sha_task_hash_completion_cb_t task_completion_cb,
        doca_sha_task_hash_completion_cb_t task_error_cb, uint8_t log_num_tasks)
{
    if (sha == NULL || task_completion_cb == NULL || task_error_cb == NULL
            || log_num_tasks > LOG_TASKS_MAX)
        return DOCA_ERROR_INVALID_VALUE;
    if (!ctx_is_idle(&sha->ctx))
        return DOCA_ERROR_BAD_STATE;

    sha->hash_completed = task_completion_cb;
    sha->hash_failed = task_error_cb;
    sha->hash_tasks_count = UINT32_C(1) << log_num_tasks;
    return DOCA_SUCCESS;
}

doca_error_t doca_sha_task_partial_hash_set_conf(struct doca_sha *sha,
        doca_sha_task_partial_hash_completion_cb_t task_completion_cb,
        doca_sha_task_partial_hash_completion_cb_t task_error_cb, uint8_t log_num_tasks)
{
    if (sha == NULL || task_completion_cb == NULL || task_error_cb == NULL
            || log_num_tasks > LOG_TASKS_MAX)
        return DOCA_ERROR_INVALID_VALUE;
    if (!ctx_is_idle(&sha->ctx))
        return DOCA_ERROR_BAD_STATE;

    sha->partial_completed = task_completion_cb;
    sha->partial_failed = task_error_cb;
    sha->partial_tasks_count = UINT32_C(1) << log_num_tasks;
    return DOCA_SUCCESS;
}
