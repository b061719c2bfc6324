/* SPDX-License-Identifier: Apache-2.0 */
/* A plugin loaded into the worker. Owned by the worker's thread. */
#ifndef JUROM_PLUGIN_H_
#define JUROM_PLUGIN_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <doca_urom_plugin.h>

#include "events.h"
#include "reason.h"
#include "worker_counters.h"

#define PLUGIN_ADDRESS_MAX 65536 /* bytes; the addresses of all plugins go into one frame */

struct domains;

/*
 * Optional symbol `urom_plugin_arm` of a plugin with its own event sources. SUCCESS: `*fd` becomes
 * readable when there is something to progress, including work for unanswered commands (-1: only
 * commands bring work). AGAIN: progress first.
 */
typedef doca_error_t (*plugin_arm)(struct urom_worker_ctx *ctx, int *fd);

/*
 * Optional symbol `urom_plugin_host_left` of a plugin with state per host: the host with this
 * dest_id sends no more commands and receives no more notifications.
 */
typedef void (*plugin_host_left)(struct urom_worker_ctx *ctx, uint64_t dest_id);

/*
 * Optional symbol `urom_plugin_cancel` of a plugin that answers commands later: the host does not
 * need the answer to the unanswered command with this dest_id and urom_context.
 */
typedef void (*plugin_cancel)(struct urom_worker_ctx *ctx, uint64_t dest_id, uint64_t urom_context);

/*
 * Optional symbol `urom_plugin_get_refusal` of a plugin that states why `urom_plugin_get_version` or
 * `open` failed, or `open` called quick_exit: a sentence without a full stop, or an empty one.
 */
typedef const char *(*plugin_get_refusal)(struct urom_worker_ctx *ctx);

/*
 * Optional symbol `urom_plugin_uses_ucx`: returns false if the plugin opens no UCX. Without it, the
 * plugin is assumed to open UCX.
 */
typedef bool (*plugin_ucx)(void);

/*
 * Optional symbol `urom_plugin_get_files` of a plugin that runs code of other files: calls `add` with
 * the absolute path of each file and folder, until one call fails, and returns its status. They may
 * be missing.
 */
typedef doca_error_t (*plugin_add_file)(void *argument, const char *path);
typedef doca_error_t (*plugin_get_files)(plugin_add_file add, void *argument);

/* The functions of a plugin that the worker calls, in the order of docs/counters.md. */
enum plugin_callback {
    PLUGIN_OPEN,
    PLUGIN_CLOSE,
    PLUGIN_ADDR,
    PLUGIN_WORKER_CMD,
    PLUGIN_PROGRESS,
    PLUGIN_NOTIF_PACK,
    PLUGIN_ARM,
    PLUGIN_HOST_LEFT,
    PLUGIN_CANCEL,
    PLUGIN_CALLBACKS,
};

struct plugin {
    const char *path;
    char name[DOCA_UROM_PLUGIN_NAME_MAX_LEN]; /* the file's name without ".so" */
    void *library;
    uint64_t first_callback;    /* number of its first callback in the counters */
    uint64_t id;                /* one bit */
    struct urom_worker_ctx ctx; /* at a fixed address: the plugin keeps it */
    struct domains *domains;    /* searched by its lookups */
    plugin_arm arm;             /* or NULL */
    plugin_host_left host_left; /* or NULL */
    plugin_cancel cancel;       /* or NULL */
    uint8_t *address;           /* of its endpoint; NULL: none */
    size_t address_length;
    struct source source;     /* of its descriptor, if it has one */
    ucs_list_link_t commands; /* of struct urom_worker_cmd_desc, to be passed to it later */
};

/* Loads the file and reads its interface. */
doca_error_t plugin_load(struct plugin *plugin, const char *path, char reason[REASON_MAX]);

/* Reads the version of the loaded plugin. */
doca_error_t plugin_version(struct plugin *plugin, uint64_t *version, char reason[REASON_MAX]);

/* Calls a function with each file from which the loaded plugin runs code, beside its own. */
doca_error_t plugin_files(const struct plugin *plugin, plugin_add_file add, void *argument);

/* Returns whether the loaded plugin may open UCX. */
bool plugin_uses_ucx(const struct plugin *plugin);

/*
 * Opens the loaded plugin, which is number `index` of the worker, and gets its address, if it has
 * one; unloads it on an error.
 */
doca_error_t plugin_open(
        struct plugin *plugin, unsigned index, struct domains *domains, char reason[REASON_MAX]);

/* Explains why a plugin was not opened that exits in `open`. Returns false if none is being opened. */
bool plugin_explain_exit(char reason[REASON_MAX]);

/* Closes and unloads an open plugin, and frees its queued commands. */
void plugin_close(struct plugin *plugin);

/*
 * Records in the worker's counters that it enters a callback of an open plugin. The service reports
 * the callback of a worker that stops responding.
 */
static inline void plugin_enter(const struct plugin *plugin, enum plugin_callback callback)
{
    __atomic_store_n(counting_callback(), plugin->first_callback + callback, __ATOMIC_RELAXED);
}

/* Records that the callback has returned, which ends its announcement to be busy. */
static inline void plugin_leave(void)
{
    __atomic_store_n(counting_busy(), 0, __ATOMIC_RELAXED);
    __atomic_store_n(counting_callback(), 0, __ATOMIC_RELAXED);
}

#endif /* JUROM_PLUGIN_H_ */
