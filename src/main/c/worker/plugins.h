/* SPDX-License-Identifier: Apache-2.0 */
/* The worker's plugins, in the order of its arguments. Constant while serving. */
#ifndef JUROM_PLUGINS_H_
#define JUROM_PLUGINS_H_

#include <stddef.h>

#include <wire/wire.h>

#include "plugin.h"

#define PLUGINS_MAX 62

struct plugins {
    struct plugin at[PLUGINS_MAX];
    unsigned count;
    struct plugin *by_bit[64];
    struct wire_bytes addresses; /* as ATTACHED carries them; owned */
};

/*
 * Loads and opens the plugin of a `so_path:id` argument, whose lookups search `domains`. The id has
 * one bit, which no other plugin has.
 */
doca_error_t plugins_add(
        struct plugins *plugins, char *argument, struct domains *domains, char reason[REASON_MAX]);

/* Encodes the addresses of all plugins. */
doca_error_t plugins_list_addresses(struct plugins *plugins, char reason[REASON_MAX]);

/* Writes the plugins' names, without "worker_" and ".so" and separated by commas, to `label`. */
void plugins_label(const struct plugins *plugins, char *label, size_t capacity);

/* Closes and unloads all plugins. */
void plugins_free(struct plugins *plugins);

/* Returns the position of a plugin in the array. */
static inline unsigned plugins_index(const struct plugins *plugins, const struct plugin *plugin)
{
    return (unsigned)(plugin - plugins->at);
}

/* Returns the plugin with this id, or NULL. */
static inline struct plugin *plugins_find(const struct plugins *plugins, uint64_t id)
{
    return id == 0 || (id & (id - 1)) != 0 ? NULL : plugins->by_bit[__builtin_ctzll(id)];
}

#endif /* JUROM_PLUGINS_H_ */
