/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Frames from hosts. A host is believed when it bears the token that the service gave out for this
 * worker, and from then on when its frames bear its connection's id. Everything else is dropped.
 */
#include <stdlib.h>
#include <string.h>

#include <common/sdk_log.h>
#include <wire/authentication.h>

#include "worker.h"

SDK_LOG_REGISTER(UROM::WORKER::RECEIVE)

#define SLACK 64 /* zeroed bytes behind a command, for plugins that read their whole struct */

/* A command block that the plugin will free. */
static struct urom_worker_cmd_desc *make_command(const struct wire_frame *frame)
{
    const struct wire_bytes *payload = &frame->command.payload;
    struct urom_worker_cmd_desc *command = malloc(sizeof(*command) + payload->length + SLACK);

    if (command == NULL)
        return NULL;
    command->dest_id = frame->request_id >> 32;
    command->worker_cmd.type = frame->command.plugin;
    command->worker_cmd.urom_context = frame->request_id;
    command->worker_cmd.len = payload->length;
    memcpy(command->worker_cmd.plugin_cmd, payload->data, payload->length);
    memset(command->worker_cmd.plugin_cmd + payload->length, 0, SLACK);
    return command;
}

static struct plugin *find_plugin(struct worker *worker, uint64_t id)
{
    if (id == 0 || (id & (id - 1)) != 0)
        return NULL;
    return worker->by_bit[__builtin_ctzll(id)];
}

static void queue_command(struct worker *worker, struct urom_worker_cmd_desc *command)
{
    struct plugin *plugin = find_plugin(worker, command->worker_cmd.type);

    ucs_list_add_tail(&plugin->commands, &command->entry);
    ++worker->queued;
}

static void receive_command(struct worker *worker, const struct wire_frame *frame)
{
    struct connection *connection =
            connection_find(&worker->connections, (uint32_t)(frame->request_id >> 32));
    struct urom_worker_cmd_desc *command;
    doca_error_t status;

    if (connection == NULL) {
        SDK_LOG_DBG("A command of an unknown connection was dropped");
        return;
    }
    ++connection->pending;
    ++worker->connections.pending;
    if (find_plugin(worker, frame->command.plugin) == NULL) {
        status = DOCA_ERROR_NOT_FOUND;
    } else if (connection->pending > connection->max_tasks) {
        status = DOCA_ERROR_FULL;
    } else if ((command = make_command(frame)) == NULL) {
        status = DOCA_ERROR_NO_MEMORY;
    } else {
        queue_command(worker, command);
        return;
    }
    dispatch_status(worker, connection, frame->request_id, status);
}

/* Sends a frame that is not a command to a host; a failure is logged, the host has a deadline. */
static void send_frame(struct net_endpoint *endpoint, const struct wire_frame *frame)
{
    doca_error_t status = net_send_frame(endpoint, frame);

    if (status != DOCA_SUCCESS)
        SDK_LOG_ERR("A frame of type %d could not be sent to a host: %s", frame->type,
                doca_error_get_descr(status));
}

/* The plugins' addresses, as ATTACHED carries them; to be freed. */
static doca_error_t gather_addresses(const struct worker *worker, struct wire_bytes *addresses)
{
    uint8_t *bytes = malloc(WIRE_CONTROL_MAX);
    doca_error_t status = bytes == NULL ? DOCA_ERROR_NO_MEMORY : DOCA_SUCCESS;
    size_t length = 0;

    for (unsigned i = 0; i < worker->plugin_count && status == DOCA_SUCCESS; ++i) {
        struct wire_plugin_address address = {
            .plugin = worker->plugins[i].id,
            .address = { worker->plugins[i].address, worker->plugins[i].address_length },
        };

        status = wire_add_plugin_address(bytes, WIRE_CONTROL_MAX - WIRE_HEADER_SIZE - 8, &length,
                &address);
    }
    *addresses = (struct wire_bytes){ bytes, length };
    return status;
}

static void receive_attach(struct worker *worker, const struct wire_frame *frame)
{
    struct wire_frame answer = { .type = WIRE_ATTACHED, .request_id = frame->request_id };
    struct connection *connection;
    struct wire_bytes addresses;
    doca_error_t status;

    if (!authentication_equal(frame->attach.token, worker->token, WIRE_TOKEN_SIZE)) {
        SDK_LOG_WARN("A connection without this worker's token was refused");
        return;
    }
    status = connection_open(&worker->connections, &worker->net, frame->attach.address.data,
            frame->attach.max_tasks, &connection);
    if (status != DOCA_SUCCESS) {
        SDK_LOG_ERR("A host could not be connected to: %s", doca_error_get_descr(status));
        return;
    }

    status = gather_addresses(worker, &addresses);
    answer.attached = (struct wire_attached){
        .connection = connection->id,
        .plugin_count = worker->plugin_count,
        .plugins = addresses,
    };
    if (status == DOCA_SUCCESS)
        send_frame(&connection->endpoint, &answer);
    free((uint8_t *)addresses.data);
}

static void receive_detach(struct worker *worker, const struct wire_frame *frame)
{
    struct wire_frame answer = { .type = WIRE_DETACHED, .request_id = frame->request_id };
    struct connection *connection =
            connection_find(&worker->connections, (uint32_t)(frame->request_id >> 32));

    if (connection == NULL)
        return;
    dispatch_host_left(worker, connection->id);
    domains_forget(&worker->domains, connection->id);
    send_frame(&connection->endpoint, &answer);
    connection_close(&worker->connections, connection);
}

/* What the host reads about a domain that was refused. */
static struct wire_bytes domain_refusal(doca_error_t status)
{
    const char *text = doca_error_get_descr(status);

    if (status == DOCA_ERROR_ALREADY_EXIST)
        text = "the domain has the same worker id twice";
    else if (status == DOCA_ERROR_FULL)
        text = "this connection has too many domains: stop one of them first";
    else if (status == DOCA_ERROR_INVALID_VALUE)
        text = "the domain's table cannot be read";
    return (struct wire_bytes){ (const uint8_t *)text, strlen(text) };
}

static void receive_domain(struct worker *worker, const struct wire_frame *frame)
{
    struct wire_frame answer = { .type = WIRE_DOMAIN_READY, .request_id = frame->request_id };
    struct connection *connection =
            connection_find(&worker->connections, (uint32_t)(frame->request_id >> 32));
    doca_error_t status;

    if (connection == NULL) {
        SDK_LOG_DBG("A domain of an unknown connection was dropped");
        return;
    }
    status = domains_put(&worker->domains, connection->id, frame->domain);
    if (status != DOCA_SUCCESS) {
        answer.type = WIRE_ERROR;
        answer.error = (struct wire_error){ .status = status, .text = domain_refusal(status) };
    }
    send_frame(&connection->endpoint, &answer);
}

void receive(void *owner, const uint8_t *data, size_t length)
{
    struct worker *worker = owner;
    struct wire_frame frame;
    doca_error_t status;

    if (worker->leaving)
        return; /* nobody is left to take it */

    status = wire_decode(data, length, worker->max_message_size, &frame);
    if (status != DOCA_SUCCESS) {
        SDK_LOG_WARN("A message of %zu bytes is no frame: %s. It was dropped.", length,
                doca_error_get_descr(status));
        return;
    }
    switch (frame.type) {
    case WIRE_COMMAND:
        receive_command(worker, &frame);
        break;
    case WIRE_ATTACH:
        receive_attach(worker, &frame);
        break;
    case WIRE_DOMAIN:
        receive_domain(worker, &frame);
        break;
    case WIRE_DETACH:
        receive_detach(worker, &frame);
        break;
    default:
        SDK_LOG_WARN("A frame of type %d is none that hosts send: dropped", frame.type);
        break;
    }
}
