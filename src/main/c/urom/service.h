/* SPDX-License-Identifier: Apache-2.0 */
/* The service context's inside. Its thread is that of its progress engine, but for what is said. */
#ifndef JUROM_SERVICE_H_
#define JUROM_SERVICE_H_

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#include <common/ctx.h>
#include <common/task.h>
#include <doca_urom.h>

#include "service_location.h"
#include "session.h"

#define SERVICE_DEFAULT_MESSAGE_SIZE 4096
#define SERVICE_DEFAULT_MAX_WORKERS 1024

/* What a running service is to worker contexts of any thread. */
struct service_offer {
    struct service_location *location; /* a reference of the holder's own */
    doca_cpu_set_t cpu_set;
    uint64_t plugin_ids;
};

struct doca_urom_service {
    struct doca_ctx ctx;
    /* The application's reference and one per worker context: from any thread. */
    atomic_uint references;
    /* Worker contexts that are not idle: from any thread. */
    atomic_uint workers;
    struct doca_dev *dev;
    uint32_t max_message_size;
    uint32_t max_workers;
    char *service_file; /* NULL: the environment names it */

    /* While not idle. */
    struct session *session;
    struct session_user session_user;
    char *refusal; /* why the last start failed, or NULL */
    pthread_mutex_t offer_lock;
    struct service_offer offer; /* no location: not running */

    struct doca_urom_service_get_workers_by_gid_task *tasks; /* all that are not released */
};

/* The task that asks for a group's workers. */
struct doca_urom_service_get_workers_by_gid_task {
    struct doca_task base;
    struct doca_urom_service *service;
    struct doca_urom_service_get_workers_by_gid_task *next;
    struct request request; /* of the service's session */
    doca_urom_service_get_workers_by_gid_task_completion_cb_t callback;
    uint32_t group;
    uint64_t *worker_ids;
    size_t workers_count;
};

/* Counts a worker context's reference; the last one to go frees the service. Any thread. */
void service_retain(struct doca_urom_service *service);
void service_release(struct doca_urom_service *service);

/*
 * What the service offers now, with a reference on its location to be released. False: it is not
 * running. Any thread.
 */
bool service_get_offer(struct doca_urom_service *service, struct service_offer *offer);

/* Completes every group task that is in flight with `status`. */
void service_fail_tasks(struct doca_urom_service *service, doca_error_t status);

/* Frees every task that the application did not release. */
void service_free_tasks(struct doca_urom_service *service);

#endif /* JUROM_SERVICE_H_ */
