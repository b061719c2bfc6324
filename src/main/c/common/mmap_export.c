/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Export of memory maps. A descriptor contains the exporting process and the address of a record in
 * its memory, which must hold the same cookie, range and permissions as the descriptor. Imports in
 * the exporter's own process are counted and prevent the map from stopping.
 */
#include "mmap_export.h"

#include <pthread.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "dev.h"
#include "sdk_log.h"

SDK_LOG_REGISTER(DOCA::MMAP)

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct doca_mmap *exported_maps;

static bool is_exported(const struct doca_mmap *mmap)
{
    static const uint8_t zeros[MMAP_COOKIE_SIZE];

    return memcmp(mmap->record.cookie, zeros, sizeof(zeros)) != 0;
}

/* Fills in the record and adds the map to the list; the caller holds the lock. */
static doca_error_t begin_export(struct doca_mmap *mmap)
{
    struct mmap_record record = {
        .address = (uintptr_t)mmap->address,
        .length = mmap->length,
        .permissions = mmap->permissions,
    };

    if (getrandom(record.cookie, sizeof(record.cookie), 0) != sizeof(record.cookie))
        return DOCA_ERROR_OPERATING_SYSTEM;
    mmap->record = record;
    mmap->next_exported = exported_maps;
    exported_maps = mmap;
    return DOCA_SUCCESS;
}

/* Removes the map from the list and erases its cookie; the caller holds the lock. */
static void end_export(struct doca_mmap *mmap)
{
    struct doca_mmap **link;

    for (link = &exported_maps; *link != mmap; link = &(*link)->next_exported)
        ;
    *link = mmap->next_exported;
    explicit_bzero(mmap->record.cookie, sizeof(mmap->record.cookie));
}

/*
 * The lock prevents imports between the check and the stop, which therefore never has to be undone.
 */
doca_error_t mmap_stop_exported(struct doca_mmap *mmap, bool may_have_buffers)
{
    doca_error_t status;

    pthread_mutex_lock(&lock);
    if (mmap->imports > 0) {
        SDK_LOG_DBG("The memory map has %zu imports in this process: destroy them first",
                mmap->imports);
        status = DOCA_ERROR_IN_USE;
    } else {
        status = mmap_stop_buffers(mmap, may_have_buffers);
    }
    if (status == DOCA_SUCCESS && is_exported(mmap))
        end_export(mmap);
    pthread_mutex_unlock(&lock);
    return status;
}

static doca_error_t export_map(struct doca_mmap *mmap, const struct doca_dev *dev,
        enum mmap_origin origin, const void **export_desc, size_t *export_desc_len)
{
    doca_error_t status = DOCA_SUCCESS;
    struct mmap_descriptor *descriptor;

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

    pthread_mutex_lock(&lock);
    if (!is_exported(mmap))
        status = begin_export(mmap);
    pthread_mutex_unlock(&lock);
    if (status != DOCA_SUCCESS)
        return status;

    descriptor = &mmap->descriptors[origin];
    *descriptor = (struct mmap_descriptor){
        .version = MMAP_DESCRIPTOR_VERSION,
        .origin = origin,
        .process = (uint64_t)getpid(),
        .record_address = (uintptr_t)&mmap->record,
        .record = mmap->record,
    };
    memcpy(descriptor->magic, MMAP_DESCRIPTOR_MAGIC, sizeof(descriptor->magic));
    *export_desc = descriptor;
    *export_desc_len = sizeof(*descriptor);
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

struct doca_mmap *mmap_find_exported(const struct mmap_record *record)
{
    struct doca_mmap *source;

    pthread_mutex_lock(&lock);
    for (source = exported_maps; source != NULL; source = source->next_exported)
        if (memcmp(&source->record, record, sizeof(*record)) == 0)
            break;
    if (source != NULL)
        source->imports++;
    pthread_mutex_unlock(&lock);
    return source;
}

void mmap_end_import(struct doca_mmap *mmap)
{
    if (mmap->source == NULL)
        return;

    pthread_mutex_lock(&lock);
    mmap->source->imports--;
    pthread_mutex_unlock(&lock);
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
