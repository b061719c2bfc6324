/* SPDX-License-Identifier: Apache-2.0 */
/* Exported memory maps of this process. Thread-safe. */
#ifndef JUROM_MMAP_EXPORT_H_
#define JUROM_MMAP_EXPORT_H_

#include "mmap.h"

/* Returns the permissions any of which allows an export of that kind. */
static inline uint32_t mmap_permissions_for(enum mmap_origin origin)
{
    if (origin == MMAP_FROM_PCI)
        return DOCA_ACCESS_FLAG_PCI_READ_ONLY | DOCA_ACCESS_FLAG_PCI_READ_WRITE;
    return DOCA_ACCESS_FLAG_RDMA_READ | DOCA_ACCESS_FLAG_RDMA_WRITE | DOCA_ACCESS_FLAG_RDMA_ATOMIC;
}

/* Locks the exports of this process and its exporters, also during a fork. */
void mmap_lock_exports(void);

/* Unlocks them. */
void mmap_unlock_exports(void);

/*
 * Returns the exported map of this process to which the reference leads, and its range, or NULL.
 * Counts an import of it until mmap_release_exported.
 */
struct doca_mmap *mmap_find_exported(
        const struct export_reference *reference, struct export_range *range);

/*
 * Stops `mmap` and revokes its export. NOT_PERMITTED: it has buffers and `may_have_buffers` is
 * false. IN_USE: maps of this process are imported from it. On failure, nothing changes.
 */
doca_error_t mmap_stop_exported(struct doca_mmap *mmap, bool may_have_buffers);

/* Ends an import of an exported map of this process. */
void mmap_release_exported(struct doca_mmap *source);

#endif /* JUROM_MMAP_EXPORT_H_ */
