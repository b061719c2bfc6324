/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The counterpart of the plugin WaitPlugin in Java: commands that wait, and record when the plugin
 * is notified that a host no longer needs an answer. A command is two numbers of 8 bytes: what to
 * do, and a duration in milliseconds.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <doca_urom_plugin.h>
#include <jurom.h>

#define NS_PER_SECOND 1000000000
#define NS_PER_MS 1000000
#define PART_NS 100000 /* of a command that checks whether it is wanted */

enum action {
    BLOCK,  /* for the duration, without a check */
    WORK,   /* for the duration, or until the command is not wanted */
    HOLD,   /* answer after a cancellation only */
    NOTICE, /* answer with the last notice and forget it */
};

/* The ways in which the plugin is notified. */
enum cause { NONE, NOT_WANTED, CANCELLED, HOST_LEFT };

struct wait_command {
    uint64_t action;
    uint64_t milliseconds;
};

struct notice {
    uint64_t cause;
    uint64_t time; /* in nanoseconds of CLOCK_MONOTONIC */
};

struct wait {
    ucs_list_link_t answers; /* list of struct urom_worker_notif_desc */
    ucs_list_link_t held;    /* list of struct urom_worker_cmd_desc */
    struct notice notice;
};

static uint64_t now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * NS_PER_SECOND + (uint64_t)now.tv_nsec;
}

static void sleep_ns(uint64_t duration)
{
    const struct timespec rest = { (time_t)(duration / NS_PER_SECOND),
        (long)(duration % NS_PER_SECOND) };

    nanosleep(&rest, NULL);
}

static void record(struct wait *wait, enum cause cause)
{
    wait->notice = (struct notice){ cause, now_ns() };
}

static doca_error_t wait_open(struct urom_worker_ctx *ctx)
{
    struct wait *wait = calloc(1, sizeof(*wait));

    if (wait == NULL)
        return DOCA_ERROR_NO_MEMORY;
    ucs_list_head_init(&wait->answers);
    ucs_list_head_init(&wait->held);
    ctx->plugin_ctx = wait;
    return DOCA_SUCCESS;
}

static void wait_close(struct urom_worker_ctx *ctx)
{
    struct wait *wait = ctx->plugin_ctx;

    while (!ucs_list_is_empty(&wait->answers))
        free(ucs_list_extract_head(&wait->answers, struct urom_worker_notif_desc, entry));
    while (!ucs_list_is_empty(&wait->held))
        free(ucs_list_extract_head(&wait->held, struct urom_worker_cmd_desc, entry));
    free(wait);
}

static doca_error_t wait_addr(struct urom_worker_ctx *ctx, void *addr, size_t *addr_len)
{
    (void)ctx;
    (void)addr;
    *addr_len = 0;
    return DOCA_ERROR_NOT_SUPPORTED;
}

static doca_error_t answer(
        struct wait *wait, const struct urom_worker_cmd_desc *desc, doca_error_t status)
{
    struct urom_worker_notif_desc *made = calloc(1, sizeof(*made) + sizeof(wait->notice));

    if (made == NULL)
        return DOCA_ERROR_NO_MEMORY;
    made->dest_id = desc->dest_id;
    made->worker_notif.type = desc->worker_cmd.type;
    made->worker_notif.urom_context = desc->worker_cmd.urom_context;
    made->worker_notif.len = sizeof(wait->notice);
    made->worker_notif.status = status;
    memcpy(made->worker_notif.plugin_notif, &wait->notice, sizeof(wait->notice));
    ucs_list_add_tail(&wait->answers, &made->entry);
    return DOCA_SUCCESS;
}

static doca_error_t work(
        struct wait *wait, const struct urom_worker_cmd_desc *desc, uint64_t milliseconds)
{
    uint64_t end = now_ns() + milliseconds * NS_PER_MS;

    while (now_ns() < end) {
        if (!jurom_command_is_wanted(desc)) {
            record(wait, NOT_WANTED);
            return DOCA_ERROR_SKIPPED;
        }
        sleep_ns(PART_NS);
    }
    return DOCA_SUCCESS;
}

/* Takes ownership of the command. */
static doca_error_t run(struct wait *wait, struct urom_worker_cmd_desc *desc)
{
    doca_error_t status = DOCA_SUCCESS;
    struct wait_command command;

    if (desc->worker_cmd.len != sizeof(command)) {
        free(desc);
        return DOCA_ERROR_INVALID_VALUE;
    }
    memcpy(&command, desc->worker_cmd.plugin_cmd, sizeof(command));
    if (command.action == HOLD) {
        ucs_list_add_tail(&wait->held, &desc->entry);
        return DOCA_SUCCESS;
    }
    if (command.action == BLOCK)
        sleep_ns(command.milliseconds * NS_PER_MS);
    else if (command.action == WORK)
        status = work(wait, desc, command.milliseconds);
    status = answer(wait, desc, status);
    if (command.action == NOTICE)
        wait->notice = (struct notice){ NONE, 0 };
    free(desc);
    return status;
}

static doca_error_t wait_worker_cmd(struct urom_worker_ctx *ctx, ucs_list_link_t *cmd_list)
{
    doca_error_t status = DOCA_SUCCESS;

    while (!ucs_list_is_empty(cmd_list) && status == DOCA_SUCCESS)
        status = run(ctx->plugin_ctx,
                ucs_list_extract_head(cmd_list, struct urom_worker_cmd_desc, entry));
    return status;
}

static doca_error_t wait_progress(struct urom_worker_ctx *ctx, ucs_list_link_t *notif_list)
{
    struct wait *wait = ctx->plugin_ctx;

    if (ucs_list_is_empty(&wait->answers))
        return DOCA_ERROR_EMPTY;
    ucs_list_splice_tail(notif_list, &wait->answers);
    ucs_list_head_init(&wait->answers);
    return DOCA_SUCCESS;
}

static doca_error_t wait_notif_pack(
        struct urom_worker_notify *notif, size_t *packed_notif_len, void *packed_notif)
{
    if (*packed_notif_len < sizeof(*notif) + notif->len)
        return DOCA_ERROR_TOO_BIG;
    memcpy(packed_notif, notif, sizeof(*notif) + notif->len);
    *packed_notif_len = sizeof(*notif) + notif->len;
    return DOCA_SUCCESS;
}

DOCA_EXPERIMENTAL doca_error_t urom_plugin_arm(struct urom_worker_ctx *ctx, int *fd);
DOCA_EXPERIMENTAL doca_error_t urom_plugin_arm(struct urom_worker_ctx *ctx, int *fd)
{
    struct wait *wait = ctx->plugin_ctx;

    *fd = -1;
    return ucs_list_is_empty(&wait->answers) ? DOCA_SUCCESS : DOCA_ERROR_AGAIN;
}

DOCA_EXPERIMENTAL void urom_plugin_host_left(struct urom_worker_ctx *ctx, uint64_t dest_id);
DOCA_EXPERIMENTAL void urom_plugin_host_left(struct urom_worker_ctx *ctx, uint64_t dest_id)
{
    struct wait *wait = ctx->plugin_ctx;
    struct urom_worker_cmd_desc *desc, *next;

    record(wait, HOST_LEFT);
    ucs_list_for_each_safe(desc, next, &wait->held, entry)
    {
        if (desc->dest_id == dest_id) {
            ucs_list_del(&desc->entry);
            free(desc);
        }
    }
}

DOCA_EXPERIMENTAL void urom_plugin_cancel(
        struct urom_worker_ctx *ctx, uint64_t dest_id, uint64_t urom_context);
DOCA_EXPERIMENTAL void urom_plugin_cancel(
        struct urom_worker_ctx *ctx, uint64_t dest_id, uint64_t urom_context)
{
    struct wait *wait = ctx->plugin_ctx;
    struct urom_worker_cmd_desc *desc, *next;

    ucs_list_for_each_safe(desc, next, &wait->held, entry)
    {
        if (desc->dest_id == dest_id && desc->worker_cmd.urom_context == urom_context) {
            record(wait, CANCELLED);
            ucs_list_del(&desc->entry);
            answer(wait, desc, DOCA_ERROR_SKIPPED);
            free(desc);
        }
    }
}

DOCA_EXPERIMENTAL doca_error_t urom_plugin_get_version(uint64_t *version)
{
    *version = 1;
    return DOCA_SUCCESS;
}

DOCA_EXPERIMENTAL doca_error_t urom_plugin_get_iface(struct urom_plugin_iface *iface)
{
    DOCA_STRUCT_PTR_CTOR(iface);
    iface->open = wait_open;
    iface->close = wait_close;
    iface->addr = wait_addr;
    iface->worker_cmd = wait_worker_cmd;
    iface->progress = wait_progress;
    iface->notif_pack = wait_notif_pack;
    return DOCA_SUCCESS;
}
