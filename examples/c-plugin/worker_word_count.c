/* SPDX-License-Identifier: Apache-2.0 */
/* A plugin that counts words. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include <doca_log.h>
#include <doca_urom_plugin.h>

#include "word_count.h"

DOCA_LOG_REGISTER(WORD_COUNT);

static ucs_list_link_t answers; /* that progress has not taken yet */

static doca_error_t word_count_open(struct urom_worker_ctx *ctx)
{
    (void)ctx;
    ucs_list_head_init(&answers);
    return DOCA_SUCCESS;
}

static void word_count_close(struct urom_worker_ctx *ctx)
{
    (void)ctx;
    while (!ucs_list_is_empty(&answers))
        free(ucs_list_extract_head(&answers, struct urom_worker_notif_desc, entry));
}

static doca_error_t word_count_addr(struct urom_worker_ctx *ctx, void *addr, size_t *addr_len)
{
    (void)ctx;
    (void)addr;
    *addr_len = 0; /* it talks to no other worker */
    return DOCA_SUCCESS;
}

static struct word_count_answer count(const uint8_t *text, uint64_t length, uint8_t separator)
{
    struct word_count_answer answer = { 0 };
    uint32_t word = 0;

    for (uint64_t i = 0; i < length; ++i) {
        word = isspace(text[i]) || text[i] == separator ? 0 : word + 1;
        answer.words += word == 1;
        answer.longest = word > answer.longest ? word : answer.longest;
    }
    return answer;
}

static doca_error_t run(const struct urom_worker_cmd_desc *desc)
{
    const struct urom_worker_cmd *cmd = &desc->worker_cmd;
    struct word_count_command command;
    struct word_count_answer answer;
    struct urom_worker_notif_desc *made;

    if (cmd->len < sizeof(command))
        return DOCA_ERROR_INVALID_VALUE;
    memcpy(&command, cmd->plugin_cmd, sizeof(command)); /* it may lie at any address */
    if (command.length != cmd->len - sizeof(command))
        return DOCA_ERROR_INVALID_VALUE;
    made = calloc(1, sizeof(*made) + sizeof(answer));
    if (made == NULL)
        return DOCA_ERROR_NO_MEMORY;

    answer = count(cmd->plugin_cmd + sizeof(command), command.length, command.separator);
    DOCA_LOG_DBG("%lu words in %lu bytes", answer.words, command.length);
    made->dest_id = desc->dest_id;
    made->worker_notif.type = cmd->type;
    made->worker_notif.urom_context = cmd->urom_context;
    made->worker_notif.len = sizeof(answer);
    made->worker_notif.status = DOCA_SUCCESS;
    memcpy(made->worker_notif.plugin_notif, &answer, sizeof(answer));
    ucs_list_add_tail(&answers, &made->entry);
    return DOCA_SUCCESS;
}

static doca_error_t word_count_worker_cmd(struct urom_worker_ctx *ctx, ucs_list_link_t *cmd_list)
{
    doca_error_t status = DOCA_SUCCESS;

    (void)ctx;
    while (status == DOCA_SUCCESS && !ucs_list_is_empty(cmd_list)) {
        struct urom_worker_cmd_desc *desc = ucs_list_extract_head(
                cmd_list, struct urom_worker_cmd_desc, entry);

        status = run(desc);
        free(desc); /* the plugin's, once it is taken from the list */
    }
    return status; /* other than SUCCESS: the last command fails with it */
}

static doca_error_t word_count_progress(struct urom_worker_ctx *ctx, ucs_list_link_t *notif_list)
{
    (void)ctx;
    if (ucs_list_is_empty(&answers))
        return DOCA_ERROR_EMPTY;
    ucs_list_splice_tail(notif_list, &answers);
    ucs_list_head_init(&answers);
    return DOCA_SUCCESS;
}

static doca_error_t word_count_notif_pack(
        struct urom_worker_notify *notif, size_t *packed_notif_len, void *packed_notif)
{
    size_t length = sizeof(*notif) + notif->len;

    if (*packed_notif_len < length)
        return DOCA_ERROR_TOO_BIG;
    memcpy(packed_notif, notif, length);
    *packed_notif_len = length;
    return DOCA_SUCCESS;
}

DOCA_EXPERIMENTAL doca_error_t urom_plugin_get_version(uint64_t *version)
{
    *version = 1;
    return DOCA_SUCCESS;
}

DOCA_EXPERIMENTAL doca_error_t urom_plugin_get_iface(struct urom_plugin_iface *iface)
{
    DOCA_STRUCT_CTOR(*iface);
    iface->open = word_count_open;
    iface->close = word_count_close;
    iface->addr = word_count_addr;
    iface->worker_cmd = word_count_worker_cmd;
    iface->progress = word_count_progress;
    iface->notif_pack = word_count_notif_pack;
    return DOCA_SUCCESS;
}
