/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Host memory. UCX before 1.14 cannot export memory handles, so the host gives the address of a UCP
 * worker of its own and a remote key instead, and the plugin reads and writes through them. UCX
 * does not check where: the plugin does, each time.
 */
#include <stdlib.h>

#include <doca_log.h>

#include <net/status.h>

#include "sandbox.h"

DOCA_LOG_REGISTER(UROM::SANDBOX)

#define MAPPING_FIELDS (UCP_MEM_MAP_PARAM_FIELD_ADDRESS | UCP_MEM_MAP_PARAM_FIELD_LENGTH)

static doca_error_t check(const struct sandbox_mem_map *command,
        struct sandbox_remote_memory *memory)
{
    doca_error_t status;

    if ((command->field_mask & MAPPING_FIELDS) != MAPPING_FIELDS || command->length == 0
            || command->address + (command->length - 1) < command->address) {
        DOCA_LOG_DBG("A mapping needs an address and a length that is not 0");
        return DOCA_ERROR_INVALID_VALUE;
    }
    status = sandbox_read_remote_memory(command->exported, command->exported_length, memory);
    if (status == DOCA_ERROR_NOT_SUPPORTED)
        DOCA_LOG_DBG("Exported memory handles are not supported: this UCX (%s) has none. Give the "
                "address of a UCP worker and a remote key instead.", ucp_get_version_string());
    else if (status != DOCA_SUCCESS)
        DOCA_LOG_DBG("A mapping's UCP worker address and remote key cannot be read");
    return status;
}

static ucs_status_t reach(struct sandbox *sandbox, struct mapping *mapping,
        const struct sandbox_remote_memory *memory)
{
    void *address = transport_with_slack(memory->address, memory->address_length);
    ucs_status_t status = UCS_ERR_NO_MEMORY;
    uint64_t uid;

    if (address != NULL)
        status = transport_reach(&sandbox->transport, address, &uid, &mapping->endpoint);
    if (status == UCS_OK)
        status = transport_unpack_key(mapping->endpoint, memory->key, memory->key_length,
                &mapping->key);
    free(address);
    return status;
}

doca_error_t sandbox_map(struct sandbox *sandbox, uint64_t owner,
        const struct sandbox_mem_map *command, uint64_t *id)
{
    struct sandbox_remote_memory memory;
    struct mapping *mapping;
    doca_error_t status = check(command, &memory);
    ucs_status_t connected;

    if (status != DOCA_SUCCESS)
        return status;
    if (sandbox->mapping_count == SANDBOX_MAPPINGS_MAX)
        return DOCA_ERROR_FULL;
    mapping = calloc(1, sizeof(*mapping));
    if (mapping == NULL)
        return DOCA_ERROR_NO_MEMORY;
    connected = reach(sandbox, mapping, &memory);
    if (connected != UCS_OK) {
        DOCA_LOG(transport_severity(connected), "A host's memory cannot be reached: %s",
                ucs_status_string(connected));
        free(mapping);
        return net_status(connected);
    }

    ++sandbox->mapping_count;
    mapping->id = ++sandbox->last_mapping;
    mapping->owner = owner;
    mapping->address = command->address;
    mapping->length = command->length;
    ucs_list_add_tail(&sandbox->mappings, &mapping->entry);
    *id = mapping->id;
    return DOCA_SUCCESS;
}

doca_error_t sandbox_use_mapping(struct sandbox *sandbox, uint64_t owner, uint64_t id,
        uint64_t address, uint64_t length, struct mapping **mapping)
{
    struct mapping *at;

    ucs_list_for_each(at, &sandbox->mappings, entry) {
        if (at->id != id || at->owner != owner)
            continue;
        if (!transport_contains(at->address, at->length, address, length)) {
            DOCA_LOG_DBG("%lu bytes from 0x%lx on are not within memory %lu, which has %lu bytes "
                    "from 0x%lx on", length, address, id, at->length, at->address);
            return DOCA_ERROR_INVALID_VALUE;
        }
        ++at->users;
        *mapping = at;
        return DOCA_SUCCESS;
    }
    DOCA_LOG_DBG("There is no mapped memory %lu", id);
    return DOCA_ERROR_NOT_FOUND;
}

void sandbox_orphan_mappings(struct sandbox *sandbox, uint64_t owner)
{
    struct mapping *mapping;

    ucs_list_for_each(mapping, &sandbox->mappings, entry) {
        if (mapping->owner == owner)
            mapping->owner = SANDBOX_ORPHAN;
    }
}

unsigned sandbox_unmap(struct sandbox *sandbox, uint64_t owner)
{
    struct mapping *mapping, *next;
    unsigned used = 0;

    ucs_list_for_each_safe(mapping, next, &sandbox->mappings, entry) {
        if (mapping->owner != owner)
            continue;
        if (mapping->users > 0) {
            ++used;
            continue;
        }
        ucp_rkey_destroy(mapping->key);
        ucs_list_del(&mapping->entry);
        free(mapping);
        --sandbox->mapping_count;
    }
    return used;
}

void sandbox_free_mappings(struct sandbox *sandbox)
{
    while (!ucs_list_is_empty(&sandbox->mappings))
        free(ucs_list_extract_head(&sandbox->mappings, struct mapping, entry));
}
