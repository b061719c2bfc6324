/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The counterpart of the plugin DigestPlugin in Java: computes the CRC-32C of bytes with the
 * instruction of SSE4.2, or compresses them with zlib. A command is a number of 8 bytes, which
 * selects the operation, and the bytes.
 */
#include <stdlib.h>
#include <string.h>

#include <doca_urom_plugin.h>
#include <zlib.h>

#define DEFLATE 1
#define ROOM (1 << 17) /* maximum size of compressed bytes */

struct digest {
    ucs_list_link_t answers; /* list of struct urom_worker_notif_desc */
    z_stream stream;
    uint8_t room[ROOM];
};

static doca_error_t digest_open(struct urom_worker_ctx *ctx)
{
    struct digest *digest = calloc(1, sizeof(*digest));

    if (digest == NULL)
        return DOCA_ERROR_NO_MEMORY;
    if (deflateInit(&digest->stream, Z_DEFAULT_COMPRESSION) != Z_OK) {
        free(digest);
        return DOCA_ERROR_NO_MEMORY;
    }
    ucs_list_head_init(&digest->answers);
    ctx->plugin_ctx = digest;
    return DOCA_SUCCESS;
}

static void digest_close(struct urom_worker_ctx *ctx)
{
    struct digest *digest = ctx->plugin_ctx;

    while (!ucs_list_is_empty(&digest->answers))
        free(ucs_list_extract_head(&digest->answers, struct urom_worker_notif_desc, entry));
    deflateEnd(&digest->stream);
    free(digest);
}

static doca_error_t digest_addr(struct urom_worker_ctx *ctx, void *addr, size_t *addr_len)
{
    (void)ctx;
    (void)addr;
    *addr_len = 0;
    return DOCA_ERROR_NOT_SUPPORTED;
}

static __attribute__((target("sse4.2"))) uint32_t crc32c(const uint8_t *bytes, size_t length)
{
    uint64_t crc = UINT32_MAX;

    for (; length >= sizeof(uint64_t); length -= sizeof(uint64_t), bytes += sizeof(uint64_t)) {
        uint64_t word;

        memcpy(&word, bytes, sizeof(word));
        crc = __builtin_ia32_crc32di(crc, word);
    }
    for (; length > 0; --length)
        crc = __builtin_ia32_crc32qi((uint32_t)crc, *bytes++);
    return ~(uint32_t)crc;
}

/* Compresses bytes into the buffer of the plugin. Returns the compressed size. */
static size_t compress_bytes(struct digest *digest, const uint8_t *bytes, size_t length)
{
    deflateReset(&digest->stream);
    digest->stream.next_in = (uint8_t *)bytes;
    digest->stream.avail_in = (uInt)length;
    digest->stream.next_out = digest->room;
    digest->stream.avail_out = ROOM;
    deflate(&digest->stream, Z_FINISH);
    return ROOM - digest->stream.avail_out;
}

static doca_error_t run(struct digest *digest, const struct urom_worker_cmd_desc *desc)
{
    const uint8_t *bytes = desc->worker_cmd.plugin_cmd + sizeof(uint64_t);
    struct urom_worker_notif_desc *answer;
    uint64_t operation;
    uint32_t crc;
    size_t length;

    if (desc->worker_cmd.len < sizeof(operation))
        return DOCA_ERROR_INVALID_VALUE;
    length = desc->worker_cmd.len - sizeof(operation);
    memcpy(&operation, desc->worker_cmd.plugin_cmd, sizeof(operation));
    if (operation == DEFLATE) {
        length = compress_bytes(digest, bytes, length);
    } else {
        crc = crc32c(bytes, length);
        length = sizeof(crc);
        memcpy(digest->room, &crc, length);
    }

    answer = calloc(1, sizeof(*answer) + length);
    if (answer == NULL)
        return DOCA_ERROR_NO_MEMORY;
    answer->dest_id = desc->dest_id;
    answer->worker_notif.type = desc->worker_cmd.type;
    answer->worker_notif.urom_context = desc->worker_cmd.urom_context;
    answer->worker_notif.len = length;
    memcpy(answer->worker_notif.plugin_notif, digest->room, length);
    ucs_list_add_tail(&digest->answers, &answer->entry);
    return DOCA_SUCCESS;
}

static doca_error_t digest_worker_cmd(struct urom_worker_ctx *ctx, ucs_list_link_t *cmd_list)
{
    doca_error_t status = DOCA_SUCCESS;

    while (!ucs_list_is_empty(cmd_list) && status == DOCA_SUCCESS) {
        struct urom_worker_cmd_desc *desc = ucs_list_extract_head(
                cmd_list, struct urom_worker_cmd_desc, entry);

        status = run(ctx->plugin_ctx, desc);
        free(desc);
    }
    return status;
}

static doca_error_t digest_progress(struct urom_worker_ctx *ctx, ucs_list_link_t *notif_list)
{
    struct digest *digest = ctx->plugin_ctx;

    if (ucs_list_is_empty(&digest->answers))
        return DOCA_ERROR_EMPTY;
    ucs_list_splice_tail(notif_list, &digest->answers);
    ucs_list_head_init(&digest->answers);
    return DOCA_SUCCESS;
}

static doca_error_t digest_notif_pack(
        struct urom_worker_notify *notif, size_t *packed_notif_len, void *packed_notif)
{
    if (*packed_notif_len < sizeof(*notif) + notif->len)
        return DOCA_ERROR_TOO_BIG;
    memcpy(packed_notif, notif, sizeof(*notif) + notif->len);
    *packed_notif_len = sizeof(*notif) + notif->len;
    return DOCA_SUCCESS;
}

DOCA_EXPERIMENTAL doca_error_t urom_plugin_get_version(uint64_t *version)
{
    *version = 1;
    return DOCA_SUCCESS;
}

DOCA_EXPERIMENTAL doca_error_t urom_plugin_get_iface(struct urom_plugin_iface *iface)
{
    DOCA_STRUCT_PTR_CTOR(iface);
    iface->open = digest_open;
    iface->close = digest_close;
    iface->addr = digest_addr;
    iface->worker_cmd = digest_worker_cmd;
    iface->progress = digest_progress;
    iface->notif_pack = digest_notif_pack;
    return DOCA_SUCCESS;
}
