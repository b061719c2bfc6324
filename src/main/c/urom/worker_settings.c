/* SPDX-License-Identifier: Apache-2.0 */
/* Worker context: its settings, and what they became. */
#include <stdlib.h>
#include <string.h>

#include <common/sdk_log.h>

#include "worker.h"

SDK_LOG_REGISTER(UROM::WORKER)

/* What the worker's service offers, without a reference. False: it has none that runs. */
static bool get_offer(const struct doca_urom_worker *worker, struct service_offer *offer)
{
    if (worker->service == NULL || !service_get_offer(worker->service, offer))
        return false;
    service_location_release(offer->location);
    offer->location = NULL;
    return true;
}

/* SUCCESS, or why `worker` cannot be changed. */
static doca_error_t check_changeable(const struct doca_urom_worker *worker)
{
    if (worker == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    return ctx_is_idle(&worker->ctx) ? DOCA_SUCCESS : DOCA_ERROR_BAD_STATE;
}

doca_error_t doca_urom_worker_set_service(
        struct doca_urom_worker *worker_ctx, struct doca_urom_service *service_ctx)
{
    doca_error_t status = check_changeable(worker_ctx);

    if (status != DOCA_SUCCESS)
        return status;
    if (service_ctx == NULL)
        return DOCA_ERROR_INVALID_VALUE;

    service_retain(service_ctx);
    if (worker_ctx->service != NULL)
        service_release(worker_ctx->service);
    worker_ctx->service = service_ctx;
    return DOCA_SUCCESS;
}

doca_error_t doca_urom_worker_set_id(struct doca_urom_worker *worker_ctx, uint64_t worker_id)
{
    doca_error_t status = check_changeable(worker_ctx);

    if (status == DOCA_SUCCESS)
        worker_ctx->id = worker_id;
    return status;
}

doca_error_t doca_urom_worker_set_plugins(struct doca_urom_worker *worker_ctx, uint64_t plugins)
{
    doca_error_t status = check_changeable(worker_ctx);
    struct service_offer offer;

    if (status != DOCA_SUCCESS)
        return status;
    if (plugins == 0 || (get_offer(worker_ctx, &offer) && (plugins & ~offer.plugin_ids) != 0)) {
        SDK_LOG_DBG("The plugin set 0x%lx is empty or names plugins that the service does not have",
                plugins);
        return DOCA_ERROR_INVALID_VALUE;
    }

    worker_ctx->plugins = plugins;
    return DOCA_SUCCESS;
}

doca_error_t doca_urom_worker_set_cpuset(struct doca_urom_worker *worker_ctx, doca_cpu_set_t cpuset)
{
    static const doca_cpu_set_t empty;
    doca_error_t status = check_changeable(worker_ctx);
    struct service_offer offer;

    if (status != DOCA_SUCCESS)
        return status;
    if (cpu_set_is_subset(&cpuset, &empty)
            || (get_offer(worker_ctx, &offer) && !cpu_set_is_subset(&cpuset, &offer.cpu_set)))
        return DOCA_ERROR_INVALID_VALUE;

    worker_ctx->cpu_set = cpuset;
    worker_ctx->has_cpu_set = true;
    return DOCA_SUCCESS;
}

doca_error_t doca_urom_worker_set_gid(struct doca_urom_worker *worker_ctx, uint32_t gid)
{
    doca_error_t status = check_changeable(worker_ctx);

    if (status == DOCA_SUCCESS) {
        worker_ctx->group = gid;
        worker_ctx->has_group = true;
    }
    return status;
}

doca_error_t doca_urom_worker_set_max_inflight_tasks(
        struct doca_urom_worker *worker_ctx, uint32_t max_tasks)
{
    doca_error_t status = check_changeable(worker_ctx);

    if (status != DOCA_SUCCESS)
        return status;
    if (max_tasks == 0 || (max_tasks & (max_tasks - 1)) != 0 || max_tasks > WORKER_MAX_TASKS)
        return DOCA_ERROR_INVALID_VALUE;

    worker_ctx->max_tasks = max_tasks;
    return DOCA_SUCCESS;
}

/* Total length of the strings with their NULs; 0 when one of them is no NAME=value in UTF-8. */
static size_t environment_length(char *const env[], size_t count)
{
    size_t length = 0;

    for (size_t i = 0; i < count; ++i) {
        const char *equals = env[i] == NULL ? NULL : strchr(env[i], '=');

        if (equals == NULL || equals == env[i]
                || !wire_is_text((const uint8_t *)env[i], strlen(env[i])))
            return 0;
        length += strlen(env[i]) + 1;
    }
    return length;
}

doca_error_t doca_urom_worker_set_env(
        struct doca_urom_worker *worker_ctx, char *const env[], size_t count)
{
    doca_error_t status = check_changeable(worker_ctx);
    char *environment;
    size_t length;

    if (status != DOCA_SUCCESS)
        return status;
    length = env == NULL ? 0 : environment_length(env, count);
    if (length == 0 || length > WIRE_CONTROL_MAX / 2)
        return DOCA_ERROR_INVALID_VALUE;
    environment = malloc(length);
    if (environment == NULL)
        return DOCA_ERROR_NO_MEMORY;

    for (size_t i = 0, at = 0; i < count; ++i)
        at += (size_t)(stpcpy(environment + at, env[i]) - (environment + at)) + 1;
    free(worker_ctx->environment);
    worker_ctx->environment = environment;
    worker_ctx->environment_length = length;
    worker_ctx->environment_count = (uint32_t)count;
    return DOCA_SUCCESS;
}

doca_error_t worker_admit(struct doca_urom_worker *worker, const struct service_offer *offer)
{
    if (worker->plugins == 0 || (worker->plugins & ~offer->plugin_ids) != 0)
        return WORKER_REFUSE(worker, DOCA_ERROR_INVALID_VALUE,
                "The worker's plugin set 0x%lx is "
                "empty or names plugins that the service does not have (0x%lx)",
                worker->plugins, offer->plugin_ids);
    if (worker->has_cpu_set && !cpu_set_is_subset(&worker->cpu_set, &offer->cpu_set))
        return WORKER_REFUSE(worker, DOCA_ERROR_INVALID_VALUE,
                "The worker's CPU set has CPUs that the service does not have");
    if (atomic_fetch_add(&worker->service->workers, 1) >= worker->service->max_workers) {
        atomic_fetch_sub(&worker->service->workers, 1);
        return WORKER_REFUSE(worker, DOCA_ERROR_FULL,
                "The service has its maximum of %u workers: "
                "doca_urom_service_set_max_workers raises it",
                worker->service->max_workers);
    }
    worker->counted = true;
    return DOCA_SUCCESS;
}

doca_error_t doca_urom_worker_get_id(struct doca_urom_worker *worker_ctx, uint64_t *worker_id)
{
    if (worker_ctx == NULL || worker_id == NULL)
        return DOCA_ERROR_INVALID_VALUE;

    *worker_id = worker_ctx->link >= LINK_ATTACHING ? worker_ctx->spawned_id : worker_ctx->id;
    return DOCA_SUCCESS;
}

doca_error_t doca_urom_worker_get_gid(struct doca_urom_worker *worker_ctx, uint32_t *worker_gid)
{
    bool up;

    if (worker_ctx == NULL || worker_gid == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    up = worker_ctx->link >= LINK_ATTACHING;
    if (!(up ? worker_ctx->has_spawned_group : worker_ctx->has_group))
        return DOCA_ERROR_NOT_FOUND;

    *worker_gid = up ? worker_ctx->spawned_group : worker_ctx->group;
    return DOCA_SUCCESS;
}
