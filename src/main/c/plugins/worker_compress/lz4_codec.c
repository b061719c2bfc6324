/* SPDX-License-Identifier: Apache-2.0 */
/* LZ4 frames, by liblz4: independent blocks, and the length of the content in the header. */
#include <stdlib.h>
#include <string.h>

#include <lz4frame.h>

#include "compress.h"

#define HIGH_LEVEL 3             /* the first one of the slower algorithm */
#define FAST_MEMORY (64u << 10)  /* bytes of a compressing context */
#define HIGH_MEMORY (512u << 10) /* ... from HIGH_LEVEL on */

static int min_level(void)
{
    return 0;
}

static size_t memory(const struct compress_command *command)
{
    if (command->type == UROM_WORKER_CMD_COMPRESS_DECOMPRESS)
        return 0;
    return command->level < HIGH_LEVEL ? FAST_MEMORY : HIGH_MEMORY;
}

/* Decoding has no state. */
static bool open_context(struct context *context)
{
    return context->decompresses
            || !LZ4F_isError(
                    LZ4F_createCompressionContext((LZ4F_cctx **)&context->state, LZ4F_VERSION));
}

static void close_context(struct context *context)
{
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

static enum urom_compress_result decompress(struct context *context,
        const struct compress_command *command, uint8_t *output, size_t *length)
{
    (void)context;
    return lz4_decompress(command, output, length);
}

const struct codec lz4_codec = {
    .min_level = min_level,
    .max_level = LZ4F_compressionLevel_max,
    .memory = memory,
    .open = open_context,
    .close = close_context,
    .compress = compress,
    .decompress = decompress,
};
