/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The registry: thresholds computed from its backends, and sources, which are names with positive
 * numbers. Thread-safe.
 */
#include "log_registry.h"

#include <stdlib.h>
#include <string.h>

struct log_registry log_registry = {
    .lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP,
    .lower = DOCA_LOG_LEVEL_INFO,
    .upper = DOCA_LOG_LEVEL_CRIT,
    .sdk = DOCA_LOG_LEVEL_WARNING,
};

bool log_level_is_valid(uint32_t level)
{
    return level >= DOCA_LOG_LEVEL_DISABLE && level <= DOCA_LOG_LEVEL_TRACE && level % 10 == 0;
}

void log_update_thresholds(void)
{
    uint32_t threshold[LOG_KINDS] = { 0 };
    struct doca_log_backend *backend;
    int kind;

    for (backend = log_registry.backends; backend != NULL; backend = backend->next)
        if (threshold[backend->kind] < backend->lower)
            threshold[backend->kind] = backend->lower;
    for (kind = 0; kind < LOG_KINDS; ++kind)
        atomic_store_explicit(&log_registry.threshold[kind], threshold[kind], memory_order_relaxed);
}

const char *log_source_name(int source)
{
    if (source <= 0 || (size_t)source > log_registry.sources_count)
        return NULL;
    return log_registry.sources[source - 1];
}

/*
 * Returns the index of a free slot for a source, or -1 without memory; the caller holds the lock.
 */
static int find_slot(void)
{
    size_t count = log_registry.sources_count;
    char **larger;
    size_t i;

    for (i = 0; i < count; ++i)
        if (log_registry.sources[i] == NULL)
            return (int)i;

    larger = realloc(log_registry.sources, (count + 1) * sizeof(*larger));
    if (larger == NULL)
        return -1;
    larger[count] = NULL;
    log_registry.sources = larger;
    log_registry.sources_count = count + 1;
    return (int)count;
}

doca_error_t doca_log_register_source(const char *source_name, int *source)
{
    doca_error_t status = DOCA_ERROR_NO_MEMORY;
    char *name;
    int slot;

    if (source_name == NULL || source == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    name = strdup(source_name);
    if (name == NULL)
        return DOCA_ERROR_NO_MEMORY;

    pthread_mutex_lock(&log_registry.lock);
    slot = find_slot();
    if (slot >= 0) {
        log_registry.sources[slot] = name;
        name = NULL;
        *source = slot + 1;
        status = DOCA_SUCCESS;
    }
    pthread_mutex_unlock(&log_registry.lock);
    free(name);
    return status;
}

doca_error_t doca_log_unregister_source(int source)
{
    doca_error_t status = DOCA_ERROR_INVALID_VALUE;

    pthread_mutex_lock(&log_registry.lock);
    if (log_source_name(source) != NULL) {
        free(log_registry.sources[source - 1]);
        log_registry.sources[source - 1] = NULL;
        status = DOCA_SUCCESS;
    }
    pthread_mutex_unlock(&log_registry.lock);
    return status;
}
