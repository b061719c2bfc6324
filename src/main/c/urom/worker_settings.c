/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include <common/sdk_log.h>

#include "worker_context.h"

SDK_LOG_REGISTER(UROM::WORKER)

#define MAX_TASKS_DEFAULT 64
#define MAX_TASKS_LIMIT (1u << 16)

void worker_settings_init(struct worker_settings *settings)
{
    settings->spawn.worker_id = DOCA_UROM_WORKER_ID_ANY;
    settings->max_tasks = MAX_TASKS_DEFAULT;
}

void worker_settings_free(struct worker_settings *settings)
{
    if (settings->service != NULL)
        service_release(settings->service);
    free(settings->environment);
}

/* Returns whether every CPU of `inner` is in `outer`. */
static bool cpu_set_is_subset(const doca_cpu_set_t *inner, const doca_cpu_set_t *outer)
{
    for (size_t i = 0; i < sizeof(inner->ucs_bits) / sizeof(inner->ucs_bits[0]); ++i) {
        if ((inner->ucs_bits[i] & ~outer->ucs_bits[i]) != 0)
            return false;
    }
    return true;
}

/* Gets the service's offer, without a reference. Returns false without a running service. */
static bool get_offer(const struct doca_urom_worker *worker, struct service_offer *offer)
{
    if (worker->settings.service == NULL || !service_get_offer(worker->settings.service, offer))
        return false;
    service_location_release(offer->location);
    offer->location = NULL;
    return true;
}

/* Returns an error if `worker` cannot be changed. */
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
    if (worker_ctx->settings.service != NULL)
        service_release(worker_ctx->settings.service);
    worker_ctx->settings.service = service_ctx;
    return DOCA_SUCCESS;
}

doca_error_t doca_urom_worker_set_id(struct doca_urom_worker *worker_ctx, uint64_t worker_id)
{
    doca_error_t status = check_changeable(worker_ctx);

    if (status == DOCA_SUCCESS)
        worker_ctx->settings.spawn.worker_id = worker_id;
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

    worker_ctx->settings.spawn.plugins = plugins;
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

    worker_ctx->settings.cpu_set = cpuset;
    worker_ctx->settings.spawn.cpu_set = (const uint8_t *)&worker_ctx->settings.cpu_set;
    worker_ctx->settings.spawn.flags |= WIRE_FLAG_HAS_CPU_SET;
    return DOCA_SUCCESS;
}

doca_error_t doca_urom_worker_set_gid(struct doca_urom_worker *worker_ctx, uint32_t gid)
{
    doca_error_t status = check_changeable(worker_ctx);

    if (status == DOCA_SUCCESS) {
        worker_ctx->settings.spawn.group = gid;
        worker_ctx->settings.spawn.flags |= WIRE_FLAG_HAS_GROUP;
    }
    return status;
}

doca_error_t doca_urom_worker_set_max_inflight_tasks(
        struct doca_urom_worker *worker_ctx, uint32_t max_tasks)
{
    doca_error_t status = check_changeable(worker_ctx);

    if (status != DOCA_SUCCESS)
        return status;
    if (max_tasks == 0 || (max_tasks & (max_tasks - 1)) != 0 || max_tasks > MAX_TASKS_LIMIT)
        return DOCA_ERROR_INVALID_VALUE;

    worker_ctx->settings.max_tasks = max_tasks;
    return DOCA_SUCCESS;
}

/* Returns the total length of the strings with their NULs; 0: one is not NAME=value in UTF-8. */
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
    free(worker_ctx->settings.environment);
    worker_ctx->settings.environment = environment;
    worker_ctx->settings.spawn.environment = (struct wire_bytes){ (uint8_t *)environment, length };
    worker_ctx->settings.spawn.environment_count = (uint32_t)count;
    worker_ctx->settings.spawn.flags |= WIRE_FLAG_HAS_ENVIRONMENT;
    return DOCA_SUCCESS;
}

doca_error_t worker_settings_admit(
        struct doca_urom_worker *worker, const struct service_offer *offer)
{
    if (worker->settings.spawn.plugins == 0
            || (worker->settings.spawn.plugins & ~offer->plugin_ids) != 0)
        return WORKER_END_REFUSE(&worker->end, DOCA_ERROR_INVALID_VALUE,
                "The worker's plugin set 0x%lx is empty or names plugins that the service does "
                "not have (0x%lx)",
                worker->settings.spawn.plugins, offer->plugin_ids);
    if (worker->settings.spawn.flags & WIRE_FLAG_HAS_CPU_SET
            && !cpu_set_is_subset(&worker->settings.cpu_set, &offer->cpu_set))
        return WORKER_END_REFUSE(&worker->end, DOCA_ERROR_INVALID_VALUE,
                "The worker's CPU set has CPUs that the service does not have");
    if (atomic_fetch_add(&worker->settings.service->workers, 1)
            >= worker->settings.service->max_workers) {
        atomic_fetch_sub(&worker->settings.service->workers, 1);
        return WORKER_END_REFUSE(&worker->end, DOCA_ERROR_FULL,
                "The service has its maximum of %u workers: "
                "doca_urom_service_set_max_workers raises it",
                worker->settings.service->max_workers);
    }
    worker->settings.counted = true;
    return DOCA_SUCCESS;
}

void worker_settings_release(struct worker_settings *settings)
{
    if (settings->counted)
        atomic_fetch_sub(&settings->service->workers, 1);
    settings->counted = false;
}

doca_error_t doca_urom_worker_get_id(struct doca_urom_worker *worker_ctx, uint64_t *worker_id)
{
    if (worker_ctx == NULL || worker_id == NULL)
        return DOCA_ERROR_INVALID_VALUE;

    *worker_id = worker_ctx->link.state >= LINK_ATTACHING ? worker_ctx->link.spawned_id
                                                          : worker_ctx->settings.spawn.worker_id;
    return DOCA_SUCCESS;
}

doca_error_t doca_urom_worker_get_gid(struct doca_urom_worker *worker_ctx, uint32_t *worker_gid)
{
    bool up, has_group;

    if (worker_ctx == NULL || worker_gid == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    up = worker_ctx->link.state >= LINK_ATTACHING;
    has_group = up ? worker_ctx->link.has_spawned_group
                   : worker_ctx->settings.spawn.flags & WIRE_FLAG_HAS_GROUP;
    if (!has_group)
        return DOCA_ERROR_NOT_FOUND;

    *worker_gid = up ? worker_ctx->link.spawned_group : worker_ctx->settings.spawn.group;
    return DOCA_SUCCESS;
}
