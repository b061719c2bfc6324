/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Creation and destruction of memory maps, and their buffer count, which any thread may change. A
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

void mmap_end(struct doca_mmap *mmap)
{
    uint32_t before = atomic_fetch_or(&mmap->buffers, MMAP_DESTROYED);

    if ((before & MMAP_BUFFERS) == 0)
        free_map(mmap);
}

bool mmap_hold(struct doca_mmap *mmap, uint32_t count)
{
    uint32_t before = atomic_fetch_add_explicit(&mmap->buffers, count, memory_order_acquire);

    if ((before & MMAP_STOPPED) == 0)
        return true;
    mmap_let_go(mmap, count);
    return false;
}

void mmap_let_go(struct doca_mmap *mmap, uint32_t count)
{
    uint32_t before = atomic_fetch_sub_explicit(&mmap->buffers, count, memory_order_acq_rel);

    if (before - count == (MMAP_STOPPED | MMAP_DESTROYED))
        free_map(mmap);
}

doca_error_t mmap_stop_buffers(struct doca_mmap *mmap, bool may_have_buffers)
{
    uint32_t living = 0;

    if (may_have_buffers) {
        atomic_fetch_or(&mmap->buffers, MMAP_STOPPED);
        return DOCA_SUCCESS;
    }
    if (atomic_compare_exchange_strong(&mmap->buffers, &living, MMAP_STOPPED))
        return DOCA_SUCCESS;
    SDK_LOG_DBG("The memory map has %u buffers: release them first", living);
    return DOCA_ERROR_NOT_PERMITTED;
}
