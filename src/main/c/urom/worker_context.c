/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "worker_context.h"

static void flush(struct doca_ctx *ctx)
{
    worker_tasks_push(CONTAINER_OF(ctx, struct doca_urom_worker, ctx));
}

static const struct ctx_operations operations = {
    .name = "UROM worker context",
    .start = worker_link_start,
    .stop = worker_link_stop,
    .flush = flush,
};

doca_error_t doca_urom_worker_create(struct doca_urom_worker **worker_ctx)
{
    struct doca_urom_worker *worker;

    if (worker_ctx == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    worker = calloc(1, sizeof(*worker));
    if (worker == NULL)
        return DOCA_ERROR_NO_MEMORY;

    priv_doca_ctx_init(&worker->ctx, &operations);
    worker_settings_init(&worker->settings);
    *worker_ctx = worker;
    return DOCA_SUCCESS;
}

doca_error_t doca_urom_worker_destroy(struct doca_urom_worker *worker_ctx)
{
    doca_error_t status;

    if (worker_ctx == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    status = priv_doca_ctx_fini(&worker_ctx->ctx);
    if (status != DOCA_SUCCESS)
        return status;

    worker_end_notify(&worker_ctx->end, true);
    worker_tasks_free(&worker_ctx->tasks);
    worker_settings_free(&worker_ctx->settings);
    worker_end_clear(&worker_ctx->end);
    free(worker_ctx);
    return DOCA_SUCCESS;
}

struct doca_ctx *doca_urom_worker_as_ctx(struct doca_urom_worker *worker_ctx)
{
    return worker_ctx == NULL ? NULL : &worker_ctx->ctx;
}
