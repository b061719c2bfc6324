/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decoding of LZ4 frames. Lz4.java accepts the same frames, with the same errors: both verify a block
 * before they decode it, because versions of liblz4 accept different blocks.
 */
#include <string.h>

#include <lz4.h>

#include "compress.h"

#define MAGIC 0x184D2204u
#define LEGACY_MAGIC 0x184C2102u
#define UNCOMPRESSED 0x80000000u /* a bit of the length of a block */
#define WINDOW (64u << 10)       /* bytes before a block to which it may refer */
#define MAX_SHORT 15u            /* a length that further bytes continue */
#define MIN_MATCH 4u
#define LAST_LITERALS 5u /* at least, at the end of a block with matches */
#define LAST_MATCH 12u   /* the last match begins at least so far before the end */
#define STRIPE 16u       /* bytes that the checksum takes at once */

struct header {
    size_t length;
    bool linked;
    bool block_checksum;
    bool content_checksum;
    bool has_content;
    uint64_t content;
    size_t max_block;
};

static uint32_t rotate(uint32_t value, int bits)
{
    return value << bits | value >> (32 - bits);
}

/* XXH32 with the seed 0. */
static uint32_t checksum_of(const uint8_t *data, size_t length)
{
    const uint32_t primes[] = { 0x9E3779B1u, 0x85EBCA77u, 0xC2B2AE3Du, 0x27D4EB2Fu, 0x165667B1u };
    uint32_t lanes[] = { primes[0] + primes[1], primes[1], 0, 0u - primes[0] };
    uint32_t hash = primes[4];
    size_t at = 0;

    for (; length - at >= STRIPE; at += STRIPE) {
        for (int i = 0; i < 4; ++i)
            lanes[i] = rotate(lanes[i] + load_u32(data + at + 4 * i) * primes[1], 13) * primes[0];
    }
    if (length >= STRIPE)
        hash = rotate(lanes[0], 1) + rotate(lanes[1], 7) + rotate(lanes[2], 12)
                + rotate(lanes[3], 18);
    hash += (uint32_t)length;
    for (; length - at >= sizeof(uint32_t); at += sizeof(uint32_t))
        hash = rotate(hash + load_u32(data + at) * primes[2], 17) * primes[3];
    for (; at < length; ++at)
        hash = rotate(hash + data[at] * primes[4], 11) * primes[0];
    hash = (hash ^ hash >> 15) * primes[1];
    hash = (hash ^ hash >> 13) * primes[2];
    return hash ^ hash >> 16;
}

static enum urom_compress_result read_header(const struct bytes *data, struct header *header)
{
    const uint8_t *bytes = data->data;
    bool has_dictionary;

    if (data->length < sizeof(uint32_t))
        return UROM_COMPRESS_TRUNCATED;
    if (load_u32(bytes) == LEGACY_MAGIC)
        return UROM_COMPRESS_FORMAT;
    if (load_u32(bytes) != MAGIC)
        return UROM_COMPRESS_CORRUPT;
    if (data->length < 6)
        return UROM_COMPRESS_TRUNCATED;
    if (bytes[4] >> 6 != 1 || (bytes[4] & 2) != 0 || (bytes[5] & 0x8F) != 0 || bytes[5] >> 4 < 4)
        return UROM_COMPRESS_CORRUPT;
    has_dictionary = (bytes[4] & 1) != 0;
    header->has_content = (bytes[4] & 8) != 0;
    header->length = 7 + (header->has_content ? sizeof(uint64_t) : 0)
            + (has_dictionary ? sizeof(uint32_t) : 0);
    if (data->length < header->length)
        return UROM_COMPRESS_TRUNCATED;
    if (bytes[header->length - 1] != (checksum_of(bytes + 4, header->length - 5) >> 8 & 0xFF))
        return UROM_COMPRESS_CORRUPT;
    if (has_dictionary && load_u32(bytes + header->length - 5) != 0)
        return UROM_COMPRESS_DICTIONARY;
    header->linked = (bytes[4] & 32) == 0;
    header->block_checksum = (bytes[4] & 16) != 0;
    header->content_checksum = (bytes[4] & 4) != 0;
    header->content = header->has_content ? load_u64(bytes + 6) : 0;
    header->max_block = (size_t)1 << (8 + 2 * (bytes[5] >> 4));
    return UROM_COMPRESS_OK;
}

/* Reads the rest of a length. Returns false if the block ends, or the length exceeds `max`. */
static bool read_length(const struct bytes *block, size_t *at, size_t max, size_t *length)
{
    uint8_t part;

    do {
        if (*at >= block->length || *length > max)
            return false;
        part = block->data[(*at)++];
        *length += part;
    } while (part == 255);
    return true;
}

/* Verifies a compressed block, and sets the length of its content. `history`: bytes before it. */
static bool measure(const struct bytes *block, size_t history, size_t max, size_t *length)
{
    size_t at = 0, made = 0, match_start = 0;
    bool has_match = false;

    while (at < block->length) {
        uint8_t token = block->data[at++];
        size_t literals = token >> 4, match = token & MAX_SHORT, distance;

        if (literals == MAX_SHORT && !read_length(block, &at, max, &literals))
            return false;
        if (literals > block->length - at || literals > max - made)
            return false;
        at += literals;
        made += literals;
        if (at == block->length) {
            *length = made;
            return !has_match || (match_start + LAST_MATCH <= made && literals >= LAST_LITERALS);
        }
        if (block->length - at < 2)
            return false;
        distance = load_u16(block->data + at);
        at += 2;
        if (match == MAX_SHORT && !read_length(block, &at, max, &match))
            return false;
        match += MIN_MATCH;
        if (distance == 0 || distance > history + made || match > max - made)
            return false;
        has_match = true;
        match_start = made;
        made += match;
    }
    return false; /* no literals at the end */
}

/* Decodes a block behind the content before it. */
static enum urom_compress_result decode(const struct header *header, const struct bytes *block,
        bool compressed, uint8_t *output, size_t made, size_t room, size_t *length)
{
    size_t history = header->linked ? made : 0;
    int decoded;

    *length = block->length;
    if (compressed && !measure(block, history, header->max_block, length))
        return UROM_COMPRESS_CORRUPT;
    if (*length > room)
        return UROM_COMPRESS_OUTPUT;
    if (!compressed)
        memcpy(output, block->data, block->length);
    if (!compressed || *length == 0)
        return UROM_COMPRESS_OK;
    history = history < WINDOW ? history : WINDOW;
    decoded = LZ4_decompress_safe_usingDict((const char *)block->data, (char *)output,
            (int)block->length, (int)*length, (const char *)output - history, (int)history);
    return decoded >= 0 && (size_t)decoded == *length ? UROM_COMPRESS_OK : UROM_COMPRESS_CORRUPT;
}

/* Decodes the block that begins the data, and removes it. Sets `*ended` at the end of the frame. */
static enum urom_compress_result next_block(const struct header *header, struct bytes *data,
        uint8_t *output, size_t capacity, size_t *length, bool *ended)
{
    struct bytes block;
    size_t whole, made = 0;
    uint32_t word;
    enum urom_compress_result result;

    if (data->length < sizeof(word))
        return UROM_COMPRESS_TRUNCATED;
    word = load_u32(data->data);
    *ended = word == 0;
    block = (struct bytes){ data->data + sizeof(word), word & ~UNCOMPRESSED };
    if (block.length > header->max_block)
        return UROM_COMPRESS_CORRUPT;
    whole = sizeof(word) + block.length;
    whole += (*ended ? header->content_checksum : header->block_checksum) ? sizeof(uint32_t) : 0;
    if (data->length < whole)
        return UROM_COMPRESS_TRUNCATED;
    data->data += whole;
    data->length -= whole;
    if (*ended) {
        if (header->has_content && header->content != *length)
            return UROM_COMPRESS_CORRUPT;
        return !header->content_checksum || load_u32(block.data) == checksum_of(output, *length)
                ? UROM_COMPRESS_OK
                : UROM_COMPRESS_CORRUPT;
    }
    if (header->block_checksum
            && load_u32(block.data + block.length) != checksum_of(block.data, block.length))
        return UROM_COMPRESS_CORRUPT;
    result = decode(header, &block, (word & UNCOMPRESSED) == 0, output + *length, *length,
            capacity - *length, &made);
    *length += result == UROM_COMPRESS_OK ? made : 0;
    return result;
}

enum urom_compress_result lz4_decompress(
        const struct compress_command *command, uint8_t *output, size_t *length)
{
    struct bytes data = command->data;
    struct header header;
    enum urom_compress_result result = read_header(&data, &header);
    bool ended = false;

    *length = 0;
    if (result != UROM_COMPRESS_OK)
        return result;
    if (header.has_content && header.content > command->capacity)
        return UROM_COMPRESS_OUTPUT;
    data.data += header.length;
    data.length -= header.length;
    while (result == UROM_COMPRESS_OK && !ended)
        result = next_block(&header, &data, output, command->capacity, length, &ended);
    return result == UROM_COMPRESS_OK && data.length > 0 ? UROM_COMPRESS_CORRUPT : result;
}
