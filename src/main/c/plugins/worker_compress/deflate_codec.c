/* SPDX-License-Identifier: Apache-2.0 */
/*
 * DEFLATE as gzip, zlib or raw: compressed by libdeflate, and decompressed by zlib, because libdeflate
 * accepts invalid streams that hosts reject, and does not tell truncated from invalid ones.
 */
#include <stdlib.h>
#include <string.h>

#include <libdeflate.h>
#include <zlib.h>

#include "compress.h"

#define MAX_LEVEL 12
#define SLOW_LEVEL 10           /* the first one of the algorithm with large tables */
#define MEMORY (1u << 20)       /* bytes of a context */
#define SLOW_MEMORY (10u << 20) /* ... from SLOW_LEVEL on */
#define GZIP_HEADER 20          /* with the extra field */
#define GZIP_TRAILER 8          /* CRC-32 and length of the content */
#define GZIP_LENGTH 16          /* offset of the member's length in the header */
#define GZIP_FIXED 10           /* bytes of a header without optional fields */
#define GZIP_HEADER_MAX (1u << 20)

enum gzip_flag { HAS_CHECKSUM = 2, HAS_EXTRA = 4, HAS_NAME = 8, HAS_COMMENT = 16, RESERVED = 0xE0 };

typedef size_t (*compress_function)(struct libdeflate_compressor *compressor, const void *in,
        size_t in_bytes, void *out, size_t room);

static int min_level(void)
{
    return 0;
}

static int max_level(void)
{
    return MAX_LEVEL;
}

static size_t memory(const struct compress_command *command)
{
    bool slow = command->type == UROM_WORKER_CMD_COMPRESS && command->level >= SLOW_LEVEL;

    return slow ? SLOW_MEMORY : MEMORY;
}

static bool open_inflater(struct context *context)
{
    int bits = context->codec == &zlib_codec ? MAX_WBITS : -MAX_WBITS;
    z_stream *stream = calloc(1, sizeof(*stream));

    if (stream != NULL && inflateInit2(stream, bits) != Z_OK) {
        free(stream);
        stream = NULL;
    }
    context->state = stream;
    return stream != NULL;
}

static bool open_context(struct context *context)
{
    if (context->decompresses)
        return open_inflater(context);
    context->state = libdeflate_alloc_compressor(context->level);
    return context->state != NULL;
}

static void close_context(struct context *context)
{
    if (context->decompresses) {
        inflateEnd(context->state);
        free(context->state);
    } else {
        libdeflate_free_compressor(context->state);
    }
}

static enum urom_compress_result compress_by(compress_function function, struct context *context,
        const struct compress_command *command, uint8_t *output, size_t *length)
{
    *length = function(
            context->state, command->data.data, command->data.length, output, command->capacity);
    return *length == 0 ? UROM_COMPRESS_OUTPUT : UROM_COMPRESS_OK;
}

/* Inflates once: to the output, or to one more byte, which shows that the output does not suffice. */
static enum urom_compress_result inflate_part(z_stream *stream, bool *ended)
{
    uint8_t *next = stream->next_out;
    bool is_full = stream->avail_out == 0;
    uint8_t more;
    uInt before;
    int code;

    if (is_full) {
        stream->next_out = &more;
        stream->avail_out = 1;
    }
    before = stream->avail_out;
    code = inflate(stream, Z_SYNC_FLUSH);
    *ended = code == Z_STREAM_END;
    if (code == Z_DATA_ERROR)
        return UROM_COMPRESS_CORRUPT;
    if (code == Z_NEED_DICT)
        return UROM_COMPRESS_DICTIONARY;
    if (code == Z_MEM_ERROR)
        return UROM_COMPRESS_MEMORY;
    if (is_full && stream->avail_out == 0)
        return UROM_COMPRESS_OUTPUT;
    if (!*ended && stream->avail_out == before && stream->avail_in == 0)
        return UROM_COMPRESS_TRUNCATED;
    if (is_full) {
        stream->next_out = next;
        stream->avail_out = 0;
    }
    return UROM_COMPRESS_OK;
}

/* Inflates the data, and removes it. */
static enum urom_compress_result inflate_all(
        z_stream *stream, struct bytes *data, uint8_t *output, size_t capacity, size_t *length)
{
    enum urom_compress_result result = UROM_COMPRESS_OK;
    bool ended = false;

    inflateReset(stream);
    stream->next_in = (uint8_t *)data->data;
    stream->avail_in = (uInt)data->length;
    stream->next_out = output;
    stream->avail_out = (uInt)capacity;
    while (result == UROM_COMPRESS_OK && !ended)
        result = inflate_part(stream, &ended);
    *length = capacity - stream->avail_out;
    data->data = stream->next_in;
    data->length = stream->avail_in;
    return result;
}

/* Exactly one stream: bytes after it are an error. */
static enum urom_compress_result decompress(struct context *context,
        const struct compress_command *command, uint8_t *output, size_t *length)
{
    struct bytes data = command->data;
    enum urom_compress_result result = inflate_all(
            context->state, &data, output, command->capacity, length);

    return result == UROM_COMPRESS_OK && data.length > 0 ? UROM_COMPRESS_CORRUPT : result;
}

/* The extra field lets a reader find the next member without decoding this one. */
static enum urom_compress_result compress_gzip(struct context *context,
        const struct compress_command *command, uint8_t *output, size_t *length)
{
    static const uint8_t header[GZIP_HEADER] = { 0x1f, 0x8b, 8, 4, 0, 0, 0, 0, 0, 255, 8, 0, 'J',
        'U', 4, 0 };
    size_t frame = GZIP_HEADER + GZIP_TRAILER;
    size_t made;

    if (command->capacity < frame)
        return UROM_COMPRESS_OUTPUT;
    made = libdeflate_deflate_compress(context->state, command->data.data, command->data.length,
            output + GZIP_HEADER, command->capacity - frame);
    if (made == 0)
        return UROM_COMPRESS_OUTPUT;
    memcpy(output, header, GZIP_HEADER);
    store_u32(output + GZIP_LENGTH, (uint32_t)(made + frame));
    store_u32(output + GZIP_HEADER + made,
            libdeflate_crc32(0, command->data.data, command->data.length));
    store_u32(output + GZIP_HEADER + made + sizeof(uint32_t), (uint32_t)command->data.length);
    *length = made + frame;
    return UROM_COMPRESS_OK;
}

/* Requires a part of the header that ends at `end`. */
static enum urom_compress_result require_header(const struct bytes *data, size_t end)
{
    if (end > GZIP_HEADER_MAX)
        return UROM_COMPRESS_CORRUPT;
    return end > data->length ? UROM_COMPRESS_TRUNCATED : UROM_COMPRESS_OK;
}

/* Moves `*end` behind a text and its terminating zero. */
static enum urom_compress_result skip_text(const struct bytes *data, size_t *end)
{
    enum urom_compress_result result;

    do {
        ++*end;
        result = require_header(data, *end);
    } while (result == UROM_COMPRESS_OK && data->data[*end - 1] != 0);
    return result;
}

static enum urom_compress_result skip_extra(const struct bytes *data, size_t *end)
{
    enum urom_compress_result result;

    *end += sizeof(uint16_t);
    result = require_header(data, *end);
    if (result != UROM_COMPRESS_OK)
        return result;
    *end += load_u16(data->data + *end - sizeof(uint16_t));
    return require_header(data, *end);
}

/* Sets the length of the header of a gzip member. */
static enum urom_compress_result read_gzip_header(const struct bytes *data, size_t *length)
{
    const uint8_t *bytes = data->data;
    enum urom_compress_result result = UROM_COMPRESS_OK;
    uint32_t checksum;

    if (data->length < GZIP_FIXED)
        return UROM_COMPRESS_TRUNCATED;
    if (bytes[0] != 0x1f || bytes[1] != 0x8b || bytes[2] != Z_DEFLATED
            || (bytes[3] & RESERVED) != 0)
        return UROM_COMPRESS_CORRUPT;
    *length = GZIP_FIXED;
    if ((bytes[3] & HAS_EXTRA) != 0)
        result = skip_extra(data, length);
    if (result == UROM_COMPRESS_OK && (bytes[3] & HAS_NAME) != 0)
        result = skip_text(data, length);
    if (result == UROM_COMPRESS_OK && (bytes[3] & HAS_COMMENT) != 0)
        result = skip_text(data, length);
    if (result != UROM_COMPRESS_OK || (bytes[3] & HAS_CHECKSUM) == 0)
        return result;
    checksum = libdeflate_crc32(0, bytes, *length);
    *length += sizeof(uint16_t);
    result = require_header(data, *length);
    if (result == UROM_COMPRESS_OK
            && load_u16(bytes + *length - sizeof(uint16_t)) != (checksum & 0xFFFF))
        result = UROM_COMPRESS_CORRUPT;
    return result;
}

static enum urom_compress_result decompress_gzip(struct context *context,
        const struct compress_command *command, uint8_t *output, size_t *length)
{
    struct bytes data = command->data;
    size_t header = 0;
    enum urom_compress_result result = read_gzip_header(&data, &header);

    if (result != UROM_COMPRESS_OK)
        return result;
    data.data += header;
    data.length -= header;
    result = inflate_all(context->state, &data, output, command->capacity, length);
    if (result != UROM_COMPRESS_OK)
        return result;
    if (data.length < GZIP_TRAILER)
        return UROM_COMPRESS_TRUNCATED;
    return load_u32(data.data) == libdeflate_crc32(0, output, *length)
                    && load_u32(data.data + sizeof(uint32_t)) == (uint32_t)*length
                    && data.length == GZIP_TRAILER
            ? UROM_COMPRESS_OK
            : UROM_COMPRESS_CORRUPT;
}

static enum urom_compress_result compress_zlib(struct context *context,
        const struct compress_command *command, uint8_t *output, size_t *length)
{
    return compress_by(libdeflate_zlib_compress, context, command, output, length);
}

static enum urom_compress_result compress_deflate(struct context *context,
        const struct compress_command *command, uint8_t *output, size_t *length)
{
    return compress_by(libdeflate_deflate_compress, context, command, output, length);
}

const struct codec gzip_codec = {
    .min_level = min_level,
    .max_level = max_level,
    .memory = memory,
    .open = open_context,
    .close = close_context,
    .compress = compress_gzip,
    .decompress = decompress_gzip,
};

const struct codec zlib_codec = {
    .min_level = min_level,
    .max_level = max_level,
    .memory = memory,
    .open = open_context,
    .close = close_context,
    .compress = compress_zlib,
    .decompress = decompress,
};

const struct codec deflate_codec = {
    .min_level = min_level,
    .max_level = max_level,
    .memory = memory,
    .open = open_context,
    .close = close_context,
    .compress = compress_deflate,
    .decompress = decompress,
};
