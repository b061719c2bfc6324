/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The service context: the application's side of a UROM service. Its start blocks until the service
 * has been found in the service file and the session is open. Used only by the thread of its
 * progress engine, with the exceptions marked below.
 */
#ifndef JUROM_SERVICE_CONTEXT_H_
#define JUROM_SERVICE_CONTEXT_H_

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#include <common/ctx.h>
#include <doca_urom.h>

#include "service_location.h"
#include "session.h"

/* The properties of a running service that worker contexts read, on any thread. */
struct service_offer {
    struct service_location *location; /* a counted reference */
    doca_cpu_set_t cpu_set;
    uint64_t plugin_ids;
};

struct doca_urom_service {
    struct doca_ctx ctx;
    /* One by the application and one per worker context. Any thread. */
    atomic_uint references;
    /* Number of worker contexts that are not idle. Any thread. */
    atomic_uint workers;
    struct doca_dev *dev;
    uint32_t max_message_size;
    uint32_t max_workers;
    /* At most one is set; else DOCA_UROM_SERVICE_FILE names the service file. */
    char *service_file;
    struct service_entry *address;

    /* Used while the context is not idle. */
    struct session *session;
    struct session_user session_user;
    char *refusal; /* why the last start failed, or NULL */
    pthread_mutex_t offer_lock;
    struct service_offer offer; /* location NULL: not running */

    struct doca_urom_service_get_workers_by_gid_task *tasks; /* all allocated tasks */
};

/* Adds a reference. Any thread. */
void service_retain(struct doca_urom_service *service);

/* Releases a reference; the last release frees the service. Any thread. */
void service_release(struct doca_urom_service *service);

/*
 * Gets the service's offer, with a reference on its location, which the caller releases. Returns
 * false if the service is not running. Any thread.
 */
bool service_get_offer(struct doca_urom_service *service, struct service_offer *offer);

#endif /* JUROM_SERVICE_CONTEXT_H_ */
