/* SPDX-License-Identifier: Apache-2.0 */
/*
 * worker_graph: a minimal plugin, also used to measure round trips. Its only command, loopback, is
 * answered with the value that it carries. Bytes after the fixed part of the command are returned
 * after the fixed part of the notification, so that payloads of any size can be echoed.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <doca_log.h>
#include <doca_urom_plugin.h>
#include <jurom/urom_graph.h>

DOCA_LOG_REGISTER(UROM::GRAPH)

#define GRAPH_VERSION 1

struct graph {
    ucs_list_link_t notifications; /* of struct urom_worker_notif_desc */
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

/* The plugin communicates only with hosts, so it has no address. */
static doca_error_t graph_addr(struct urom_worker_ctx *ctx, void *addr, size_t *addr_len)
{
    (void)ctx;
    (void)addr;
    *addr_len = 0;
    return DOCA_ERROR_NOT_SUPPORTED;
}

/*
 * Reuses the command's block for the notification, which saves a copy of the payload: the bytes
 * after the command's type are those of the notification, whose type is inserted on packing.
 *
 *     command       entry  dest_id | type  urom_context  len | type             | data  bytes...
 *     notification  entry  dest_id | type  urom_context  len | status  reserved | data  bytes...
 */
static void loop_back(struct graph *graph, struct urom_worker_cmd_desc *desc)
{
    struct urom_worker_notif_desc *made = (struct urom_worker_notif_desc *)desc;

    made->worker_notif.status = DOCA_SUCCESS;
    made->worker_notif.reserved = 0;
    ucs_list_add_tail(&graph->notifications, &made->entry);
}

_Static_assert(offsetof(struct urom_worker_notif_desc, dest_id)
                        == offsetof(struct urom_worker_cmd_desc, dest_id)
                && offsetof(struct urom_worker_notif_desc, worker_notif.urom_context)
                        == offsetof(struct urom_worker_cmd_desc, worker_cmd.urom_context)
                && offsetof(struct urom_worker_notif_desc, worker_notif.len)
                        == offsetof(struct urom_worker_cmd_desc, worker_cmd.len)
                && offsetof(struct urom_worker_notif_desc, worker_notif.plugin_notif)
                        == offsetof(struct urom_worker_cmd_desc, worker_cmd.plugin_cmd)
                                + offsetof(struct urom_worker_graph_cmd, loopback)
                && sizeof(struct urom_worker_graph_cmd) == sizeof(struct urom_worker_notify_graph),
        "a command's block has the form of its notification's");

static doca_error_t check_command(const struct urom_worker_cmd_desc *desc)
{
    const struct urom_worker_graph_cmd *command = (const struct urom_worker_graph_cmd *)
                                                          desc->worker_cmd.plugin_cmd;

    if (desc->worker_cmd.len < sizeof(*command)) {
        DOCA_LOG_DBG("A graph command of %lu bytes is shorter than its %zu bytes",
                desc->worker_cmd.len, sizeof(*command));
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (command->type != UROM_WORKER_CMD_GRAPH_LOOPBACK) {
        DOCA_LOG_DBG("There is no graph command of type %lu", command->type);
        return DOCA_ERROR_INVALID_VALUE;
    }
    return DOCA_SUCCESS;
}

static doca_error_t graph_worker_cmd(struct urom_worker_ctx *ctx, ucs_list_link_t *cmd_list)
{
    doca_error_t status = DOCA_SUCCESS;

    while (!ucs_list_is_empty(cmd_list) && status == DOCA_SUCCESS) {
        struct urom_worker_cmd_desc *desc = ucs_list_extract_head(
                cmd_list, struct urom_worker_cmd_desc, entry);

        status = check_command(desc);
        if (status == DOCA_SUCCESS)
            loop_back(ctx->plugin_ctx, desc);
        else
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

/* Answers TOO_BIG without the extra bytes if these exceed the maximum message size. */
static doca_error_t graph_notif_pack(
        struct urom_worker_notify *notif, size_t *packed_notif_len, void *packed_notif)
{
    struct urom_worker_notify *packed = packed_notif;
    struct urom_worker_notify_graph *graph = (struct urom_worker_notify_graph *)
                                                     packed->plugin_notif;
    size_t room = *packed_notif_len;

    if (room < sizeof(*notif) + sizeof(*graph))
        return DOCA_ERROR_TOO_BIG;
    if (notif->len > room - sizeof(*notif)) {
        notif->len = sizeof(*graph);
        notif->status = DOCA_ERROR_TOO_BIG;
    }
    *packed = *notif;
    graph->type = UROM_WORKER_NOTIFY_GRAPH_LOOPBACK;
    memcpy(&graph->loopback, notif->plugin_notif, notif->len - sizeof(graph->type));
    *packed_notif_len = sizeof(*notif) + notif->len;
    return DOCA_SUCCESS;
}

DOCA_EXPERIMENTAL doca_error_t urom_plugin_get_version(uint64_t *version)
{
    if (version == NULL)
        return DOCA_ERROR_INVALID_VALUE;

    *version = GRAPH_VERSION;
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
    iface->open = graph_open;
    iface->close = graph_close;
    iface->addr = graph_addr;
    iface->worker_cmd = graph_worker_cmd;
    iface->progress = graph_progress;
    iface->notif_pack = graph_notif_pack;
    return DOCA_SUCCESS;
}
