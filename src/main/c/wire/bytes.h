/* SPDX-License-Identifier: Apache-2.0 */
/* Little-endian reads and writes at any alignment: private to wire. */
#ifndef JUROM_WIRE_BYTES_H_
#define JUROM_WIRE_BYTES_H_

#include <stddef.h>
#include <stdint.h>

/* Reads 2 bytes at `data`. */
static inline uint16_t load_u16(const uint8_t *data)
{
    return (uint16_t)(data[0] | data[1] << 8);
}

/* Reads 4 bytes at `data`. */
static inline uint32_t load_u32(const uint8_t *data)
{
    return (uint32_t)load_u16(data) | (uint32_t)load_u16(data + 2) << 16;
}

/* Reads 8 bytes at `data`. */
static inline uint64_t load_u64(const uint8_t *data)
{
    return (uint64_t)load_u32(data) | (uint64_t)load_u32(data + 4) << 32;
}

/* Writes 2 bytes at `data`. */
static inline void store_u16(uint8_t *data, uint16_t value)
{
    data[0] = (uint8_t)value;
    data[1] = (uint8_t)(value >> 8);
}

/* Writes 4 bytes at `data`. */
static inline void store_u32(uint8_t *data, uint32_t value)
{
    store_u16(data, (uint16_t)value);
    store_u16(data + 2, (uint16_t)(value >> 16));
}

/* Writes 8 bytes at `data`. */
static inline void store_u64(uint8_t *data, uint64_t value)
{
    store_u32(data, (uint32_t)value);
    store_u32(data + 4, (uint32_t)(value >> 32));
}

#endif /* JUROM_WIRE_BYTES_H_ */
