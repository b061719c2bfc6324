/* SPDX-License-Identifier: Apache-2.0 */
/* zstd, by libzstd. Frames contain the length of their content. */
#define ZSTD_STATIC_LINKING_ONLY /* for ZSTD_estimateCCtxSize_usingCParams */
#include <zstd.h>
#include <zstd_errors.h>

#include "compress.h"

#define MAGIC 0xFD2FB528u
#define OLD_MAGIC 0xFD2FB520u /* of zstd before 0.8; the last 3 bits have any value */
#define OLD_MASK 0xFFFFFFF8u
#define FIRST_MAGIC 0xFD2FB51Eu /* of zstd 0.1 */
#define BLOCK_HEADER 3u

enum block_type { RAW, REPEATED, COMPRESSED, RESERVED };

struct header {
    size_t length;
    bool has_content;
    uint64_t content;
    bool has_checksum;
};

/* Returns the result for a code of the library, which is never a lack of input: frames are complete. */
static enum urom_compress_result result_of(size_t code)
{
    switch (ZSTD_getErrorCode(code)) {
    case ZSTD_error_no_error:
        return UROM_COMPRESS_OK;
    case ZSTD_error_dstSize_tooSmall:
        return UROM_COMPRESS_OUTPUT;
    case ZSTD_error_dictionary_corrupted:
    case ZSTD_error_dictionary_wrong:
    case ZSTD_error_dictionaryCreation_failed:
        return UROM_COMPRESS_DICTIONARY;
    case ZSTD_error_memory_allocation:
    case ZSTD_error_frameParameter_windowTooLarge:
        return UROM_COMPRESS_MEMORY;
    default:
        return UROM_COMPRESS_CORRUPT;
    }
}

/* The context copies the dictionary, and digests the copy. */
static size_t memory(const struct compress_command *command)
{
    size_t dictionary = command->dictionary.length;
    size_t digested = dictionary == 0 ? 0 : 2 * dictionary + (1 << 18);
    ZSTD_compressionParameters parameters;

    if (command->type == UROM_WORKER_CMD_COMPRESS_DECOMPRESS)
        return ZSTD_estimateDCtxSize() + digested;
    parameters = ZSTD_getCParams(
            command->level, command->data.length == 0 ? 1 : command->data.length, dictionary);
    digested += dictionary == 0
            ? 0
            : ZSTD_estimateCDictSize_advanced(dictionary, parameters, ZSTD_dlm_byCopy);
    return ZSTD_estimateCCtxSize_usingCParams(parameters) + digested;
}

static bool open_context(struct context *context)
{
    if (context->decompresses)
        context->state = ZSTD_createDCtx();
    else
        context->state = ZSTD_createCCtx();
    if (context->state != NULL && !context->decompresses)
        ZSTD_CCtx_setParameter(context->state, ZSTD_c_compressionLevel, context->level);
    return context->state != NULL;
}

static void close_context(struct context *context)
{
    if (context->decompresses)
        ZSTD_freeDCtx(context->state);
    else
        ZSTD_freeCCtx(context->state);
}

/*
 * An empty dictionary removes the previous one. The library reports an invalid dictionary as lack of
 * memory.
 */
static enum urom_compress_result set_dictionary(struct context *context)
{
    size_t code;

    if (context->decompresses)
        code = ZSTD_DCtx_loadDictionary_byReference(
                context->state, context->dictionary, context->dictionary_length);
    else
        code = ZSTD_CCtx_loadDictionary_byReference(
                context->state, context->dictionary, context->dictionary_length);
    return ZSTD_isError(code) ? UROM_COMPRESS_DICTIONARY : UROM_COMPRESS_OK;
}

static enum urom_compress_result compress(struct context *context,
        const struct compress_command *command, uint8_t *output, size_t *length)
{
    enum urom_compress_result result;
    size_t made;

    ZSTD_CCtx_setParameter(context->state, ZSTD_c_checksumFlag, command->checksum);
    made = ZSTD_compress2(
            context->state, output, command->capacity, command->data.data, command->data.length);
    *length = made;
    result = result_of(made);
    /* The library digests the dictionary here, and reports an invalid one as lack of memory. */
    return result == UROM_COMPRESS_MEMORY && context->dictionary != NULL ? UROM_COMPRESS_DICTIONARY
                                                                         : result;
}

static enum urom_compress_result read_header(const struct bytes *data, struct header *header)
{
    static const uint8_t dictionaries[] = { 0, 1, 2, 4 }, contents[] = { 0, 2, 4, 8 };
    const uint8_t *bytes = data->data;
    size_t content, at;
    bool single;

    if (data->length < sizeof(uint32_t))
        return UROM_COMPRESS_TRUNCATED;
    if ((load_u32(bytes) & OLD_MASK) == OLD_MAGIC || load_u32(bytes) == FIRST_MAGIC)
        return UROM_COMPRESS_FORMAT;
    if (load_u32(bytes) != MAGIC)
        return UROM_COMPRESS_CORRUPT;
    if (data->length < 5)
        return UROM_COMPRESS_TRUNCATED;
    single = (bytes[4] >> 5 & 1) != 0;
    content = bytes[4] >> 6 == 0 && single ? 1 : contents[bytes[4] >> 6];
    at = 5 + (single ? 0 : 1) + dictionaries[bytes[4] & 3];
    header->length = at + content;
    if (data->length < header->length)
        return UROM_COMPRESS_TRUNCATED;
    header->has_content = content > 0;
    header->has_checksum = (bytes[4] >> 2 & 1) != 0;
    header->content = content == 0 ? 0
            : content == 1         ? bytes[at]
            : content == 2         ? load_u16(bytes + at) + 256u
            : content == 4         ? load_u32(bytes + at)
                                   : load_u64(bytes + at);
    return UROM_COMPRESS_OK;
}

static uint32_t load_u24(const uint8_t *data)
{
    return load_u16(data) | (uint32_t)data[2] << 16;
}

/* Returns the length of the literals of a compressed block with their header, or more than the block has. */
static size_t literals_length(const uint8_t *block, size_t length)
{
    static const uint8_t raw_headers[] = { 1, 2, 1, 3 }, headers[] = { 3, 3, 4, 5 };
    static const uint8_t raw_shifts[] = { 3, 4, 3, 4 }, bits[] = { 10, 10, 14, 18 };
    unsigned type = block[0] & 3, format = block[0] >> 2 & 3;
    size_t header = type <= REPEATED ? raw_headers[format] : headers[format];
    uint64_t fields = 0;

    if (header > length)
        return header;
    for (size_t i = 0; i < header; ++i)
        fields |= (uint64_t)block[i] << 8 * i;
    if (type == RAW)
        return header + (fields >> raw_shifts[format]);
    if (type == REPEATED)
        return header + 1;
    return header + (fields >> (4 + bits[format]) & ((1u << bits[format]) - 1));
}

/* Verifies the bits of a compressed block that versions of the library before 1.5.5 ignore. */
static bool are_reserved_bits_clear(const uint8_t *block, size_t length)
{
    size_t at = length == 0 ? 0 : literals_length(block, length);
    size_t count;

    if (at >= length || block[at] == 0)
        return true; /* no sequences; or invalid, as the library finds */
    count = block[at] < 128 ? 1 : block[at] < 255 ? 2 : 3;
    return at + count >= length || (block[at + count] & 3) == 0;
}

/*
 * Verifies the structure of a frame: bytes after it are an error. Later versions of the library find
 * reserved bits while they decode, so `clear` tells separately whether these are clear.
 */
static enum urom_compress_result check_blocks(
        const struct bytes *data, const struct header *header, bool *clear)
{
    size_t at = header->length;
    bool last = false;

    *clear = true;
    while (!last) {
        uint32_t block;

        if (at > data->length || data->length - at < BLOCK_HEADER)
            return UROM_COMPRESS_TRUNCATED;
        block = load_u24(data->data + at);
        if ((block >> 1 & 3) == RESERVED)
            return UROM_COMPRESS_CORRUPT;
        last = (block & 1) != 0;
        at += BLOCK_HEADER;
        if ((block >> 1 & 3) == COMPRESSED && block >> 3 <= data->length - at)
            *clear = *clear && are_reserved_bits_clear(data->data + at, block >> 3);
        at += (block >> 1 & 3) == REPEATED ? 1 : block >> 3;
    }
    at += header->has_checksum ? sizeof(uint32_t) : 0;
    if (at > data->length)
        return UROM_COMPRESS_TRUNCATED;
    return at == data->length ? UROM_COMPRESS_OK : UROM_COMPRESS_CORRUPT;
}

/*
 * A frame that is longer than it states is corrupt, although versions of the library report either
 * this or a lack of room.
 */
static enum urom_compress_result decompress(struct context *context,
        const struct compress_command *command, uint8_t *output, size_t *length)
{
    struct header header;
    enum urom_compress_result result = read_header(&command->data, &header);
    bool clear;

    if (result == UROM_COMPRESS_OK)
        result = check_blocks(&command->data, &header, &clear);
    if (result != UROM_COMPRESS_OK)
        return result;
    if (header.has_content && header.content > command->capacity)
        return UROM_COMPRESS_OUTPUT;
    *length = ZSTD_decompressDCtx(
            context->state, output, command->capacity, command->data.data, command->data.length);
    if (ZSTD_getErrorCode(*length) == ZSTD_error_dictionary_corrupted)
        return UROM_COMPRESS_CORRUPT; /* a block refers to a table that no block before it has */
    result = result_of(*length);
    if (result == UROM_COMPRESS_OK && !clear)
        return UROM_COMPRESS_CORRUPT;
    return result == UROM_COMPRESS_OUTPUT && header.has_content ? UROM_COMPRESS_CORRUPT : result;
}

const struct codec zstd_codec = {
    .min_level = ZSTD_minCLevel,
    .max_level = ZSTD_maxCLevel,
    .memory = memory,
    .open = open_context,
    .close = close_context,
    .set_dictionary = set_dictionary,
    .compress = compress,
    .decompress = decompress,
};
