/* SPDX-License-Identifier: Apache-2.0 */
/* Creation, start, stop and destruction of a sync event. */
#include <stdlib.h>

#include "sdk_log.h"
#include "sync_event_page.h"
#include "sync_event_task.h"

SDK_LOG_REGISTER(DOCA::SYNC_EVENT)

static doca_error_t open_value(struct doca_sync_event *event)
{
    if (!event->has_publisher || !event->has_subscriber) {
        SDK_LOG_ERR("The sync event has no %s location: add one before starting it",
                event->has_publisher ? "subscriber" : "publisher");
        return DOCA_ERROR_BAD_STATE;
    }
    return sync_event_open_value(event);
}

static doca_error_t start(struct doca_ctx *ctx)
{
    struct doca_sync_event *event = CONTAINER_OF(ctx, struct doca_sync_event, ctx);
    doca_error_t status;

    if (event->started)
        return DOCA_ERROR_BAD_STATE;
    status = open_value(event);
    if (status != DOCA_SUCCESS)
        return status;
    status = sync_event_start_tasks(event);
    if (status != DOCA_SUCCESS)
        sync_event_close_value(event);
    return status;
}

static doca_error_t stop(struct doca_ctx *ctx)
{
    return sync_event_stop_tasks(CONTAINER_OF(ctx, struct doca_sync_event, ctx));
}

static const struct ctx_operations operations = {
    .name = "sync event",
    .start = start,
    .stop = stop,
};

doca_error_t doca_sync_event_create(struct doca_sync_event **event)
{
    struct doca_sync_event *created;

    if (event == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    created = calloc(1, sizeof(*created));
    if (created == NULL)
        return DOCA_ERROR_NO_MEMORY;

    priv_doca_ctx_init(&created->ctx, &operations);
    created->page_fd = -1;
    *event = created;
    return DOCA_SUCCESS;
}

doca_error_t doca_sync_event_destroy(struct doca_sync_event *event)
{
    doca_error_t status;

    if (event == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    if (!sync_event_is_configurable(event))
        return DOCA_ERROR_NOT_PERMITTED;
    status = sync_event_free_tasks(event);
    if (status != DOCA_SUCCESS)
        return status;

    sync_event_close_value(event); /* threads that this waits for may wake the engine */
    priv_doca_ctx_fini(&event->ctx);
    sync_event_free_page(event);
    sync_event_release_locations(event);
    free(event);
    return DOCA_SUCCESS;
}

doca_error_t doca_sync_event_start(struct doca_sync_event *event)
{
    doca_error_t status = sync_event_check_configurable(event);

    if (status == DOCA_SUCCESS)
        status = open_value(event);
    if (status == DOCA_SUCCESS)
        __atomic_store_n(&event->started, true, __ATOMIC_SEQ_CST);
    return status;
}

doca_error_t doca_sync_event_stop(struct doca_sync_event *event)
{
    if (event == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    if (!event->started)
        return DOCA_ERROR_BAD_STATE;

    __atomic_store_n(&event->started, false, __ATOMIC_SEQ_CST);
    return DOCA_SUCCESS;
}

struct doca_ctx *doca_sync_event_as_ctx(struct doca_sync_event *event)
{
    return event == NULL || event->started ? NULL : &event->ctx;
}
