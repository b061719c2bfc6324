/* SPDX-License-Identifier: Apache-2.0 */
/* Configuration of a sync event: its locations and the memory of its counter. */
#include "sync_event.h"

#include "buf.h"
#include "dev.h"
#include "mmap_access.h"
#include "sdk_log.h"

SDK_LOG_REGISTER(DOCA::SYNC_EVENT)

doca_error_t sync_event_check_configurable(const struct doca_sync_event *event)
{
    if (event == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    return sync_event_is_configurable(event) ? DOCA_SUCCESS : DOCA_ERROR_BAD_STATE;
}

static void replace_dev(struct doca_dev **held, struct doca_dev *dev)
{
    if (dev != NULL)
        priv_doca_dev_acquire(dev);
    if (*held != NULL)
        priv_doca_dev_release(*held);
    *held = dev;
}

static void replace_buf(struct doca_sync_event *event, struct doca_buf *buf)
{
    if (event->buf != NULL)
        doca_buf_dec_refcount(event->buf, NULL);
    event->buf = buf;
}

void sync_event_release_locations(struct doca_sync_event *event)
{
    replace_dev(&event->publisher_dev, NULL);
    replace_dev(&event->subscriber_dev, NULL);
    replace_buf(event, NULL);
}

/* The exporter determines the location of the counter: an import has both locations already. */
static doca_error_t check_location(const struct doca_sync_event *event)
{
    doca_error_t status = sync_event_check_configurable(event);

    if (status != DOCA_SUCCESS)
        return status;
    return event->is_imported ? DOCA_ERROR_NOT_PERMITTED : DOCA_SUCCESS;
}

doca_error_t doca_sync_event_add_publisher_location_cpu(
        struct doca_sync_event *event, struct doca_dev *dev)
{
    doca_error_t status = check_location(event);

    if (status != DOCA_SUCCESS)
        return status;
    if (dev == NULL)
        return DOCA_ERROR_INVALID_VALUE;

    replace_dev(&event->publisher_dev, dev);
    event->has_publisher = true;
    return DOCA_SUCCESS;
}

doca_error_t doca_sync_event_add_subscriber_location_cpu(
        struct doca_sync_event *event, struct doca_dev *dev)
{
    doca_error_t status = check_location(event);

    if (status != DOCA_SUCCESS)
        return status;
    if (dev == NULL)
        return DOCA_ERROR_INVALID_VALUE;

    replace_dev(&event->subscriber_dev, dev);
    event->has_subscriber = true;
    return DOCA_SUCCESS;
}

doca_error_t doca_sync_event_add_publisher_location_remote_pci(struct doca_sync_event *event)
{
    doca_error_t status = check_location(event);

    if (status != DOCA_SUCCESS)
        return status;

    event->has_publisher = true;
    event->is_shared = true;
    return DOCA_SUCCESS;
}

doca_error_t doca_sync_event_add_subscriber_location_remote_pci(struct doca_sync_event *event)
{
    doca_error_t status = check_location(event);

    if (status != DOCA_SUCCESS)
        return status;

    event->has_subscriber = true;
    event->is_shared = true;
    return DOCA_SUCCESS;
}

doca_error_t doca_sync_event_set_addr(struct doca_sync_event *event, uint64_t *addr)
{
    doca_error_t status = check_location(event);

    if (status != DOCA_SUCCESS)
        return status;
    if (addr == NULL || (uintptr_t)addr % sizeof(*addr) != 0)
        return DOCA_ERROR_INVALID_VALUE;

    event->address = addr;
    replace_buf(event, NULL);
    return DOCA_SUCCESS;
}

/* Returns SUCCESS if the CPU can update 8 aligned bytes at the start of the buffer's data. */
static doca_error_t check_buf(const struct doca_buf *buf)
{
    size_t length;

    if (buf == NULL || buf->refcount == 0)
        return DOCA_ERROR_INVALID_VALUE;
    length = buf->len - (size_t)(buf->data - buf->head);
    if ((uintptr_t)buf->data % sizeof(uint64_t) != 0 || length < sizeof(uint64_t))
        return DOCA_ERROR_INVALID_VALUE;
    if (buf->mmap == NULL)
        return DOCA_SUCCESS;
    if (!priv_doca_mmap_is_direct(buf->mmap)) {
        SDK_LOG_DBG("The buffer %p is in another process's memory and cannot hold a counter",
                (const void *)buf);
        return DOCA_ERROR_NOT_SUPPORTED;
    }
    return priv_doca_mmap_is_writable(buf->mmap) ? DOCA_SUCCESS : DOCA_ERROR_NOT_PERMITTED;
}

/* The counter occupies the first 8 bytes of the data section, regardless of the data length. */
doca_error_t doca_sync_event_set_doca_buf(struct doca_sync_event *event, struct doca_buf *buf)
{
    doca_error_t status = check_location(event);

    if (status == DOCA_SUCCESS)
        status = check_buf(buf);
    if (status == DOCA_SUCCESS)
        status = doca_buf_inc_refcount(buf, NULL);
    if (status != DOCA_SUCCESS)
        return status;

    replace_buf(event, buf);
    event->address = (uint64_t *)(void *)buf->data;
    return DOCA_SUCCESS;
}
