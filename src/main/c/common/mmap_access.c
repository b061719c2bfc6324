/* SPDX-License-Identifier: Apache-2.0 */
/* Access to a memory map's bytes: permissions and copying. Thread-safe. */
#include "mmap_access.h"

#include <string.h>

#include "exporter.h"
#include "sdk_log.h"

SDK_LOG_REGISTER(DOCA::MMAP)

bool priv_doca_mmap_is_readable(const struct doca_mmap *mmap)
{
    const uint32_t pci = DOCA_ACCESS_FLAG_PCI_READ_ONLY | DOCA_ACCESS_FLAG_PCI_READ_WRITE;

    if (mmap->origin == MMAP_FROM_PCI)
        return (mmap->permissions & pci) != 0;
    if (mmap->origin == MMAP_FROM_RDMA)
        return (mmap->permissions & DOCA_ACCESS_FLAG_RDMA_READ) != 0;
    return true;
}

bool priv_doca_mmap_is_writable(const struct doca_mmap *mmap)
{
    if (mmap->origin == MMAP_FROM_PCI)
        return (mmap->permissions & DOCA_ACCESS_FLAG_PCI_READ_WRITE) != 0;
    if (mmap->origin == MMAP_FROM_RDMA)
        return (mmap->permissions & DOCA_ACCESS_FLAG_RDMA_WRITE) != 0;
    return (mmap->permissions & DOCA_ACCESS_FLAG_LOCAL_READ_WRITE) != 0;
}

bool priv_doca_mmap_is_direct(const struct doca_mmap *mmap)
{
    return mmap->origin == MMAP_LOCAL || mmap->source != NULL;
}

/* Returns whether the exporter still exports the memory. */
static bool is_exported(const struct doca_mmap *mmap)
{
    return export_page_contains(mmap->exporter->page, &mmap->reference);
}

static doca_error_t failed(const struct doca_mmap *mmap)
{
    SDK_LOG_ERR("The memory that process %lu had exported cannot be accessed: the process stopped "
                "its memory map, freed the memory or exited",
            (unsigned long)mmap->reference.process);
    return DOCA_ERROR_IO_FAILED;
}

doca_error_t priv_doca_mmap_read(
        const struct doca_mmap *mmap, void *to, const void *from, size_t length)
{
    if (priv_doca_mmap_is_direct(mmap)) {
        memmove(to, from, length);
        return DOCA_SUCCESS;
    }
    if (is_exported(mmap)
            && process_memory_read(&mmap->exporter->memory, to, (uintptr_t)from, length)
                    == DOCA_SUCCESS)
        return DOCA_SUCCESS;
    return failed(mmap);
}

doca_error_t priv_doca_mmap_write(
        const struct doca_mmap *mmap, void *to, const void *from, size_t length)
{
    if (priv_doca_mmap_is_direct(mmap)) {
        memmove(to, from, length);
        return DOCA_SUCCESS;
    }
    if (is_exported(mmap)
            && process_memory_write(&mmap->exporter->memory, from, (uintptr_t)to, length)
                    == DOCA_SUCCESS)
        return DOCA_SUCCESS;
    return failed(mmap);
}
