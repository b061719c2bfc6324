/* SPDX-License-Identifier: Apache-2.0 */
#include "buf_data.h"

#include <stdbool.h>

#include "buf.h"
#include "mmap_access.h"
#include "sdk_log.h"

SDK_LOG_REGISTER(DOCA::BUF)

#define PIECE 16384 /* bytes per copy from another process's memory */

/* Write position in the tail rooms of a list. */
struct writer {
    struct doca_buf *buf;
    size_t offset; /* from the end of the data section */
};

static size_t tail_room(const struct doca_buf *buf)
{
    return buf->len - (size_t)(buf->data - buf->head) - buf->data_len;
}

/* A buffer that belongs to a task has no memory map: it is in this process's memory. */
static bool is_direct(const struct doca_buf *buf)
{
    return buf->mmap == NULL || priv_doca_mmap_is_direct(buf->mmap);
}

static doca_error_t check(const struct doca_buf *buf, const struct doca_dev *dev,
        bool (*is_allowed)(const struct doca_mmap *mmap), const char *what)
{
    if (buf->refcount == 0)
        return DOCA_ERROR_INVALID_VALUE;
    if (buf->mmap == NULL)
        return DOCA_SUCCESS;
    if (!priv_doca_mmap_knows_dev(buf->mmap, dev)) {
        SDK_LOG_DBG("The buffer %p is in a memory map without the engine's device: call "
                    "doca_mmap_add_dev before starting the map",
                (const void *)buf);
        return DOCA_ERROR_NOT_PERMITTED;
    }
    if (!is_allowed(buf->mmap)) {
        SDK_LOG_DBG("The buffer %p is in a memory map whose permissions do not allow it to be %s",
                (const void *)buf, what);
        return DOCA_ERROR_NOT_PERMITTED;
    }
    return DOCA_SUCCESS;
}

doca_error_t priv_doca_buf_check_source(const struct doca_buf *list, const struct doca_dev *dev)
{
    doca_error_t status = DOCA_SUCCESS;

    if (list == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    for (; list != NULL && status == DOCA_SUCCESS; list = list->next)
        status = check(list, dev, priv_doca_mmap_is_readable, "read");
    return status;
}

doca_error_t priv_doca_buf_check_destination(
        const struct doca_buf *list, const struct doca_dev *dev, size_t length)
{
    doca_error_t status = DOCA_SUCCESS;
    size_t room = 0;

    if (list == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    for (; list != NULL && status == DOCA_SUCCESS; list = list->next) {
        status = check(list, dev, priv_doca_mmap_is_writable, "written");
        room += tail_room(list);
    }
    if (status == DOCA_SUCCESS && room < length) {
        SDK_LOG_DBG("%zu bytes exceed the destination's tail room of %zu bytes", length, room);
        return DOCA_ERROR_INVALID_VALUE;
    }
    return status;
}

size_t priv_doca_buf_total_data(const struct doca_buf *list)
{
    size_t total = 0;

    for (; list != NULL; list = list->next)
        total += list->data_len;
    return total;
}

/* Writes bytes of this process at the writer's position and advances it. */
static doca_error_t write_bytes(struct writer *writer, const uint8_t *bytes, size_t length)
{
    doca_error_t status = DOCA_SUCCESS;
    size_t room, part;
    uint8_t *target;

    while (length > 0 && status == DOCA_SUCCESS) {
        if (writer->buf == NULL)
            return DOCA_ERROR_IO_FAILED;
        room = tail_room(writer->buf) - writer->offset;
        if (room == 0) {
            *writer = (struct writer){ .buf = writer->buf->next };
            continue;
        }
        part = length < room ? length : room;
        target = writer->buf->data + writer->buf->data_len + writer->offset;
        if (is_direct(writer->buf))
            memmove(target, bytes, part);
        else
            status = priv_doca_mmap_write(writer->buf->mmap, target, bytes, part);
        writer->offset += part;
        bytes += part;
        length -= part;
    }
    return status;
}

/* Extends the list's data sections by the `length` bytes written after them. */
static void grow(struct doca_buf *list, size_t length)
{
    size_t room;

    for (; list != NULL && length > 0; list = list->next) {
        room = tail_room(list);
        if (room > length)
            room = length;
        list->data_len += room;
        length -= room;
    }
}

static doca_error_t write_visited(void *argument, const void *bytes, size_t length)
{
    return write_bytes(argument, bytes, length);
}

doca_error_t priv_doca_buf_copy(struct doca_buf *destination, const struct doca_buf *source)
{
    struct writer writer = { .buf = destination };
    size_t length = priv_doca_buf_total_data(source);
    doca_error_t status;

    status = priv_doca_buf_visit(source, write_visited, &writer);
    if (status == DOCA_SUCCESS)
        grow(destination, length);
    return status;
}

doca_error_t priv_doca_buf_append(struct doca_buf *destination, const void *bytes, size_t length)
{
    struct writer writer = { .buf = destination };
    doca_error_t status;

    status = write_bytes(&writer, bytes, length);
    if (status == DOCA_SUCCESS)
        grow(destination, length);
    return status;
}

/* Copies another process's memory in pieces and passes each to `visit`. */
static doca_error_t visit_remote(const struct doca_buf *buf,
        doca_error_t (*visit)(void *argument, const void *bytes, size_t length), void *argument)
{
    doca_error_t status = DOCA_SUCCESS;
    uint8_t piece[PIECE];
    size_t done, part;

    for (done = 0; done < buf->data_len && status == DOCA_SUCCESS; done += part) {
        part = buf->data_len - done < PIECE ? buf->data_len - done : PIECE;
        status = priv_doca_mmap_read(buf->mmap, piece, buf->data + done, part);
        if (status == DOCA_SUCCESS)
            status = visit(argument, piece, part);
    }
    return status;
}

doca_error_t priv_doca_buf_visit(const struct doca_buf *list,
        doca_error_t (*visit)(void *argument, const void *bytes, size_t length), void *argument)
{
    doca_error_t status = DOCA_SUCCESS;

    for (; list != NULL && status == DOCA_SUCCESS; list = list->next) {
        if (!is_direct(list))
            status = visit_remote(list, visit, argument);
        else if (list->data_len > 0)
            status = visit(argument, list->data, list->data_len);
    }
    return status;
}
