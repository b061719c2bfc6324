/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How plugins read what hosts and peers send: through a reader that never passes the end. A read
 * that finds too little marks the reader as failed, and gives nothing or zeros.
 */
#ifndef JUROM_PLUGIN_READER_H_
#define JUROM_PLUGIN_READER_H_

#include <stdbool.h>
#include <stddef.h>

#include <wire/bytes.h>

/* A run of bytes inside of what is read. */
struct bytes {
    const uint8_t *data;
    size_t length;
};

/* What is still to be read. */
struct reader {
    const uint8_t *next;
    size_t left;
    bool failed;
};

/* The next `length` bytes; none after a failure. */
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

/* Copies the next bytes to a struct; zeros after a failure. */
static inline void take_struct(struct reader *reader, void *to, size_t size)
{
    struct bytes taken = take(reader, size);

    if (taken.length == size)
        memcpy(to, taken.data, size);
    else
        memset(to, 0, size);
}

static inline uint32_t take_u32(struct reader *reader)
{
    uint32_t value;

    take_struct(reader, &value, sizeof(value));
    return le32toh(value);
}

static inline uint64_t take_u64(struct reader *reader)
{
    uint64_t value;

    take_struct(reader, &value, sizeof(value));
    return le64toh(value);
}

/* Whether all was there that was read, and there is no more. */
static inline bool is_read_up(const struct reader *reader)
{
    return !reader->failed && reader->left == 0;
}

#endif /* JUROM_PLUGIN_READER_H_ */
