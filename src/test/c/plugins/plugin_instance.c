/* SPDX-License-Identifier: Apache-2.0 */
/* Execution of plugins without a worker. */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include <testing/logged.h>

#include "plugin_instance.h"

#define QUIET_MS 50
#define SLACK 64 /* zeroed bytes that a worker appends to a command */

static struct instance *instances[INSTANCES_MAX];
static unsigned (*progress_beside)(void);

static void *symbol(struct instance *instance, const char *name)
{
    return dlsym(instance->library, name);
}

/* The domain: the address of each instance. */
static doca_error_t addr_lookup(struct urom_worker_ctx *ctx, uint64_t domain_id, void **addr)
{
    (void)ctx;
    for (int i = 0; i < INSTANCES_MAX; ++i) {
        if (instances[i] != NULL && instances[i]->id == domain_id) {
            *addr = instances[i]->address;
            return DOCA_SUCCESS;
        }
    }
    return DOCA_ERROR_NOT_FOUND;
}

static void take_address(struct instance *instance)
{
    size_t length = 0;
    doca_error_t status = instance->ctx.iface.addr(&instance->ctx, NULL, &length);

    if (status == DOCA_ERROR_NOT_SUPPORTED && length == 0)
        return; /* it has none */
    assert_int_equal(status, DOCA_ERROR_INVALID_VALUE);
    assert_true(length > 0);
    instance->address = malloc(length);
    assert_non_null(instance->address);
    assert_success(instance->ctx.iface.addr(&instance->ctx, instance->address, &length));
}

void instance_open(struct instance *instance, const char *file, uint64_t id)
{
    doca_error_t (*get_iface)(struct urom_plugin_iface * iface);
    int place = 0;

    log_keep();
    memset(instance, 0, sizeof(*instance));
    instance->library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (instance->library == NULL)
        fail_msg("%s", dlerror());
    *(void **)&get_iface = symbol(instance, "urom_plugin_get_iface");
    *(void **)&instance->arm = symbol(instance, "urom_plugin_arm");
    *(void **)&instance->host_left = symbol(instance, "urom_plugin_host_left");
    assert_non_null(get_iface);
    assert_success(get_iface(&instance->ctx.iface));
    instance->ctx.domain_iface.addr_lookup = addr_lookup;
    ucs_list_head_init(&instance->notifications);
    assert_success(instance->ctx.iface.open(&instance->ctx));
    take_address(instance);

    instance->id = id;
    while (instances[place] != NULL)
        assert_true(++place < INSTANCES_MAX);
    instances[place] = instance;
}

void instance_close(struct instance *instance)
{
    for (int i = 0; i < INSTANCES_MAX; ++i) {
        if (instances[i] == instance)
            instances[i] = NULL;
    }
    instance->ctx.iface.close(&instance->ctx);
    while (!ucs_list_is_empty(&instance->notifications))
        free(ucs_list_extract_head(&instance->notifications, struct urom_worker_notif_desc, entry));
    free(instance->address);
    dlclose(instance->library);
    assert_false(log_has("[ERR]"));
}

doca_error_t instance_command(struct instance *instance, uint64_t dest_id, const void *bytes,
        size_t length, uint64_t *context)
{
    struct urom_worker_cmd_desc *desc = calloc(1, sizeof(*desc) + length + SLACK);
    ucs_list_link_t list;

    assert_non_null(desc);
    *context = ++instance->last_context;
    desc->dest_id = dest_id;
    desc->worker_cmd.type = PLUGIN_ID;
    desc->worker_cmd.urom_context = *context;
    desc->worker_cmd.len = length;
    memcpy(desc->worker_cmd.plugin_cmd, bytes, length);
    ucs_list_head_init(&list);
    ucs_list_add_tail(&list, &desc->entry);
    doca_error_t status = instance->ctx.iface.worker_cmd(&instance->ctx, &list);

    assert_true(ucs_list_is_empty(&list));
    return status;
}

void progress_with(unsigned (*progress)(void))
{
    progress_beside = progress;
}

bool progress_all(void)
{
    bool busy = progress_beside != NULL && progress_beside() > 0;

    for (int i = 0; i < INSTANCES_MAX; ++i) {
        if (instances[i] != NULL)
            busy |= instances[i]->ctx.iface.progress(
                            &instances[i]->ctx, &instances[i]->notifications)
                    == DOCA_SUCCESS;
    }
    return busy;
}

void progress_until_quiet(void)
{
    uint64_t end = deadline_in(PROGRESS_MS);
    uint64_t quiet = deadline_in(QUIET_MS);
    unsigned idle = 0;

    while (!deadline_has_passed(quiet) && !deadline_has_passed(end)) {
        if (progress_all())
            quiet = deadline_in(QUIET_MS);
        else
            give_way_when_idle(&idle);
    }
}

static struct urom_worker_notif_desc *find(struct instance *instance, uint64_t context)
{
    struct urom_worker_notif_desc *desc;

    ucs_list_for_each(desc, &instance->notifications, entry)
    {
        if (desc->worker_notif.urom_context == context)
            return desc;
    }
    return NULL;
}

bool has_notification(struct instance *instance, uint64_t context)
{
    return find(instance, context) != NULL;
}

/* Packs into a block of exactly the maximum message size, so that a sanitizer sees any excess. */
static void pack(struct instance *instance, struct urom_worker_notif_desc *desc,
        struct notification *notification)
{
    size_t length = NOTIFY_MAX;
    uint8_t *packed = malloc(length);

    assert_non_null(packed);
    assert_success(instance->ctx.iface.notif_pack(&desc->worker_notif, &length, packed));
    assert_in_range(length, sizeof(struct urom_worker_notify), NOTIFY_MAX);
    notification->dest_id = desc->dest_id;
    notification->context = desc->worker_notif.urom_context;
    notification->status = desc->worker_notif.status;
    notification->length = length - sizeof(struct urom_worker_notify);
    memcpy(notification->bytes, packed + sizeof(struct urom_worker_notify), notification->length);
    free(packed);
}

void await_notification(
        struct instance *instance, uint64_t context, struct notification *notification)
{
    struct urom_worker_notif_desc *desc;

    await_progress(has_notification(instance, context));
    desc = find(instance, context);
    ucs_list_del(&desc->entry);
    pack(instance, desc, notification);
    free(desc);
}
