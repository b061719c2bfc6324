/* SPDX-License-Identifier: Apache-2.0 */
/*
 * worker_compress: compresses and decompresses blocks of hosts. Commands are queued, and each call
 * of `progress` executes one, so that the worker serves its connections between blocks.
 */
#ifndef JUROM_COMPRESS_H_
#define JUROM_COMPRESS_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <doca_urom_plugin.h>
#include <jurom/urom_compress.h>

#include "../reader.h"

#define CONTEXTS_MAX 8                 /* of a host */
#define CONTEXT_MEMORY_MAX (64u << 20) /* bytes of all contexts of a host */
#define QUEUED_MAX (256u << 20) /* bytes of the waiting commands of a host, and their outputs */
#define ALL_QUEUED_MAX (1024u << 20) /* ... of all hosts */

/* A decoded command. The bytes are inside the message. */
struct compress_command {
    uint64_t type; /* enum urom_worker_compress_cmd_type */
    const struct codec *codec;
    int level;
    bool checksum;
    size_t capacity;
    struct bytes dictionary;
    struct bytes data;
};

/* The state of a codec, which one direction and level of a host use for all blocks. */
struct context {
    ucs_list_link_t entry; /* in the host's list, most recently used first */
    const struct codec *codec;
    bool decompresses;
    int level;
    size_t memory;       /* bytes that it may use */
    void *state;         /* of the codec's library; NULL: none, and the next use opens it */
    uint8_t *dictionary; /* copy of the dictionary that `state` has, or NULL */
    size_t dictionary_length;
};

/* A compression format. */
struct codec {
    int (*min_level)(void);
    int (*max_level)(void);

    /* Returns the bytes of a context for the command, including its copy of the dictionary. */
    size_t (*memory)(const struct compress_command *command);

    /* Creates `context->state`. Returns false if there is no memory. */
    bool (*open)(struct context *context);
    void (*close)(struct context *context);

    /* Makes a context use this dictionary, or none. NULL: the format has no dictionaries. */
    enum urom_compress_result (*set_dictionary)(struct context *context);

    /* Writes at most the command's capacity to `output`, and its length to `*length`. */
    enum urom_compress_result (*compress)(struct context *context,
            const struct compress_command *command, uint8_t *output, size_t *length);
    enum urom_compress_result (*decompress)(struct context *context,
            const struct compress_command *command, uint8_t *output, size_t *length);
};

extern const struct codec zstd_codec, lz4_codec, gzip_codec, zlib_codec, deflate_codec;

/* The resources of a host. */
struct host {
    ucs_list_link_t entry;
    uint64_t id;
    ucs_list_link_t contexts;
    unsigned context_count;
    size_t context_memory;
    size_t queued; /* bytes of its waiting commands, and their outputs */
};

/* A command that waits. */
struct block {
    ucs_list_link_t entry;
    struct host *host;
    struct urom_worker_cmd_desc *desc;
    struct compress_command command;        /* points into `desc` */
    struct urom_worker_notif_desc *refusal; /* the answer if there is no memory for the output */
    size_t charge;
};

struct compress {
    ucs_list_link_t hosts;
    ucs_list_link_t blocks;  /* in order of arrival */
    ucs_list_link_t answers; /* of struct urom_worker_notif_desc */
    size_t queued;           /* of all hosts */
};

/* Decompresses exactly one LZ4 frame. */
enum urom_compress_result lz4_decompress(
        const struct compress_command *command, uint8_t *output, size_t *length);

/* Decodes a command. The capacity and lengths are within limits if the result is OK. */
enum urom_compress_result compress_read_command(
        const uint8_t *bytes, size_t length, struct compress_command *command);

/*
 * Finds or creates the context for a command, with its dictionary. The host owns it and keeps a
 * bounded number of contexts.
 */
enum urom_compress_result context_use(
        struct host *host, const struct compress_command *command, struct context **context);

/* Releases all contexts of the host. */
void contexts_free(struct host *host);

/* Drops the host's commands and answers, and releases its contexts. */
void compress_host_left(struct compress *compress, uint64_t id);

/* Answers a waiting command of the host with SKIPPED. No effect if it does not wait. */
void compress_cancel(struct compress *compress, uint64_t id, uint64_t urom_context);

/* Answers a command with SKIPPED, and frees it. It is in no list. */
void compress_skip(struct compress *compress, struct block *block);

/* Drops everything. */
void compress_free(struct compress *compress);

/*
 * Queues a command and takes ownership of it and of its refusal, unless the result is other than OK:
 * a limit is reached, or there is no memory.
 */
enum urom_compress_result compress_queue(struct compress *compress,
        struct urom_worker_cmd_desc *desc, const struct compress_command *command,
        struct urom_worker_notif_desc *refusal);

/* Removes the first waiting command, whose owner is the caller then. NULL: there is none. */
struct block *compress_next(struct compress *compress);

#endif /* JUROM_COMPRESS_H_ */
