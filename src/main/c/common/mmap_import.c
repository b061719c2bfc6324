/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Import of memory maps. A map imported in the exporter's own process refers to the exported map. A
 * map imported in another process of this machine reads and writes the exporter's memory through
 * the kernel (process_memory.h). That memory may disappear at any time, so every access checks the
 * record again.
 */
#include "mmap_export.h"

#include <string.h>
#include <unistd.h>

#include "process_memory.h"
#include "sdk_log.h"

SDK_LOG_REGISTER(DOCA::MMAP)

static doca_error_t check_descriptor(const struct mmap_descriptor *descriptor)
{
    if (memcmp(descriptor->magic, MMAP_DESCRIPTOR_MAGIC, sizeof(descriptor->magic)) != 0
            || descriptor->process == 0 || descriptor->process > INT32_MAX
            || descriptor->record.length == 0 || descriptor->record.zero != 0) {
        SDK_LOG_ERR("The bytes are not an export descriptor of a memory map");
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (descriptor->version != MMAP_DESCRIPTOR_VERSION) {
        SDK_LOG_ERR("The export descriptor has version %u, this library supports version %u",
                descriptor->version, MMAP_DESCRIPTOR_VERSION);
        return DOCA_ERROR_UNSUPPORTED_VERSION;
    }
    if ((descriptor->origin != MMAP_FROM_PCI && descriptor->origin != MMAP_FROM_RDMA)
            || (descriptor->record.permissions & mmap_permissions_for(descriptor->origin)) == 0)
        return DOCA_ERROR_INVALID_VALUE;
    return DOCA_SUCCESS;
}

/* Finds the exported map of this process. */
static doca_error_t find_source(struct doca_mmap *mmap, const struct mmap_record *record)
{
    mmap->source = mmap_find_exported(record);
    if (mmap->source == NULL)
        SDK_LOG_ERR("The export descriptor is stale: its memory map was stopped");
    return mmap->source == NULL ? DOCA_ERROR_NOT_FOUND : DOCA_SUCCESS;
}

/* Checks the record in the other process. */
static doca_error_t check_process(const struct mmap_descriptor *descriptor)
{
    struct mmap_record record;
    doca_error_t status;

    status = process_memory_read(
            (pid_t)descriptor->process, &record, descriptor->record_address, sizeof(record));
    if (status == DOCA_ERROR_NOT_PERMITTED)
        SDK_LOG_ERR("The memory of process %lu cannot be accessed: the process must belong to the "
                    "same user, and the kernel must allow access (see kernel.yama.ptrace_scope)",
                (unsigned long)descriptor->process);
    if (status == DOCA_SUCCESS && memcmp(&record, &descriptor->record, sizeof(record)) == 0)
        return DOCA_SUCCESS;
    if (status == DOCA_ERROR_NOT_PERMITTED || status == DOCA_ERROR_NOT_SUPPORTED)
        return status;
    SDK_LOG_ERR("The export descriptor is stale: process %lu of this machine does not export such "
                "a memory map",
            (unsigned long)descriptor->process);
    return DOCA_ERROR_NOT_FOUND;
}

doca_error_t doca_mmap_create_from_export(const union doca_data *user_data, const void *export_desc,
        size_t export_desc_len, struct doca_dev *dev, struct doca_mmap **mmap)
{
    struct mmap_descriptor descriptor;
    struct doca_mmap *imported;
    doca_error_t status;

    if (export_desc == NULL || dev == NULL || mmap == NULL || export_desc_len != sizeof(descriptor))
        return DOCA_ERROR_INVALID_VALUE;
    memcpy(&descriptor, export_desc, sizeof(descriptor));
    status = check_descriptor(&descriptor);
    if (status != DOCA_SUCCESS)
        return status;
    imported = mmap_allocate();
    if (imported == NULL)
        return DOCA_ERROR_NO_MEMORY;

    if (descriptor.process == (uint64_t)getpid())
        status = find_source(imported, &descriptor.record);
    else
        status = check_process(&descriptor);
    if (status != DOCA_SUCCESS) {
        doca_mmap_destroy(imported);
        return status;
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

doca_error_t doca_mmap_get_from_export(const struct doca_mmap *mmap, uint8_t *from_export)
{
    if (mmap == NULL || from_export == NULL)
        return DOCA_ERROR_INVALID_VALUE;

    *from_export = mmap->origin != MMAP_LOCAL;
    return DOCA_SUCCESS;
}

doca_error_t doca_mmap_cap_is_create_from_export_pci_supported(
        const struct doca_devinfo *devinfo, uint8_t *from_export)
{
    return doca_mmap_cap_is_export_pci_supported(devinfo, from_export);
}
