/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory maps: a memory range with its permissions and devices.
 *
 *     stopped (configure) -> started (create buffers, export) -> stopped
 *
 * A map created from an export is always started. One thread configures a map; any thread may
 * create and release buffers. A map with thread safety may be destroyed while it has buffers;
 * releasing the last one frees it.
 */
#ifndef JUROM_MMAP_H_
#define JUROM_MMAP_H_

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <doca_mmap.h>

#include "export_page.h"
#include "private.h"

#define MMAP_DESCRIPTOR_MAGIC "juromMAP"
#define MMAP_DESCRIPTOR_VERSION 2

/*
 * The origin of the map's memory, which determines the access to it and the permissions that apply.
 */
enum mmap_origin {
    MMAP_LOCAL,
    MMAP_FROM_PCI,
    MMAP_FROM_RDMA,
    MMAP_ORIGINS,
};

/* An export descriptor, valid on this machine while the exporter's map is started. */
struct mmap_descriptor {
    char magic[8];
    uint32_t version;
    uint32_t zero;
    struct export_reference reference;
};

struct doca_mmap {
    uint8_t *address;
    size_t length;
    uint32_t permissions;
    enum mmap_origin origin;
    _Atomic uint32_t buffers; /* allocated buffers, MMAP_STOPPED and MMAP_DESTROYED */
    bool thread_safe;
    bool was_started; /* at least once */
    struct doca_dev **devices;
    uint32_t devices_count;
    uint32_t devices_max;
    union doca_data user_data;
    doca_mmap_memrange_free_cb_t *free_range;
    void *free_cookie;

    /* Exported maps: guarded by the lock of mmap_export.c. */
    struct doca_mmap *next_exported;
    struct export_slot *slots[MMAP_ORIGINS]; /* NULL: not exported so */
    struct mmap_descriptor descriptors[MMAP_ORIGINS];
    size_t imports; /* maps of this process created from the export */

    /* Imported maps: from a map of this process (`source`), or from another process. */
    struct doca_mmap *source;
    struct exporter *exporter;
    struct export_reference reference;
};

/* Bits in `buffers`: the map is stopped; it is destroyed; mask of the buffer count. */
#define MMAP_STOPPED (UINT32_C(1) << 31)
#define MMAP_DESTROYED (UINT32_C(1) << 30)
#define MMAP_BUFFERS (MMAP_DESTROYED - 1)

/* Allocates an empty, stopped map; NULL without memory. */
struct doca_mmap *mmap_allocate(void);

/* Returns whether the map is started. */
static inline bool mmap_is_started(const struct doca_mmap *mmap)
{
    return (atomic_load_explicit(&mmap->buffers, memory_order_relaxed) & MMAP_STOPPED) == 0;
}

/*
 * Adds `count` buffers of a started map, which then cannot be stopped. False: the map is stopped.
 */
bool mmap_acquire_buffers(struct doca_mmap *mmap, uint32_t count);

/* Subtracts `count` buffers. Frees a destroyed map without buffers. */
void mmap_release_buffers(struct doca_mmap *mmap, uint32_t count);

/* Stops a started map. NOT_PERMITTED: it has buffers and `may_have_buffers` is false. */
doca_error_t mmap_stop_buffers(struct doca_mmap *mmap, bool may_have_buffers);

/* Frees a stopped map that is neither exported nor imported, now or with its last buffer. */
void mmap_destroy(struct doca_mmap *mmap);

/* Returns whether the range contains `length` bytes from `address`. */
bool mmap_contains(const struct doca_mmap *mmap, const void *address, size_t length);

/* Returns whether `dev` was added to the map. */
DOCA_PRIVATE bool priv_doca_mmap_knows_dev(
        const struct doca_mmap *mmap, const struct doca_dev *dev);

#endif /* JUROM_MMAP_H_ */
