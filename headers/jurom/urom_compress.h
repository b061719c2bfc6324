/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Wire protocol of the "worker_compress" plugin, which compresses and decompresses blocks. See
 * docs/plugin-protocols.md.
 */
#ifndef UROM_COMPRESS_H_
#define UROM_COMPRESS_H_

#include <stdint.h>

enum urom_worker_compress_cmd_type {
    UROM_WORKER_CMD_COMPRESS,            /* compresses the data to one frame */
    UROM_WORKER_CMD_COMPRESS_DECOMPRESS, /* decompresses exactly one frame */
};

enum urom_compress_format {
    UROM_COMPRESS_ZSTD = 1,
    UROM_COMPRESS_LZ4 = 2,  /* LZ4 frame */
    UROM_COMPRESS_GZIP = 3, /* with an extra field "JU" that contains the member's length, u32 */
    UROM_COMPRESS_ZLIB = 4,
    UROM_COMPRESS_DEFLATE = 5, /* without header and checksum */
    UROM_COMPRESS_FORMATS_END, /* no format: the number after the last one */
};

/* Flags of a command: zstd and LZ4 append a checksum; gzip and zlib always have one. */
#define UROM_COMPRESS_CHECKSUM 1u

#define UROM_COMPRESS_DICTIONARY_MAX 1048576u /* bytes of a dictionary */

/* The result of a command. Other than OK: the notification's status is an error. */
enum urom_compress_result {
    UROM_COMPRESS_OK,
    UROM_COMPRESS_MALFORMED,  /* no command of this protocol */
    UROM_COMPRESS_FORMAT,     /* unknown format, or a frame of an old version of it */
    UROM_COMPRESS_LEVEL,      /* outside the levels of the format */
    UROM_COMPRESS_CORRUPT,    /* invalid frame, wrong checksum, or bytes after the frame */
    UROM_COMPRESS_TRUNCATED,  /* the frame is incomplete */
    UROM_COMPRESS_OUTPUT,     /* the output exceeds the capacity */
    UROM_COMPRESS_DICTIONARY, /* wrong, missing, invalid, or not supported by the format */
    UROM_COMPRESS_MEMORY,     /* exceeds a memory limit of the worker, or no memory */
};

/* A command: the struct, then the dictionary, then the data. */
struct urom_worker_compress_cmd {
    uint64_t type;              /* enum urom_worker_compress_cmd_type */
    uint32_t format;            /* enum urom_compress_format */
    int32_t level;              /* of COMPRESS, in the format's numbering */
    uint32_t flags;             /* of COMPRESS */
    uint32_t reserved;          /* 0 */
    uint64_t capacity;          /* maximum number of bytes of the output */
    uint64_t dictionary_length; /* 0: no dictionary */
    uint64_t data_length;
};

/* A notification: the struct, then the output. */
struct urom_worker_notify_compress {
    uint64_t type;   /* of the command */
    uint32_t result; /* enum urom_compress_result */
    uint32_t reserved;
    uint64_t length; /* of the output; 0 if the command failed */
};

#endif /* UROM_COMPRESS_H_ */
