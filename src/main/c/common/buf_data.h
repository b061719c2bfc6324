/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Access of engines to the bytes of buffers and lists. A source list consists of its elements' data
 * sections, in order. A destination list consists of their tail rooms: data sections grow by the
 * bytes written there. Head rooms are never accessed.
 */
#ifndef JUROM_BUF_DATA_H_
#define JUROM_BUF_DATA_H_

#include <stddef.h>

#include <doca_buf.h>
#include <doca_dev.h>
#include <doca_error.h>

#include "private.h"

/*
 * Checks whether an engine on `dev` may read the list's data. INVALID_VALUE: a released buffer.
 * NOT_PERMITTED: the memory map lacks the permission or the device.
 */
DOCA_PRIVATE doca_error_t priv_doca_buf_check_source(
        const struct doca_buf *list, const struct doca_dev *dev);

/*
 * Checks likewise whether it may write `length` bytes. INVALID_VALUE also if they exceed the tail
 * rooms.
 */
DOCA_PRIVATE doca_error_t priv_doca_buf_check_destination(
        const struct doca_buf *list, const struct doca_dev *dev, size_t length);

/* Returns the total size of the list's data sections, in bytes. */
DOCA_PRIVATE size_t priv_doca_buf_total_data(const struct doca_buf *list);

/*
 * Appends the source's data to the destination, whose data sections grow only if all of it was
 * written. IO_FAILED: another process's memory is inaccessible, or the tail rooms are too small.
 */
DOCA_PRIVATE doca_error_t priv_doca_buf_copy(
        struct doca_buf *destination, const struct doca_buf *source);

/* Appends `length` bytes of this process's memory. */
DOCA_PRIVATE doca_error_t priv_doca_buf_append(
        struct doca_buf *destination, const void *bytes, size_t length);

/* Passes the list's data to `visit` piece by piece, in this process's memory; stops at an error. */
DOCA_PRIVATE doca_error_t priv_doca_buf_visit(const struct doca_buf *list,
        doca_error_t (*visit)(void *argument, const void *bytes, size_t length), void *argument);

#endif /* JUROM_BUF_DATA_H_ */
