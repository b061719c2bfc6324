/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include <common/sdk_log.h>
#include <faults/faults.h>

#include "service_context.h"
#include "service_task.h"

SDK_LOG_REGISTER(UROM::SERVICE_TASK)

/* An abbreviation of the long name in the public interface. */
#define gid_task struct doca_urom_service_get_workers_by_gid_task

static gid_task *from_base(struct doca_task *base)
{
    return CONTAINER_OF(base, gid_task, base);
}

static doca_error_t store_group(gid_task *task, const struct wire_group *group)
{
    uint64_t *ids = FAULT_ALLOCATE(group_memory, calloc(group->count + 1, sizeof(*ids)));

    if (ids == NULL)
        return DOCA_ERROR_NO_MEMORY;

    for (uint32_t i = 0; i < group->count; ++i)
        ids[i] = wire_group_worker(group, i);
    task->worker_ids = ids;
    task->workers_count = group->count;
    return DOCA_SUCCESS;
}

static void answered(struct request *request, const struct wire_frame *frame)
{
    gid_task *task = CONTAINER_OF(request, gid_task, request);
    doca_error_t status = DOCA_ERROR_UNEXPECTED;

    if (frame->type == WIRE_GROUP) {
        FAULT_REACH(host_group_received);
        status = store_group(task, &frame->group);
    } else if (frame->type == WIRE_ERROR) {
        SDK_LOG_ERR("The service did not return the workers of group %u: %.*s", task->group,
                (int)frame->error.text.length, (const char *)frame->error.text.data);
        status = frame->error.status;
    }
    requests_close(&task->service->session->requests, request);
    session_unwait(task->service->session);
    priv_doca_task_complete(&task->base, status);
}

static void clear_result(gid_task *task)
{
    free(task->worker_ids);
    task->worker_ids = NULL;
    task->workers_count = 0;
}

static doca_error_t submit(struct doca_task *base, uint32_t flags)
{
    gid_task *task = from_base(base);
    struct session *session = task->service->session;
    struct wire_frame frame = { .type = WIRE_GET_GROUP, .get_group = task->group };
    doca_error_t status;

    (void)flags;
    clear_result(task);
    status = requests_open(&session->requests, &task->request);
    if (status != DOCA_SUCCESS)
        return status;
    frame.request_id = task->request.id;
    status = session_send(session, &frame);
    FAULT_DROP(host_group_asked, channel_socket(session->channel));
    if (status == DOCA_SUCCESS)
        session_wait(session);
    else
        requests_close(&session->requests, &task->request);
    return status;
}

static void call_back(struct doca_task *base, union doca_data task_data, union doca_data ctx_data)
{
    gid_task *task = from_base(base);

    if (task->callback != NULL)
        task->callback(task, task_data, ctx_data);
}

static void release(struct doca_task *base)
{
    gid_task *task = from_base(base);
    gid_task **link = &task->service->tasks;

    while (*link != task)
        link = &(*link)->next;
    *link = task->next;
    free(task->worker_ids);
    free(task);
}

static const struct task_operations operations = {
    .submit = submit,
    .call_back = call_back,
    .release = release,
};

void service_tasks_fail(struct doca_urom_service *service, doca_error_t status)
{
    for (gid_task *task = service->tasks; task != NULL; task = task->next) {
        if (task->request.id == 0)
            continue;
        requests_close(&service->session->requests, &task->request);
        session_unwait(service->session);
        priv_doca_task_complete(&task->base, status);
    }
}

void service_tasks_free(struct doca_urom_service *service)
{
    while (service->tasks != NULL)
        release(&service->tasks->base);
}

doca_error_t doca_urom_service_get_workers_by_gid_task_allocate(
        struct doca_urom_service *service_ctx, gid_task **task)
{
    gid_task *made;

    if (service_ctx == NULL || task == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    if (service_ctx->ctx.state != DOCA_CTX_STATE_RUNNING)
        return DOCA_ERROR_BAD_STATE;
    made = calloc(1, sizeof(*made));
    if (made == NULL)
        return DOCA_ERROR_NO_MEMORY;

    priv_doca_task_init(&made->base, &service_ctx->ctx, &operations);
    made->request.answered = answered;
    made->service = service_ctx;
    made->next = service_ctx->tasks;
    service_ctx->tasks = made;
    *task = made;
    return DOCA_SUCCESS;
}

doca_error_t doca_urom_service_get_workers_by_gid_task_allocate_init(
        struct doca_urom_service *service_ctx, uint32_t gid,
        doca_urom_service_get_workers_by_gid_task_completion_cb_t cb, gid_task **task)
{
    doca_error_t status = doca_urom_service_get_workers_by_gid_task_allocate(service_ctx, task);

    if (status == DOCA_SUCCESS) {
        (*task)->group = gid;
        (*task)->callback = cb;
    }
    return status;
}

doca_error_t doca_urom_service_get_workers_by_gid_task_release(gid_task *task)
{
    if (task == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    if (task->base.inflight)
        return DOCA_ERROR_NOT_PERMITTED;

    release(&task->base);
    return DOCA_SUCCESS;
}

void doca_urom_service_get_workers_by_gid_task_set_gid(gid_task *task, uint32_t gid)
{
    if (task != NULL && !task->base.inflight)
        task->group = gid;
}

void doca_urom_service_get_workers_by_gid_task_set_cb(
        gid_task *task, doca_urom_service_get_workers_by_gid_task_completion_cb_t cb)
{
    if (task != NULL && !task->base.inflight)
        task->callback = cb;
}

struct doca_task *doca_urom_service_get_workers_by_gid_task_as_task(gid_task *task)
{
    return task == NULL ? NULL : &task->base;
}

size_t doca_urom_service_get_workers_by_gid_task_get_workers_count(gid_task *task)
{
    return task == NULL ? 0 : task->workers_count;
}

const uint64_t *doca_urom_service_get_workers_by_gid_task_get_worker_ids(gid_task *task)
{
    return task == NULL ? NULL : task->worker_ids;
}
