/* SPDX-License-Identifier: Apache-2.0 */
/* The registry, and the thresholds computed from its backends. */
#include "log.h"

struct log_registry log_registry = {
    .lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP,
    .lower = DOCA_LOG_LEVEL_INFO,
    .upper = DOCA_LOG_LEVEL_CRIT,
    .sdk = DOCA_LOG_LEVEL_WARNING,
};

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
