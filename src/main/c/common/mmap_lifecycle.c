/* SPDX-License-Identifier: Apache-2.0 */
/* Creation, start, stop and destruction of a memory map. */
#include "mmap_export.h"

#include "exporter.h"
#include "sdk_log.h"

SDK_LOG_REGISTER(DOCA::MMAP)

doca_error_t doca_mmap_create(struct doca_mmap **mmap)
{
    struct doca_mmap *created;

    if (mmap == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    created = mmap_allocate();
    if (created == NULL)
        return DOCA_ERROR_NO_MEMORY;

    *mmap = created;
    return DOCA_SUCCESS;
}

/* Releases what `mmap` was imported from: a map of this process, or another process. */
static void end_import(struct doca_mmap *mmap)
{
    if (mmap->source != NULL)
        mmap_release_exported(mmap->source);
    else if (mmap->exporter != NULL)
        exporter_close(mmap->exporter);
}

doca_error_t doca_mmap_destroy(struct doca_mmap *mmap)
{
    doca_error_t status = DOCA_SUCCESS;

    if (mmap == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    if (mmap->origin != MMAP_LOCAL)
        status = mmap_stop_buffers(mmap, false);
    else if (mmap_is_started(mmap))
        status = mmap_stop_exported(mmap, mmap->thread_safe);
    if (status != DOCA_SUCCESS)
        return status;

    end_import(mmap);
    mmap_destroy(mmap);
    return DOCA_SUCCESS;
}

doca_error_t doca_mmap_start(struct doca_mmap *mmap)
{
    if (mmap == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    if (mmap->origin != MMAP_LOCAL || mmap_is_started(mmap))
        return DOCA_ERROR_NOT_PERMITTED;
    if (mmap->length == 0) {
        SDK_LOG_DBG("The memory map has no memory: call doca_mmap_set_memrange before starting it");
        return DOCA_ERROR_BAD_STATE;
    }

    mmap->was_started = true;
    /* The count may be nonzero while mmap_acquire_buffers fails in another thread. */
    atomic_fetch_and(&mmap->buffers, ~MMAP_STOPPED);
    return DOCA_SUCCESS;
}

doca_error_t doca_mmap_stop(struct doca_mmap *mmap)
{
    if (mmap == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    if (mmap->origin != MMAP_LOCAL || !mmap_is_started(mmap))
        return DOCA_ERROR_NOT_PERMITTED;
    return mmap_stop_exported(mmap, false);
}
