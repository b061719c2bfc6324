/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plugins.h"

#define ADDRESSES_MAX (WIRE_CONTROL_MAX - 64) /* bytes of all addresses in ATTACHED */

doca_error_t plugins_add(
        struct plugins *plugins, char *argument, struct domains *domains, char reason[REASON_MAX])
{
    struct plugin *plugin = &plugins->at[plugins->count];
    char *colon = strrchr(argument, ':');
    char *end = NULL;
    doca_error_t status;
    uint64_t id;

    id = colon == NULL ? 0 : strtoull(colon + 1, &end, 0);
    if (id == 0 || (id & (id - 1)) != 0 || *end != '\0' || plugins->by_bit[__builtin_ctzll(id)]
            || plugins->count == PLUGINS_MAX)
        return fail_with(reason, DOCA_ERROR_INVALID_VALUE,
                "the argument %s is not so_path:id with an id of one bit that no other plugin has",
                argument);
    *colon = '\0';
    status = plugin_load(plugin, argument, reason);
    if (status == DOCA_SUCCESS)
        status = plugin_open(plugin, plugins->count, domains, reason);
    if (status != DOCA_SUCCESS)
        return status;

    plugin->id = id;
    plugins->by_bit[__builtin_ctzll(id)] = plugin;
    ++plugins->count;
    return DOCA_SUCCESS;
}

doca_error_t plugins_list_addresses(struct plugins *plugins, char reason[REASON_MAX])
{
    uint8_t *bytes = malloc(ADDRESSES_MAX);
    size_t length = 0;

    if (bytes == NULL)
        return DOCA_ERROR_NO_MEMORY;
    plugins->addresses.data = bytes;
    for (unsigned i = 0; i < plugins->count; ++i) {
        struct wire_plugin_address address = {
            .plugin = plugins->at[i].id,
            .address = { plugins->at[i].address, plugins->at[i].address_length },
        };

        if (wire_add_plugin_address(bytes, ADDRESSES_MAX, &length, &address) != DOCA_SUCCESS)
            return fail_with(reason, DOCA_ERROR_TOO_BIG,
                    "the addresses of the plugins exceed %d bytes in total", ADDRESSES_MAX);
    }
    plugins->addresses.length = length;
    bytes = realloc(bytes, length + 1);
    if (bytes != NULL)
        plugins->addresses.data = bytes;
    return DOCA_SUCCESS;
}

void plugins_label(const struct plugins *plugins, char *label, size_t capacity)
{
    size_t used = 0;

    label[0] = '\0';
    for (unsigned i = 0; i < plugins->count && used < capacity; ++i) {
        const char *slash = strrchr(plugins->at[i].path, '/');
        const char *name = slash == NULL ? plugins->at[i].path : slash + 1;

        if (strncmp(name, "worker_", 7) == 0)
            name += 7;
        used += (size_t)snprintf(label + used, capacity - used, "%s%.*s", used > 0 ? "," : "",
                (int)strcspn(name, "."), name);
    }
}

void plugins_free(struct plugins *plugins)
{
    while (plugins->count > 0)
        plugin_close(&plugins->at[--plugins->count]);
    free((uint8_t *)plugins->addresses.data);
    plugins->addresses.data = NULL;
}
