/* SPDX-License-Identifier: Apache-2.0 */
/* Worker context: the channel to its worker process, and what comes in over it. */
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <common/sdk_log.h>
#include <faults/faults.h>

#include "counting.h"
#include "worker.h"

SDK_LOG_REGISTER(UROM::WORKER_CHANNEL)

#define WHY_REST 80 /* bytes of a sentence, beside the service that it names */

static struct doca_urom_worker *of_receiver(struct channel_receiver *receiver)
{
    return CONTAINER_OF(receiver, struct doca_urom_worker, receiver);
}

static void *place(
        struct channel_receiver *receiver, const uint8_t prefix[WIRE_PREFIX_SIZE], size_t length)
{
    return worker_place_answer(of_receiver(receiver), prefix, length);
}

static void placed(struct channel_receiver *receiver, const uint8_t prefix[WIRE_PREFIX_SIZE],
        size_t length, void *at)
{
    (void)prefix;
    (void)length;
    (void)at;
    worker_answer_placed(of_receiver(receiver));
}

/* Whose place it was fails with the connection. */
static void abandoned(struct channel_receiver *receiver, void *at)
{
    (void)receiver;
    (void)at;
}

/* Gives a frame that is no notification to the request that it answers. */
static void receive(struct channel_receiver *receiver, const uint8_t *data, size_t length)
{
    struct doca_urom_worker *worker = of_receiver(receiver);
    struct wire_frame frame;
    struct request *request;

    if (wire_decode(data, length, worker->message_size, &frame) != DOCA_SUCCESS) {
        channel_end(worker->channel, DOCA_ERROR_UNEXPECTED, "the worker has sent what is no frame");
        return;
    }
    request = requests_find(&worker->requests, frame.request_id);
    if (request != NULL)
        request->answered(request, &frame);
    else
        SDK_LOG_DBG("A frame of type %d answers nothing that is awaited: dropped", frame.type);
}

/* "unix:PATH", or "tcp:PORT" at the service's own address. */
static doca_error_t take_address(const struct doca_urom_worker *worker,
        const struct wire_bytes *text, struct channel_address *address)
{
    const struct channel_address *service = &worker->location->address;
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

/* What carries the commands: UCX if both the service and this host want it. */
static doca_error_t choose_data(struct doca_urom_worker *worker, const struct wire_spawned *spawned,
        enum channel_data *data)
{
    const struct service_location *location = worker->location;
    const char *wanted = secure_getenv("JUROM_DATA");
    char why[sizeof(location->name) + WHY_REST];
    bool offered = spawned->flags & WIRE_FLAG_OFFERS_UCX;

    *data = offered ? CHANNEL_DATA_TLS_CHOSEN : CHANNEL_DATA_TLS;
    if (location->address.local || wanted == NULL || wanted[0] == '\0'
            || strcmp(wanted, "tls") == 0)
        return DOCA_SUCCESS;
    if (strcmp(wanted, "ucx") != 0)
        return WORKER_REFUSE(worker, DOCA_ERROR_INVALID_VALUE,
                "JUROM_DATA is \"%s\": it may be tls or ucx", wanted);
    if (!offered) {
        snprintf(why, sizeof(why),
                "JUROM_DATA=ucx, but the service at %s was not started with "
                "--data ucx",
                location->name);
        worker_note_loss(worker, "is not connected to: ", why, strlen(why));
        return WORKER_REFUSE(worker, DOCA_ERROR_NOT_SUPPORTED, "%s", why);
    }
    *data = CHANNEL_DATA_UCX;
    return DOCA_SUCCESS;
}

doca_error_t worker_connect(struct doca_urom_worker *worker, const struct wire_spawned *spawned)
{
    struct channel_settings settings = {
        .receiver = &worker->receiver,
        .max_message_size = worker->message_size,
        .devices = worker->location->devices,
    };
    struct channel_address address;
    struct channel_ticket ticket;
    doca_error_t status;

    worker->receiver = (struct channel_receiver){
        .place = place,
        .placed = placed,
        .abandoned = abandoned,
        .receive = receive,
    };
    status = take_address(worker, &spawned->address, &address);
    memcpy(ticket.id, spawned->ticket, sizeof(ticket.id));
    memcpy(ticket.key, spawned->ticket + sizeof(ticket.id), sizeof(ticket.key));
    if (status == DOCA_SUCCESS)
        status = choose_data(worker, spawned, &settings.data);
    if (status == DOCA_SUCCESS)
        status = counting_connect(worker, address.local ? address.path : NULL);
    if (status == DOCA_SUCCESS) {
        status = channel_connect_worker(&address, &ticket, &settings, &worker->channel);
        if (status != DOCA_SUCCESS)
            counting_disconnect(worker);
    }
    explicit_bzero(&ticket, sizeof(ticket));
    if (status != DOCA_SUCCESS)
        return status;

    worker->poller.fd = channel_descriptor(worker->channel);
    return priv_doca_pe_add_poller(worker->ctx.pe, &worker->poller);
}

void worker_disconnect(struct doca_urom_worker *worker)
{
    if (worker->channel == NULL)
        return;
    priv_doca_pe_remove_poller(worker->ctx.pe, &worker->poller);
    session_close_channel(worker->session, worker->channel);
    worker->channel = NULL;
    worker_forget_sends(worker);
    counting_disconnect(worker);
}

doca_error_t worker_take_addresses(
        struct doca_urom_worker *worker, const struct wire_attached *attached)
{
    struct wire_plugin_address address;
    size_t offset = 0;

    worker->addresses = FAULT_ALLOCATE(
            attached_memory, calloc(attached->plugin_count + 1, sizeof(*worker->addresses)));
    if (worker->addresses == NULL)
        return DOCA_ERROR_NO_MEMORY;

    while (wire_next_plugin_address(attached, &offset, &address)) {
        struct worker_plugin_address *copy = &worker->addresses[worker->addresses_count];

        copy->bytes = FAULT_ALLOCATE(attached_memory, malloc(address.address.length + 1));
        if (copy->bytes == NULL)
            return DOCA_ERROR_NO_MEMORY;
        memcpy(copy->bytes, address.address.data, address.address.length);
        copy->length = address.address.length;
        copy->plugin = address.plugin;
        ++worker->addresses_count;
    }
    return DOCA_SUCCESS;
}

void worker_forget_addresses(struct doca_urom_worker *worker)
{
    for (uint32_t i = 0; i < worker->addresses_count; ++i)
        free(worker->addresses[i].bytes);
    free(worker->addresses);
    worker->addresses = NULL;
    worker->addresses_count = 0;
}
