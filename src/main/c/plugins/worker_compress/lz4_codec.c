/* SPDX-License-Identifier: Apache-2.0 */
/* LZ4 frames, by liblz4: independent blocks, and the length of the content in the header. */
#include <stdlib.h>
#include <string.h>

#include <lz4frame.h>

#include "compress.h"

#define HIGH_LEVEL 3               /* the first one of the slower algorithm */
#define FAST_MEMORY (64u << 10)    /* bytes of a compressing context */
#define HIGH_MEMORY (512u << 10)   /* ... from HIGH_LEVEL on */
#define DECODING_MEMORY (9u << 20) /* two of the largest blocks of a frame, and 128 KiB */

static int min_level(void)
{
    return 0;
}

static size_t memory(const struct compress_command *command)
{
    if (command->type == UROM_WORKER_CMD_COMPRESS_DECOMPRESS)
        return DECODING_MEMORY;
    return command->level < HIGH_LEVEL ? FAST_MEMORY : HIGH_MEMORY;
}

static bool open_context(struct context *context)
{
    LZ4F_errorCode_t code;

    if (context->decompresses)
        code = LZ4F_createDecompressionContext((LZ4F_dctx **)&context->state, LZ4F_VERSION);
    else
        code = LZ4F_createCompressionContext((LZ4F_cctx **)&context->state, LZ4F_VERSION);
    return !LZ4F_isError(code);
}

static void close_context(struct context *context)
{
    if (context->decompresses)
        LZ4F_freeDecompressionContext(context->state);
    else
        LZ4F_freeCompressionContext(context->state);
}

static LZ4F_blockSizeID_t block_size(size_t length)
{
    if (length <= 64u << 10)
        return LZ4F_max64KB;
    if (length <= 256u << 10)
        return LZ4F_max256KB;
    return length <= 1u << 20 ? LZ4F_max1MB : LZ4F_max4MB;
}

/* Writes a frame to `output`, which has room for the longest. Returns its length or an error. */
static size_t write_frame(struct context *context, const LZ4F_preferences_t *preferences,
        const struct bytes *data, uint8_t *output, size_t room)
{
    size_t made = LZ4F_compressBegin(context->state, output, room, preferences);
    size_t part;

    if (LZ4F_isError(made))
        return made;
    part = LZ4F_compressUpdate(
            context->state, output + made, room - made, data->data, data->length, NULL);
    if (LZ4F_isError(part))
        return part;
    made += part;
    part = LZ4F_compressEnd(context->state, output + made, room - made, NULL);
    return LZ4F_isError(part) ? part : made + part;
}

/* The library needs room for the longest frame, so a smaller capacity needs memory of its own. */
static enum urom_compress_result compress(struct context *context,
        const struct compress_command *command, uint8_t *output, size_t *length)
{
    LZ4F_preferences_t preferences = {
        .frameInfo = {
            .blockSizeID = block_size(command->data.length),
            .blockMode = LZ4F_blockIndependent,
            .contentSize = command->data.length,
            .contentChecksumFlag = command->checksum ? LZ4F_contentChecksumEnabled
                                                     : LZ4F_noContentChecksum,
        },
        .compressionLevel = command->level,
        .autoFlush = 1,
    };
    size_t room = LZ4F_HEADER_SIZE_MAX + LZ4F_compressBound(command->data.length, &preferences);
    uint8_t *frame = room <= command->capacity ? output : malloc(room);
    enum urom_compress_result result = UROM_COMPRESS_OK;
    size_t made;

    if (frame == NULL)
        return UROM_COMPRESS_MEMORY;
    made = write_frame(context, &preferences, &command->data, frame, room);
    if (LZ4F_isError(made))
        result = UROM_COMPRESS_MEMORY; /* for the tables: there is room for all else */
    else if (made > command->capacity)
        result = UROM_COMPRESS_OUTPUT;
    else if (frame != output)
        memcpy(output, frame, made);
    *length = made;
    if (frame != output)
        free(frame);
    return result;
}

/* Decodes until the frame or the input ends, or there is no more room. */
static enum urom_compress_result read_frame(
        LZ4F_dctx *state, const struct compress_command *command, uint8_t *output, size_t *length)
{
    const uint8_t *next = command->data.data;
    size_t left = command->data.length;
    size_t expected, read, made;

    *length = 0;
    do {
        read = left;
        made = command->capacity - *length;
        expected = LZ4F_decompress(state, output + *length, &made, next, &read, NULL);
        if (LZ4F_isError(expected))
            return UROM_COMPRESS_CORRUPT;
        next += read;
        left -= read;
        *length += made;
    } while (expected > 0 && (read > 0 || made > 0));
    if (expected == 0)
        return left == 0 ? UROM_COMPRESS_OK : UROM_COMPRESS_CORRUPT;
    return left == 0 ? UROM_COMPRESS_TRUNCATED : UROM_COMPRESS_OUTPUT;
}

static enum urom_compress_result check_content(
        LZ4F_dctx *state, const struct compress_command *command)
{
    LZ4F_frameInfo_t info;
    size_t header = command->data.length;
    size_t start = LZ4F_headerSize(command->data.data, command->data.length);

    if (command->data.length < LZ4F_MIN_SIZE_TO_KNOW_HEADER_LENGTH
            || (!LZ4F_isError(start) && start > command->data.length))
        return UROM_COMPRESS_TRUNCATED;
    if (LZ4F_isError(LZ4F_getFrameInfo(state, &info, command->data.data, &header))
            || info.frameType != LZ4F_frame)
        return UROM_COMPRESS_CORRUPT;
    LZ4F_resetDecompressionContext(state);
    if (info.dictID != 0)
        return UROM_COMPRESS_DICTIONARY;
    return info.contentSize > command->capacity ? UROM_COMPRESS_OUTPUT : UROM_COMPRESS_OK;
}

static enum urom_compress_result decompress(struct context *context,
        const struct compress_command *command, uint8_t *output, size_t *length)
{
    enum urom_compress_result result = check_content(context->state, command);

    if (result == UROM_COMPRESS_OK)
        result = read_frame(context->state, command, output, length);
    if (result == UROM_COMPRESS_OK) {
        LZ4F_resetDecompressionContext(context->state);
    } else { /* a reset would keep the length that the frame still lacks */
        close_context(context);
        context->state = NULL;
    }
    return result;
}

const struct codec lz4_codec = {
    .format = UROM_COMPRESS_LZ4,
    .flags = UROM_COMPRESS_HAS_CHECKSUM,
    .min_level = min_level,
    .max_level = LZ4F_compressionLevel_max,
    .memory = memory,
    .open = open_context,
    .close = close_context,
    .compress = compress,
    .decompress = decompress,
};
