/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The memory map object: its buffer count, which any thread may change, and its configuration. A
 * destroyed map is freed by the thread that releases its last buffer.
 */
#include "mmap.h"

#include <stdlib.h>

#include "dev.h"
#include "sdk_log.h"

SDK_LOG_REGISTER(DOCA::MMAP)

#define DEVICES_MAX 4 /* default */

struct doca_mmap *mmap_allocate(void)
{
    struct doca_mmap *mmap = calloc(1, sizeof(*mmap));

    if (mmap == NULL)
        return NULL;
    mmap->devices = calloc(DEVICES_MAX, sizeof(*mmap->devices));
    if (mmap->devices == NULL) {
        free(mmap);
        return NULL;
    }
    mmap->devices_max = DEVICES_MAX;
    mmap->permissions = DOCA_ACCESS_FLAG_LOCAL_READ_WRITE;
    atomic_init(&mmap->buffers, MMAP_STOPPED);
    return mmap;
}

static void free_map(struct doca_mmap *mmap)
{
    uint32_t i;

    if (mmap->origin == MMAP_LOCAL && mmap->free_range != NULL && mmap->length > 0)
        mmap->free_range(mmap->address, mmap->length, mmap->free_cookie);
    for (i = 0; i < mmap->devices_count; ++i)
        priv_doca_dev_release(mmap->devices[i]);
    free(mmap->devices);
    free(mmap);
}

void mmap_destroy(struct doca_mmap *mmap)
{
    uint32_t before = atomic_fetch_or(&mmap->buffers, MMAP_DESTROYED);

    if ((before & MMAP_BUFFERS) == 0)
        free_map(mmap);
}

bool mmap_acquire_buffers(struct doca_mmap *mmap, uint32_t count)
{
    uint32_t before = atomic_fetch_add_explicit(&mmap->buffers, count, memory_order_acquire);

    if ((before & MMAP_STOPPED) == 0)
        return true;
    mmap_release_buffers(mmap, count);
    return false;
}

void mmap_release_buffers(struct doca_mmap *mmap, uint32_t count)
{
    uint32_t before = atomic_fetch_sub_explicit(&mmap->buffers, count, memory_order_acq_rel);

    if (before - count == (MMAP_STOPPED | MMAP_DESTROYED))
        free_map(mmap);
}

doca_error_t mmap_stop_buffers(struct doca_mmap *mmap, bool may_have_buffers)
{
    uint32_t count = 0;

    if (may_have_buffers) {
        atomic_fetch_or(&mmap->buffers, MMAP_STOPPED);
        return DOCA_SUCCESS;
    }
    if (atomic_compare_exchange_strong(&mmap->buffers, &count, MMAP_STOPPED))
        return DOCA_SUCCESS;
    SDK_LOG_DBG("The memory map has %u buffers: release them first", count);
    return DOCA_ERROR_NOT_PERMITTED;
}

bool mmap_contains(const struct doca_mmap *mmap, const void *address, size_t length)
{
    uintptr_t start = (uintptr_t)address, range = (uintptr_t)mmap->address;

    return start >= range && start - range <= mmap->length
            && length <= mmap->length - (start - range);
}

bool priv_doca_mmap_knows_dev(const struct doca_mmap *mmap, const struct doca_dev *dev)
{
    uint32_t i;

    for (i = 0; i < mmap->devices_count; ++i)
        if (mmap->devices[i] == dev)
            return true;
    return false;
}

/* Returns SUCCESS if the configuration may change now, `started` if the map is started. */
static doca_error_t check_stopped(const struct doca_mmap *mmap, doca_error_t started)
{
    if (mmap == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    if (mmap->origin != MMAP_LOCAL) {
        SDK_LOG_DBG("The memory map was created from an export and cannot be changed");
        return DOCA_ERROR_NOT_PERMITTED;
    }
    if (mmap_is_started(mmap)) {
        SDK_LOG_DBG("The memory map is started: stop it before changing it");
        return started;
    }
    return DOCA_SUCCESS;
}

static doca_error_t check_configurable(const struct doca_mmap *mmap)
{
    return check_stopped(mmap, DOCA_ERROR_BAD_STATE);
}

doca_error_t doca_mmap_add_dev(struct doca_mmap *mmap, struct doca_dev *dev)
{
    doca_error_t status = check_stopped(mmap, DOCA_ERROR_NOT_PERMITTED);

    if (status != DOCA_SUCCESS)
        return status;
    if (dev == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    if (priv_doca_mmap_knows_dev(mmap, dev))
        return DOCA_ERROR_ALREADY_EXIST;
    if (mmap->devices_count == mmap->devices_max) {
        SDK_LOG_DBG("The memory map has its maximum of %u devices: call "
                    "doca_mmap_set_max_num_devices",
                mmap->devices_max);
        return DOCA_ERROR_NO_MEMORY;
    }

    priv_doca_dev_acquire(dev);
    mmap->devices[mmap->devices_count++] = dev;
    return DOCA_SUCCESS;
}

doca_error_t doca_mmap_rm_dev(struct doca_mmap *mmap, struct doca_dev *dev)
{
    doca_error_t status = check_stopped(mmap, DOCA_ERROR_NOT_PERMITTED);
    uint32_t i;

    if (status != DOCA_SUCCESS)
        return status;
    if (dev == NULL)
        return DOCA_ERROR_INVALID_VALUE;

    for (i = 0; i < mmap->devices_count; ++i)
        if (mmap->devices[i] == dev) {
            mmap->devices[i] = mmap->devices[--mmap->devices_count];
            priv_doca_dev_release(dev);
            return DOCA_SUCCESS;
        }
    return DOCA_ERROR_NOT_FOUND;
}

doca_error_t doca_mmap_set_memrange(struct doca_mmap *mmap, void *addr, size_t len)
{
    doca_error_t status = check_configurable(mmap);

    if (status != DOCA_SUCCESS)
        return status;
    if (mmap->length > 0) {
        SDK_LOG_DBG("The memory map already has memory: create another map");
        return DOCA_ERROR_NOT_PERMITTED;
    }
    if (addr == NULL || len == 0 || (uintptr_t)addr + (len - 1) < (uintptr_t)addr)
        return DOCA_ERROR_INVALID_VALUE;

    mmap->address = addr;
    mmap->length = len;
    return DOCA_SUCCESS;
}

doca_error_t doca_mmap_get_memrange(const struct doca_mmap *mmap, void **addr, size_t *len)
{
    if (mmap == NULL || addr == NULL || len == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    if (mmap->length == 0)
        return DOCA_ERROR_BAD_STATE;

    *addr = mmap->address;
    *len = mmap->length;
    return DOCA_SUCCESS;
}

doca_error_t doca_mmap_set_free_cb(
        struct doca_mmap *mmap, doca_mmap_memrange_free_cb_t *free_cb, void *opaque)
{
    doca_error_t status = check_configurable(mmap);

    if (status != DOCA_SUCCESS)
        return status;

    mmap->free_range = free_cb;
    mmap->free_cookie = opaque;
    return DOCA_SUCCESS;
}

doca_error_t doca_mmap_get_user_data(const struct doca_mmap *mmap, union doca_data *user_data)
{
    if (mmap == NULL || user_data == NULL)
        return DOCA_ERROR_INVALID_VALUE;

    *user_data = mmap->user_data;
    return DOCA_SUCCESS;
}

doca_error_t doca_mmap_get_max_num_devices(const struct doca_mmap *mmap, uint32_t *max_num_devices)
{
    if (mmap == NULL || max_num_devices == NULL)
        return DOCA_ERROR_INVALID_VALUE;

    *max_num_devices = mmap->devices_max;
    return DOCA_SUCCESS;
}

doca_error_t doca_mmap_get_num_bufs(const struct doca_mmap *mmap, uint32_t *num_bufs)
{
    if (mmap == NULL || num_bufs == NULL)
        return DOCA_ERROR_INVALID_VALUE;

    *num_bufs = atomic_load_explicit(&mmap->buffers, memory_order_relaxed) & MMAP_BUFFERS;
    return DOCA_SUCCESS;
}

doca_error_t doca_mmap_set_max_num_devices(struct doca_mmap *mmap, uint32_t max_num_devices)
{
    struct doca_dev **devices;

    if (mmap == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    if (mmap->origin != MMAP_LOCAL || mmap->was_started)
        return DOCA_ERROR_NOT_PERMITTED;
    if (max_num_devices == 0 || max_num_devices < mmap->devices_count)
        return DOCA_ERROR_INVALID_VALUE;
    devices = reallocarray(mmap->devices, max_num_devices, sizeof(*devices));
    if (devices == NULL)
        return DOCA_ERROR_NO_MEMORY;

    mmap->devices = devices;
    mmap->devices_max = max_num_devices;
    return DOCA_SUCCESS;
}

doca_error_t doca_mmap_set_permissions(struct doca_mmap *mmap, uint32_t access_mask)
{
    const uint32_t known = (DOCA_ACCESS_FLAG_PCI_RELAXED_ORDERING << 1) - 1;
    doca_error_t status = check_configurable(mmap);

    if (status != DOCA_SUCCESS)
        return status;
    if ((access_mask & ~known) != 0)
        return DOCA_ERROR_INVALID_VALUE;

    mmap->permissions = access_mask;
    return DOCA_SUCCESS;
}

doca_error_t doca_mmap_set_user_data(struct doca_mmap *mmap, union doca_data user_data)
{
    doca_error_t status = check_configurable(mmap);

    if (status != DOCA_SUCCESS)
        return status;

    mmap->user_data = user_data;
    return DOCA_SUCCESS;
}

/* Thread-safe creation and release of buffers do not depend on this flag. */
doca_error_t doca_mmap_enable_thread_safety(struct doca_mmap *mmap)
{
    doca_error_t status = check_stopped(mmap, DOCA_ERROR_NOT_PERMITTED);

    if (status != DOCA_SUCCESS)
        return status;

    mmap->thread_safe = true;
    return DOCA_SUCCESS;
}

/*
 * Memory of other devices is unsupported: the software DOCA accesses only memory that the CPU can
 * access.
 */
doca_error_t doca_mmap_set_dmabuf_memrange(
        struct doca_mmap *mmap, int dmabuf_fd, void *addr, size_t dmabuf_offset, size_t len)
{
    (void)dmabuf_fd;
    (void)addr;
    (void)dmabuf_offset;
    (void)len;
    return mmap == NULL ? DOCA_ERROR_INVALID_VALUE : DOCA_ERROR_NOT_SUPPORTED;
}

doca_error_t doca_mmap_set_dpa_memrange(
        struct doca_mmap *mmap, struct doca_dpa *dpa, uint64_t dpa_addr, size_t len)
{
    (void)dpa;
    (void)dpa_addr;
    (void)len;
    return mmap == NULL ? DOCA_ERROR_INVALID_VALUE : DOCA_ERROR_NOT_SUPPORTED;
}

doca_error_t doca_mmap_dev_get_dpa_handle(
        struct doca_mmap *mmap, const struct doca_dev *dev, doca_dpa_dev_mmap_t *dpa_mmap_handle)
{
    if (mmap == NULL || dev == NULL || dpa_mmap_handle == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    return DOCA_ERROR_NOT_SUPPORTED;
}
