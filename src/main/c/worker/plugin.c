/* SPDX-License-Identifier: Apache-2.0 */
/* Loads plugins with dlopen and checks that the required functions are present. */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include <faults/faults.h>

#include "domains.h"
#include "plugin.h"

typedef doca_error_t (*get_iface)(struct urom_plugin_iface *iface);
typedef doca_error_t (*get_version)(uint64_t *version);

static struct plugin *opening; /* whose `open` runs, or NULL */

/* ISO C has no conversion from dlsym's object pointer to a function's. */
static void find_function(void *library, const char *name, void *function)
{
    void *symbol = dlsym(library, name);

    memcpy(function, &symbol, sizeof(symbol));
}

/* Returns why a function of the plugin has failed, in its own words if it has any. */
static const char *cause(struct plugin *plugin, doca_error_t status)
{
    plugin_get_refusal refusal;
    const char *why;

    find_function(plugin->library, "urom_plugin_get_refusal", &refusal);
    why = refusal != NULL ? refusal(&plugin->ctx) : NULL;
    return why != NULL && why[0] != '\0' ? why : doca_error_get_descr(status);
}

doca_error_t plugin_version(struct plugin *plugin, uint64_t *version, char reason[REASON_MAX])
{
    doca_error_t status = DOCA_ERROR_NOT_FOUND;
    get_version function;

    find_function(plugin->library, "urom_plugin_get_version", &function);
    if (function != NULL)
        status = function(version);
    return status == DOCA_SUCCESS
            ? status
            : fail_with(reason, status, "urom_plugin_get_version of %s failed: %s", plugin->path,
                    cause(plugin, status));
}

doca_error_t plugin_files(const struct plugin *plugin, plugin_add_file add, void *argument)
{
    plugin_get_files function;

    find_function(plugin->library, "urom_plugin_get_files", &function);
    return function == NULL ? DOCA_SUCCESS : function(add, argument);
}

bool plugin_uses_ucx(const struct plugin *plugin)
{
    plugin_ucx function;

    find_function(plugin->library, "urom_plugin_uses_ucx", &function);
    return function == NULL || function();
}

static doca_error_t load_interface(struct plugin *plugin, char reason[REASON_MAX])
{
    const struct urom_plugin_iface *iface = &plugin->ctx.iface;
    get_iface function;
    get_version version;
    doca_error_t status;

    find_function(plugin->library, "urom_plugin_get_iface", &function);
    find_function(plugin->library, "urom_plugin_get_version", &version);
    if (function == NULL || version == NULL)
        return fail_with(reason, DOCA_ERROR_NOT_FOUND, "%s does not export %s", plugin->path,
                function == NULL ? "urom_plugin_get_iface" : "urom_plugin_get_version");
    status = function(&plugin->ctx.iface);
    if (status != DOCA_SUCCESS)
        return fail_with(reason, status, "urom_plugin_get_iface of %s failed: %s", plugin->path,
                doca_error_get_descr(status));
    if (iface->open == NULL || iface->close == NULL || iface->addr == NULL
            || iface->worker_cmd == NULL || iface->progress == NULL || iface->notif_pack == NULL)
        return fail_with(reason, DOCA_ERROR_INVALID_VALUE,
                "the interface of %s lacks one of its "
                "six operations",
                plugin->path);
    return DOCA_SUCCESS;
}

/* Other workers identify the plugin by its file name without directory and ".so". */
static void set_name(struct plugin *plugin)
{
    const char *slash = strrchr(plugin->path, '/');
    const char *name = slash == NULL ? plugin->path : slash + 1;
    size_t length = strlen(name);

    if (length > 3 && strcmp(name + length - 3, ".so") == 0)
        length -= 3;
    if (length >= sizeof(plugin->name))
        length = sizeof(plugin->name) - 1;
    memcpy(plugin->name, name, length);
}

/* Adds a hint if the missing file is a dependency of the plugin rather than the plugin itself. */
static doca_error_t load_failed(const char *path, char reason[REASON_MAX])
{
    const char *error = dlerror();
    bool lacks = strncmp(error, path, strlen(path)) != 0
            && strstr(error, "cannot open shared object file") != NULL;

    return fail_with(reason, DOCA_ERROR_NOT_FOUND, "%s%s", error,
            lacks ? "; the service looks for "
                    "libraries in the folders of its LD_LIBRARY_PATH"
                  : "");
}

doca_error_t plugin_load(struct plugin *plugin, const char *path, char reason[REASON_MAX])
{
    doca_error_t status;

    *plugin = (struct plugin){ .path = path };
    set_name(plugin);
    plugin->source.kind = SOURCE_PLUGIN;
    ucs_list_head_init(&plugin->commands);
    plugin->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (plugin->library == NULL)
        return load_failed(path, reason);

    status = load_interface(plugin, reason);
    find_function(plugin->library, "urom_plugin_arm", &plugin->arm);
    find_function(plugin->library, "urom_plugin_host_left", &plugin->host_left);
    find_function(plugin->library, "urom_plugin_cancel", &plugin->cancel);
    if (status != DOCA_SUCCESS) {
        dlclose(plugin->library);
        plugin->library = NULL;
    }
    return status;
}

/* Rejects an address longer than the size that the plugin announced. */
static doca_error_t fill_address(struct plugin *plugin, size_t room, char reason[REASON_MAX])
{
    size_t length = room;
    doca_error_t status;

    plugin_enter(plugin, PLUGIN_ADDR);
    status = plugin->ctx.iface.addr(&plugin->ctx, plugin->address, &length);
    plugin_leave();

    if (status == DOCA_SUCCESS && length > room)
        return fail_with(reason, DOCA_ERROR_UNEXPECTED,
                "the plugin %s gave an address of %zu bytes "
                "after it had asked for room for %zu",
                plugin->path, length, room);
    plugin->address_length = length;
    return status;
}

/* Calls `addr` twice: for the length of the address, then for the address. */
static doca_error_t get_address(struct plugin *plugin, char reason[REASON_MAX])
{
    size_t length = 0;
    doca_error_t status;

    plugin_enter(plugin, PLUGIN_ADDR);
    status = plugin->ctx.iface.addr(&plugin->ctx, NULL, &length);
    plugin_leave();

    if (status == DOCA_SUCCESS && length > 0)
        return fail_with(reason, DOCA_ERROR_INVALID_VALUE,
                "the plugin %s returned SUCCESS and a length of %zu from addr without a buffer: "
                "return INVALID_VALUE with the length, or a length of 0 if it has no address",
                plugin->path, length);
    if (status == DOCA_SUCCESS || status == DOCA_ERROR_NOT_SUPPORTED || length == 0)
        return DOCA_SUCCESS; /* it has none */
    if (status != DOCA_ERROR_INVALID_VALUE)
        return status;
    if (length > PLUGIN_ADDRESS_MAX)
        return fail_with(reason, DOCA_ERROR_TOO_BIG,
                "the plugin %s has an address of %zu bytes; the "
                "maximum is %d",
                plugin->path, length, PLUGIN_ADDRESS_MAX);

    plugin->address = calloc(1, length);
    return plugin->address == NULL ? DOCA_ERROR_NO_MEMORY : fill_address(plugin, length, reason);
}

static void unload(struct plugin *plugin)
{
    free(plugin->address);
    plugin->address = NULL;
    dlclose(plugin->library);
    plugin->library = NULL;
}

static void call_close(struct plugin *plugin)
{
    plugin_enter(plugin, PLUGIN_CLOSE);
    plugin->ctx.iface.close(&plugin->ctx);
    plugin_leave();
}

static void explain(struct plugin *plugin, doca_error_t status, char reason[REASON_MAX])
{
    fail_with(reason, status, "the plugin %s could not be opened: %s", plugin->path,
            cause(plugin, status));
}

bool plugin_explain_exit(char reason[REASON_MAX])
{
    if (opening == NULL)
        return false;
    explain(opening, DOCA_ERROR_INITIALIZATION, reason);
    return true;
}

doca_error_t plugin_open(
        struct plugin *plugin, unsigned index, struct domains *domains, char reason[REASON_MAX])
{
    doca_error_t status;

    plugin->first_callback = (uint64_t)index * COUNTERS_CALLBACKS + 1;
    plugin->domains = domains;
    plugin->ctx.domain_iface = domain_lookups;
    reason[0] = '\0';
    opening = plugin;
    plugin_enter(plugin, PLUGIN_OPEN);
    status = FAULT_CALL_OR(plugin_open, DOCA_ERROR_DRIVER, plugin->ctx.iface.open(&plugin->ctx));
    plugin_leave();
    opening = NULL;
    if (status == DOCA_SUCCESS) {
        status = get_address(plugin, reason);
        if (status != DOCA_SUCCESS)
            call_close(plugin);
    }
    if (status != DOCA_SUCCESS) {
        if (reason[0] == '\0')
            explain(plugin, status, reason);
        unload(plugin);
    }
    return status;
}

void plugin_close(struct plugin *plugin)
{
    call_close(plugin);
    while (!ucs_list_is_empty(&plugin->commands))
        free(ucs_list_extract_head(&plugin->commands, struct urom_worker_cmd_desc, entry));
    unload(plugin);
}
