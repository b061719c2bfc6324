/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Registered memory. A key consists of a slot in the client's table and random high bits, so that
 * stale and forged keys are not found.
 */
#include <stdlib.h>
#include <sys/random.h>

#include <doca_log.h>

#include "rdmo.h"

DOCA_LOG_REGISTER(UROM::RDMO)

/* Finds a free slot, growing the table if necessary. */
static doca_error_t find_slot(struct client *client, uint32_t *slot)
{
    uint32_t capacity = client->region_capacity;
    struct region **regions;

    while (client->first_free < capacity && client->regions[client->first_free] != NULL)
        ++client->first_free;
    *slot = client->first_free;
    if (*slot < capacity)
        return DOCA_SUCCESS;
    if (capacity == RDMO_REGIONS_MAX)
        return DOCA_ERROR_FULL;
    capacity = capacity == 0 ? 16 : 2 * capacity;
    regions = realloc(client->regions, capacity * sizeof(*regions));
    if (regions == NULL)
        return DOCA_ERROR_NO_MEMORY;

    for (uint32_t i = client->region_capacity; i < capacity; ++i)
        regions[i] = NULL;
    client->regions = regions;
    client->region_capacity = capacity;
    return DOCA_SUCCESS;
}

static doca_error_t make_key(uint32_t slot, uint64_t *key)
{
    uint32_t random;

    do {
        if (getrandom(&random, sizeof(random), 0) != sizeof(random))
            return DOCA_ERROR_OPERATING_SYSTEM;
    } while (random == 0);
    *key = (uint64_t)random << 32 | slot;
    return DOCA_SUCCESS;
}

static doca_error_t check(const struct command_mr_reg *command)
{
    if (!transport_is_range(command->address, command->length)) {
        DOCA_LOG_DBG("Memory of %lu bytes from 0x%lx on cannot be registered", command->length,
                command->address);
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (command->key.length == 0) {
        DOCA_LOG_DBG("Memory is registered by its packed remote key: exported memory handles are "
                     "not supported");
        return DOCA_ERROR_NOT_SUPPORTED;
    }
    return DOCA_SUCCESS;
}

doca_error_t region_add(struct client *client, const struct command_mr_reg *command, uint64_t *key)
{
    struct region *region;
    doca_error_t status = check(command);
    ucs_status_t unpacked;
    uint32_t slot;

    if (status == DOCA_SUCCESS)
        status = find_slot(client, &slot);
    if (status == DOCA_SUCCESS)
        status = make_key(slot, key);
    if (status != DOCA_SUCCESS)
        return status;
    region = calloc(1, sizeof(*region));
    if (region == NULL)
        return DOCA_ERROR_NO_MEMORY;
    unpacked = transport_unpack_key(
            client->link, command->key.data, command->key.length, &region->remote_key);
    if (unpacked != UCS_OK) {
        DOCA_LOG(transport_severity(unpacked), "A remote key of %zu bytes is none: %s",
                command->key.length, ucs_status_string(unpacked));
        free(region);
        return transport_status(unpacked);
    }

    region->key = *key;
    region->address = command->address;
    region->length = command->length;
    client->regions[slot] = region;
    return DOCA_SUCCESS;
}

struct region *region_with_key(struct client *client, uint64_t key)
{
    uint32_t slot = (uint32_t)key;
    struct region *region = slot < client->region_capacity ? client->regions[slot] : NULL;

    return region != NULL && region->key == key && !region->ending ? region : NULL;
}

ucs_status_t region_find(struct client *client, uint64_t key, uint64_t address, uint64_t length,
        struct region **region)
{
    *region = region_with_key(client, key);
    if (*region == NULL) {
        DOCA_LOG_DBG(
                "A request names the key 0x%lx, which is none of client %lu's", key, client->id);
        return UCS_ERR_NO_ELEM;
    }
    if (!transport_contains((*region)->address, (*region)->length, address, length)) {
        DOCA_LOG_DBG("A request reaches for %lu bytes from 0x%lx on, outside of client %lu's "
                     "memory of %lu bytes from 0x%lx on",
                length, address, client->id, (*region)->length, (*region)->address);
        return UCS_ERR_INVALID_PARAM;
    }
    return UCS_OK;
}

void region_remove(struct client *client, struct region *region)
{
    uint32_t slot = (uint32_t)region->key;

    client->regions[slot] = NULL;
    if (slot < client->first_free)
        client->first_free = slot;
    ucp_rkey_destroy(region->remote_key);
    free(region);
}
