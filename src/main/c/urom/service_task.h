/* SPDX-License-Identifier: Apache-2.0 */
/* The service's task: requests the ids of the workers in a group. */
#ifndef JUROM_SERVICE_TASK_H_
#define JUROM_SERVICE_TASK_H_

#include <stddef.h>
#include <stdint.h>

#include <common/task.h>
#include <doca_urom.h>

#include "requests.h"

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

/* Completes all tasks in flight with `status`. */
void service_tasks_fail(struct doca_urom_service *service, doca_error_t status);

/* Frees all tasks that the application has not released. */
void service_tasks_free(struct doca_urom_service *service);

#endif /* JUROM_SERVICE_TASK_H_ */
