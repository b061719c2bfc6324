/* SPDX-License-Identifier: Apache-2.0 */
/* A complete plugin: it answers each command with the bytes of the command in reverse order. */
#include <stdlib.h>
#include <string.h>

#include <doca_log.h>
#include <doca_urom_plugin.h>

DOCA_LOG_REGISTER(TEST::REVERSE);

#define REVERSE_VERSION 7

/* Answers that progress has not yet returned. */
static ucs_list_link_t answers;

static doca_error_t reverse_open(struct urom_worker_ctx *ctx)
{
    (void)ctx;
    ucs_list_head_init(&answers);
    DOCA_LOG_DBG("open");
    return DOCA_SUCCESS;
}

static void reverse_close(struct urom_worker_ctx *ctx)
{
    struct urom_worker_notif_desc *answer;

    (void)ctx;
    while (!ucs_list_is_empty(&answers)) {
        answer = ucs_list_extract_head(&answers, struct urom_worker_notif_desc, entry);
        free(answer);
    }
}

static doca_error_t reverse_addr(struct urom_worker_ctx *ctx, void *addr, size_t *addr_len)
{
    (void)ctx;
    (void)addr;
    *addr_len = 0;
    return DOCA_SUCCESS;
}

static doca_error_t answer_command(const struct urom_worker_cmd_desc *command)
{
    size_t length = command->worker_cmd.len;
    struct urom_worker_notif_desc *answer = calloc(1, sizeof(*answer) + length);

    if (answer == NULL)
        return DOCA_ERROR_NO_MEMORY;

    answer->dest_id = command->dest_id;
    answer->worker_notif.type = command->worker_cmd.type;
    answer->worker_notif.urom_context = command->worker_cmd.urom_context;
    answer->worker_notif.len = length;
    answer->worker_notif.status = DOCA_SUCCESS;
    for (size_t i = 0; i < length; ++i)
        answer->worker_notif.plugin_notif[i] = command->worker_cmd.plugin_cmd[length - 1 - i];
    ucs_list_add_tail(&answers, &answer->entry);
    return DOCA_SUCCESS;
}

static doca_error_t reverse_worker_cmd(struct urom_worker_ctx *ctx, ucs_list_link_t *cmd_list)
{
    struct urom_worker_cmd_desc *command;
    doca_error_t status = DOCA_SUCCESS;

    (void)ctx;
    while (status == DOCA_SUCCESS && !ucs_list_is_empty(cmd_list)) {
        command = ucs_list_extract_head(cmd_list, struct urom_worker_cmd_desc, entry);
        status = answer_command(command);
        free(command);
    }
    return status;
}

static doca_error_t reverse_progress(struct urom_worker_ctx *ctx, ucs_list_link_t *notif_list)
{
    (void)ctx;
    if (ucs_list_is_empty(&answers))
        return DOCA_ERROR_EMPTY;
    ucs_list_splice_tail(notif_list, &answers);
    ucs_list_head_init(&answers);
    return DOCA_SUCCESS;
}

static doca_error_t reverse_notif_pack(
        struct urom_worker_notify *notif, size_t *packed_notif_len, void *packed_notif)
{
    size_t length = sizeof(*notif) + notif->len;

    if (*packed_notif_len < length)
        return DOCA_ERROR_INVALID_VALUE;
    memcpy(packed_notif, notif, length);
    *packed_notif_len = length;
    return DOCA_SUCCESS;
}

doca_error_t urom_plugin_get_iface(struct urom_plugin_iface *iface);
doca_error_t urom_plugin_get_iface(struct urom_plugin_iface *iface)
{
    if (iface == NULL)
        return DOCA_ERROR_INVALID_VALUE;

    DOCA_STRUCT_CTOR(*iface);
    iface->open = reverse_open;
    iface->close = reverse_close;
    iface->addr = reverse_addr;
    iface->worker_cmd = reverse_worker_cmd;
    iface->progress = reverse_progress;
    iface->notif_pack = reverse_notif_pack;
    return DOCA_SUCCESS;
}

doca_error_t urom_plugin_get_version(uint64_t *version);
doca_error_t urom_plugin_get_version(uint64_t *version)
{
    if (version == NULL)
        return DOCA_ERROR_INVALID_VALUE;

    *version = REVERSE_VERSION;
    return DOCA_SUCCESS;
}
