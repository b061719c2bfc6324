/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Export of memory maps. Each kind of export occupies one slot (export_page.h), which a descriptor
 * names. Imports in the exporter's own process are counted and prevent the map from stopping.
 */
#include "mmap_export.h"

#include <pthread.h>
#include <string.h>

#include "dev.h"
#include "sdk_log.h"

SDK_LOG_REGISTER(DOCA::MMAP)

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t registered = PTHREAD_ONCE_INIT;
static struct doca_mmap *exported_maps;

static bool is_exported(const struct doca_mmap *mmap)
{
    return mmap->slots[MMAP_FROM_PCI] != NULL || mmap->slots[MMAP_FROM_RDMA] != NULL;
}

static void before_fork(void)
{
    pthread_mutex_lock(&lock);
}

static void in_parent(void)
{
    pthread_mutex_unlock(&lock);
}

/* Otherwise a descriptor could name the child, whose memory was never exported. */
static void in_child(void)
{
    for (struct doca_mmap *mmap = exported_maps; mmap != NULL; mmap = mmap->next_exported)
        memset(mmap->slots, 0, sizeof(mmap->slots));
    exported_maps = NULL;
    export_page_leave();
    pthread_mutex_unlock(&lock);
}

static void watch_forks(void)
{
    pthread_atfork(before_fork, in_parent, in_child);
}

void mmap_lock_exports(void)
{
    pthread_once(&registered, watch_forks);
    pthread_mutex_lock(&lock);
}

void mmap_unlock_exports(void)
{
    pthread_mutex_unlock(&lock);
}

/* Takes a slot, and adds the map to the list if this is its first; the caller holds the lock. */
static doca_error_t begin_export(struct doca_mmap *mmap, enum mmap_origin origin)
{
    struct mmap_descriptor *descriptor = &mmap->descriptors[origin];
    const struct export_range range = {
        .address = (uintptr_t)mmap->address,
        .length = mmap->length,
        .permissions = mmap->permissions,
        .origin = origin,
    };
    bool was_exported = is_exported(mmap);
    doca_error_t status;

    *descriptor = (struct mmap_descriptor){ .version = MMAP_DESCRIPTOR_VERSION };
    memcpy(descriptor->magic, MMAP_DESCRIPTOR_MAGIC, sizeof(descriptor->magic));
    status = export_page_add(&range, &mmap->slots[origin], &descriptor->reference);
    if (status == DOCA_SUCCESS && !was_exported) {
        mmap->next_exported = exported_maps;
        exported_maps = mmap;
    }
    return status;
}

/* Removes the map from the list and clears its slots; the caller holds the lock. */
static void end_export(struct doca_mmap *mmap)
{
    struct doca_mmap **link;

    for (link = &exported_maps; *link != mmap; link = &(*link)->next_exported)
        ;
    *link = mmap->next_exported;
    for (unsigned origin = 0; origin < MMAP_ORIGINS; ++origin)
        if (mmap->slots[origin] != NULL)
            export_page_remove(mmap->slots[origin]);
    memset(mmap->slots, 0, sizeof(mmap->slots));
}

/*
 * The lock prevents imports between the check and the stop, which therefore never has to be undone.
 */
doca_error_t mmap_stop_exported(struct doca_mmap *mmap, bool may_have_buffers)
{
    doca_error_t status;

    mmap_lock_exports();
    if (mmap->imports > 0) {
        SDK_LOG_DBG("The memory map has %zu imports in this process: destroy them first",
                mmap->imports);
        status = DOCA_ERROR_IN_USE;
    } else {
        status = mmap_stop_buffers(mmap, may_have_buffers);
    }
    if (status == DOCA_SUCCESS && is_exported(mmap))
        end_export(mmap);
    mmap_unlock_exports();
    return status;
}

static doca_error_t export_map(struct doca_mmap *mmap, const struct doca_dev *dev,
        enum mmap_origin origin, const void **export_desc, size_t *export_desc_len)
{
    doca_error_t status = DOCA_SUCCESS;

    if (mmap == NULL || dev == NULL || export_desc == NULL || export_desc_len == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    if (mmap->origin != MMAP_LOCAL || !mmap_is_started(mmap))
        return DOCA_ERROR_NOT_PERMITTED;
    if (!priv_doca_mmap_knows_dev(mmap, dev)) {
        SDK_LOG_DBG("The memory map cannot be exported: add the device %s before starting the map",
                priv_doca_dev_pci_address(dev));
        return DOCA_ERROR_NOT_FOUND;
    }
    if ((mmap->permissions & mmap_permissions_for(origin)) == 0) {
        SDK_LOG_DBG("The memory map's permissions 0x%x do not allow %s access: set them before "
                    "starting the map",
                mmap->permissions, origin == MMAP_FROM_PCI ? "PCI" : "RDMA");
        return DOCA_ERROR_NOT_PERMITTED;
    }

    mmap_lock_exports();
    if (mmap->slots[origin] == NULL)
        status = begin_export(mmap, origin);
    mmap_unlock_exports();
    if (status != DOCA_SUCCESS)
        return status;

    *export_desc = &mmap->descriptors[origin];
    *export_desc_len = sizeof(mmap->descriptors[origin]);
    return DOCA_SUCCESS;
}

doca_error_t doca_mmap_export_pci(struct doca_mmap *mmap, const struct doca_dev *dev,
        const void **export_desc, size_t *export_desc_len)
{
    return export_map(mmap, dev, MMAP_FROM_PCI, export_desc, export_desc_len);
}

doca_error_t doca_mmap_export_rdma(struct doca_mmap *mmap, const struct doca_dev *dev,
        const void **export_desc, size_t *export_desc_len)
{
    return export_map(mmap, dev, MMAP_FROM_RDMA, export_desc, export_desc_len);
}

static bool leads_to(const struct export_reference *reference, const struct doca_mmap *mmap,
        enum mmap_origin origin)
{
    return mmap->slots[origin] != NULL
            && export_reference_equals(reference, &mmap->descriptors[origin].reference);
}

struct doca_mmap *mmap_find_exported(
        const struct export_reference *reference, struct export_range *range)
{
    struct doca_mmap *source;

    mmap_lock_exports();
    for (source = exported_maps; source != NULL; source = source->next_exported)
        if (leads_to(reference, source, MMAP_FROM_PCI)
                || leads_to(reference, source, MMAP_FROM_RDMA))
            break;
    if (source != NULL) {
        source->imports++;
        *range = (struct export_range){
            .address = (uintptr_t)source->address,
            .length = source->length,
            .permissions = source->permissions,
            .origin = leads_to(reference, source, MMAP_FROM_PCI) ? MMAP_FROM_PCI : MMAP_FROM_RDMA,
        };
    }
    mmap_unlock_exports();
    return source;
}

void mmap_release_exported(struct doca_mmap *source)
{
    mmap_lock_exports();
    source->imports--;
    mmap_unlock_exports();
}

doca_error_t doca_mmap_get_exported(const struct doca_mmap *mmap, uint8_t *exported)
{
    if (mmap == NULL || exported == NULL)
        return DOCA_ERROR_INVALID_VALUE;

    *exported = mmap->origin == MMAP_LOCAL && is_exported(mmap);
    return DOCA_SUCCESS;
}

doca_error_t doca_mmap_cap_is_export_pci_supported(
        const struct doca_devinfo *devinfo, uint8_t *mmap_export)
{
    if (devinfo == NULL || mmap_export == NULL)
        return DOCA_ERROR_INVALID_VALUE;

    *mmap_export = 1;
    return DOCA_SUCCESS;
}
