/* SPDX-License-Identifier: Apache-2.0 */
/* The settings of a worker context, which can be changed while the context is idle. */
#ifndef JUROM_WORKER_SETTINGS_H_
#define JUROM_WORKER_SETTINGS_H_

#include <stdbool.h>
#include <stdint.h>

#include <wire/wire.h>

#include <doca_urom.h>

#include "service_context.h"

struct worker_settings {
    struct doca_urom_service *service; /* a counted reference */
    struct wire_spawn spawn;           /* the request for the worker */
    doca_cpu_set_t cpu_set;            /* to which `spawn` points */
    char *environment;                 /* to which `spawn` points */
    uint32_t max_tasks;
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
