/* SPDX-License-Identifier: Apache-2.0 */
/* Access to a memory map's bytes: permissions and copying. Thread-safe. */
#include "mmap_access.h"

#include <string.h>

#include "process_memory.h"
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

/* Returns SUCCESS if the exporter's map is unchanged since the import. */
static doca_error_t check_exporter(const struct doca_mmap *mmap)
{
    struct mmap_record record;
    doca_error_t status;

    status = process_memory_read(mmap->process, &record, mmap->record_address, sizeof(record));
    if (status == DOCA_SUCCESS && memcmp(&record, &mmap->record, sizeof(record)) == 0)
        return DOCA_SUCCESS;
    SDK_LOG_ERR(
            "The memory map's exporter, process %d, stopped the map or exited", (int)mmap->process);
    return DOCA_ERROR_IO_FAILED;
}

doca_error_t priv_doca_mmap_read(
        const struct doca_mmap *mmap, void *to, const void *from, size_t length)
{
    doca_error_t status;

    if (priv_doca_mmap_is_direct(mmap)) {
        memmove(to, from, length);
        return DOCA_SUCCESS;
    }
    status = check_exporter(mmap);
    if (status == DOCA_SUCCESS)
        status = process_memory_read(mmap->process, to, (uintptr_t)from, length);
    return status == DOCA_SUCCESS ? status : DOCA_ERROR_IO_FAILED;
}

doca_error_t priv_doca_mmap_write(
        const struct doca_mmap *mmap, void *to, const void *from, size_t length)
{
    doca_error_t status;

    if (priv_doca_mmap_is_direct(mmap)) {
        memmove(to, from, length);
        return DOCA_SUCCESS;
    }
    status = check_exporter(mmap);
    if (status == DOCA_SUCCESS)
        status = process_memory_write(mmap->process, from, (uintptr_t)to, length);
    return status == DOCA_SUCCESS ? status : DOCA_ERROR_IO_FAILED;
}
