/* SPDX-License-Identifier: Apache-2.0 */
/* zstd, by libzstd. Frames contain the length of their content. */
#define ZSTD_STATIC_LINKING_ONLY /* for ZSTD_estimateCCtxSize_usingCParams */
#include <zstd.h>
#include <zstd_errors.h>

#include "compress.h"

static enum urom_compress_result result_of(size_t code)
{
    switch (ZSTD_getErrorCode(code)) {
    case ZSTD_error_no_error:
        return UROM_COMPRESS_OK;
    case ZSTD_error_dstSize_tooSmall:
        return UROM_COMPRESS_OUTPUT;
    case ZSTD_error_srcSize_wrong:
        return UROM_COMPRESS_TRUNCATED;
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

/* Exactly one frame: bytes after it are an error. */
static enum urom_compress_result check_frame(const struct compress_command *command)
{
    size_t whole = ZSTD_findFrameCompressedSize(command->data.data, command->data.length);
    unsigned long long content;

    if (ZSTD_isError(whole))
        return result_of(whole);
    content = ZSTD_getFrameContentSize(command->data.data, command->data.length);
    if (content == ZSTD_CONTENTSIZE_ERROR || whole != command->data.length)
        return UROM_COMPRESS_CORRUPT;
    if (content != ZSTD_CONTENTSIZE_UNKNOWN && content > command->capacity)
        return UROM_COMPRESS_OUTPUT;
    return UROM_COMPRESS_OK;
}

static enum urom_compress_result decompress(struct context *context,
        const struct compress_command *command, uint8_t *output, size_t *length)
{
    enum urom_compress_result result = check_frame(command);
    size_t made;

    if (result != UROM_COMPRESS_OK)
        return result;
    made = ZSTD_decompressDCtx(
            context->state, output, command->capacity, command->data.data, command->data.length);
    *length = made;
    return result_of(made);
}

const struct codec zstd_codec = {
    .format = UROM_COMPRESS_ZSTD,
    .flags = UROM_COMPRESS_HAS_CHECKSUM | UROM_COMPRESS_HAS_DICTIONARY,
    .min_level = ZSTD_minCLevel,
    .max_level = ZSTD_maxCLevel,
    .memory = memory,
    .open = open_context,
    .close = close_context,
    .set_dictionary = set_dictionary,
    .compress = compress,
    .decompress = decompress,
};
