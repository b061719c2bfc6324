/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include <common/sdk_log.h>
#include <faults/faults.h>

#include "cancellation.h"
#include "worker.h"
#include "worker_counters.h"

SDK_LOG_REGISTER(UROM::WORKER::DISPATCH)

#define HELD_MAX_US 4
#define ONE_BY_ONE 32 /* commands after one that took long */
#define UNCHECKED 3   /* commands between two readings of the clock */
#define US_PER_SECOND 1000000

void dispatch_init(struct dispatch *dispatch)
{
    dispatch->held_max = counters_ticks_per_second() * HELD_MAX_US / US_PER_SECOND;
}

/* Progresses the plugin and sends its notifications. Returns 0 if there was nothing to do. */
static unsigned collect(struct worker *worker, struct plugin *plugin)
{
    ucs_list_link_t notifications;
    unsigned count;

    if (worker->dispatch.uncollected == plugin)
        worker->dispatch.uncollected = NULL;
    ucs_list_head_init(&notifications);
    /* Progress without a notification also counts as work and keeps the worker awake. */
    plugin_enter(plugin, PLUGIN_PROGRESS);
    count = plugin->ctx.iface.progress(&plugin->ctx, &notifications) == DOCA_SUCCESS;
    plugin_enter(plugin, PLUGIN_NOTIF_PACK);
    while (!ucs_list_is_empty(&notifications)) {
        struct urom_worker_notif_desc *notification = ucs_list_extract_head(
                &notifications, struct urom_worker_notif_desc, entry);

        notifications_send(worker, plugin, notification);
        blocks_release(&worker->blocks, notification);
        ++count;
    }
    plugin_leave();
    return count;
}

void dispatch_collect(struct worker *worker)
{
    if (worker->dispatch.uncollected != NULL)
        collect(worker, worker->dispatch.uncollected);
}

/* Defers collecting the plugin's notifications until another plugin or host is served. */
static void collect_later(struct worker *worker, struct plugin *plugin)
{
    if (worker->dispatch.uncollected != plugin)
        dispatch_collect(worker);
    worker->dispatch.uncollected = plugin;
}

/* Answers a command for which the plugin returned an error, unless the plugin has answered it. */
static void answer_rejected(struct worker *worker, struct plugin *plugin, uint64_t serial,
        uint64_t request_id, doca_error_t status)
{
    struct connection *connection;

    SDK_LOG_DBG("The plugin %s rejected a command: %s", plugin->path, doca_error_get_descr(status));
    collect(worker, plugin);
    connection = connections_find(&worker->connections, serial);
    if (connection != NULL)
        notifications_answer_pending(connection, request_id, status);
}

/*
 * Returns whether to publish the answers now: they have been held for too long, or commands have
 * recently taken long. If the clock was last read before this turn, the worker may have been idle
 * since, and only a command of some milliseconds is noticed.
 */
static bool is_publication_due(struct worker *worker)
{
    struct dispatch *dispatch = &worker->dispatch;
    bool first = dispatch->held_since == 0;
    uint64_t now = counters_ticks();
    bool late = now - (first ? dispatch->clock : dispatch->held_since) > dispatch->held_max;
    bool due = late && (!first || events_are_due(&worker->events));

    dispatch->clock = now;
    if (due)
        dispatch->one_by_one = ONE_BY_ONE;
    if (dispatch->one_by_one > 0) {
        --dispatch->one_by_one;
        due = true;
    }
    dispatch->unchecked = late || due ? 0 : UNCHECKED;
    if (first || due)
        dispatch->held_since = now;
    return due;
}

/*
 * Called before each command, which may take long. Answers are published together, because each
 * publication moves a cache line, but do not wait for long commands. Reading the clock takes as
 * long as a short command, so it is read rarely while commands are short, and never for a single
 * command.
 */
static void publish_if_held(struct worker *worker)
{
    struct dispatch *dispatch = &worker->dispatch;

    if (dispatch->uncollected == NULL && worker->notifications.unpushed == NULL)
        return;
    if (dispatch->unchecked > 0) {
        --dispatch->unchecked;
    } else if (is_publication_due(worker)) {
        dispatch_collect(worker);
        notifications_push(worker);
    }
}

/*
 * Passes one command, which is in no list, to the plugin. Returns false if the plugin leaves it for
 * later. Commands are passed one at a time, so that an error belongs to a known command.
 */
static bool pass(struct worker *worker, struct plugin *plugin, struct urom_worker_cmd_desc *command)
{
    uint64_t request_id = command->worker_cmd.urom_context;
    uint64_t serial = command->dest_id;
    ucs_list_link_t list;
    doca_error_t status;

    publish_if_held(worker);
    ucs_list_head_init(&list);
    ucs_list_add_tail(&list, &command->entry);
    domains_serve(serial);
    plugin_enter(plugin, PLUGIN_WORKER_CMD);
    status = plugin->ctx.iface.worker_cmd(&plugin->ctx, &list);
    plugin_leave();
    FAULT_REACH(worker_command_given);
    domains_serve(0);
    if (!ucs_list_is_empty(&list)) {
        if (status == DOCA_SUCCESS || status == DOCA_ERROR_AGAIN)
            return false;
        free(command);
    }
    if (status != DOCA_SUCCESS)
        answer_rejected(worker, plugin, serial, request_id, status);
    else
        collect_later(worker, plugin);
    return true;
}

void dispatch_command(struct worker *worker, struct urom_worker_cmd_desc *command)
{
    struct plugin *plugin = plugins_find(&worker->plugins, command->worker_cmd.type);

    if (ucs_list_is_empty(&plugin->commands) && pass(worker, plugin, command))
        return;
    ucs_list_add_tail(&plugin->commands, &command->entry);
    ++worker->dispatch.queued;
}

void dispatch_reject(
        struct worker *worker, struct urom_worker_cmd_desc *command, doca_error_t status)
{
    uint64_t request_id = command->worker_cmd.urom_context;
    struct connection *connection = connections_find(&worker->connections, command->dest_id);

    free(command);
    counting_refused();
    if (connection != NULL)
        notifications_explain_pending(connection, request_id, status,
                status == DOCA_ERROR_TIME_OUT
                        ? "the worker has not started it, because its deadline had passed"
                        : "the worker has not started it, because it was cancelled");
}

bool dispatch_withdraw(
        struct worker *worker, struct plugin *plugin, uint64_t serial, uint64_t request_id)
{
    struct urom_worker_cmd_desc *command;

    ucs_list_for_each(command, &plugin->commands, entry)
    {
        if (command->dest_id == serial && command->worker_cmd.urom_context == request_id) {
            ucs_list_del(&command->entry);
            free(command);
            --worker->dispatch.queued;
            return true;
        }
    }
    return false;
}

/* Passes the oldest queued command to the plugin, or rejects it if it is no longer wanted. */
static bool pass_oldest(struct worker *worker, struct plugin *plugin)
{
    struct urom_worker_cmd_desc *command = ucs_list_extract_head(
            &plugin->commands, struct urom_worker_cmd_desc, entry);
    doca_error_t status = cancellation_check(worker, command);

    --worker->dispatch.queued;
    if (status != DOCA_SUCCESS) {
        dispatch_reject(worker, command, status);
        return true;
    }
    if (pass(worker, plugin, command))
        return true;
    ucs_list_add_head(&plugin->commands, &command->entry);
    ++worker->dispatch.queued;
    return false;
}

unsigned dispatch_commands(struct worker *worker)
{
    unsigned count = 0;

    if (worker->dispatch.queued == 0)
        return 0;
    for (unsigned i = 0; i < worker->plugins.count; ++i) {
        struct plugin *plugin = &worker->plugins.at[i];

        while (!ucs_list_is_empty(&plugin->commands) && pass_oldest(worker, plugin)) {
            ++count;
            if (events_are_due(&worker->events))
                break;
        }
        dispatch_collect(worker);
    }
    return count;
}

static void drop_commands(struct worker *worker, struct plugin *plugin, uint64_t serial)
{
    struct urom_worker_cmd_desc *command, *next;

    ucs_list_for_each_safe(command, next, &plugin->commands, entry)
    {
        if (command->dest_id == serial) {
            ucs_list_del(&command->entry);
            free(command);
            --worker->dispatch.queued;
        }
    }
}

void dispatch_host_left(struct worker *worker, uint64_t serial)
{
    for (unsigned i = 0; i < worker->plugins.count; ++i) {
        struct plugin *plugin = &worker->plugins.at[i];

        drop_commands(worker, plugin, serial);
        if (plugin->host_left == NULL)
            continue;
        plugin_enter(plugin, PLUGIN_HOST_LEFT);
        plugin->host_left(&plugin->ctx, serial);
        plugin_leave();
    }
}

unsigned dispatch_notifications(struct worker *worker)
{
    struct dispatch *dispatch = &worker->dispatch;
    unsigned count = 0;

    for (unsigned left = worker->plugins.count; left > 0; --left) {
        count += collect(worker, &worker->plugins.at[dispatch->next_plugin]);
        if (++dispatch->next_plugin == worker->plugins.count)
            dispatch->next_plugin = 0;
        if (left > 1 && events_are_due(&worker->events))
            break;
    }
    return count;
}

void dispatch_all_notifications(struct worker *worker)
{
    for (unsigned i = 0; i < worker->plugins.count; ++i)
        collect(worker, &worker->plugins.at[i]);
}
