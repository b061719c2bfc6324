/* SPDX-License-Identifier: Apache-2.0 */
/* Decoding of commands. Every length is checked against the bytes available. */
#include "compress.h"

#define CAPACITY_MAX (64u << 20) /* the longest message of a service */

static const struct codec *find_codec(uint32_t format)
{
    switch ((enum urom_compress_format)format) {
    case UROM_COMPRESS_ZSTD:
        return &zstd_codec;
    case UROM_COMPRESS_LZ4:
        return &lz4_codec;
    case UROM_COMPRESS_GZIP:
        return &gzip_codec;
    case UROM_COMPRESS_ZLIB:
        return &zlib_codec;
    case UROM_COMPRESS_DEFLATE:
        return &deflate_codec;
    case UROM_COMPRESS_FORMATS_END:
        break;
    }
    return NULL;
}

/* Checks the parameters of a block. */
static enum urom_compress_result check_block(
        const struct urom_worker_compress_cmd *fields, const struct compress_command *command)
{
    const struct codec *codec = command->codec;

    if (codec == NULL)
        return UROM_COMPRESS_FORMAT;
    if (fields->type == UROM_WORKER_CMD_COMPRESS
            && (fields->level < codec->min_level() || fields->level > codec->max_level()))
        return UROM_COMPRESS_LEVEL;
    if (command->dictionary.length > UROM_COMPRESS_DICTIONARY_MAX
            || (command->dictionary.length > 0 && codec->set_dictionary == NULL))
        return UROM_COMPRESS_DICTIONARY;
    if (fields->capacity > CAPACITY_MAX)
        return UROM_COMPRESS_MEMORY;
    return UROM_COMPRESS_OK;
}

enum urom_compress_result compress_read_command(
        const uint8_t *bytes, size_t length, struct compress_command *command)
{
    struct reader reader = { bytes, length, false };
    struct urom_worker_compress_cmd fields;

    take_struct(&reader, &fields, sizeof(fields));
    *command = (struct compress_command){
        .type = fields.type,
        .codec = find_codec(fields.format),
        .level = fields.level,
        .checksum = (fields.flags & UROM_COMPRESS_CHECKSUM) != 0,
        .capacity = fields.capacity,
        .dictionary = take(&reader, fields.dictionary_length),
        .data = take(&reader, fields.data_length),
    };
    if (!is_read_up(&reader) || fields.type > UROM_WORKER_CMD_COMPRESS_DECOMPRESS
            || fields.flags > UROM_COMPRESS_CHECKSUM)
        return UROM_COMPRESS_MALFORMED;
    return check_block(&fields, command);
}
