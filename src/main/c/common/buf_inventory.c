/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An inventory: buffer descriptors over any started memory map. Memory is allocated when the
 * inventory is created or expanded, never when a buffer is. Not thread-safe.
 */
#include <doca_buf_inventory.h>

#include <stdbool.h>
#include <stdlib.h>

#include "buf.h"
#include "mmap.h"
#include "sdk_log.h"

SDK_LOG_REGISTER(DOCA::BUF_INVENTORY)

/* Descriptors that were allocated together. */
struct chunk {
    struct chunk *next;
    struct doca_buf buffers[];
};

struct doca_buf_inventory {
    struct chunk *chunks;
    struct doca_buf *free; /* linked by `next` */
    uint32_t elements;
    uint32_t free_elements;
    bool started;
    union doca_data user_data;
};

/* Adds `count` free descriptors. */
static doca_error_t add_chunk(struct doca_buf_inventory *inventory, uint32_t count)
{
    struct chunk *chunk;
    uint32_t i;

    chunk = calloc(1, sizeof(*chunk) + count * sizeof(chunk->buffers[0]));
    if (chunk == NULL)
        return DOCA_ERROR_NO_MEMORY;

    for (i = count; i > 0; i--) {
        chunk->buffers[i - 1].next = inventory->free;
        inventory->free = &chunk->buffers[i - 1];
    }
    chunk->next = inventory->chunks;
    inventory->chunks = chunk;
    inventory->elements += count;
    inventory->free_elements += count;
    return DOCA_SUCCESS;
}

/* Returns a descriptor without references to the inventory. */
static void release_buf(struct doca_buf *buf, void *owner)
{
    struct doca_buf_inventory *inventory = owner;

    mmap_release_buffers(buf->mmap, 1);
    buf->next = inventory->free;
    inventory->free = buf;
    inventory->free_elements++;
}

static doca_error_t allocate_buf(struct doca_buf_inventory *inventory, struct doca_mmap *mmap,
        void *addr, size_t len, void *data, size_t data_len, struct doca_buf **buf)
{
    struct doca_buf *allocated = inventory->free;

    if (!inventory->started) {
        SDK_LOG_DBG("The inventory is not started");
        return DOCA_ERROR_NOT_PERMITTED;
    }
    if (allocated == NULL) {
        SDK_LOG_DBG("All %u buffers of the inventory are in use: release some or expand it",
                inventory->elements);
        return DOCA_ERROR_NO_MEMORY;
    }
    if (!mmap_acquire_buffers(mmap, 1)) {
        SDK_LOG_DBG("The memory map is not started");
        return DOCA_ERROR_NOT_PERMITTED;
    }

    inventory->free = allocated->next;
    inventory->free_elements--;
    priv_doca_buf_init(allocated, addr, len, data, data_len);
    allocated->mmap = mmap;
    allocated->release = release_buf;
    allocated->owner = inventory;
    *buf = allocated;
    return DOCA_SUCCESS;
}

static doca_error_t check_unused(const struct doca_buf_inventory *inventory)
{
    if (inventory->free_elements == inventory->elements)
        return DOCA_SUCCESS;
    SDK_LOG_DBG("%u buffers of the inventory are in use: release them first",
            inventory->elements - inventory->free_elements);
    return DOCA_ERROR_IN_USE;
}

doca_error_t doca_buf_inventory_create(size_t num_elements, struct doca_buf_inventory **inventory)
{
    struct doca_buf_inventory *created;

    if (num_elements == 0 || num_elements > UINT32_MAX || inventory == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    created = calloc(1, sizeof(*created));
    if (created == NULL)
        return DOCA_ERROR_NO_MEMORY;
    if (add_chunk(created, (uint32_t)num_elements) != DOCA_SUCCESS) {
        free(created);
        return DOCA_ERROR_NO_MEMORY;
    }

    *inventory = created;
    return DOCA_SUCCESS;
}

doca_error_t doca_buf_inventory_destroy(struct doca_buf_inventory *inventory)
{
    doca_error_t status;
    struct chunk *chunk;

    if (inventory == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    status = check_unused(inventory);
    if (status != DOCA_SUCCESS)
        return status;

    while ((chunk = inventory->chunks) != NULL) {
        inventory->chunks = chunk->next;
        free(chunk);
    }
    free(inventory);
    return DOCA_SUCCESS;
}

doca_error_t doca_buf_inventory_start(struct doca_buf_inventory *inventory)
{
    if (inventory == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    if (inventory->started)
        return DOCA_ERROR_NOT_PERMITTED;

    inventory->started = true;
    return DOCA_SUCCESS;
}

/* Allocated buffers remain valid, and are released as before. */
doca_error_t doca_buf_inventory_stop(struct doca_buf_inventory *inventory)
{
    if (inventory == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    if (!inventory->started)
        return DOCA_ERROR_NOT_PERMITTED;

    inventory->started = false;
    return DOCA_SUCCESS;
}

doca_error_t doca_buf_inventory_buf_get_by_args(struct doca_buf_inventory *inventory,
        struct doca_mmap *mmap, void *addr, size_t len, void *data, size_t data_len,
        struct doca_buf **buf)
{
    uintptr_t start = (uintptr_t)addr, data_start = (uintptr_t)data;

    if (inventory == NULL || mmap == NULL || addr == NULL || len == 0 || buf == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    if (!mmap_contains(mmap, addr, len)) {
        SDK_LOG_DBG("A buffer of %zu bytes at %p is not within the memory map: %zu bytes at %p",
                len, addr, mmap->length, (void *)mmap->address);
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (data_start < start || data_start - start > len || data_len > len - (data_start - start)) {
        SDK_LOG_DBG("Data of %zu bytes at %p is not within the buffer of %zu bytes at %p", data_len,
                data, len, addr);
        return DOCA_ERROR_INVALID_VALUE;
    }
    return allocate_buf(inventory, mmap, addr, len, data, data_len, buf);
}

doca_error_t doca_buf_inventory_buf_dup(struct doca_buf_inventory *inventory,
        const struct doca_buf *src_buf, struct doca_buf **dst_buf)
{
    if (inventory == NULL || src_buf == NULL || src_buf->refcount == 0 || dst_buf == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    if (src_buf->first != src_buf)
        return DOCA_ERROR_NOT_PERMITTED;
    if (src_buf->mmap == NULL) /* a task's own buffer: its memory is freed with the task */
        return DOCA_ERROR_NOT_SUPPORTED;
    if (!inventory->started)
        return DOCA_ERROR_BAD_STATE;
    return allocate_buf(inventory, src_buf->mmap, src_buf->head, src_buf->len, src_buf->data,
            src_buf->data_len, dst_buf);
}

doca_error_t doca_buf_inventory_set_user_data(
        struct doca_buf_inventory *inventory, union doca_data user_data)
{
    if (inventory == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    if (inventory->started)
        return DOCA_ERROR_NOT_PERMITTED;

    inventory->user_data = user_data;
    return DOCA_SUCCESS;
}

doca_error_t doca_buf_inventory_get_num_elements(
        const struct doca_buf_inventory *inventory, uint32_t *num_of_elements)
{
    if (inventory == NULL || num_of_elements == NULL)
        return DOCA_ERROR_INVALID_VALUE;

    *num_of_elements = inventory->elements;
    return DOCA_SUCCESS;
}

doca_error_t doca_buf_inventory_get_num_free_elements(
        const struct doca_buf_inventory *inventory, uint32_t *num_of_free_elements)
{
    if (inventory == NULL || num_of_free_elements == NULL)
        return DOCA_ERROR_INVALID_VALUE;

    *num_of_free_elements = inventory->free_elements;
    return DOCA_SUCCESS;
}

doca_error_t doca_buf_inventory_get_user_data(
        const struct doca_buf_inventory *inventory, union doca_data *user_data)
{
    if (inventory == NULL || user_data == NULL)
        return DOCA_ERROR_INVALID_VALUE;

    *user_data = inventory->user_data;
    return DOCA_SUCCESS;
}

doca_error_t doca_buf_inventory_expand(struct doca_buf_inventory *inventory, uint32_t num_elements)
{
    if (inventory == NULL || num_elements == 0 || num_elements > UINT32_MAX - inventory->elements)
        return DOCA_ERROR_INVALID_VALUE;
    if (!inventory->started)
        return DOCA_ERROR_BAD_STATE;
    return add_chunk(inventory, num_elements);
}
