/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Capabilities of sync events on every device, and functions that the software DOCA does not
 * support: data path accelerators, GPUs, and counters of other machines.
 */
#include <doca_sync_event.h>

static doca_error_t supported(const void *object)
{
    return object == NULL ? DOCA_ERROR_INVALID_VALUE : DOCA_SUCCESS;
}

static doca_error_t unsupported(const void *object)
{
    return object == NULL ? DOCA_ERROR_INVALID_VALUE : DOCA_ERROR_NOT_SUPPORTED;
}

doca_error_t doca_sync_event_cap_is_create_from_export_supported(const struct doca_devinfo *devinfo)
{
    return supported(devinfo);
}

doca_error_t doca_sync_event_cap_is_export_to_remote_pci_supported(
        const struct doca_devinfo *devinfo)
{
    return supported(devinfo);
}

doca_error_t doca_sync_event_cap_task_get_is_supported(const struct doca_devinfo *devinfo)
{
    return supported(devinfo);
}

doca_error_t doca_sync_event_cap_task_notify_set_is_supported(const struct doca_devinfo *devinfo)
{
    return supported(devinfo);
}

doca_error_t doca_sync_event_cap_task_notify_add_is_supported(const struct doca_devinfo *devinfo)
{
    return supported(devinfo);
}

doca_error_t doca_sync_event_cap_task_wait_eq_is_supported(const struct doca_devinfo *devinfo)
{
    return supported(devinfo);
}

doca_error_t doca_sync_event_cap_task_wait_neq_is_supported(const struct doca_devinfo *devinfo)
{
    return supported(devinfo);
}

doca_error_t doca_sync_event_cap_remote_net_is_create_from_export_supported(
        const struct doca_devinfo *devinfo)
{
    return unsupported(devinfo);
}

doca_error_t doca_sync_event_cap_is_export_to_remote_net_supported(
        const struct doca_devinfo *devinfo)
{
    return unsupported(devinfo);
}

doca_error_t doca_sync_event_cap_is_export_to_dpa_supported(const struct doca_devinfo *devinfo)
{
    return unsupported(devinfo);
}

doca_error_t doca_sync_event_cap_is_export_to_gpu_supported(const struct doca_devinfo *devinfo)
{
    return unsupported(devinfo);
}

doca_error_t doca_sync_event_cap_remote_net_is_export_to_dpa_supported(
        const struct doca_devinfo *devinfo)
{
    return unsupported(devinfo);
}

doca_error_t doca_sync_event_cap_remote_net_is_export_to_gpu_supported(
        const struct doca_devinfo *devinfo)
{
    return unsupported(devinfo);
}

doca_error_t doca_sync_event_add_publisher_location_dpa(
        struct doca_sync_event *event, struct doca_dpa *dpa)
{
    (void)dpa;
    return unsupported(event);
}

doca_error_t doca_sync_event_add_publisher_location_gpu(
        struct doca_sync_event *event, struct doca_gpu *gpu)
{
    (void)gpu;
    return unsupported(event);
}

doca_error_t doca_sync_event_add_publisher_location_remote_net(struct doca_sync_event *event)
{
    return unsupported(event);
}

doca_error_t doca_sync_event_add_subscriber_location_dpa(
        struct doca_sync_event *event, struct doca_dpa *dpa)
{
    (void)dpa;
    return unsupported(event);
}

doca_error_t doca_sync_event_add_subscriber_location_gpu(
        struct doca_sync_event *event, struct doca_gpu *gpu)
{
    (void)gpu;
    return unsupported(event);
}

doca_error_t doca_sync_event_get_dpa_handle(struct doca_sync_event *event, struct doca_dpa *dpa,
        doca_dpa_dev_sync_event_t *dpa_dev_se_handle)
{
    (void)dpa;
    (void)dpa_dev_se_handle;
    return unsupported(event);
}

doca_error_t doca_sync_event_get_gpu_handle(
        struct doca_sync_event *event, struct doca_gpu *gpu, doca_gpu_dev_sync_event_t **gpu_dev_se)
{
    (void)gpu;
    (void)gpu_dev_se;
    return unsupported(event);
}

doca_error_t doca_sync_event_export_to_remote_net(
        struct doca_sync_event *event, const uint8_t **data, size_t *sz)
{
    (void)data;
    (void)sz;
    return unsupported(event);
}

doca_error_t doca_sync_event_remote_net_create_from_export(struct doca_dev *dev,
        const uint8_t *data, size_t sz, struct doca_sync_event_remote_net **event)
{
    (void)data;
    (void)sz;
    return event == NULL ? DOCA_ERROR_INVALID_VALUE : unsupported(dev);
}

doca_error_t doca_sync_event_remote_net_destroy(struct doca_sync_event_remote_net *event)
{
    return unsupported(event);
}

doca_error_t doca_sync_event_remote_net_get_dpa_handle(struct doca_sync_event_remote_net *event,
        struct doca_dpa *dpa, doca_dpa_dev_sync_event_remote_net_t *dpa_remote_event)
{
    (void)dpa;
    (void)dpa_remote_event;
    return unsupported(event);
}

doca_error_t doca_sync_event_remote_net_get_gpu_handle(struct doca_sync_event_remote_net *event,
        struct doca_gpu *gpu, doca_gpu_dev_sync_event_remote_net_t *gpu_remote_event)
{
    (void)gpu;
    (void)gpu_remote_event;
    return unsupported(event);
}
