/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libFuzzer target: the input is a frame, preceded by its format and its parameters. The plugin
 * decompresses it within its capacity, or rejects it. Then the input is compressed, and the frame
 * must decompress to the same bytes.
 */
#include <stdlib.h>
#include <string.h>

#include <doca_log.h>
#include <doca_urom_plugin.h>
#include <jurom/urom_compress.h>

#include "input.h"

#define FORMATS 6 /* with an unknown one */
#define LEVELS 7
#define CAPACITY_MAX (1u << 20) /* of hostile frames */
#define OVERHEAD 1024           /* of a frame of incompressible bytes */
#define HOST 5

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
doca_error_t urom_plugin_get_iface(struct urom_plugin_iface *iface);
void urom_plugin_host_left(struct urom_worker_ctx *ctx, uint64_t dest_id);

static struct urom_worker_ctx ctx;

/* Discards the log of the plugin. */
doca_error_t doca_log(uint32_t level, int source, const char *fname, int line, const char *func,
        const char *format, ...)
{
    (void)level;
    (void)source;
    (void)fname;
    (void)line;
    (void)func;
    (void)format;
    return DOCA_SUCCESS;
}

doca_error_t doca_log_register_source(const char *source_name, int *source)
{
    (void)source_name;
    *source = 0;
    return DOCA_SUCCESS;
}

static void give(const struct urom_worker_compress_cmd *command, const uint8_t *inline_bytes)
{
    size_t more = command->dictionary_length + command->data_length;
    size_t length = sizeof(*command) + more;
    struct urom_worker_cmd_desc *desc = malloc(sizeof(*desc) + length);
    ucs_list_link_t list;

    if (desc == NULL)
        abort();
    *desc = (struct urom_worker_cmd_desc){ .dest_id = HOST, .worker_cmd.len = length };
    memcpy(desc->worker_cmd.plugin_cmd, command, sizeof(*command));
    memcpy(desc->worker_cmd.plugin_cmd + sizeof(*command), inline_bytes, more);
    ucs_list_head_init(&list);
    ucs_list_add_tail(&list, &desc->entry);
    require(ctx.iface.worker_cmd(&ctx, &list) == DOCA_SUCCESS);
}

/* Executes a command. Returns the only notification, which the caller frees. */
static struct urom_worker_notif_desc *run(
        const struct urom_worker_compress_cmd *command, const uint8_t *inline_bytes)
{
    struct urom_worker_notif_desc *answer;
    const struct urom_worker_notify_compress *notify;
    ucs_list_link_t list;

    give(command, inline_bytes);
    ucs_list_head_init(&list);
    require(ctx.iface.progress(&ctx, &list) == DOCA_SUCCESS);
    answer = ucs_list_extract_head(&list, struct urom_worker_notif_desc, entry);
    require(ucs_list_is_empty(&list));
    notify = (const void *)answer->worker_notif.plugin_notif;
    require(answer->worker_notif.len == sizeof(*notify) + notify->length);
    require((notify->result == UROM_COMPRESS_OK) == (answer->worker_notif.status == DOCA_SUCCESS));
    require(notify->length <= command->capacity);
    return answer;
}

static void decompress(struct urom_worker_compress_cmd command, const uint8_t *bytes)
{
    command.type = UROM_WORKER_CMD_COMPRESS_DECOMPRESS;
    free(run(&command, bytes));
}

static void round_trip(struct urom_worker_compress_cmd command, const uint8_t *bytes)
{
    struct urom_worker_notif_desc *frame, *content;
    const struct urom_worker_notify_compress *notify;
    uint8_t *inline_bytes;

    command.type = UROM_WORKER_CMD_COMPRESS;
    command.capacity = command.data_length + OVERHEAD;
    frame = run(&command, bytes);
    notify = (const void *)frame->worker_notif.plugin_notif;
    if (notify->result == UROM_COMPRESS_OK) {
        size_t length = command.data_length;

        command.type = UROM_WORKER_CMD_COMPRESS_DECOMPRESS;
        command.capacity = length;
        command.data_length = notify->length;
        inline_bytes = malloc(command.dictionary_length + notify->length + 1);
        if (inline_bytes == NULL)
            abort();
        memcpy(inline_bytes, bytes, command.dictionary_length);
        memcpy(inline_bytes + command.dictionary_length, notify + 1, notify->length);
        content = run(&command, inline_bytes);
        notify = (const void *)content->worker_notif.plugin_notif;
        require(notify->result == UROM_COMPRESS_OK && notify->length == length);
        require(memcmp(notify + 1, bytes + command.dictionary_length, length) == 0);
        free(content);
        free(inline_bytes);
    } else { /* an invalid dictionary, or a format without dictionaries */
        require(command.dictionary_length > 0 || notify->result == UROM_COMPRESS_FORMAT);
    }
    free(frame);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input input = { data, size };
    struct urom_worker_compress_cmd command = {
        .format = (uint32_t)take_number(&input, 1) % FORMATS + 1,
        .level = (int32_t)(take_number(&input, 1) % LEVELS),
        .flags = (uint32_t)take_number(&input, 1) % 2,
        .capacity = take_number(&input, 4) % (CAPACITY_MAX + 1),
        .dictionary_length = take_number(&input, 1),
    };

    ctx = (struct urom_worker_ctx){ 0 };
    require(urom_plugin_get_iface(&ctx.iface) == DOCA_SUCCESS);
    require(ctx.iface.open(&ctx) == DOCA_SUCCESS);
    if (command.dictionary_length > input.left)
        command.dictionary_length = 0;
    command.data_length = input.left - command.dictionary_length;
    decompress(command, input.next);
    round_trip(command, input.next);
    decompress(command, input.next); /* in the same context */
    urom_plugin_host_left(&ctx, HOST);
    ctx.iface.close(&ctx);
    return 0;
}
