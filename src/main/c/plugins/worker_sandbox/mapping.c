/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Host memory. UCX before 1.14 cannot export memory handles, so the host sends the address of its
 * UCP worker and a remote key instead. UCX does not check the bounds of an access through them, so
 * the plugin checks each one.
 */
#include <stdlib.h>

#include <doca_log.h>

#include "sandbox.h"

DOCA_LOG_REGISTER(UROM::SANDBOX)

#define MAPPING_FIELDS (UCP_MEM_MAP_PARAM_FIELD_ADDRESS | UCP_MEM_MAP_PARAM_FIELD_LENGTH)

static doca_error_t check(
        const struct sandbox_mem_map *command, struct sandbox_remote_memory *memory)
{
    doca_error_t status;

    if ((command->field_mask & MAPPING_FIELDS) != MAPPING_FIELDS
            || !transport_is_range(command->address, command->length)) {
        DOCA_LOG_DBG("A mapping needs an address and a length that is not 0: %lu bytes from 0x%lx "
                     "on are not valid memory",
                command->length, command->address);
        return DOCA_ERROR_INVALID_VALUE;
    }
    status = sandbox_read_remote_memory(command->exported, command->exported_length, memory);
    if (status == DOCA_ERROR_NOT_SUPPORTED)
        DOCA_LOG_DBG("Exported memory handles are not supported. Give the address of a UCP worker "
                     "and a remote key instead.");
    else if (status != DOCA_SUCCESS)
        DOCA_LOG_DBG("A mapping's UCP worker address and remote key cannot be read");
    return status;
}

static ucs_status_t reach(struct sandbox *sandbox, struct mapping *mapping,
        const struct sandbox_remote_memory *memory)
{
    ucs_status_t status = transport_reach(
            &sandbox->transport, memory->address, memory->address_length, &mapping->link);

    if (status != UCS_OK)
        return status;
    status = transport_unpack_key(mapping->link, memory->key, memory->key_length, &mapping->key);
    if (status != UCS_OK)
        transport_leave(mapping->link);
    return status;
}

doca_error_t sandbox_map(struct sandbox *sandbox, struct host *host,
        const struct sandbox_mem_map *command, uint64_t *id)
{
    struct sandbox_remote_memory memory;
    struct mapping *mapping;
    doca_error_t status = check(command, &memory);
    ucs_status_t connected;

    if (status != DOCA_SUCCESS)
        return status;
    if (host->mappings == SANDBOX_MAPPINGS_MAX)
        return DOCA_ERROR_FULL;
    mapping = calloc(1, sizeof(*mapping));
    if (mapping == NULL)
        return DOCA_ERROR_NO_MEMORY;
    connected = reach(sandbox, mapping, &memory);
    if (connected != UCS_OK) {
        DOCA_LOG(transport_severity(connected), "A host's memory cannot be reached: %s",
                ucs_status_string(connected));
        free(mapping);
        return transport_status(connected);
    }

    ++host->mappings;
    mapping->id = ++sandbox->last_mapping;
    mapping->host = host;
    mapping->address = command->address;
    mapping->length = command->length;
    ucs_list_add_tail(&sandbox->mappings, &mapping->entry);
    *id = mapping->id;
    return DOCA_SUCCESS;
}

doca_error_t sandbox_use_mapping(struct sandbox *sandbox, const struct host *host, uint64_t id,
        uint64_t address, uint64_t length, struct mapping **mapping)
{
    struct mapping *at;

    ucs_list_for_each(at, &sandbox->mappings, entry)
    {
        if (at->id != id || at->host != host)
            continue;
        if (!transport_contains(at->address, at->length, address, length)) {
            DOCA_LOG_DBG("%lu bytes from 0x%lx on are not within memory %lu, which has %lu bytes "
                         "from 0x%lx on",
                    length, address, id, at->length, at->address);
            return DOCA_ERROR_INVALID_VALUE;
        }
        ++at->users;
        *mapping = at;
        return DOCA_SUCCESS;
    }
    DOCA_LOG_DBG("There is no mapped memory %lu", id);
    return DOCA_ERROR_NOT_FOUND;
}

void sandbox_unmap(struct sandbox *sandbox, bool all)
{
    struct mapping *mapping, *next;

    ucs_list_for_each_safe(mapping, next, &sandbox->mappings, entry)
    {
        if ((!all && !mapping->host->gone) || mapping->users > 0)
            continue;
        ucp_rkey_destroy(mapping->key);
        transport_leave(mapping->link);
        --mapping->host->mappings;
        ucs_list_del(&mapping->entry);
        free(mapping);
    }
}

void sandbox_free_mappings(struct sandbox *sandbox)
{
    while (!ucs_list_is_empty(&sandbox->mappings))
        free(ucs_list_extract_head(&sandbox->mappings, struct mapping, entry));
}
