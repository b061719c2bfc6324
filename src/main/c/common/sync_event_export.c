/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Access to the counter from another process of this machine, which is the other side of PCI in the
 * software DOCA. An export descriptor contains the exporter's process id, the number of its page's
 * file descriptor, and the page's cookie.
 */
#include "sync_event_page.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sdk_log.h"

SDK_LOG_REGISTER(DOCA::SYNC_EVENT)

#define DESCRIPTOR_MAGIC "juromEVT"
#define DESCRIPTOR_VERSION 1

struct descriptor {
    char magic[8];
    uint32_t version;
    uint32_t page_fd; /* in the exporter */
    uint64_t process;
    uint8_t cookie[SYNC_EVENT_COOKIE_SIZE];
};

doca_error_t doca_sync_event_export_to_remote_pci(
        struct doca_sync_event *event, struct doca_dev *dev, const uint8_t **data, size_t *sz)
{
    struct descriptor descriptor = {
        .version = DESCRIPTOR_VERSION,
        .process = (uint64_t)getpid(),
    };

    if (event == NULL || dev == NULL || data == NULL || sz == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    if (!sync_event_is_started(event))
        return DOCA_ERROR_BAD_STATE;
    if (event->is_imported || !event->is_shared) {
        SDK_LOG_DBG("The sync event has no remote PCI location: add one before starting it");
        return DOCA_ERROR_NOT_PERMITTED;
    }
    if (event->page == NULL) {
        SDK_LOG_DBG("The sync event's counter is in the application's memory, which no other "
                    "process can update: do not call doca_sync_event_set_addr or _set_doca_buf");
        return DOCA_ERROR_NOT_SUPPORTED;
    }
    if (event->descriptor == NULL)
        event->descriptor = malloc(sizeof(descriptor));
    if (event->descriptor == NULL)
        return DOCA_ERROR_NO_MEMORY;

    memcpy(descriptor.magic, DESCRIPTOR_MAGIC, sizeof(descriptor.magic));
    descriptor.page_fd = (uint32_t)event->page_fd;
    memcpy(descriptor.cookie, event->page->cookie, SYNC_EVENT_COOKIE_SIZE);
    memcpy(event->descriptor, &descriptor, sizeof(descriptor));
    *data = event->descriptor;
    *sz = sizeof(descriptor);
    return DOCA_SUCCESS;
}

doca_error_t doca_sync_event_create_from_export(
        struct doca_dev *dev, const uint8_t *data, size_t sz, struct doca_sync_event **event)
{
    struct descriptor descriptor;
    struct doca_sync_event *imported;
    doca_error_t status;

    if (dev == NULL || data == NULL || event == NULL || sz != sizeof(descriptor))
        return DOCA_ERROR_INVALID_VALUE;
    memcpy(&descriptor, data, sizeof(descriptor));
    if (memcmp(descriptor.magic, DESCRIPTOR_MAGIC, sizeof(descriptor.magic)) != 0)
        return DOCA_ERROR_INVALID_VALUE;
    if (descriptor.version != DESCRIPTOR_VERSION)
        return DOCA_ERROR_UNSUPPORTED_VERSION;
    status = doca_sync_event_create(&imported);
    if (status != DOCA_SUCCESS)
        return status;

    doca_sync_event_add_publisher_location_cpu(imported, dev);
    doca_sync_event_add_subscriber_location_cpu(imported, dev);
    imported->is_imported = true;
    status = sync_event_open_page(
            imported, descriptor.process, descriptor.page_fd, descriptor.cookie);
    if (status != DOCA_SUCCESS) {
        SDK_LOG_ERR("The sync event's exporter, process %lu, is not on this machine, belongs to "
                    "another user, or destroyed the event",
                (unsigned long)descriptor.process);
        doca_sync_event_destroy(imported);
        return status;
    }
    *event = imported;
    return DOCA_SUCCESS;
}
