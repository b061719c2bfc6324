/* SPDX-License-Identifier: Apache-2.0 */
/* Clients and their queues. */
#include <stdlib.h>

#include <doca_log.h>

#include "rdmo.h"

DOCA_LOG_REGISTER(UROM::RDMO)

struct client *client_of(struct rdmo *rdmo, uint64_t owner)
{
    struct client *client;

    ucs_list_for_each(client, &rdmo->clients, entry)
    {
        if (client->owner == owner)
            return client;
    }
    return NULL;
}

struct client *client_find(struct rdmo *rdmo, uint64_t id)
{
    struct client *client;

    ucs_list_for_each(client, &rdmo->clients, entry)
    {
        if (client->id == id)
            return client;
    }
    return NULL;
}

/* Converts the status of a connection attempt to the UCP worker at this address. */
static doca_error_t told(ucs_status_t status, struct bytes address)
{
    if (status != UCS_OK)
        DOCA_LOG(transport_severity(status),
                "The UCP worker at an address of %zu bytes cannot "
                "be connected to: %s",
                address.length, ucs_status_string(status));
    return transport_status(status);
}

doca_error_t client_new(struct rdmo *rdmo, uint64_t owner, uint64_t id, struct bytes address)
{
    struct client *client;
    doca_error_t status;

    if (client_of(rdmo, owner) != NULL || client_find(rdmo, id) != NULL) {
        DOCA_LOG_DBG("There is a client %lu already, or its host has one: each host has one client "
                     "of a worker, with an id of its own",
                id);
        return DOCA_ERROR_ALREADY_EXIST;
    }
    client = calloc(1, sizeof(*client));
    if (client == NULL)
        return DOCA_ERROR_NO_MEMORY;
    status = told(transport_reach(&rdmo->transport, address.data, address.length, &client->link),
            address);
    if (status != DOCA_SUCCESS) {
        free(client);
        return status;
    }

    client->rdmo = rdmo;
    client->id = id;
    client->owner = owner;
    ucs_list_head_init(&client->queues);
    ucs_list_head_init(&client->operations);
    ucs_list_add_tail(&rdmo->clients, &client->entry);
    return DOCA_SUCCESS;
}

/* Frees all regions. No transfer may be using their keys. */
static void end_regions(struct client *client)
{
    for (uint32_t slot = 0; slot < client->region_capacity; ++slot) {
        if (client->regions[slot] != NULL)
            region_remove(client, client->regions[slot]);
    }
}

void client_free(struct client *client)
{
    while (!ucs_list_is_empty(&client->operations))
        operation_free(ucs_list_extract_head(&client->operations, struct operation, entry));
    for (uint32_t slot = 0; slot < client->region_capacity; ++slot)
        free(client->regions[slot]);
    free(client->regions);
    ucs_list_del(&client->entry);
    free(client);
}

void client_leave(struct client *client)
{
    ucs_list_del(&client->entry);
    ucs_list_add_tail(&client->rdmo->departed, &client->entry);
    operations_drop(client);
    while (!ucs_list_is_empty(&client->queues))
        client_remove_queue(client, ucs_list_head(&client->queues, struct queue, entry));
    clients_sweep(client->rdmo);
}

void clients_sweep(struct rdmo *rdmo)
{
    struct client *client, *next;

    ucs_list_for_each_safe(client, next, &rdmo->departed, entry)
    {
        if (!operations_drained(client))
            continue;
        end_regions(client);
        transport_leave(client->link);
        client_free(client);
    }
}

doca_error_t client_add_queue(struct client *client, struct bytes address, uint64_t *id)
{
    struct queue *queue;
    doca_error_t status;

    if (client->queue_count == RDMO_QUEUES_MAX)
        return DOCA_ERROR_FULL;
    queue = calloc(1, sizeof(*queue));
    if (queue == NULL)
        return DOCA_ERROR_NO_MEMORY;
    status = told(
            transport_connect(&client->rdmo->transport, address.data, address.length, &queue->link),
            address);
    if (status != DOCA_SUCCESS) {
        free(queue);
        return status;
    }

    queue->id = ++client->last_queue;
    ucs_list_add_tail(&client->queues, &queue->entry);
    ++client->queue_count;
    *id = queue->id;
    return DOCA_SUCCESS;
}

struct queue *client_find_queue(struct client *client, uint64_t id)
{
    struct queue *queue;

    ucs_list_for_each(queue, &client->queues, entry)
    {
        if (queue->id == id)
            return queue;
    }
    return NULL;
}

void client_remove_queue(struct client *client, struct queue *queue)
{
    ucs_list_del(&queue->entry);
    --client->queue_count;
    transport_leave(queue->link);
    free(queue);
}

struct queue *client_queue_of(struct client *client, const struct link *link)
{
    struct queue *queue;

    ucs_list_for_each(queue, &client->queues, entry)
    {
        if (queue->link->worker_uid == link->worker_uid && !queue->ending)
            return queue;
    }
    return NULL;
}
