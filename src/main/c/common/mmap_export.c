/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Exporting a memory map, and making one from an export.
 *
 * A descriptor names the exporting process and a record in its memory, which must hold the same
 * cookie, range and permissions as the descriptor. An import in the exporter's own process refers
 * to the exported map, which cannot be stopped meanwhile. An import in another process of this
 * machine reads and writes the exporter's memory through the kernel (process_memory.h); what it
 * meets there may be gone at any time, and every access checks the record again.
 */
#include "mmap.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "dev.h"
#include "process_memory.h"
#include "sdk_log.h"

SDK_LOG_REGISTER(DOCA::MMAP)

#define DESCRIPTOR_MAGIC   "juromMAP"
#define DESCRIPTOR_VERSION 1

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct doca_mmap *exported_maps;

/* The permissions, any of which allows an export of that kind. */
static uint32_t permissions_for(enum mmap_origin origin)
{
    if (origin == MMAP_FROM_PCI)
        return DOCA_ACCESS_FLAG_PCI_READ_ONLY | DOCA_ACCESS_FLAG_PCI_READ_WRITE;
    return DOCA_ACCESS_FLAG_RDMA_READ | DOCA_ACCESS_FLAG_RDMA_WRITE
            | DOCA_ACCESS_FLAG_RDMA_ATOMIC;
}

static bool is_exported(const struct doca_mmap *mmap)
{
    static const uint8_t zeros[MMAP_COOKIE_SIZE];

    return memcmp(mmap->record.cookie, zeros, sizeof(zeros)) != 0;
}

/* Fills in the record and adds the map to the list; the lock is held. */
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

doca_error_t mmap_end_export(struct doca_mmap *mmap)
{
    doca_error_t result = DOCA_SUCCESS;
    struct doca_mmap **link;

    pthread_mutex_lock(&lock);
    if (mmap->imports > 0) {
        SDK_LOG_DBG("The memory map has %zu imports in this process: destroy them first",
                mmap->imports);
        result = DOCA_ERROR_IN_USE;
    } else if (is_exported(mmap)) {
        for (link = &exported_maps; *link != mmap; link = &(*link)->next_exported)
            ;
        *link = mmap->next_exported;
        explicit_bzero(mmap->record.cookie, sizeof(mmap->record.cookie));
    }
    pthread_mutex_unlock(&lock);
    return result;
}

static doca_error_t export_map(struct doca_mmap *mmap, const struct doca_dev *dev,
        enum mmap_origin origin, const void **export_desc, size_t *export_desc_len)
{
    doca_error_t result = DOCA_SUCCESS;
    struct mmap_descriptor *descriptor;

    if (mmap == NULL || dev == NULL || export_desc == NULL || export_desc_len == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    if (mmap->origin != MMAP_LOCAL || !mmap_is_started(mmap))
        return DOCA_ERROR_NOT_PERMITTED;
    if (!priv_doca_mmap_knows_dev(mmap, dev)) {
        SDK_LOG_DBG("The memory map cannot be exported for the device %s: add it before the start",
                priv_doca_dev_pci_address(dev));
        return DOCA_ERROR_INVALID_VALUE;
    }
    if ((mmap->permissions & permissions_for(origin)) == 0) {
        SDK_LOG_DBG("The memory map's permissions 0x%x do not allow %s access: set them before the "
                "start", mmap->permissions, origin == MMAP_FROM_PCI ? "PCI" : "RDMA");
        return DOCA_ERROR_NOT_PERMITTED;
    }

    pthread_mutex_lock(&lock);
    if (!is_exported(mmap))
        result = begin_export(mmap);
    pthread_mutex_unlock(&lock);
    if (result != DOCA_SUCCESS)
        return result;

    descriptor = &mmap->descriptors[origin];
    *descriptor = (struct mmap_descriptor) {
        .magic = DESCRIPTOR_MAGIC,
        .version = DESCRIPTOR_VERSION,
        .origin = origin,
        .process = (uint64_t)getpid(),
        .record_address = (uintptr_t)&mmap->record,
        .record = mmap->record,
    };
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

static doca_error_t check_descriptor(const struct mmap_descriptor *descriptor)
{
    if (memcmp(descriptor->magic, DESCRIPTOR_MAGIC, sizeof(descriptor->magic)) != 0
            || descriptor->process == 0 || descriptor->process > INT32_MAX
            || descriptor->record.length == 0 || descriptor->record.zero != 0) {
        SDK_LOG_ERR("The bytes given are no export descriptor of a memory map");
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (descriptor->version != DESCRIPTOR_VERSION) {
        SDK_LOG_ERR("The export descriptor is of version %u, this library reads version %u",
                descriptor->version, DESCRIPTOR_VERSION);
        return DOCA_ERROR_UNSUPPORTED_VERSION;
    }
    if ((descriptor->origin != MMAP_FROM_PCI && descriptor->origin != MMAP_FROM_RDMA)
            || (descriptor->record.permissions & permissions_for(descriptor->origin)) == 0)
        return DOCA_ERROR_INVALID_VALUE;
    return DOCA_SUCCESS;
}

/* Finds the exported map of this process and counts one import. */
static doca_error_t find_source(struct doca_mmap *mmap, const struct mmap_record *record)
{
    struct doca_mmap *source;

    pthread_mutex_lock(&lock);
    for (source = exported_maps; source != NULL; source = source->next_exported)
        if (memcmp(&source->record, record, sizeof(*record)) == 0)
            break;
    if (source != NULL)
        source->imports++;
    pthread_mutex_unlock(&lock);
    mmap->source = source;
    if (source == NULL)
        SDK_LOG_ERR("The export descriptor is stale: its memory map was stopped");
    return source == NULL ? DOCA_ERROR_NOT_FOUND : DOCA_SUCCESS;
}

/* Looks at the record in the other process. */
static doca_error_t check_process(const struct mmap_descriptor *descriptor)
{
    struct mmap_record record;
    doca_error_t result;

    result = process_memory_read((pid_t)descriptor->process, &record,
            descriptor->record_address, sizeof(record));
    if (result == DOCA_ERROR_NOT_PERMITTED)
        SDK_LOG_ERR("The memory of process %lu cannot be reached: it must be of the same user, and "
                "the kernel must allow it (see kernel.yama.ptrace_scope)",
                (unsigned long)descriptor->process);
    if (result == DOCA_SUCCESS && memcmp(&record, &descriptor->record, sizeof(record)) == 0)
        return DOCA_SUCCESS;
    if (result == DOCA_ERROR_NOT_PERMITTED || result == DOCA_ERROR_NOT_SUPPORTED)
        return result;
    SDK_LOG_ERR("The export descriptor is stale: process %lu of this machine has no such memory "
            "map (any more)", (unsigned long)descriptor->process);
    return DOCA_ERROR_NOT_FOUND;
}

doca_error_t doca_mmap_create_from_export(const union doca_data *user_data,
        const void *export_desc, size_t export_desc_len, struct doca_dev *dev,
        struct doca_mmap **mmap)
{
    struct mmap_descriptor descriptor;
    struct doca_mmap *imported;
    doca_error_t result;

    if (export_desc == NULL || dev == NULL || mmap == NULL
            || export_desc_len != sizeof(descriptor))
        return DOCA_ERROR_INVALID_VALUE;
    memcpy(&descriptor, export_desc, sizeof(descriptor));
    result = check_descriptor(&descriptor);
    if (result != DOCA_SUCCESS)
        return result;
    imported = mmap_allocate();
    if (imported == NULL)
        return DOCA_ERROR_NO_MEMORY;

    if (descriptor.process == (uint64_t)getpid())
        result = find_source(imported, &descriptor.record);
    else
        result = check_process(&descriptor);
    if (result != DOCA_SUCCESS) {
        doca_mmap_destroy(imported);
        return result;
    }

    doca_mmap_add_dev(imported, dev);
    imported->origin = descriptor.origin;
    imported->address = (uint8_t *)(uintptr_t)descriptor.record.address;
    imported->length = descriptor.record.length;
    imported->permissions = descriptor.record.permissions;
    imported->process = (pid_t)descriptor.process;
    imported->record_address = descriptor.record_address;
    imported->record = descriptor.record;
    if (user_data != NULL)
        imported->user_data = *user_data;
    atomic_store(&imported->buffers, 0);
    *mmap = imported;
    return DOCA_SUCCESS;
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

doca_error_t doca_mmap_get_from_export(const struct doca_mmap *mmap, uint8_t *from_export)
{
    if (mmap == NULL || from_export == NULL)
        return DOCA_ERROR_INVALID_VALUE;

    *from_export = mmap->origin != MMAP_LOCAL;
    return DOCA_SUCCESS;
}

doca_error_t doca_mmap_cap_is_export_pci_supported(const struct doca_devinfo *devinfo,
        uint8_t *mmap_export)
{
    if (devinfo == NULL || mmap_export == NULL)
        return DOCA_ERROR_INVALID_VALUE;

    *mmap_export = 1;
    return DOCA_SUCCESS;
}

doca_error_t doca_mmap_cap_is_create_from_export_pci_supported(
        const struct doca_devinfo *devinfo, uint8_t *from_export)
{
    return doca_mmap_cap_is_export_pci_supported(devinfo, from_export);
}
