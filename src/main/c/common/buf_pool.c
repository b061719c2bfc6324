/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A pool: buffers of one size, parts of the range of one memory map when the pool starts;
 * allocating a buffer then allocates no memory. While the pool is started, its map cannot be
 * stopped, and all its buffers count as the map's. Not thread-safe.
 */
#include <doca_buf_pool.h>

#include <stdbool.h>
#include <stdlib.h>

#include "buf.h"
#include "mmap.h"
#include "sdk_log.h"

SDK_LOG_REGISTER(DOCA::BUF_POOL)

struct doca_buf_pool {
    struct doca_mmap *mmap;
    struct doca_buf *buffers;
    struct doca_buf *free; /* linked by `next` */
    uint32_t elements;
    uint32_t free_elements;
    size_t element_size;
    size_t alignment; /* of the elements, in bytes */
    bool started;
    union doca_data user_data;
};

/* Returns the first multiple of `alignment`, a power of two, that is at least `value`. */
static uintptr_t align_up(uintptr_t value, size_t alignment)
{
    return (value + alignment - 1) & ~(uintptr_t)(alignment - 1);
}

static void return_buf(struct doca_buf *buf, void *owner)
{
    struct doca_buf_pool *pool = owner;

    buf->next = pool->free;
    pool->free = buf;
    pool->free_elements++;
}

static doca_error_t check_unused(const struct doca_buf_pool *pool)
{
    if (!pool->started || pool->free_elements == pool->elements)
        return DOCA_SUCCESS;
    SDK_LOG_DBG("%u buffers of the pool are in use: release them first",
            pool->elements - pool->free_elements);
    return DOCA_ERROR_IN_USE;
}

doca_error_t doca_buf_pool_create(size_t num_elements, size_t element_size,
        const struct doca_mmap *mmap, struct doca_buf_pool **buf_pool)
{
    struct doca_buf_pool *pool;

    if (num_elements == 0 || num_elements > MMAP_BUFFERS || element_size == 0 || mmap == NULL
            || buf_pool == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    pool = calloc(1, sizeof(*pool));
    if (pool == NULL)
        return DOCA_ERROR_NO_MEMORY;
    pool->buffers = calloc(num_elements, sizeof(*pool->buffers));
    if (pool->buffers == NULL) {
        free(pool);
        return DOCA_ERROR_NO_MEMORY;
    }

    pool->mmap = (struct doca_mmap *)mmap; /* only its buffer count changes */
    pool->elements = (uint32_t)num_elements;
    pool->element_size = element_size;
    pool->alignment = 1;
    *buf_pool = pool;
    return DOCA_SUCCESS;
}

doca_error_t doca_buf_pool_destroy(struct doca_buf_pool *buf_pool)
{
    doca_error_t status = DOCA_SUCCESS;

    if (buf_pool == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    if (buf_pool->started)
        status = doca_buf_pool_stop(buf_pool);
    if (status != DOCA_SUCCESS)
        return status;

    free(buf_pool->buffers);
    free(buf_pool);
    return DOCA_SUCCESS;
}

/* Assigns a part of the map's range to each descriptor. INITIALIZATION: the range is too small. */
static doca_error_t divide(struct doca_buf_pool *pool)
{
    uintptr_t range = (uintptr_t)pool->mmap->address;
    uintptr_t first = align_up(range, pool->alignment);
    size_t padding = first - range, stride, available, i;

    stride = align_up(pool->element_size, pool->alignment);
    if (first < range || stride < pool->element_size || padding > pool->mmap->length)
        return DOCA_ERROR_INITIALIZATION;
    available = pool->mmap->length - padding;
    if (available < pool->element_size
            || (available - pool->element_size) / stride < pool->elements - 1)
        return DOCA_ERROR_INITIALIZATION;

    pool->free = NULL;
    for (i = pool->elements; i > 0; i--) {
        pool->buffers[i - 1].head = (uint8_t *)first + (i - 1) * stride;
        pool->buffers[i - 1].next = pool->free;
        pool->free = &pool->buffers[i - 1];
    }
    pool->free_elements = pool->elements;
    return DOCA_SUCCESS;
}

doca_error_t doca_buf_pool_start(struct doca_buf_pool *buf_pool)
{
    doca_error_t status;

    if (buf_pool == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    if (buf_pool->started)
        return DOCA_ERROR_NOT_PERMITTED;
    if (!mmap_acquire_buffers(buf_pool->mmap, buf_pool->elements)) {
        SDK_LOG_DBG("The pool's memory map is not started");
        return DOCA_ERROR_BAD_STATE;
    }

    status = divide(buf_pool);
    if (status != DOCA_SUCCESS) {
        SDK_LOG_DBG("%u elements of %zu bytes, aligned to %zu, do not fit the memory map of %zu "
                    "bytes",
                buf_pool->elements, buf_pool->element_size, buf_pool->alignment,
                buf_pool->mmap->length);
        mmap_release_buffers(buf_pool->mmap, buf_pool->elements);
        return status;
    }
    buf_pool->started = true;
    return DOCA_SUCCESS;
}

doca_error_t doca_buf_pool_stop(struct doca_buf_pool *buf_pool)
{
    doca_error_t status;

    if (buf_pool == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    if (!buf_pool->started)
        return DOCA_ERROR_NOT_PERMITTED;
    status = check_unused(buf_pool);
    if (status != DOCA_SUCCESS)
        return status;

    mmap_release_buffers(buf_pool->mmap, buf_pool->elements);
    buf_pool->started = false;
    return DOCA_SUCCESS;
}

doca_error_t doca_buf_pool_buf_alloc(struct doca_buf_pool *buf_pool, struct doca_buf **buf)
{
    struct doca_buf *allocated;

    if (buf_pool == NULL || buf == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    if (!buf_pool->started)
        return DOCA_ERROR_BAD_STATE;
    allocated = buf_pool->free;
    if (allocated == NULL)
        return DOCA_ERROR_EMPTY;

    buf_pool->free = allocated->next;
    buf_pool->free_elements--;
    priv_doca_buf_init(allocated, allocated->head, buf_pool->element_size, allocated->head, 0);
    allocated->mmap = buf_pool->mmap;
    allocated->release = return_buf;
    allocated->owner = buf_pool;
    *buf = allocated;
    return DOCA_SUCCESS;
}

doca_error_t doca_buf_pool_set_user_data(struct doca_buf_pool *buf_pool, union doca_data user_data)
{
    if (buf_pool == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    if (buf_pool->started)
        return DOCA_ERROR_BAD_STATE;

    buf_pool->user_data = user_data;
    return DOCA_SUCCESS;
}

doca_error_t doca_buf_pool_set_element_alignment(
        struct doca_buf_pool *buf_pool, size_t element_alignment)
{
    if (buf_pool == NULL || element_alignment == 0
            || (element_alignment & (element_alignment - 1)) != 0)
        return DOCA_ERROR_INVALID_VALUE;
    if (buf_pool->started)
        return DOCA_ERROR_BAD_STATE;

    buf_pool->alignment = element_alignment;
    return DOCA_SUCCESS;
}

doca_error_t doca_buf_pool_get_num_elements(
        const struct doca_buf_pool *buf_pool, uint32_t *num_of_elements)
{
    if (buf_pool == NULL || num_of_elements == NULL)
        return DOCA_ERROR_INVALID_VALUE;

    *num_of_elements = buf_pool->elements;
    return DOCA_SUCCESS;
}

/* Before the start, all elements are free. */
doca_error_t doca_buf_pool_get_num_free_elements(
        const struct doca_buf_pool *buf_pool, uint32_t *num_of_free_elements)
{
    if (buf_pool == NULL || num_of_free_elements == NULL)
        return DOCA_ERROR_INVALID_VALUE;

    *num_of_free_elements = buf_pool->started ? buf_pool->free_elements : buf_pool->elements;
    return DOCA_SUCCESS;
}

doca_error_t doca_buf_pool_get_user_data(
        const struct doca_buf_pool *buf_pool, union doca_data *user_data)
{
    if (buf_pool == NULL || user_data == NULL)
        return DOCA_ERROR_INVALID_VALUE;

    *user_data = buf_pool->user_data;
    return DOCA_SUCCESS;
}

doca_error_t doca_buf_pool_get_element_alignment(
        const struct doca_buf_pool *buf_pool, size_t *element_alignment)
{
    if (buf_pool == NULL || element_alignment == NULL)
        return DOCA_ERROR_INVALID_VALUE;

    *element_alignment = buf_pool->alignment;
    return DOCA_SUCCESS;
}
