/* SPDX-License-Identifier: Apache-2.0 */
/* The plugin's interface. */
#include <stdlib.h>

#include <ucx/segments.h>

#include "rdmo.h"

#define RDMO_VERSION 1

static doca_error_t rdmo_open(struct urom_worker_ctx *ctx)
{
    struct rdmo *rdmo = calloc(1, sizeof(*rdmo));
    doca_error_t status;

    if (rdmo == NULL)
        return DOCA_ERROR_NO_MEMORY;
    status = transport_open(&rdmo->transport, UCP_FEATURE_AM | UCP_FEATURE_RMA);
    if (status == DOCA_SUCCESS) {
        status = requests_receive(rdmo);
        if (status != DOCA_SUCCESS)
            transport_close(&rdmo->transport);
    }
    if (status != DOCA_SUCCESS) {
        free(rdmo);
        return status;
    }

    ucs_list_head_init(&rdmo->answers);
    ucs_list_head_init(&rdmo->clients);
    ucs_list_head_init(&rdmo->departed);
    ucs_list_head_init(&rdmo->responses);
    ctx->plugin_ctx = rdmo;
    return DOCA_SUCCESS;
}

static void rdmo_close(struct urom_worker_ctx *ctx)
{
    struct rdmo *rdmo = ctx->plugin_ctx;

    while (!ucs_list_is_empty(&rdmo->clients))
        client_leave(ucs_list_head(&rdmo->clients, struct client, entry));
    transport_close(&rdmo->transport);
    while (!ucs_list_is_empty(&rdmo->departed))
        client_free(ucs_list_head(&rdmo->departed, struct client, entry));
    responses_free(rdmo);
    answers_free(&rdmo->answers);
    free(rdmo);
}

static doca_error_t rdmo_addr(struct urom_worker_ctx *ctx, void *addr, size_t *addr_len)
{
    struct rdmo *rdmo = ctx->plugin_ctx;

    return transport_give_address(&rdmo->transport, addr, addr_len);
}

static doca_error_t rdmo_worker_cmd(struct urom_worker_ctx *ctx, ucs_list_link_t *cmd_list)
{
    doca_error_t status = DOCA_SUCCESS;

    while (!ucs_list_is_empty(cmd_list) && status == DOCA_SUCCESS) {
        struct urom_worker_cmd_desc *desc = ucs_list_extract_head(
                cmd_list, struct urom_worker_cmd_desc, entry);

        status = command_run(ctx->plugin_ctx, desc);
        free(desc);
    }
    return status;
}

static doca_error_t rdmo_progress(struct urom_worker_ctx *ctx, ucs_list_link_t *notif_list)
{
    struct rdmo *rdmo = ctx->plugin_ctx;
    bool busy = transport_progress(&rdmo->transport) > 0;

    busy |= operations_run(rdmo);
    clients_sweep(rdmo);
    busy |= answers_take(&rdmo->answers, notif_list) == DOCA_SUCCESS;
    return busy ? DOCA_SUCCESS : DOCA_ERROR_EMPTY;
}

static doca_error_t rdmo_notif_pack(
        struct urom_worker_notify *notif, size_t *packed_notif_len, void *packed_notif)
{
    return answer_pack(
            notif, sizeof(struct urom_worker_notify_rdmo), packed_notif_len, packed_notif);
}

DOCA_EXPERIMENTAL doca_error_t urom_plugin_get_version(uint64_t *version)
{
    if (version == NULL)
        return DOCA_ERROR_INVALID_VALUE;

    *version = RDMO_VERSION;
    return DOCA_SUCCESS;
}

DOCA_EXPERIMENTAL doca_error_t urom_plugin_get_iface(struct urom_plugin_iface *iface)
{
    if (iface == NULL)
        return DOCA_ERROR_INVALID_VALUE;

    DOCA_STRUCT_PTR_CTOR(iface);
    iface->open = rdmo_open;
    iface->close = rdmo_close;
    iface->addr = rdmo_addr;
    iface->worker_cmd = rdmo_worker_cmd;
    iface->progress = rdmo_progress;
    iface->notif_pack = rdmo_notif_pack;
    return DOCA_SUCCESS;
}

/* Arms UCX's events, so that an idle worker can sleep. */
DOCA_EXPERIMENTAL doca_error_t urom_plugin_arm(struct urom_worker_ctx *ctx, int *fd);
doca_error_t urom_plugin_arm(struct urom_worker_ctx *ctx, int *fd)
{
    struct rdmo *rdmo = ctx->plugin_ctx;

    if (!ucs_list_is_empty(&rdmo->answers))
        return DOCA_ERROR_AGAIN;
    return transport_arm(&rdmo->transport, fd);
}

/* Ends the host's client. */
DOCA_EXPERIMENTAL void urom_plugin_host_left(struct urom_worker_ctx *ctx, uint64_t dest_id);
void urom_plugin_host_left(struct urom_worker_ctx *ctx, uint64_t dest_id)
{
    struct rdmo *rdmo = ctx->plugin_ctx;
    struct client *client = client_of(rdmo, dest_id);

    if (client != NULL)
        client_leave(client);
    answers_drop(&rdmo->answers, dest_id);
    segments_sweep();
}
