/* SPDX-License-Identifier: Apache-2.0 */
/* Worker context: the object. */
#include <stdlib.h>

#include "worker.h"

static void flush(struct doca_ctx *ctx)
{
    worker_push(CONTAINER_OF(ctx, struct doca_urom_worker, ctx));
}

static const struct ctx_operations operations = {
    .name = "UROM worker context",
    .start = worker_start,
    .stop = worker_stop,
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
    worker->id = DOCA_UROM_WORKER_ID_ANY;
    worker->max_tasks = WORKER_DEFAULT_MAX_TASKS;
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

    worker_tell_gone(worker_ctx, true);
    worker_free_tasks(worker_ctx);
    if (worker_ctx->service != NULL)
        service_release(worker_ctx->service);
    free(worker_ctx->environment);
    worker_forget_end(worker_ctx);
    free(worker_ctx);
    return DOCA_SUCCESS;
}

struct doca_ctx *doca_urom_worker_as_ctx(struct doca_urom_worker *worker_ctx)
{
    return worker_ctx == NULL ? NULL : &worker_ctx->ctx;
}
