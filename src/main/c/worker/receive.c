/* SPDX-License-Identifier: Apache-2.0 */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <common/idle.h>
#include <common/private.h>
#include <common/sdk_log.h>
#include <faults/faults.h>

#include "cancellation.h"
#include "receive.h"
#include "worker.h"
#include "worker_counters.h"

SDK_LOG_REGISTER(UROM::WORKER::RECEIVE)

#define SLACK 64 /* zeroed bytes after a command, for plugins that read a full struct */

static struct connection *connection_of(struct channel_receiver *receiver)
{
    return CONTAINER_OF(receiver, struct connection, receiver);
}

/* Returns whether frames from the host are dropped. */
static bool drops_frames(const struct connection *connection)
{
    return connection->worker->service.stopping || connection->state == CONNECTION_LEAVING;
}

static struct urom_worker_cmd_desc *command_at(void *place)
{
    return (struct urom_worker_cmd_desc *)((char *)place
            - offsetof(struct urom_worker_cmd_desc, worker_cmd.plugin_cmd));
}

/* Allocates a command without its payload. The plugin frees it. */
static struct urom_worker_cmd_desc *make_command(
        const struct connection *connection, const struct wire_frame *frame)
{
    size_t length = frame->command.payload.length;
    struct urom_worker_cmd_desc *command = blocks_take(
            &connection->worker->blocks, sizeof(*command) + length + SLACK);

    if (command == NULL)
        return NULL;
    command->dest_id = connection->serial;
    command->worker_cmd.type = frame->command.plugin;
    command->worker_cmd.urom_context = frame->request_id;
    command->worker_cmd.len = length;
    memset(command->worker_cmd.plugin_cmd + length, 0, SLACK);
    return command;
}

/* Adds the command to the pending ones and allocates it. */
static doca_error_t take_command(struct connection *connection, const struct wire_frame *frame,
        struct urom_worker_cmd_desc **command)
{
    const struct plugins *plugins = &connection->worker->plugins;
    const struct plugin *plugin = plugins_find(plugins, frame->command.plugin);
    doca_error_t status;

    if (plugin == NULL)
        return DOCA_ERROR_NOT_FOUND;
    if (connection->pending.count >= connection->max_tasks)
        return DOCA_ERROR_FULL;
    status = pending_add(&connection->pending, frame->request_id, plugins_index(plugins, plugin));
    if (status != DOCA_SUCCESS)
        return status;
    *command = make_command(connection, frame);
    if (*command == NULL) {
        pending_take(&connection->pending, frame->request_id);
        return DOCA_ERROR_NO_MEMORY;
    }
    ++*counting_pending();
    return DOCA_SUCCESS;
}

static void reject_command(struct connection *connection, uint64_t request_id, doca_error_t status)
{
    if (status == DOCA_ERROR_ALREADY_EXIST)
        connection_break(connection, status, "it sent two commands with the same request id");
    else
        notifications_answer(connection, request_id, status);
}

/* Called at the beginning of each command; returns the memory for its payload, or NULL. */
static void *begin_payload(
        struct channel_receiver *receiver, const uint8_t prefix[WIRE_PREFIX_SIZE], size_t length)
{
    struct connection *connection = connection_of(receiver);
    struct urom_worker_cmd_desc *command = NULL;
    struct wire_frame frame;
    doca_error_t status;

    if (drops_frames(connection))
        return NULL;
    if (connection->state != CONNECTION_ATTACHED
            || wire_decode_prefix(
                       prefix, length, connection->worker->configuration.max_message_size, &frame)
                    != DOCA_SUCCESS
            || (frame.type != WIRE_COMMAND && frame.type != WIRE_COMMAND_UNTIL)) {
        connection_break(connection, DOCA_ERROR_UNEXPECTED,
                "it sent a frame that hosts do not send in this state");
        return NULL;
    }

    FAULT_REACH(worker_command_beginning);
    status = take_command(connection, &frame, &command);
    counting_command(connection, frame.request_id, length);
    if (status != DOCA_SUCCESS) {
        counting_refused();
        reject_command(connection, frame.request_id, status);
        return NULL;
    }
    return command->worker_cmd.plugin_cmd;
}

/* Returns the deadline behind a payload, which becomes slack. A deadline of 0 has passed. */
static uint64_t take_deadline(uint8_t *payload, size_t length)
{
    uint64_t deadline = wire_command_deadline(payload, length);

    memset(payload + length - WIRE_DEADLINE_SIZE, 0, WIRE_DEADLINE_SIZE);
    return deadline == 0 ? 1 : deadline;
}

static void end_payload(struct channel_receiver *receiver, const uint8_t prefix[WIRE_PREFIX_SIZE],
        size_t length, void *payload)
{
    struct connection *connection = connection_of(receiver);
    struct urom_worker_cmd_desc *command = command_at(payload);
    uint64_t deadline = 0;
    doca_error_t status;

    FAULT_DROP(worker_command_arrived, channel_socket(connection->channel));
    if (prefix[3] == WIRE_COMMAND_UNTIL)
        deadline = take_deadline(payload, length - WIRE_PREFIX_SIZE);
    status = cancellation_check_arrived(connection, command->worker_cmd.urom_context, deadline);
    if (status == DOCA_SUCCESS)
        dispatch_command(connection->worker, command);
    else
        dispatch_reject(connection->worker, command, status);
}

static void abandon_payload(struct channel_receiver *receiver, void *payload)
{
    (void)receiver; /* its connection ends, which also clears its pending set */
    free(command_at(payload));
}

/* Ends the connection on failure, because the host would wait for the answer forever. */
static void send_frame(struct connection *connection, const struct wire_frame *frame)
{
    doca_error_t status = channel_send_frame(connection->channel, frame);

    if (status != DOCA_SUCCESS && channel_status(connection->channel) == DOCA_SUCCESS)
        connection_break(connection, status, "the answer to its request could not be sent");
    else if (status != DOCA_SUCCESS)
        SDK_LOG_DBG("A frame of type %d could not be sent to a host: %s", frame->type,
                doca_error_get_descr(status));
}

static void receive_attach(struct connection *connection, const struct wire_frame *frame)
{
    static const char full[] = "the worker serves the maximum number of hosts";
    struct worker *worker = connection->worker;
    struct wire_frame answer = { .type = WIRE_ATTACHED, .request_id = frame->request_id };
    doca_error_t status;

    FAULT_DROP(worker_attach_received, channel_socket(connection->channel));
    status = connection_attach(connection, frame->attach.max_tasks);
    if (status == DOCA_SUCCESS) {
        answer.attached = (struct wire_attached){
            .connection = connection->serial,
            .plugin_count = worker->plugins.count,
            .flags = WIRE_FLAG_DEADLINES,
            .clock = idle_now_ns(),
            .plugins = worker->plugins.addresses,
        };
    } else {
        answer.type = WIRE_ERROR;
        answer.error = (struct wire_error){ status, { (const uint8_t *)full, sizeof(full) - 1 } };
        connection_detach(connection);
    }
    send_frame(connection, &answer);
    FAULT_DROP(worker_attached_sent, channel_socket(connection->channel));
}

/* Publishes the results that plugins have finished before the host detaches. */
static void receive_detach(struct connection *connection, const struct wire_frame *frame)
{
    struct wire_frame answer = { .type = WIRE_DETACHED, .request_id = frame->request_id };

    FAULT_DROP(worker_detach_received, channel_socket(connection->channel));
    dispatch_collect(connection->worker);
    connection_detach(connection);
    send_frame(connection, &answer);
    FAULT_DROP(worker_detached_sent, channel_socket(connection->channel));
}

/* Returns the error text for a rejected domain. */
static struct wire_bytes domain_error_text(doca_error_t status)
{
    const char *text = doca_error_get_descr(status);

    if (status == DOCA_ERROR_ALREADY_EXIST)
        text = "the domain contains a worker id twice";
    else if (status == DOCA_ERROR_FULL)
        text = "this connection has too many domains: stop one of them first";
    else if (status == DOCA_ERROR_INVALID_VALUE)
        text = "the domain's table is malformed";
    return (struct wire_bytes){ (const uint8_t *)text, strlen(text) };
}

static void receive_domain(struct connection *connection, const struct wire_frame *frame)
{
    struct wire_frame answer = { .type = WIRE_DOMAIN_READY, .request_id = frame->request_id };
    doca_error_t status;

    FAULT_DROP(worker_domain_received, channel_socket(connection->channel));
    status = domains_put(&connection->worker->domains, connection->serial, frame->domain);
    FAULT_REACH(worker_domain_kept);
    if (status != DOCA_SUCCESS) {
        answer.type = WIRE_ERROR;
        answer.error = (struct wire_error){ .status = status, .text = domain_error_text(status) };
    }
    send_frame(connection, &answer);
    FAULT_DROP(worker_domain_answered, channel_socket(connection->channel));
}

/* Not inside an operation of the plugin: frames are received between them. */
static void notify_plugin(struct plugin *plugin, uint64_t serial, uint64_t request_id)
{
    if (plugin->cancel == NULL)
        return;
    plugin_enter(plugin, PLUGIN_CANCEL);
    plugin->cancel(&plugin->ctx, serial, request_id);
    plugin_leave();
}

/* Ignores unknown, answered and cancelled commands. */
static void receive_cancel(struct connection *connection, uint64_t request_id)
{
    struct worker *worker = connection->worker;
    struct pending_entry *entry = pending_find(&connection->pending, request_id);
    struct plugin *plugin;

    if (entry == NULL || entry->cancelled)
        return;
    entry->cancelled = true;
    plugin = &worker->plugins.at[entry->plugin];
    if (dispatch_withdraw(worker, plugin, connection->serial, request_id)) {
        counting_refused();
        notifications_answer_pending(connection, request_id, DOCA_ERROR_SKIPPED);
    } else {
        notify_plugin(plugin, connection->serial, request_id);
    }
}

static void receive(struct channel_receiver *receiver, const uint8_t *bytes, size_t length)
{
    struct connection *connection = connection_of(receiver);
    struct wire_frame frame;

    if (drops_frames(connection))
        return;
    connection_admit(connection);
    if (connection->over)
        return;
    if (wire_decode(bytes, length, 0, &frame) != DOCA_SUCCESS)
        connection_break(connection, DOCA_ERROR_UNEXPECTED, "it sent a malformed frame");
    else if (connection->state == CONNECTION_ADMITTED && frame.type == WIRE_ATTACH)
        receive_attach(connection, &frame);
    else if (connection->state == CONNECTION_ATTACHED && frame.type == WIRE_DOMAIN)
        receive_domain(connection, &frame);
    else if (connection->state == CONNECTION_ATTACHED && frame.type == WIRE_DETACH)
        receive_detach(connection, &frame);
    else if (connection->state == CONNECTION_ATTACHED && frame.type == WIRE_CANCEL)
        receive_cancel(connection, frame.request_id);
    else
        connection_break(connection, DOCA_ERROR_UNEXPECTED,
                "it sent a frame that hosts do not send in this state");
}

const struct channel_receiver receive_callbacks = {
    .begin_payload = begin_payload,
    .end_payload = end_payload,
    .abandon_payload = abandon_payload,
    .receive = receive,
};
