/* SPDX-License-Identifier: Apache-2.0 */
/* Log sources: names with positive numbers. Thread-safe. */
#include "log.h"

#include <stdlib.h>
#include <string.h>

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
