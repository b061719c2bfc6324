/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory maps: a range, who may do what with it, and the devices that know it.
 *
 *     stopped (configure) -> started (make buffers, export) -> stopped
 *
 * A map that is made from an export is started for its whole life. Configuration belongs to one
 * thread; buffers may be made and released by any. One with thread safety may be destroyed while it
 * has buffers, and ends with the last.
 */
#ifndef JUROM_MMAP_H_
#define JUROM_MMAP_H_

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <doca_mmap.h>

#include "private.h"

#define MMAP_COOKIE_SIZE 16
#define MMAP_DESCRIPTOR_MAGIC   "juromMAP"
#define MMAP_DESCRIPTOR_VERSION 1

/* How a map's memory is reached, and which of its permissions count. */
enum mmap_origin {
    MMAP_LOCAL,
    MMAP_FROM_PCI,
    MMAP_FROM_RDMA,
    MMAP_ORIGINS,
};

/* What an exported map says of itself: importers of other processes read it in the exporter. */
struct mmap_record {
    uint8_t cookie[MMAP_COOKIE_SIZE]; /* random; zeros: not exported, or not any more */
    uint64_t address;
    uint64_t length;
    uint32_t permissions;
    uint32_t zero;
};

/* An export descriptor: good on this machine, as long as the exporter's map is started. */
struct mmap_descriptor {
    char magic[8];
    uint32_t version;
    uint32_t origin; /* of the map that is made from it */
    uint64_t process;
    uint64_t record_address; /* in that process */
    struct mmap_record record;
};

struct doca_mmap {
    uint8_t *address;
    size_t length;
    uint32_t permissions;
    enum mmap_origin origin;
    _Atomic uint32_t buffers; /* living ones, MMAP_STOPPED and MMAP_DESTROYED */
    bool thread_safe;
    bool was_started; /* at any time */
    struct doca_dev **devices;
    uint32_t devices_count;
    uint32_t devices_max;
    union doca_data user_data;
    doca_mmap_memrange_free_cb_t *free_range;
    void *free_cookie;

    /* Exported: guarded by mmap_export.c's lock. */
    struct doca_mmap *next_exported;
    struct mmap_record record;
    struct mmap_descriptor descriptors[MMAP_ORIGINS];
    size_t imports; /* maps of this process that were made from it */

    /* Imported: from a map of this process, or else from another process. */
    struct doca_mmap *source;
    pid_t process;
    uint64_t record_address;
};

/* Bits in `buffers` of a map that is stopped, or destroyed as well; and those that count. */
#define MMAP_STOPPED (UINT32_C(1) << 31)
#define MMAP_DESTROYED (UINT32_C(1) << 30)
#define MMAP_BUFFERS (MMAP_DESTROYED - 1)

/* Makes an empty, stopped map; NULL without memory. */
struct doca_mmap *mmap_allocate(void);

static inline bool mmap_is_started(const struct doca_mmap *mmap)
{
    return (atomic_load_explicit(&mmap->buffers, memory_order_relaxed) & MMAP_STOPPED) == 0;
}

/* Counts `count` buffers of a started map, which cannot be stopped meanwhile; false: stopped. */
bool mmap_hold(struct doca_mmap *mmap, uint32_t count);

/* Takes back what mmap_hold counted; frees a map that was destroyed and has no other buffers. */
void mmap_let_go(struct doca_mmap *mmap, uint32_t count);

/* Moves a started map to stopped. NOT_PERMITTED: it has buffers and must not. */
doca_error_t mmap_stop_buffers(struct doca_mmap *mmap, bool may_have_buffers);

/* Frees a stopped map that is neither exported nor imported, at once or with its last buffer. */
void mmap_end(struct doca_mmap *mmap);

/* True when the range holds all of the bytes from `address` on. */
bool mmap_contains(const struct doca_mmap *mmap, const void *address, size_t length);

/* The permissions, any of which allows an export of that kind. */
static inline uint32_t mmap_permissions_for(enum mmap_origin origin)
{
    if (origin == MMAP_FROM_PCI)
        return DOCA_ACCESS_FLAG_PCI_READ_ONLY | DOCA_ACCESS_FLAG_PCI_READ_WRITE;
    return DOCA_ACCESS_FLAG_RDMA_READ | DOCA_ACCESS_FLAG_RDMA_WRITE
            | DOCA_ACCESS_FLAG_RDMA_ATOMIC;
}

/*
 * The exported map of this process with that record, or NULL; counts an import of it, which
 * mmap_end_import takes back.
 */
struct doca_mmap *mmap_find_exported(const struct mmap_record *record);

/*
 * Stops `mmap`, and ends its export. NOT_PERMITTED: it has buffers and must not. IN_USE: maps of this
 * process are made from it. Nothing changes then.
 */
doca_error_t mmap_stop_exported(struct doca_mmap *mmap, bool may_have_buffers);

/* Lets go of what `mmap`, made from an export, was made from. */
void mmap_end_import(struct doca_mmap *mmap);

/* What the other libraries ask about a map before they touch its memory. */
DOCA_PRIVATE bool priv_doca_mmap_knows_dev(const struct doca_mmap *mmap,
        const struct doca_dev *dev);
DOCA_PRIVATE bool priv_doca_mmap_is_readable(const struct doca_mmap *mmap);
DOCA_PRIVATE bool priv_doca_mmap_is_writable(const struct doca_mmap *mmap);

/* True when the map's memory is this process's: plain pointers work. */
DOCA_PRIVATE bool priv_doca_mmap_is_direct(const struct doca_mmap *mmap);

/*
 * Copies between this process and the map's memory, wherever it is. IO_FAILED: the exporter ended,
 * stopped the map or freed the memory.
 */
DOCA_PRIVATE doca_error_t priv_doca_mmap_read(const struct doca_mmap *mmap, void *to,
        const void *from, size_t length);
DOCA_PRIVATE doca_error_t priv_doca_mmap_write(const struct doca_mmap *mmap, void *to,
        const void *from, size_t length);

#endif /* JUROM_MMAP_H_ */
