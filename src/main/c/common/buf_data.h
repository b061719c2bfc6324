/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How engines use the bytes of buffers and lists. As a source, a list is the data sections of its
 * elements, one behind the other. As a destination, it is their tail rooms: what is appended there
 * becomes data. Head rooms are never touched.
 */
#ifndef JUROM_BUF_DATA_H_
#define JUROM_BUF_DATA_H_

#include <stddef.h>

#include <doca_buf.h>
#include <doca_dev.h>
#include <doca_error.h>

#include "private.h"

/*
 * Says whether an engine on `dev` may read the list's data. INVALID_VALUE: a released buffer.
 * NOT_PERMITTED: the memory map forbids it, or does not know the device.
 */
DOCA_PRIVATE doca_error_t priv_doca_buf_check_source(const struct doca_buf *list,
        const struct doca_dev *dev);

/* The same for writing `length` bytes; INVALID_VALUE also when the tail rooms do not hold them. */
DOCA_PRIVATE doca_error_t priv_doca_buf_check_destination(const struct doca_buf *list,
        const struct doca_dev *dev, size_t length);

/* The bytes in all data sections of the list. */
DOCA_PRIVATE size_t priv_doca_buf_total_data(const struct doca_buf *list);

/*
 * Appends the source's data to the destination. The data lengths grow when all of it was written.
 * IO_FAILED: memory of another process is gone, or there is too little room.
 */
DOCA_PRIVATE doca_error_t priv_doca_buf_copy(struct doca_buf *destination,
        const struct doca_buf *source);

/* Appends `length` bytes of this process. */
DOCA_PRIVATE doca_error_t priv_doca_buf_append(struct doca_buf *destination, const void *bytes,
        size_t length);

/* Shows the list's data to `visit` piece by piece, in this process's memory; stops at an error. */
DOCA_PRIVATE doca_error_t priv_doca_buf_visit(const struct doca_buf *list,
        doca_error_t (*visit)(void *argument, const void *bytes, size_t length), void *argument);

#endif /* JUROM_BUF_DATA_H_ */
