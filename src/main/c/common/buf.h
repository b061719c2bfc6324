/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The buffer descriptor: a memory region with a data section, a reference count, and links to its
 * list. It does not own the memory. Not thread-safe.
 *
 *     head          data            data + data_len      head + len
 *      | head room   | data section  | tail room          |
 */
#ifndef JUROM_BUF_H_
#define JUROM_BUF_H_

#include <stddef.h>
#include <stdint.h>

#include <doca_buf.h>
#include <doca_error.h>

#include "private.h"

struct doca_mmap;

struct doca_buf {
    uint8_t *head;
    size_t len;
    uint8_t *data;
    size_t data_len;
    struct doca_buf *next;  /* in its list */
    struct doca_buf *first; /* of its list; itself if single */
    struct doca_buf *last;  /* of its list; valid in the head only */
    uint32_t list_len;      /* valid in the head only */
    uint16_t refcount;
    struct doca_mmap *mmap; /* NULL for buffers that a library allocated */
    /* Returns the descriptor to its owner; NULL if the owner frees it by other means. */
    void (*release)(struct doca_buf *buf, void *owner);
    void *owner;
};

/*
 * Initializes `buf` as a list of one element with a reference count of 1 and no release function.
 */
DOCA_PRIVATE void priv_doca_buf_init(
        struct doca_buf *buf, void *head, size_t len, void *data, size_t data_len);

#endif /* JUROM_BUF_H_ */
