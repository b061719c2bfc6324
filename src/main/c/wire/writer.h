/* SPDX-License-Identifier: Apache-2.0 */
/* Appending to a byte array. Private to wire. */
#ifndef JUROM_WIRE_WRITER_H_
#define JUROM_WIRE_WRITER_H_

#include <string.h>

#include "bytes.h"
#include "wire.h"

/* A writer with NULL data only counts bytes. */
struct writer {
    uint8_t *data;
    size_t length;
};

/* Adds `length` bytes. */
static inline void put(struct writer *writer, const void *data, size_t length)
{
    if (writer->data != NULL && length > 0)
        memcpy(writer->data + writer->length, data, length);
    writer->length += length;
}

/* Adds a run of bytes. */
static inline void put_bytes(struct writer *writer, const struct wire_bytes *bytes)
{
    put(writer, bytes->data, bytes->length);
}

/* Adds 4 bytes. */
static inline void put_u32(struct writer *writer, uint32_t value)
{
    uint8_t bytes[4];

    store_u32(bytes, value);
    put(writer, bytes, sizeof(bytes));
}

/* Adds 8 bytes. */
static inline void put_u64(struct writer *writer, uint64_t value)
{
    uint8_t bytes[8];

    store_u64(bytes, value);
    put(writer, bytes, sizeof(bytes));
}

/* Adds a CPU set, or zeros if it is absent. */
static inline void put_cpu_set(struct writer *writer, const uint8_t *cpu_set, bool given)
{
    static const uint8_t none[WIRE_CPU_SET_SIZE];

    put(writer, given ? cpu_set : none, WIRE_CPU_SET_SIZE);
}

#endif /* JUROM_WIRE_WRITER_H_ */
