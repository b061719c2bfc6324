/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The buffer descriptor: one memory region with its data section, a reference count, and its place
 * in a list. The bytes belong to somebody else. One thread.
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
    struct doca_buf *first; /* of its list; itself when alone */
    struct doca_buf *last;  /* of its list; valid on the first element only */
    uint32_t list_len;      /* valid on the first element only */
    uint16_t refcount;
    struct doca_mmap *mmap; /* NULL for a library's own buffers */
    /* Gives the descriptor back to where it came from; NULL: its owner frees it otherwise. */
    void (*release)(struct doca_buf *buf, void *owner);
    void *owner;
};

/* Makes `buf` a list of one with a reference count of 1 and no release. */
DOCA_PRIVATE void priv_doca_buf_init(struct doca_buf *buf, void *head, size_t len, void *data,
        size_t data_len);

#endif /* JUROM_BUF_H_ */
