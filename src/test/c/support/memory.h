/* SPDX-License-Identifier: Apache-2.0 */
/* Fixture of a device, a started memory map and a started inventory. */
#ifndef JUROM_TEST_MEMORY_H_
#define JUROM_TEST_MEMORY_H_

#include "cmocka_all.h"

#include <string.h>

#include <doca_buf.h>
#include <doca_buf_inventory.h>
#include <doca_dev.h>
#include <doca_mmap.h>

#define MEMORY_SIZE 65536
#define MEMORY_BUFFERS 64
#define ALLOCATED_MAX (1 << 28) /* bytes that a program can allocate */

struct memory {
    struct doca_dev *dev;
    struct doca_mmap *mmap;
    struct doca_buf_inventory *inventory;
    uint8_t bytes[MEMORY_SIZE];
};

#define assert_ok(call) assert_int_equal(DOCA_SUCCESS, call)

/* Opens soft0. */
static inline struct doca_dev *open_soft0(void)
{
    struct doca_devinfo **list;
    struct doca_dev *dev;
    uint32_t count;

    assert_ok(doca_devinfo_create_list(&list, &count));
    assert_ok(doca_dev_open(list[0], &dev));
    assert_ok(doca_devinfo_destroy_list(list));
    return dev;
}

/* Creates and starts a map of a range, with `dev`. */
static inline struct doca_mmap *map_range(
        struct doca_dev *dev, void *address, size_t length, uint32_t permissions)
{
    struct doca_mmap *mmap;

    assert_ok(doca_mmap_create(&mmap));
    assert_ok(doca_mmap_set_memrange(mmap, address, length));
    assert_ok(doca_mmap_set_permissions(mmap, permissions));
    assert_ok(doca_mmap_add_dev(mmap, dev));
    assert_ok(doca_mmap_start(mmap));
    return mmap;
}

static inline void memory_open(struct memory *memory)
{
    memset(memory->bytes, 0, sizeof(memory->bytes));
    memory->dev = open_soft0();
    memory->mmap = map_range(
            memory->dev, memory->bytes, sizeof(memory->bytes), DOCA_ACCESS_FLAG_LOCAL_READ_WRITE);
    assert_ok(doca_buf_inventory_create(MEMORY_BUFFERS, &memory->inventory));
    assert_ok(doca_buf_inventory_start(memory->inventory));
}

/* Fails if a buffer was not released. */
static inline void memory_close(struct memory *memory)
{
    assert_ok(doca_buf_inventory_stop(memory->inventory));
    assert_ok(doca_buf_inventory_destroy(memory->inventory));
    assert_ok(doca_mmap_stop(memory->mmap));
    assert_ok(doca_mmap_destroy(memory->mmap));
    assert_ok(doca_dev_close(memory->dev));
}

/* Creates a buffer of `length` bytes at `offset`, with `data_length` bytes of data at `data`. */
static inline struct doca_buf *memory_buffer(
        struct memory *memory, size_t offset, size_t length, size_t data, size_t data_length)
{
    struct doca_buf *buf;

    assert_ok(doca_buf_inventory_buf_get_by_args(memory->inventory, memory->mmap,
            memory->bytes + offset, length, memory->bytes + offset + data, data_length, &buf));
    return buf;
}

static inline size_t data_length_of(const struct doca_buf *buf)
{
    size_t length;

    assert_ok(doca_buf_get_data_len(buf, &length));
    return length;
}

#endif /* JUROM_TEST_MEMORY_H_ */
