/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Commands to plugins and notifications to hosts. Every command is answered: by its plugin, or by
 * the worker when the plugin returns an error and has nothing to say itself.
 */
#include <stdlib.h>
#include <string.h>

#include <common/private.h>
#include <common/sdk_log.h>

#include "worker.h"

SDK_LOG_REGISTER(UROM::WORKER::DISPATCH)

/*
 * A notification while it is packed and sent. The plugin packs a whole urom_worker_notify, and the
 * frame's prefix then takes the place of its header.
 */
struct notification_buffer {
    struct net_operation sending;
    struct worker *worker;
    struct notification_buffer *next; /* of all */
    struct notification_buffer *next_free;
    _Alignas(64) uint8_t bytes[];
};

static void give_back(struct notification_buffer *buffer)
{
    buffer->next_free = buffer->worker->free_buffers;
    buffer->worker->free_buffers = buffer;
}

static void sent(struct net_operation *operation, doca_error_t status)
{
    (void)status; /* a host that cannot be reached any more has no use for it */
    give_back(CONTAINER_OF(operation, struct notification_buffer, sending));
}

static struct notification_buffer *take_buffer(struct worker *worker)
{
    struct notification_buffer *buffer = worker->free_buffers;
    size_t size = sizeof(*buffer) + worker->max_message_size;

    if (buffer != NULL) {
        worker->free_buffers = buffer->next_free;
        return buffer;
    }
    buffer = aligned_alloc(64, (size + 63) & ~(size_t)63);
    if (buffer != NULL) {
        buffer->sending.done = sent;
        buffer->worker = worker;
        buffer->next = worker->buffers;
        worker->buffers = buffer;
    }
    return buffer;
}

/* Sends the `length` plugin bytes that stand behind the buffer's notification header. */
static void send_buffer(struct notification_buffer *buffer, struct connection *connection,
        uint64_t request_id, doca_error_t status, size_t length)
{
    uint8_t *payload = buffer->bytes + sizeof(struct urom_worker_notify);
    uint8_t *prefix = payload - WIRE_PREFIX_SIZE;
    doca_error_t outcome;

    wire_put_notification(prefix, request_id, status, length);
    outcome = net_send(&connection->endpoint, prefix, WIRE_PREFIX_SIZE + length, &buffer->sending);
    if (outcome != DOCA_ERROR_IN_PROGRESS)
        give_back(buffer);
    if (outcome != DOCA_SUCCESS && outcome != DOCA_ERROR_IN_PROGRESS)
        SDK_LOG_WARN("A notification could not be sent: %s", doca_error_get_descr(outcome));
}

static void count_answer(struct worker *worker, struct connection *connection)
{
    if (connection->pending > 0) {
        --connection->pending;
        --worker->connections.pending;
    }
}

void dispatch_status(struct worker *worker, struct connection *connection, uint64_t request_id,
        doca_error_t status)
{
    struct notification_buffer *buffer = take_buffer(worker);

    count_answer(worker, connection);
    if (buffer == NULL)
        SDK_LOG_ERR("A command could not be answered: no memory");
    else
        send_buffer(buffer, connection, request_id, status, 0);
}

static void send_notification(struct worker *worker, struct plugin *plugin,
        struct urom_worker_notif_desc *notification)
{
    struct urom_worker_notify *notify = &notification->worker_notif;
    struct connection *connection =
            connection_find(&worker->connections, (uint32_t)notification->dest_id);
    struct notification_buffer *buffer;
    size_t length = worker->max_message_size;
    doca_error_t status;

    if (connection == NULL || notify->urom_context >> 32 != connection->id)
        return; /* its host has gone, or the plugin made it up */
    buffer = take_buffer(worker);
    if (buffer == NULL)
        return;

    status = plugin->ctx.iface.notif_pack(notify, &length, buffer->bytes);
    if (status == DOCA_SUCCESS
            && (length < sizeof(*notify) || length > worker->max_message_size))
        status = DOCA_ERROR_UNEXPECTED;
    if (status == DOCA_SUCCESS) {
        status = notify->status;
    } else {
        SDK_LOG_ERR("The plugin %s could not pack a notification: %s", plugin->path,
                doca_error_get_descr(status));
        length = sizeof(*notify);
    }
    count_answer(worker, connection);
    send_buffer(buffer, connection, notify->urom_context, status, length - sizeof(*notify));
}

/*
 * Progresses the plugin and sends all that it has to say; 0: it found nothing to do. `watched` is
 * set when one of the notifications answers `request_id`.
 */
static unsigned collect(struct worker *worker, struct plugin *plugin, uint64_t request_id,
        bool *watched)
{
    ucs_list_link_t notifications;
    unsigned count;

    ucs_list_head_init(&notifications);
    /* A plugin may have been busy and have nothing to say: that too keeps the worker awake. */
    count = plugin->ctx.iface.progress(&plugin->ctx, &notifications) == DOCA_SUCCESS;
    while (!ucs_list_is_empty(&notifications)) {
        struct urom_worker_notif_desc *notification =
                ucs_list_extract_head(&notifications, struct urom_worker_notif_desc, entry);

        *watched |= notification->worker_notif.urom_context == request_id;
        send_notification(worker, plugin, notification);
        free(notification);
        ++count;
    }
    return count;
}

/* The plugin returned an error for a command. Whatever happens, that command gets an answer. */
static void answer_refused(struct worker *worker, struct plugin *plugin, uint64_t request_id,
        doca_error_t status)
{
    struct connection *connection;
    bool answered = false;

    SDK_LOG_DBG("The plugin %s refused a command: %s", plugin->path,
            doca_error_get_descr(status));
    collect(worker, plugin, request_id, &answered);
    connection = connection_find(&worker->connections, (uint32_t)(request_id >> 32));
    if (!answered && connection != NULL)
        dispatch_status(worker, connection, request_id, status);
}

/* Gives the plugin its oldest command. False when the plugin leaves it for later. */
static bool give_command(struct worker *worker, struct plugin *plugin)
{
    struct urom_worker_cmd_desc *command =
            ucs_list_extract_head(&plugin->commands, struct urom_worker_cmd_desc, entry);
    uint64_t request_id = command->worker_cmd.urom_context;
    ucs_list_link_t list;
    doca_error_t status;
    bool taken;

    /* One at a time: the command that an error belongs to is then known. */
    ucs_list_head_init(&list);
    ucs_list_add_tail(&list, &command->entry);
    domains_serve((uint32_t)command->dest_id);
    status = plugin->ctx.iface.worker_cmd(&plugin->ctx, &list);
    domains_serve(0);
    taken = ucs_list_is_empty(&list);
    if (!taken) {
        ucs_list_del(&command->entry);
        if (status == DOCA_SUCCESS || status == DOCA_ERROR_AGAIN) {
            ucs_list_add_head(&plugin->commands, &command->entry);
            return false;
        }
        free(command);
    }
    --worker->queued;
    if (status != DOCA_SUCCESS)
        answer_refused(worker, plugin, request_id, status);
    return true;
}

unsigned dispatch_commands(struct worker *worker)
{
    unsigned count = 0;

    if (worker->queued == 0)
        return 0;
    for (unsigned i = 0; i < worker->plugin_count; ++i) {
        struct plugin *plugin = &worker->plugins[i];

        while (!ucs_list_is_empty(&plugin->commands) && give_command(worker, plugin))
            ++count;
    }
    return count;
}

static void drop_commands(struct worker *worker, struct plugin *plugin, uint32_t connection)
{
    struct urom_worker_cmd_desc *command, *next;

    ucs_list_for_each_safe(command, next, &plugin->commands, entry) {
        if (command->dest_id == connection) {
            ucs_list_del(&command->entry);
            free(command);
            --worker->queued;
        }
    }
}

void dispatch_host_left(struct worker *worker, uint32_t connection)
{
    for (unsigned i = 0; i < worker->plugin_count; ++i) {
        struct plugin *plugin = &worker->plugins[i];

        drop_commands(worker, plugin, connection);
        if (plugin->host_left != NULL)
            plugin->host_left(&plugin->ctx, connection);
    }
}

unsigned dispatch_notifications(struct worker *worker)
{
    unsigned count = 0;
    bool ignored = false;

    for (unsigned i = 0; i < worker->plugin_count; ++i)
        count += collect(worker, &worker->plugins[i], 0, &ignored);
    return count;
}

void dispatch_free(struct worker *worker)
{
    while (worker->buffers != NULL) {
        struct notification_buffer *buffer = worker->buffers;

        worker->buffers = buffer->next;
        free(buffer);
    }
}
