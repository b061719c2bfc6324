/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A plugin with its own events: copies bytes from one named pipe to another. It does not answer
 * commands. The environment names the pipes.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include <doca_urom_plugin.h>

#define VERSION 1

struct armed {
    int in;
    int out;
};

static doca_error_t armed_open(struct urom_worker_ctx *ctx)
{
    const char *in = getenv("ARMED_IN"), *out = getenv("ARMED_OUT");
    struct armed *armed = malloc(sizeof(*armed));

    if (armed == NULL)
        return DOCA_ERROR_NO_MEMORY;
    armed->in = in == NULL ? -1 : open(in, O_RDWR | O_NONBLOCK | O_CLOEXEC);
    armed->out = out == NULL ? -1 : open(out, O_RDWR | O_NONBLOCK | O_CLOEXEC);
    ctx->plugin_ctx = armed;
    return DOCA_SUCCESS;
}

static void armed_close(struct urom_worker_ctx *ctx)
{
    struct armed *armed = ctx->plugin_ctx;

    close(armed->in);
    close(armed->out);
    free(armed);
}

static doca_error_t armed_addr(struct urom_worker_ctx *ctx, void *addr, size_t *addr_len)
{
    (void)ctx;
    (void)addr;
    *addr_len = 0;
    return DOCA_ERROR_NOT_SUPPORTED;
}

static doca_error_t armed_worker_cmd(struct urom_worker_ctx *ctx, ucs_list_link_t *cmd_list)
{
    (void)ctx;
    while (!ucs_list_is_empty(cmd_list))
        free(ucs_list_extract_head(cmd_list, struct urom_worker_cmd_desc, entry));
    return DOCA_SUCCESS;
}

static doca_error_t armed_progress(struct urom_worker_ctx *ctx, ucs_list_link_t *notif_list)
{
    struct armed *armed = ctx->plugin_ctx;
    uint8_t byte;

    (void)notif_list;
    if (read(armed->in, &byte, 1) == 1)
        (void)!write(armed->out, &byte, 1);
    return DOCA_ERROR_EMPTY;
}

static doca_error_t armed_notif_pack(
        struct urom_worker_notify *notif, size_t *packed_notif_len, void *packed_notif)
{
    (void)notif;
    (void)packed_notif_len;
    (void)packed_notif;
    return DOCA_ERROR_UNEXPECTED;
}

DOCA_EXPERIMENTAL doca_error_t urom_plugin_arm(struct urom_worker_ctx *ctx, int *fd);
DOCA_EXPERIMENTAL doca_error_t urom_plugin_arm(struct urom_worker_ctx *ctx, int *fd)
{
    *fd = ((struct armed *)ctx->plugin_ctx)->in;
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
    iface->open = armed_open;
    iface->close = armed_close;
    iface->addr = armed_addr;
    iface->worker_cmd = armed_worker_cmd;
    iface->progress = armed_progress;
    iface->notif_pack = armed_notif_pack;
    return DOCA_SUCCESS;
}
