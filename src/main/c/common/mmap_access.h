/* SPDX-License-Identifier: Apache-2.0 */
/* Access to a memory map's bytes, in this process or another one. Thread-safe. */
#ifndef JUROM_MMAP_ACCESS_H_
#define JUROM_MMAP_ACCESS_H_

#include "mmap.h"

/* Returns whether the permissions allow an engine to read the memory. */
DOCA_PRIVATE bool priv_doca_mmap_is_readable(const struct doca_mmap *mmap);

/* Returns whether the permissions allow an engine to write the memory. */
DOCA_PRIVATE bool priv_doca_mmap_is_writable(const struct doca_mmap *mmap);

/* Returns whether the map's memory is in this process and can be accessed through pointers. */
DOCA_PRIVATE bool priv_doca_mmap_is_direct(const struct doca_mmap *mmap);

/*
 * Copies from the map's memory, in any process, to this process. IO_FAILED: the exporter exited,
 * stopped the map or freed the memory.
 */
DOCA_PRIVATE doca_error_t priv_doca_mmap_read(
        const struct doca_mmap *mmap, void *to, const void *from, size_t length);

/* Copies likewise from this process to the map's memory. */
DOCA_PRIVATE doca_error_t priv_doca_mmap_write(
        const struct doca_mmap *mmap, void *to, const void *from, size_t length);

#endif /* JUROM_MMAP_ACCESS_H_ */
