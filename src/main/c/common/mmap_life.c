/* SPDX-License-Identifier: Apache-2.0 */
/* What keeps a memory map: its allocation, and the count of its buffers, which any thread changes. */
#include "mmap.h"

#include <stdlib.h>

#include "sdk_log.h"

SDK_LOG_REGISTER(DOCA::MMAP)

#define DEVICES_MAX 4 /* unless the application says otherwise */

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
    atomic_fetch_sub_explicit(&mmap->buffers, count, memory_order_release);
}

doca_error_t mmap_stop_buffers(struct doca_mmap *mmap)
{
    uint32_t living = 0;

    if (atomic_compare_exchange_strong(&mmap->buffers, &living, MMAP_STOPPED))
        return DOCA_SUCCESS;
    SDK_LOG_DBG("The memory map has %u buffers: release them first", living);
    return DOCA_ERROR_IN_USE;
}
