/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A third-party worker_sandbox for tests of hosts: it maps any memory, and its answer has the type
 * of a received message.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <doca_urom_plugin.h>
#include <jurom/urom_sandbox.h>

#define VERSION 1
#define HANDLE 77

static ucs_list_link_t answers;

static doca_error_t strange_open(struct urom_worker_ctx *ctx)
{
    (void)ctx;
    ucs_list_head_init(&answers);
    return DOCA_SUCCESS;
}

static void strange_close(struct urom_worker_ctx *ctx)
{
    (void)ctx;
}

static doca_error_t strange_addr(struct urom_worker_ctx *ctx, void *addr, size_t *addr_len)
{
    (void)ctx;
    (void)addr;
    *addr_len = 0;
    return DOCA_ERROR_NOT_SUPPORTED;
}

static struct urom_worker_notif_desc *answer_to(const struct urom_worker_cmd_desc *command)
{
    struct urom_worker_notify_sandbox notify = {
        .type = UROM_WORKER_NOTIFY_SANDBOX_TAG_RECV,
        .mem_map.memh_id = HANDLE,
    };
    struct urom_worker_notif_desc *answer = calloc(1, sizeof(*answer) + sizeof(notify));

    if (answer == NULL)
        return NULL;
    answer->dest_id = command->dest_id;
    answer->worker_notif.type = command->worker_cmd.type;
    answer->worker_notif.urom_context = command->worker_cmd.urom_context;
    answer->worker_notif.len = sizeof(notify);
    memcpy(answer->worker_notif.plugin_notif, &notify, sizeof(notify));
    return answer;
}

static doca_error_t strange_worker_cmd(struct urom_worker_ctx *ctx, ucs_list_link_t *cmd_list)
{
    (void)ctx;
    while (!ucs_list_is_empty(cmd_list)) {
        struct urom_worker_cmd_desc *command = ucs_list_extract_head(
                cmd_list, struct urom_worker_cmd_desc, entry);
        struct urom_worker_notif_desc *answer = answer_to(command);

        free(command);
        if (answer == NULL)
            return DOCA_ERROR_NO_MEMORY;
        ucs_list_add_tail(&answers, &answer->entry);
    }
    return DOCA_SUCCESS;
}

static doca_error_t strange_progress(struct urom_worker_ctx *ctx, ucs_list_link_t *notif_list)
{
    (void)ctx;
    if (ucs_list_is_empty(&answers))
        return DOCA_ERROR_EMPTY;
    ucs_list_splice_tail(notif_list, &answers);
    ucs_list_head_init(&answers);
    return DOCA_SUCCESS;
}

static doca_error_t strange_notif_pack(
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
    *version = VERSION;
    return DOCA_SUCCESS;
}

DOCA_EXPERIMENTAL doca_error_t urom_plugin_get_iface(struct urom_plugin_iface *iface)
{
    DOCA_STRUCT_PTR_CTOR(iface);
    iface->open = strange_open;
    iface->close = strange_close;
    iface->addr = strange_addr;
    iface->worker_cmd = strange_worker_cmd;
    iface->progress = strange_progress;
    iface->notif_pack = strange_notif_pack;
    return DOCA_SUCCESS;
}
