/* SPDX-License-Identifier: Apache-2.0 */
/* The settings of a worker context, which can be changed while the context is idle. */
#ifndef JUROM_WORKER_SETTINGS_H_
#define JUROM_WORKER_SETTINGS_H_

#include <stdbool.h>
#include <stdint.h>

#include <doca_urom.h>

#include "service_context.h"

struct worker_settings {
    struct doca_urom_service *service; /* a counted reference */
    uint64_t id;
    uint64_t plugins;
    uint32_t group;
    bool has_group;
    doca_cpu_set_t cpu_set;
    bool has_cpu_set;
    uint32_t max_tasks;
    char *environment; /* consecutive NUL-terminated strings */
    size_t environment_length;
    uint32_t environment_count;
    bool counted; /* the context counts as one of the service's workers */
};

/* Sets the defaults in zeroed settings. */
void worker_settings_init(struct worker_settings *settings);

/* Releases the service and frees the environment, but not `settings` itself. */
void worker_settings_free(struct worker_settings *settings);

/*
 * Checks the settings before a start against what the service offers, and counts the context as one
 * of the service's workers.
 */
doca_error_t worker_settings_admit(
        struct doca_urom_worker *worker, const struct service_offer *offer);

/* Ends the count. No effect if the context is not counted. */
void worker_settings_release(struct worker_settings *settings);

#endif /* JUROM_WORKER_SETTINGS_H_ */
