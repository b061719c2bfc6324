/* SPDX-License-Identifier: Apache-2.0 */
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <common/sdk_log.h>
#include <faults/faults.h>

#include "urom_counters.h"
#include "worker_context.h"

SDK_LOG_REGISTER(UROM::WORKER_CHANNEL)

#define REASON_REST 80 /* bytes of a sentence besides the name of the service */

static struct doca_urom_worker *of_receiver(struct channel_receiver *receiver)
{
    return CONTAINER_OF(receiver, struct doca_urom_worker, channel.receiver);
}

static void *begin_payload(
        struct channel_receiver *receiver, const uint8_t prefix[WIRE_PREFIX_SIZE], size_t length)
{
    return worker_tasks_place_answer(of_receiver(receiver), prefix, length);
}

static void end_payload(struct channel_receiver *receiver, const uint8_t prefix[WIRE_PREFIX_SIZE],
        size_t length, void *at)
{
    (void)prefix;
    (void)length;
    (void)at;
    worker_tasks_answer_placed(of_receiver(receiver));
}

/* The task fails with the connection. */
static void abandon_payload(struct channel_receiver *receiver, void *at)
{
    (void)receiver;
    (void)at;
}

/* Passes a frame other than a notification to the request that it answers. */
static void receive(struct channel_receiver *receiver, const uint8_t *data, size_t length)
{
    struct doca_urom_worker *worker = of_receiver(receiver);
    struct wire_frame frame;
    struct request *request;

    if (wire_decode(data, length, worker->tasks.message_size, &frame) != DOCA_SUCCESS) {
        channel_end(
                worker->channel.handle, DOCA_ERROR_UNEXPECTED, "the worker sent a malformed frame");
        return;
    }
    request = requests_find(&worker->channel.requests, frame.request_id);
    if (request != NULL)
        request->answered(request, &frame);
    else
        SDK_LOG_DBG("A frame of type %d answers no pending request and is dropped", frame.type);
}

/* Parses "unix:PATH", or "tcp:PORT" at the service's address. */
static doca_error_t parse_address(const struct doca_urom_worker *worker,
        const struct wire_bytes *text, struct channel_address *address)
{
    const struct channel_address *service = &worker->link.location->address;
    char copy[sizeof("unix:") - 1 + sizeof(address->path)] = "";
    unsigned port;
    char end;

    if (text->length >= sizeof(copy))
        return DOCA_ERROR_INVALID_VALUE;
    memcpy(copy, text->data, text->length);
    if (service->local && strncmp(copy, "unix:/", 6) == 0) {
        *address = (struct channel_address){ .local = true };
        memcpy(address->path, copy + 5, sizeof(address->path));
        return DOCA_SUCCESS;
    }
    if (service->local || sscanf(copy, "tcp:%5u%c", &port, &end) != 1 || port == 0 || port > 65535)
        return DOCA_ERROR_INVALID_VALUE;

    *address = *service;
    if (service->socket.ss_family == AF_INET6)
        ((struct sockaddr_in6 *)&address->socket)->sin6_port = htons((uint16_t)port);
    else
        ((struct sockaddr_in *)&address->socket)->sin_port = htons((uint16_t)port);
    return DOCA_SUCCESS;
}

/* Selects the transport of commands: UCX if both the service and this host request it. */
static doca_error_t choose_transport(struct doca_urom_worker *worker,
        const struct wire_spawned *spawned, enum channel_data *data)
{
    const struct service_location *location = worker->link.location;
    const char *wanted = secure_getenv("JUROM_DATA");
    char reason[sizeof(location->name) + REASON_REST];
    bool offered = spawned->flags & WIRE_FLAG_OFFERS_UCX;

    *data = offered ? CHANNEL_DATA_TLS_CHOSEN : CHANNEL_DATA_TLS;
    if (location->address.local || wanted == NULL || wanted[0] == '\0'
            || strcmp(wanted, "tls") == 0)
        return DOCA_SUCCESS;
    if (strcmp(wanted, "ucx") != 0)
        return WORKER_END_REFUSE(&worker->end, DOCA_ERROR_INVALID_VALUE,
                "JUROM_DATA is \"%s\": it must be tls or ucx", wanted);
    if (!offered) {
        snprintf(reason, sizeof(reason),
                "JUROM_DATA=ucx, but the service at %s was not started with --data ucx",
                location->name);
        worker_end_lost(worker, "is not connected to: ", reason, strlen(reason));
        return WORKER_END_REFUSE(&worker->end, DOCA_ERROR_NOT_SUPPORTED, "%s", reason);
    }
    *data = CHANNEL_DATA_UCX;
    return DOCA_SUCCESS;
}

doca_error_t worker_channel_connect(struct doca_urom_worker *worker,
        const struct wire_spawned *spawned, unsigned (*poll)(struct pe_poller *poller),
        doca_error_t (*arm)(struct pe_poller *poller))
{
    struct channel_settings settings = {
        .receiver = &worker->channel.receiver,
        .max_message_size = worker->tasks.message_size,
        .devices = worker->link.location->devices,
    };
    struct channel_address address;
    struct channel_ticket ticket;
    doca_error_t status;

    worker->channel.receiver = (struct channel_receiver){
        .begin_payload = begin_payload,
        .end_payload = end_payload,
        .abandon_payload = abandon_payload,
        .receive = receive,
    };
    status = parse_address(worker, &spawned->address, &address);
    address.process = (pid_t)spawned->process_id;
    memcpy(ticket.id, spawned->ticket, sizeof(ticket.id));
    memcpy(ticket.key, spawned->ticket + sizeof(ticket.id), sizeof(ticket.key));
    if (status == DOCA_SUCCESS)
        status = choose_transport(worker, spawned, &settings.data);
    if (status == DOCA_SUCCESS)
        status = counting_connect(worker, address.local ? address.path : NULL);
    if (status == DOCA_SUCCESS) {
        status = channel_connect_worker(&address, &ticket, &settings, &worker->channel.handle);
        if (status != DOCA_SUCCESS)
            counting_disconnect(worker);
    }
    explicit_bzero(&ticket, sizeof(ticket));
    if (status != DOCA_SUCCESS)
        return status;

    worker->channel.poller = (struct pe_poller){
        .poll = poll,
        .arm = arm,
        .fd = channel_descriptor(worker->channel.handle),
    };
    return priv_doca_pe_add_poller(worker->ctx.pe, &worker->channel.poller);
}

void worker_channel_disconnect(struct doca_urom_worker *worker)
{
    if (worker->channel.handle == NULL)
        return;
    priv_doca_pe_remove_poller(worker->ctx.pe, &worker->channel.poller);
    session_close_channel(worker->link.session, worker->channel.handle);
    worker->channel.handle = NULL;
    worker_tasks_channel_closed(&worker->tasks);
    counting_disconnect(worker);
}

doca_error_t worker_channel_store_attached(
        struct worker_channel *channel, const struct wire_attached *attached)
{
    struct wire_plugin_address address;
    size_t offset = 0;

    channel->accepts_deadlines = attached->flags & WIRE_FLAG_DEADLINES;
    channel->clock_offset = attached->clock - channel->attach_time;

    channel->addresses = FAULT_ALLOCATE(
            attached_memory, calloc(attached->plugin_count + 1, sizeof(*channel->addresses)));
    if (channel->addresses == NULL)
        return DOCA_ERROR_NO_MEMORY;

    while (wire_next_plugin_address(attached, &offset, &address)) {
        struct worker_plugin_address *copy = &channel->addresses[channel->address_count];

        copy->bytes = FAULT_ALLOCATE(attached_memory, malloc(address.address.length + 1));
        if (copy->bytes == NULL)
            return DOCA_ERROR_NO_MEMORY;
        memcpy(copy->bytes, address.address.data, address.address.length);
        copy->length = address.address.length;
        copy->plugin = address.plugin;
        ++channel->address_count;
    }
    return DOCA_SUCCESS;
}

void worker_channel_reset(struct worker_channel *channel)
{
    requests_free(&channel->requests);
    for (uint32_t i = 0; i < channel->address_count; ++i)
        free(channel->addresses[i].bytes);
    free(channel->addresses);
    channel->addresses = NULL;
    channel->address_count = 0;
}
