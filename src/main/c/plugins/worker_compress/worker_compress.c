/* SPDX-License-Identifier: Apache-2.0 */
/* The plugin's interface. */
#include <stdlib.h>
#include <string.h>

#include <jurom.h>

#include "compress.h"

#define COMPRESS_VERSION 1

static doca_error_t compress_open(struct urom_worker_ctx *ctx)
{
    struct compress *compress = calloc(1, sizeof(*compress));

    if (compress == NULL)
        return DOCA_ERROR_NO_MEMORY;
    ucs_list_head_init(&compress->hosts);
    ucs_list_head_init(&compress->blocks);
    ucs_list_head_init(&compress->answers);
    ctx->plugin_ctx = compress;
    return DOCA_SUCCESS;
}

static void compress_close(struct urom_worker_ctx *ctx)
{
    compress_free(ctx->plugin_ctx);
    free(ctx->plugin_ctx);
}

/* The plugin communicates only with hosts, so it has no address. */
static doca_error_t compress_addr(struct urom_worker_ctx *ctx, void *addr, size_t *addr_len)
{
    (void)ctx;
    (void)addr;
    *addr_len = 0;
    return DOCA_ERROR_NOT_SUPPORTED;
}

static doca_error_t status_of(enum urom_compress_result result)
{
    switch (result) {
    case UROM_COMPRESS_OK:
        return DOCA_SUCCESS;
    case UROM_COMPRESS_FORMAT:
        return DOCA_ERROR_NOT_SUPPORTED;
    case UROM_COMPRESS_OUTPUT:
        return DOCA_ERROR_TOO_BIG;
    case UROM_COMPRESS_MEMORY:
        return DOCA_ERROR_FULL;
    default:
        return DOCA_ERROR_INVALID_VALUE;
    }
}

/* Creates an answer with room for `room` bytes of output. Returns NULL if there is no memory. */
static struct urom_worker_notif_desc *answer_new(
        const struct urom_worker_cmd_desc *desc, uint64_t type, size_t room)
{
    struct urom_worker_notify_compress *notify;
    struct urom_worker_notif_desc *answer = malloc(sizeof(*answer) + sizeof(*notify) + room);

    if (answer == NULL)
        return NULL;
    memset(answer, 0, sizeof(*answer) + sizeof(*notify));
    answer->dest_id = desc->dest_id;
    answer->worker_notif.type = desc->worker_cmd.type;
    answer->worker_notif.urom_context = desc->worker_cmd.urom_context;
    notify = (struct urom_worker_notify_compress *)answer->worker_notif.plugin_notif;
    notify->type = type;
    return answer;
}

static uint8_t *output_of(struct urom_worker_notif_desc *answer)
{
    return answer->worker_notif.plugin_notif + sizeof(struct urom_worker_notify_compress);
}

static void answer_end(struct compress *compress, struct urom_worker_notif_desc *answer,
        enum urom_compress_result result, size_t length)
{
    struct urom_worker_notify_compress *notify = (struct urom_worker_notify_compress *)
                                                         answer->worker_notif.plugin_notif;

    notify->result = result;
    notify->length = result == UROM_COMPRESS_OK ? length : 0;
    answer->worker_notif.status = status_of(result);
    answer->worker_notif.len = sizeof(*notify) + notify->length;
    ucs_list_add_tail(&compress->answers, &answer->entry);
}

/* Queues or answers a command. Sets `*keep` if it was queued. The worker answers a failure. */
static doca_error_t accept_command(
        struct compress *compress, struct urom_worker_cmd_desc *desc, bool *keep)
{
    struct compress_command command;
    struct urom_worker_notif_desc *refusal;
    enum urom_compress_result result = compress_read_command(
            desc->worker_cmd.plugin_cmd, desc->worker_cmd.len, &command);

    refusal = answer_new(desc, command.type, 0);
    if (refusal == NULL)
        return DOCA_ERROR_NO_MEMORY;
    if (result == UROM_COMPRESS_OK)
        result = compress_queue(compress, desc, &command, refusal);
    if (result != UROM_COMPRESS_OK)
        answer_end(compress, refusal, result, 0);
    *keep = result == UROM_COMPRESS_OK;
    return DOCA_SUCCESS;
}

static doca_error_t compress_worker_cmd(struct urom_worker_ctx *ctx, ucs_list_link_t *cmd_list)
{
    doca_error_t status = DOCA_SUCCESS;

    while (!ucs_list_is_empty(cmd_list) && status == DOCA_SUCCESS) {
        struct urom_worker_cmd_desc *desc = ucs_list_extract_head(
                cmd_list, struct urom_worker_cmd_desc, entry);
        bool keep = false;

        status = accept_command(ctx->plugin_ctx, desc, &keep);
        if (!keep)
            free(desc);
    }
    return status;
}

static enum urom_compress_result run(const struct block *block, uint8_t *output, size_t *length)
{
    const struct compress_command *command = &block->command;
    struct context *context;
    enum urom_compress_result result = context_use(block->host, command, &context);

    if (result != UROM_COMPRESS_OK)
        return result;
    if (command->type == UROM_WORKER_CMD_COMPRESS)
        return command->codec->compress(context, command, output, length);
    return command->codec->decompress(context, command, output, length);
}

/* Executes a command and answers it. */
static void execute(struct compress *compress, struct block *block)
{
    const struct compress_command *command = &block->command;
    struct urom_worker_notif_desc *answer = answer_new(
            block->desc, command->type, command->capacity);
    enum urom_compress_result result;
    size_t length = 0;

    if (answer != NULL) {
        result = run(block, output_of(answer), &length);
        answer_end(compress, answer, result, length);
        free(block->refusal);
    } else {
        answer_end(compress, block->refusal, UROM_COMPRESS_MEMORY, 0);
    }
    free(block->desc);
    free(block);
}

static doca_error_t compress_progress(struct urom_worker_ctx *ctx, ucs_list_link_t *notif_list)
{
    struct compress *compress = ctx->plugin_ctx;
    struct block *block = compress_next(compress);

    if (block != NULL && jurom_command_is_wanted(block->desc))
        execute(compress, block);
    else if (block != NULL)
        compress_skip(compress, block);
    if (ucs_list_is_empty(&compress->answers))
        return block != NULL ? DOCA_SUCCESS : DOCA_ERROR_EMPTY;
    ucs_list_splice_tail(notif_list, &compress->answers);
    ucs_list_head_init(&compress->answers);
    return DOCA_SUCCESS;
}

/* An output that exceeds the maximum message size is dropped. */
static doca_error_t compress_notif_pack(
        struct urom_worker_notify *notif, size_t *packed_notif_len, void *packed_notif)
{
    struct urom_worker_notify_compress *notify = (void *)notif->plugin_notif;
    size_t room = *packed_notif_len;

    if (room < sizeof(*notif) + sizeof(*notify))
        return DOCA_ERROR_TOO_BIG;
    if (notif->len > room - sizeof(*notif)) {
        notif->len = sizeof(*notify);
        notif->status = DOCA_ERROR_TOO_BIG;
        notify->result = UROM_COMPRESS_OUTPUT;
        notify->length = 0;
    }
    *packed_notif_len = sizeof(*notif) + notif->len;
    memcpy(packed_notif, notif, *packed_notif_len);
    return DOCA_SUCCESS;
}

DOCA_EXPERIMENTAL doca_error_t urom_plugin_get_version(uint64_t *version)
{
    if (version == NULL)
        return DOCA_ERROR_INVALID_VALUE;

    *version = COMPRESS_VERSION;
    return DOCA_SUCCESS;
}

DOCA_EXPERIMENTAL bool urom_plugin_uses_ucx(void);
bool urom_plugin_uses_ucx(void)
{
    return false;
}

DOCA_EXPERIMENTAL doca_error_t urom_plugin_get_iface(struct urom_plugin_iface *iface)
{
    if (iface == NULL)
        return DOCA_ERROR_INVALID_VALUE;

    DOCA_STRUCT_PTR_CTOR(iface);
    iface->open = compress_open;
    iface->close = compress_close;
    iface->addr = compress_addr;
    iface->worker_cmd = compress_worker_cmd;
    iface->progress = compress_progress;
    iface->notif_pack = compress_notif_pack;
    return DOCA_SUCCESS;
}

/* Only commands bring work; those that wait are executed before the worker sleeps. */
DOCA_EXPERIMENTAL doca_error_t urom_plugin_arm(struct urom_worker_ctx *ctx, int *fd);
doca_error_t urom_plugin_arm(struct urom_worker_ctx *ctx, int *fd)
{
    struct compress *compress = ctx->plugin_ctx;

    *fd = -1;
    return ucs_list_is_empty(&compress->blocks) && ucs_list_is_empty(&compress->answers)
            ? DOCA_SUCCESS
            : DOCA_ERROR_AGAIN;
}

DOCA_EXPERIMENTAL void urom_plugin_host_left(struct urom_worker_ctx *ctx, uint64_t dest_id);
void urom_plugin_host_left(struct urom_worker_ctx *ctx, uint64_t dest_id)
{
    compress_host_left(ctx->plugin_ctx, dest_id);
}

DOCA_EXPERIMENTAL void urom_plugin_cancel(
        struct urom_worker_ctx *ctx, uint64_t dest_id, uint64_t urom_context);
void urom_plugin_cancel(struct urom_worker_ctx *ctx, uint64_t dest_id, uint64_t urom_context)
{
    compress_cancel(ctx->plugin_ctx, dest_id, urom_context);
}
