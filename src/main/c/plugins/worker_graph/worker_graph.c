/* SPDX-License-Identifier: Apache-2.0 */
/*
 * worker_graph: the smallest plugin there is, and the one that round trips are measured with. Its
 * one command, loopback, is answered with the value that it carries. Bytes behind the fixed part of
 * the command come back behind the fixed part of the notification, so that payloads of any size can
 * be sent there and back.
 */
#include <stdlib.h>
#include <string.h>

#include <doca_log.h>
#include <doca_urom_plugin.h>
#include <urom_graph.h>

DOCA_LOG_REGISTER(UROM::GRAPH)

#define GRAPH_VERSION 1

struct graph {
    ucs_list_link_t notifications; /* struct urom_worker_notif_desc, ready to be taken */
};

static doca_error_t graph_open(struct urom_worker_ctx *ctx)
{
    struct graph *graph = malloc(sizeof(*graph));

    if (graph == NULL)
        return DOCA_ERROR_NO_MEMORY;
    ucs_list_head_init(&graph->notifications);
    ctx->plugin_ctx = graph;
    return DOCA_SUCCESS;
}

static void graph_close(struct urom_worker_ctx *ctx)
{
    struct graph *graph = ctx->plugin_ctx;

    while (!ucs_list_is_empty(&graph->notifications))
        free(ucs_list_extract_head(&graph->notifications, struct urom_worker_notif_desc, entry));
    free(graph);
}

/* It talks to hosts alone: no endpoint, no address. */
static doca_error_t graph_addr(struct urom_worker_ctx *ctx, void *addr, size_t *addr_len)
{
    (void)ctx;
    (void)addr;
    *addr_len = 0;
    return DOCA_ERROR_NOT_SUPPORTED;
}

static struct urom_worker_notif_desc *make_notification(const struct urom_worker_cmd_desc *desc,
        size_t length)
{
    struct urom_worker_notif_desc *made = malloc(sizeof(*made) + length);

    if (made == NULL)
        return NULL;
    made->dest_id = desc->dest_id;
    made->worker_notif.type = desc->worker_cmd.type;
    made->worker_notif.urom_context = desc->worker_cmd.urom_context;
    made->worker_notif.len = length;
    made->worker_notif.status = DOCA_SUCCESS;
    made->worker_notif.reserved = 0;
    return made;
}

static doca_error_t loop_back(struct graph *graph, const struct urom_worker_cmd_desc *desc)
{
    const struct urom_worker_graph_cmd *command =
            (const struct urom_worker_graph_cmd *)desc->worker_cmd.plugin_cmd;
    size_t extra = desc->worker_cmd.len - sizeof(*command);
    struct urom_worker_notif_desc *made;
    struct urom_worker_notify_graph *notify;

    made = make_notification(desc, sizeof(*notify) + extra);
    if (made == NULL)
        return DOCA_ERROR_NO_MEMORY;
    notify = (struct urom_worker_notify_graph *)made->worker_notif.plugin_notif;
    notify->type = UROM_WORKER_NOTIFY_GRAPH_LOOPBACK;
    notify->loopback.data = command->loopback.data;
    memcpy(notify + 1, command + 1, extra);
    ucs_list_add_tail(&graph->notifications, &made->entry);
    return DOCA_SUCCESS;
}

static doca_error_t run_command(struct graph *graph, const struct urom_worker_cmd_desc *desc)
{
    const struct urom_worker_graph_cmd *command =
            (const struct urom_worker_graph_cmd *)desc->worker_cmd.plugin_cmd;

    if (desc->worker_cmd.len < sizeof(*command)) {
        DOCA_LOG_DBG("A graph command of %lu bytes is shorter than its %zu bytes",
                desc->worker_cmd.len, sizeof(*command));
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (command->type != UROM_WORKER_CMD_GRAPH_LOOPBACK) {
        DOCA_LOG_DBG("There is no graph command of type %lu", command->type);
        return DOCA_ERROR_INVALID_VALUE;
    }
    return loop_back(graph, desc);
}

static doca_error_t graph_worker_cmd(struct urom_worker_ctx *ctx, ucs_list_link_t *cmd_list)
{
    doca_error_t status = DOCA_SUCCESS;

    while (!ucs_list_is_empty(cmd_list) && status == DOCA_SUCCESS) {
        struct urom_worker_cmd_desc *desc =
                ucs_list_extract_head(cmd_list, struct urom_worker_cmd_desc, entry);

        status = run_command(ctx->plugin_ctx, desc);
        free(desc);
    }
    return status;
}

static doca_error_t graph_progress(struct urom_worker_ctx *ctx, ucs_list_link_t *notif_list)
{
    struct graph *graph = ctx->plugin_ctx;

    if (ucs_list_is_empty(&graph->notifications))
        return DOCA_ERROR_EMPTY;
    ucs_list_splice_tail(notif_list, &graph->notifications);
    ucs_list_head_init(&graph->notifications);
    return DOCA_SUCCESS;
}

/* A command may be as long as a notification that has no room for all of its bytes. */
static doca_error_t graph_notif_pack(struct urom_worker_notify *notif, size_t *packed_notif_len,
        void *packed_notif)
{
    size_t room = *packed_notif_len;

    if (room < sizeof(*notif) + sizeof(struct urom_worker_notify_graph))
        return DOCA_ERROR_TOO_BIG;
    if (notif->len > room - sizeof(*notif)) {
        notif->len = sizeof(struct urom_worker_notify_graph);
        notif->status = DOCA_ERROR_TOO_BIG;
    }
    *packed_notif_len = sizeof(*notif) + notif->len;
    memcpy(packed_notif, notif, *packed_notif_len);
    return DOCA_SUCCESS;
}

DOCA_EXPERIMENTAL doca_error_t urom_plugin_get_version(uint64_t *version)
{
    if (version == NULL)
        return DOCA_ERROR_INVALID_VALUE;

    *version = GRAPH_VERSION;
    return DOCA_SUCCESS;
}

DOCA_EXPERIMENTAL doca_error_t urom_plugin_get_iface(struct urom_plugin_iface *iface)
{
    if (iface == NULL)
        return DOCA_ERROR_INVALID_VALUE;

    DOCA_STRUCT_PTR_CTOR(iface);
    iface->open = graph_open;
    iface->close = graph_close;
    iface->addr = graph_addr;
    iface->worker_cmd = graph_worker_cmd;
    iface->progress = graph_progress;
    iface->notif_pack = graph_notif_pack;
    return DOCA_SUCCESS;
}
