/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A bounds-checked reader for data from hosts and peers. A read past the end marks the reader as
 * failed and returns nothing or zeros.
 */
#ifndef JUROM_PLUGIN_READER_H_
#define JUROM_PLUGIN_READER_H_

#include <stdbool.h>
#include <stddef.h>

#include <wire/bytes.h>

/* A run of bytes within the input. */
struct bytes {
    const uint8_t *data;
    size_t length;
};

/* The unread input. */
struct reader {
    const uint8_t *next;
    size_t left;
    bool failed;
};

/* Returns the next `length` bytes, or none after a failure. */
static inline struct bytes take(struct reader *reader, uint64_t length)
{
    struct bytes taken = { reader->next, 0 };

    if (length > reader->left) {
        reader->failed = true;
        reader->left = 0;
        return taken;
    }
    taken.length = length;
    reader->next += length;
    reader->left -= length;
    return taken;
}

/* Copies the next bytes to a struct, or zeros after a failure. */
static inline void take_struct(struct reader *reader, void *to, size_t size)
{
    struct bytes taken = take(reader, size);

    if (taken.length == size)
        memcpy(to, taken.data, size);
    else
        memset(to, 0, size);
}

/* Returns the next 4 bytes as a little-endian number, or 0 after a failure. */
static inline uint32_t take_u32(struct reader *reader)
{
    uint32_t value;

    take_struct(reader, &value, sizeof(value));
    return le32toh(value);
}

/* Returns the next 8 bytes as a little-endian number, or 0 after a failure. */
static inline uint64_t take_u64(struct reader *reader)
{
    uint64_t value;

    take_struct(reader, &value, sizeof(value));
    return le64toh(value);
}

/* Returns whether no read failed and no input is left. */
static inline bool is_read_up(const struct reader *reader)
{
    return !reader->failed && reader->left == 0;
}

#endif /* JUROM_PLUGIN_READER_H_ */
