/* SPDX-License-Identifier: Apache-2.0 */
/* The plugin's interface. */
#include <stdlib.h>

#include <doca_log.h>
#include <ucx/segments.h>

#include "sandbox.h"

DOCA_LOG_REGISTER(UROM::SANDBOX)

#define SANDBOX_VERSION 1

static doca_error_t sandbox_open(struct urom_worker_ctx *ctx)
{
    struct sandbox *sandbox = calloc(1, sizeof(*sandbox));
    doca_error_t status;

    if (sandbox == NULL)
        return DOCA_ERROR_NO_MEMORY;
    status = transport_open(&sandbox->transport, UCP_FEATURE_TAG | UCP_FEATURE_RMA);
    if (status != DOCA_SUCCESS) {
        free(sandbox);
        return status;
    }

    sandbox->ctx = ctx;
    ucs_list_head_init(&sandbox->hosts);
    ucs_list_head_init(&sandbox->answers);
    ucs_list_head_init(&sandbox->messages);
    ucs_list_head_init(&sandbox->peers);
    ucs_list_head_init(&sandbox->mappings);
    ctx->plugin_ctx = sandbox;
    return DOCA_SUCCESS;
}

static void sandbox_close(struct urom_worker_ctx *ctx)
{
    struct sandbox *sandbox = ctx->plugin_ctx;

    sandbox_cancel_receives(sandbox, NULL);
    /* Before the transport: unused keys must be released while the UCX worker still exists. */
    sandbox_unmap(sandbox, true);
    transport_close(&sandbox->transport);
    while (!ucs_list_is_empty(&sandbox->messages))
        message_free(ucs_list_head(&sandbox->messages, struct message, entry));
    sandbox_free_mappings(sandbox);
    sandbox_free_peers(sandbox);
    sandbox_free_hosts(sandbox);
    answers_free(&sandbox->answers);
    free(sandbox);
}

static doca_error_t sandbox_addr(struct urom_worker_ctx *ctx, void *addr, size_t *addr_len)
{
    struct sandbox *sandbox = ctx->plugin_ctx;

    return transport_give_address(&sandbox->transport, addr, addr_len);
}

static doca_error_t map(struct sandbox *sandbox, struct host *host,
        const struct urom_worker_cmd_desc *desc, const struct sandbox_command *command)
{
    struct urom_worker_notif_desc *answer = answer_new(
            desc, sizeof(struct urom_worker_notify_sandbox));
    struct urom_worker_notify_sandbox *notify;

    if (answer == NULL)
        return DOCA_ERROR_NO_MEMORY;
    notify = answer_body(answer);
    notify->type = UROM_WORKER_NOTIFY_SANDBOX_MEM_MAP;
    notify->mem_map.context = command->mem_map.context;
    answer->worker_notif.status = sandbox_map(
            sandbox, host, &command->mem_map, &notify->mem_map.memh_id);
    ucs_list_add_tail(&sandbox->answers, &answer->entry);
    return DOCA_SUCCESS;
}

static doca_error_t run_command(
        struct sandbox *sandbox, struct urom_worker_cmd_desc *desc, bool *keep)
{
    struct sandbox_command command;
    struct host *host;

    if (sandbox_read_command(desc->worker_cmd.plugin_cmd, desc->worker_cmd.len, &command)
            != DOCA_SUCCESS) {
        DOCA_LOG_DBG("A command of %lu bytes is not a sandbox command, or has a wrong length",
                desc->worker_cmd.len);
        return DOCA_ERROR_INVALID_VALUE;
    }
    host = sandbox_host(sandbox, desc->dest_id);
    if (host == NULL)
        return DOCA_ERROR_NO_MEMORY;
    switch (command.type) {
    case UROM_WORKER_CMD_SANDBOX_MEM_MAP:
        return map(sandbox, host, desc, &command);
    case UROM_WORKER_CMD_SANDBOX_TAG_SEND:
        return sandbox_send(sandbox, host, desc, &command, keep);
    default:
        return sandbox_receive(sandbox, host, desc, &command);
    }
}

static doca_error_t sandbox_worker_cmd(struct urom_worker_ctx *ctx, ucs_list_link_t *cmd_list)
{
    doca_error_t status = DOCA_SUCCESS;

    while (!ucs_list_is_empty(cmd_list) && status == DOCA_SUCCESS) {
        struct urom_worker_cmd_desc *desc = ucs_list_extract_head(
                cmd_list, struct urom_worker_cmd_desc, entry);
        bool keep = false;

        status = run_command(ctx->plugin_ctx, desc, &keep);
        if (!keep)
            free(desc);
    }
    return status;
}

static doca_error_t sandbox_progress(struct urom_worker_ctx *ctx, ucs_list_link_t *notif_list)
{
    struct sandbox *sandbox = ctx->plugin_ctx;
    unsigned found = transport_progress(&sandbox->transport);
    doca_error_t status = answers_take(&sandbox->answers, notif_list);

    if (sandbox->has_departed)
        sandbox_sweep(sandbox);
    return found > 0 ? DOCA_SUCCESS : status;
}

static doca_error_t sandbox_notif_pack(
        struct urom_worker_notify *notif, size_t *packed_notif_len, void *packed_notif)
{
    struct urom_worker_notify_sandbox *notify = (void *)notif->plugin_notif;

    /* A message longer than the notification can carry is dropped; its length is reported. */
    if (notif->len > sizeof(*notify) && !answer_fits(notif, *packed_notif_len)) {
        notify->tag_recv.buffer = NULL;
        notify->tag_recv.status = UCS_ERR_MESSAGE_TRUNCATED;
    }
    return answer_pack(notif, sizeof(*notify), packed_notif_len, packed_notif);
}

DOCA_EXPERIMENTAL doca_error_t urom_plugin_get_version(uint64_t *version)
{
    if (version == NULL)
        return DOCA_ERROR_INVALID_VALUE;

    *version = SANDBOX_VERSION;
    return DOCA_SUCCESS;
}

DOCA_EXPERIMENTAL doca_error_t urom_plugin_get_iface(struct urom_plugin_iface *iface)
{
    if (iface == NULL)
        return DOCA_ERROR_INVALID_VALUE;

    DOCA_STRUCT_PTR_CTOR(iface);
    iface->open = sandbox_open;
    iface->close = sandbox_close;
    iface->addr = sandbox_addr;
    iface->worker_cmd = sandbox_worker_cmd;
    iface->progress = sandbox_progress;
    iface->notif_pack = sandbox_notif_pack;
    return DOCA_SUCCESS;
}

/* Arms UCX's events, so that an idle worker can sleep. */
DOCA_EXPERIMENTAL doca_error_t urom_plugin_arm(struct urom_worker_ctx *ctx, int *fd);
doca_error_t urom_plugin_arm(struct urom_worker_ctx *ctx, int *fd)
{
    struct sandbox *sandbox = ctx->plugin_ctx;

    if (!ucs_list_is_empty(&sandbox->answers))
        return DOCA_ERROR_AGAIN;
    return transport_arm(&sandbox->transport, fd);
}

/* Frees what the host has made here. */
DOCA_EXPERIMENTAL void urom_plugin_host_left(struct urom_worker_ctx *ctx, uint64_t dest_id);
void urom_plugin_host_left(struct urom_worker_ctx *ctx, uint64_t dest_id)
{
    sandbox_host_left(ctx->plugin_ctx, dest_id);
    segments_sweep();
}
