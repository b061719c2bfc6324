/* SPDX-License-Identifier: Apache-2.0 */
/* DEFLATE as gzip, zlib or raw, by libdeflate. */
#include <string.h>

#include <libdeflate.h>

#include "compress.h"

#define MAX_LEVEL 12
#define SLOW_LEVEL 10           /* the first one of the algorithm with large tables */
#define MEMORY (1u << 20)       /* bytes of a context */
#define SLOW_MEMORY (10u << 20) /* ... from SLOW_LEVEL on */
#define GZIP_HEADER 20          /* with the extra field */
#define GZIP_TRAILER 8          /* CRC-32 and length of the content */
#define GZIP_LENGTH 16          /* offset of the member's length in the header */

typedef size_t (*compress_function)(struct libdeflate_compressor *compressor, const void *in,
        size_t in_bytes, void *out, size_t room);
typedef enum libdeflate_result (*decompress_function)(struct libdeflate_decompressor *decompressor,
        const void *in, size_t in_bytes, void *out, size_t room, size_t *consumed, size_t *made);

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

static bool open_context(struct context *context)
{
    if (context->decompresses)
        context->state = libdeflate_alloc_decompressor();
    else
        context->state = libdeflate_alloc_compressor(context->level);
    return context->state != NULL;
}

static void close_context(struct context *context)
{
    if (context->decompresses)
        libdeflate_free_decompressor(context->state);
    else
        libdeflate_free_compressor(context->state);
}

static enum urom_compress_result compress_by(compress_function function, struct context *context,
        const struct compress_command *command, uint8_t *output, size_t *length)
{
    *length = function(
            context->state, command->data.data, command->data.length, output, command->capacity);
    return *length == 0 ? UROM_COMPRESS_OUTPUT : UROM_COMPRESS_OK;
}

/* The library does not distinguish truncated input from invalid input. */
static enum urom_compress_result decompress_by(decompress_function function,
        struct context *context, const struct compress_command *command, uint8_t *output,
        size_t *length)
{
    size_t consumed = 0;

    switch (function(context->state, command->data.data, command->data.length, output,
            command->capacity, &consumed, length)) {
    case LIBDEFLATE_SUCCESS:
        return consumed == command->data.length ? UROM_COMPRESS_OK : UROM_COMPRESS_CORRUPT;
    case LIBDEFLATE_INSUFFICIENT_SPACE:
        return UROM_COMPRESS_OUTPUT;
    default:
        return UROM_COMPRESS_CORRUPT;
    }
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

static enum urom_compress_result decompress_gzip(struct context *context,
        const struct compress_command *command, uint8_t *output, size_t *length)
{
    return decompress_by(libdeflate_gzip_decompress_ex, context, command, output, length);
}

static enum urom_compress_result compress_zlib(struct context *context,
        const struct compress_command *command, uint8_t *output, size_t *length)
{
    return compress_by(libdeflate_zlib_compress, context, command, output, length);
}

static enum urom_compress_result decompress_zlib(struct context *context,
        const struct compress_command *command, uint8_t *output, size_t *length)
{
    return decompress_by(libdeflate_zlib_decompress_ex, context, command, output, length);
}

static enum urom_compress_result compress_deflate(struct context *context,
        const struct compress_command *command, uint8_t *output, size_t *length)
{
    return compress_by(libdeflate_deflate_compress, context, command, output, length);
}

static enum urom_compress_result decompress_deflate(struct context *context,
        const struct compress_command *command, uint8_t *output, size_t *length)
{
    return decompress_by(libdeflate_deflate_decompress_ex, context, command, output, length);
}

const struct codec gzip_codec = {
    .format = UROM_COMPRESS_GZIP,
    .flags = UROM_COMPRESS_HAS_CHECKSUM,
    .min_level = min_level,
    .max_level = max_level,
    .memory = memory,
    .open = open_context,
    .close = close_context,
    .compress = compress_gzip,
    .decompress = decompress_gzip,
};

const struct codec zlib_codec = {
    .format = UROM_COMPRESS_ZLIB,
    .flags = UROM_COMPRESS_HAS_CHECKSUM,
    .min_level = min_level,
    .max_level = max_level,
    .memory = memory,
    .open = open_context,
    .close = close_context,
    .compress = compress_zlib,
    .decompress = decompress_zlib,
};

const struct codec deflate_codec = {
    .format = UROM_COMPRESS_DEFLATE,
    .min_level = min_level,
    .max_level = max_level,
    .memory = memory,
    .open = open_context,
    .close = close_context,
    .compress = compress_deflate,
    .decompress = decompress_deflate,
};
