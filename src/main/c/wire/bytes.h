/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Unaligned little-endian loads and stores of one instruction each. Storing single bytes would fill
 * the processor's store buffer just before UCX has to drain it.
 */
#ifndef JUROM_WIRE_BYTES_H_
#define JUROM_WIRE_BYTES_H_

#include <endian.h>
#include <stdint.h>
#include <string.h>

/* Reads 2 bytes at `data`. */
static inline uint16_t load_u16(const uint8_t *data)
{
    uint16_t value;

    memcpy(&value, data, sizeof(value));
    return le16toh(value);
}

/* Reads 4 bytes at `data`. */
static inline uint32_t load_u32(const uint8_t *data)
{
    uint32_t value;

    memcpy(&value, data, sizeof(value));
    return le32toh(value);
}

/* Reads 8 bytes at `data`. */
static inline uint64_t load_u64(const uint8_t *data)
{
    uint64_t value;

    memcpy(&value, data, sizeof(value));
    return le64toh(value);
}

/* Writes 2 bytes at `data`. */
static inline void store_u16(uint8_t *data, uint16_t value)
{
    value = htole16(value);
    memcpy(data, &value, sizeof(value));
}

/* Writes 4 bytes at `data`. */
static inline void store_u32(uint8_t *data, uint32_t value)
{
    value = htole32(value);
    memcpy(data, &value, sizeof(value));
}

/* Writes 8 bytes at `data`. */
static inline void store_u64(uint8_t *data, uint64_t value)
{
    value = htole64(value);
    memcpy(data, &value, sizeof(value));
}

#endif /* JUROM_WIRE_BYTES_H_ */
