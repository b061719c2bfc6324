/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Log limits. A global limit applies to all backends of its kind except strict ones; a backend's
 * own limit holds until the next global one. Thread-safe.
 */
#include "log_registry.h"

/* A limit of one backend or of all. */
enum limit {
    LIMIT_LOWER,
    LIMIT_UPPER,
    LIMIT_SDK,
};

static enum log_kind kind_of(enum limit limit)
{
    return limit == LIMIT_SDK ? LOG_KIND_SDK : LOG_KIND_APPLICATION;
}

static void apply(struct doca_log_backend *backend, enum limit limit, uint32_t level)
{
    if (limit == LIMIT_UPPER)
        backend->upper = level;
    else
        backend->lower = level;
}

static bool is_strict(const struct doca_log_backend *backend, enum limit limit)
{
    return limit == LIMIT_UPPER ? backend->upper_strict : backend->lower_strict;
}

static uint32_t *global_limit(enum limit limit)
{
    if (limit == LIMIT_LOWER)
        return &log_registry.lower;
    return limit == LIMIT_UPPER ? &log_registry.upper : &log_registry.sdk;
}

static doca_error_t set_global(enum limit limit, uint32_t level)
{
    struct doca_log_backend *backend;

    if (!log_level_is_valid(level))
        return DOCA_ERROR_INVALID_VALUE;

    pthread_mutex_lock(&log_registry.lock);
    *global_limit(limit) = level;
    for (backend = log_registry.backends; backend != NULL; backend = backend->next)
        if (backend->kind == kind_of(limit) && !is_strict(backend, limit))
            apply(backend, limit, level);
    log_update_thresholds();
    pthread_mutex_unlock(&log_registry.lock);
    return DOCA_SUCCESS;
}

static uint32_t get_global(enum limit limit)
{
    uint32_t level;

    pthread_mutex_lock(&log_registry.lock);
    level = *global_limit(limit);
    pthread_mutex_unlock(&log_registry.lock);
    return level;
}

static doca_error_t set_one(struct doca_log_backend *backend, enum limit limit, uint32_t level)
{
    if (backend == NULL || backend->kind != kind_of(limit) || !log_level_is_valid(level))
        return DOCA_ERROR_INVALID_VALUE;

    pthread_mutex_lock(&log_registry.lock);
    apply(backend, limit, level);
    log_update_thresholds();
    pthread_mutex_unlock(&log_registry.lock);
    return DOCA_SUCCESS;
}

static doca_error_t make_strict(struct doca_log_backend *backend, enum limit limit)
{
    if (backend == NULL || backend->kind != kind_of(limit))
        return DOCA_ERROR_INVALID_VALUE;

    pthread_mutex_lock(&log_registry.lock);
    if (limit == LIMIT_UPPER)
        backend->upper_strict = true;
    else
        backend->lower_strict = true;
    pthread_mutex_unlock(&log_registry.lock);
    return DOCA_SUCCESS;
}

doca_error_t doca_log_backend_set_level_lower_limit(
        struct doca_log_backend *backend, uint32_t level)
{
    return set_one(backend, LIMIT_LOWER, level);
}

doca_error_t doca_log_backend_set_level_upper_limit(
        struct doca_log_backend *backend, uint32_t upper_limit)
{
    return set_one(backend, LIMIT_UPPER, upper_limit);
}

doca_error_t doca_log_backend_set_level_lower_limit_strict(struct doca_log_backend *backend)
{
    return make_strict(backend, LIMIT_LOWER);
}

doca_error_t doca_log_backend_set_level_upper_limit_strict(struct doca_log_backend *backend)
{
    return make_strict(backend, LIMIT_UPPER);
}

doca_error_t doca_log_level_set_global_lower_limit(uint32_t level)
{
    return set_global(LIMIT_LOWER, level);
}

doca_error_t doca_log_level_set_global_upper_limit(uint32_t upper_limit)
{
    return set_global(LIMIT_UPPER, upper_limit);
}

uint32_t doca_log_level_get_global_lower_limit(void)
{
    return get_global(LIMIT_LOWER);
}

uint32_t doca_log_level_get_global_upper_limit(void)
{
    return get_global(LIMIT_UPPER);
}

doca_error_t doca_log_backend_set_sdk_level(struct doca_log_backend *backend, uint32_t level)
{
    return set_one(backend, LIMIT_SDK, level);
}

doca_error_t doca_log_level_set_global_sdk_limit(uint32_t level)
{
    return set_global(LIMIT_SDK, level);
}

uint32_t doca_log_level_get_global_sdk_limit(void)
{
    return get_global(LIMIT_SDK);
}
