/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Import of memory maps. A map imported in the exporter's own process refers to the exported map. A
 * map imported in another process of this machine reads and writes the exporter's memory through
 * the kernel (process_memory.h). Range and permissions come from the exporter's page, which no
 * other process can write; the descriptor only names a slot of it. The memory may disappear at any
 * time, so every access checks the page again.
 */
#include "mmap_export.h"

#include <string.h>
#include <unistd.h>

#include "exporter.h"
#include "sdk_log.h"

SDK_LOG_REGISTER(DOCA::MMAP)

static doca_error_t not_a_descriptor(void)
{
    SDK_LOG_ERR("The bytes are not an export descriptor of a memory map");
    return DOCA_ERROR_INVALID_VALUE;
}

/* Earlier versions have other sizes. */
static doca_error_t decode(const void *bytes, size_t length, struct export_reference *reference)
{
    struct mmap_descriptor descriptor = { .version = 0 };

    if (length < offsetof(struct mmap_descriptor, zero))
        return not_a_descriptor();
    memcpy(&descriptor, bytes, length < sizeof(descriptor) ? length : sizeof(descriptor));
    if (memcmp(descriptor.magic, MMAP_DESCRIPTOR_MAGIC, sizeof(descriptor.magic)) != 0)
        return not_a_descriptor();
    if (descriptor.version != MMAP_DESCRIPTOR_VERSION) {
        SDK_LOG_ERR("The export descriptor has version %u, this library supports version %u",
                descriptor.version, MMAP_DESCRIPTOR_VERSION);
        return DOCA_ERROR_UNSUPPORTED_VERSION;
    }
    *reference = descriptor.reference;
    if (length != sizeof(descriptor) || descriptor.zero != 0 || reference->process == 0
            || reference->process > INT32_MAX || reference->page_fd > INT32_MAX
            || reference->slot >= EXPORT_SLOTS
            || (reference->cookie[0] == 0 && reference->cookie[1] == 0))
        return not_a_descriptor();
    return DOCA_SUCCESS;
}

/* Finds the exported map of this process. */
static doca_error_t find_source(struct doca_mmap *mmap, struct export_range *range)
{
    mmap->source = mmap_find_exported(&mmap->reference, range);
    if (mmap->source == NULL)
        SDK_LOG_ERR("The export descriptor is stale: its memory map was stopped");
    return mmap->source == NULL ? DOCA_ERROR_NOT_FOUND : DOCA_SUCCESS;
}

/* Finds the range in the page of the other process. */
static doca_error_t find_range(struct doca_mmap *mmap, struct export_range *range)
{
    const struct export_reference *reference = &mmap->reference;
    doca_error_t status = exporter_open(reference, &mmap->exporter);

    if (status == DOCA_SUCCESS && !export_page_read(mmap->exporter->page, reference, range))
        status = DOCA_ERROR_NOT_FOUND;
    if (status == DOCA_ERROR_NOT_PERMITTED)
        SDK_LOG_ERR("The memory of process %lu cannot be accessed: the process must belong to the "
                    "same user, and the kernel must allow access (see kernel.yama.ptrace_scope)",
                (unsigned long)reference->process);
    else if (status == DOCA_ERROR_NOT_FOUND)
        SDK_LOG_ERR("The export descriptor is stale: process %lu of this machine does not export "
                    "such a memory map",
                (unsigned long)reference->process);
    return status;
}

doca_error_t doca_mmap_create_from_export(const union doca_data *user_data, const void *export_desc,
        size_t export_desc_len, struct doca_dev *dev, struct doca_mmap **mmap)
{
    struct export_reference reference;
    struct export_range range;
    struct doca_mmap *imported;
    doca_error_t status;

    if (export_desc == NULL || dev == NULL || mmap == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    status = decode(export_desc, export_desc_len, &reference);
    if (status != DOCA_SUCCESS)
        return status;
    imported = mmap_allocate();
    if (imported == NULL)
        return DOCA_ERROR_NO_MEMORY;

    imported->reference = reference;
    if (reference.process == (uint64_t)getpid())
        status = find_source(imported, &range);
    else
        status = find_range(imported, &range);
    if (status != DOCA_SUCCESS) {
        doca_mmap_destroy(imported);
        return status;
    }

    doca_mmap_add_dev(imported, dev);
    imported->origin = range.origin;
    imported->address = (uint8_t *)(uintptr_t)range.address;
    imported->length = range.length;
    imported->permissions = range.permissions;
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
