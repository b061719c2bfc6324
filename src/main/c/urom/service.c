/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Service context: the application's side of a UROM service. Starting it blocks until the service
 * has been found in the service file and the session is open.
 */
#include <limits.h>
#include <netdb.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <common/dev.h>
#include <common/idle.h>
#include <common/sdk_log.h>

#include "service.h"
#include "service_file.h"

SDK_LOG_REGISTER(UROM::SERVICE)

#define CONNECT_DEADLINE_NS 10000000000ull
#define MESSAGE_SIZE_MIN 256
#define MESSAGE_SIZE_MAX (64u << 20)

void service_retain(struct doca_urom_service *service)
{
    atomic_fetch_add(&service->references, 1);
}

void service_release(struct doca_urom_service *service)
{
    if (atomic_fetch_sub(&service->references, 1) == 1)
        free(service);
}

static doca_error_t resolve(const struct service_entry *entry, struct service_location *location)
{
    static const struct addrinfo hints = { .ai_socktype = SOCK_STREAM };
    struct addrinfo *found;
    int error = getaddrinfo(entry->host, entry->port, &hints, &found);

    snprintf(location->name, sizeof(location->name), "%s:%s", entry->host, entry->port);
    if (error != 0) {
        SDK_LOG_ERR("The UROM service's host %s is unknown: %s", entry->host, gai_strerror(error));
        return DOCA_ERROR_CONNECTION_ABORTED;
    }
    memcpy(&location->address, found->ai_addr, found->ai_addrlen);
    location->address_length = found->ai_addrlen;
    freeaddrinfo(found);
    return DOCA_SUCCESS;
}

static bool device_exists(const char *name, size_t length)
{
    char path[PATH_MAX];

    if (length == 0 || length > NAME_MAX || memchr(name, '/', length) != NULL)
        return false;
    snprintf(path, sizeof(path), "/sys/class/net/%.*s", (int)length, name);
    if (access(path, F_OK) == 0)
        return true;
    snprintf(path, sizeof(path), "/sys/class/infiniband/%.*s", (int)strcspn(name, ":,"), name);
    return access(path, F_OK) == 0;
}

/* Keeps of the comma-separated `names` those that this machine has: UCX must find each of them. */
static void take_net_devices(const char *names, struct service_location *location)
{
    const char *name = names;
    size_t kept = 0;

    while (*name != '\0') {
        size_t length = strcspn(name, ",");

        if (device_exists(name, length))
            kept += (size_t)snprintf(location->net_devices + kept,
                    sizeof(location->net_devices) - kept, "%s%.*s", kept > 0 ? "," : "",
                    (int)length, name);
        name += length + (name[length] == ',');
    }
    if (kept == 0 && names[0] != '\0')
        SDK_LOG_WARN("This machine has none of the network devices %s that the service file names: "
                "UCX chooses", names);
}

static doca_error_t read_key(struct service_location *location)
{
    const char *path = getenv("DOCA_UROM_KEY_FILE");
    const char *why = NULL;
    doca_error_t status = authentication_read_key(path, &location->key, &why);

    if (status != DOCA_SUCCESS)
        SDK_LOG_ERR("The key file %s (DOCA_UROM_KEY_FILE) cannot be used: %s", path,
                why == NULL ? doca_error_get_descr(status) : why);
    return status;
}

static doca_error_t locate(const struct doca_urom_service *service,
        struct service_location *location)
{
    const char *path = getenv("DOCA_UROM_SERVICE_FILE");
    struct service_entry entry;
    doca_error_t status;

    if (path == NULL || path[0] == '\0') {
        SDK_LOG_ERR("DOCA_UROM_SERVICE_FILE is not set: it names the file that says where the UROM "
                "service is");
        return DOCA_ERROR_NOT_FOUND;
    }
    status = service_file_find(path, priv_doca_dev_pci_address(service->dev), &entry);
    if (status == DOCA_SUCCESS)
        status = resolve(&entry, location);
    if (status == DOCA_SUCCESS)
        status = read_key(location);
    if (status == DOCA_SUCCESS) {
        take_net_devices(entry.net_devices, location);
        location->max_message_size = service->max_message_size;
    }
    return status;
}

static void session_changed(struct session_user *user, doca_error_t status)
{
    struct doca_urom_service *service = CONTAINER_OF(user, struct doca_urom_service, session_user);

    if (status == DOCA_SUCCESS || service->ctx.state != DOCA_CTX_STATE_RUNNING)
        return;

    priv_doca_ctx_post_failure(&service->ctx);
    service_fail_tasks(service, status);
}

static doca_error_t wait_until_open(struct session *session)
{
    uint64_t deadline = idle_now_ns() + CONNECT_DEADLINE_NS;
    struct idle idle;

    idle_init(&idle);
    while (session->state == SESSION_OPENING) {
        if (engine_poll_control(session->engine) > 0) {
            idle_found_work(&idle);
        } else if (idle_step(&idle) && idle_now_ns() > deadline) {
            SDK_LOG_ERR("The UROM service at %s did not answer within 10 s",
                    session->location->name);
            return DOCA_ERROR_TIME_OUT;
        }
    }
    return session->state == SESSION_OPEN ? DOCA_SUCCESS : session->status;
}

static void leave(struct doca_urom_service *service)
{
    if (service->session != NULL)
        session_release(service->session, &service->session_user);
    service_location_release(service->location);
    service->session = NULL;
    service->location = NULL;
}

static doca_error_t start(struct doca_ctx *ctx)
{
    struct doca_urom_service *service = CONTAINER_OF(ctx, struct doca_urom_service, ctx);
    doca_error_t status;

    if (service->dev == NULL) {
        SDK_LOG_ERR("The service has no device: call doca_urom_service_set_dev before it starts");
        return DOCA_ERROR_INVALID_VALUE;
    }
    leave(service); /* what a session that was lost has left behind */
    service->location = calloc(1, sizeof(*service->location));
    if (service->location == NULL)
        return DOCA_ERROR_NO_MEMORY;
    atomic_init(&service->location->references, 1);

    service->session_user.changed = session_changed;
    status = engine_of(ctx->pe, &service->engine);
    if (status == DOCA_SUCCESS)
        status = locate(service, service->location);
    if (status == DOCA_SUCCESS)
        status = session_acquire(service->engine, service->location, &service->session_user,
                &service->session);
    if (status == DOCA_SUCCESS)
        status = wait_until_open(service->session);
    if (status != DOCA_SUCCESS) {
        leave(service);
        return status;
    }

    service->cpu_set = service->session->cpu_set;
    service->plugin_ids = 0;
    for (uint32_t i = 0; i < service->session->plugin_count; ++i)
        service->plugin_ids |= service->session->plugins[i].id;
    return DOCA_SUCCESS;
}

static doca_error_t stop(struct doca_ctx *ctx)
{
    struct doca_urom_service *service = CONTAINER_OF(ctx, struct doca_urom_service, ctx);

    if (atomic_load(&service->workers) > 0) {
        SDK_LOG_ERR("The service cannot stop: %u of its worker contexts are not idle. Stop them "
                "first.", atomic_load(&service->workers));
        return DOCA_ERROR_IN_USE;
    }
    if (ctx->inflight > 0) {
        service_fail_tasks(service, DOCA_ERROR_SHUTDOWN);
        priv_doca_ctx_post_state(ctx, DOCA_CTX_STATE_IDLE);
        return DOCA_ERROR_IN_PROGRESS;
    }
    leave(service);
    return DOCA_SUCCESS;
}

static void flush(struct doca_ctx *ctx)
{
    service_fail_tasks(CONTAINER_OF(ctx, struct doca_urom_service, ctx), DOCA_ERROR_SHUTDOWN);
}

static const struct ctx_operations operations = {
    .name = "UROM service context",
    .start = start,
    .stop = stop,
    .flush = flush,
};

doca_error_t doca_urom_service_create(struct doca_urom_service **service_ctx)
{
    struct doca_urom_service *service;

    if (service_ctx == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    service = calloc(1, sizeof(*service));
    if (service == NULL)
        return DOCA_ERROR_NO_MEMORY;

    priv_doca_ctx_init(&service->ctx, &operations);
    atomic_init(&service->references, 1);
    service->max_message_size = SERVICE_DEFAULT_MESSAGE_SIZE;
    service->max_workers = SERVICE_DEFAULT_MAX_WORKERS;
    *service_ctx = service;
    return DOCA_SUCCESS;
}

doca_error_t doca_urom_service_destroy(struct doca_urom_service *service_ctx)
{
    doca_error_t status;

    if (service_ctx == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    status = priv_doca_ctx_fini(&service_ctx->ctx);
    if (status != DOCA_SUCCESS)
        return status;

    leave(service_ctx);
    service_free_tasks(service_ctx);
    if (service_ctx->dev != NULL)
        priv_doca_dev_release(service_ctx->dev);
    service_ctx->dev = NULL;
    service_release(service_ctx);
    return DOCA_SUCCESS;
}

doca_error_t doca_urom_service_set_max_comm_msg_size(struct doca_urom_service *service_ctx,
        size_t msg_size)
{
    if (service_ctx == NULL || msg_size < MESSAGE_SIZE_MIN || msg_size > MESSAGE_SIZE_MAX)
        return DOCA_ERROR_INVALID_VALUE;
    if (!ctx_is_idle(&service_ctx->ctx))
        return DOCA_ERROR_BAD_STATE;

    service_ctx->max_message_size = (uint32_t)msg_size;
    return DOCA_SUCCESS;
}

static bool is_power_of_two(uint32_t value)
{
    return value != 0 && (value & (value - 1)) == 0;
}

doca_error_t doca_urom_service_set_max_workers(struct doca_urom_service *service_ctx,
        uint32_t max_workers)
{
    if (service_ctx == NULL || !is_power_of_two(max_workers))
        return DOCA_ERROR_INVALID_VALUE;
    if (!ctx_is_idle(&service_ctx->ctx))
        return DOCA_ERROR_BAD_STATE;

    service_ctx->max_workers = max_workers;
    return DOCA_SUCCESS;
}

doca_error_t doca_urom_service_set_dev(struct doca_urom_service *service_ctx, struct doca_dev *dev)
{
    if (service_ctx == NULL || dev == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    if (!ctx_is_idle(&service_ctx->ctx))
        return DOCA_ERROR_BAD_STATE;

    priv_doca_dev_acquire(dev);
    if (service_ctx->dev != NULL)
        priv_doca_dev_release(service_ctx->dev);
    service_ctx->dev = dev;
    return DOCA_SUCCESS;
}

struct doca_ctx *doca_urom_service_as_ctx(struct doca_urom_service *service_ctx)
{
    return service_ctx == NULL ? NULL : &service_ctx->ctx;
}

doca_error_t doca_urom_service_get_plugins_list(struct doca_urom_service *service_ctx,
        const struct doca_urom_service_plugin_info **plugins, size_t *plugins_count)
{
    if (service_ctx == NULL || plugins == NULL || plugins_count == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    if (service_ctx->ctx.state != DOCA_CTX_STATE_RUNNING)
        return DOCA_ERROR_BAD_STATE;
    if (service_ctx->session->plugin_count == 0)
        return DOCA_ERROR_NOT_FOUND;

    *plugins = service_ctx->session->plugins;
    *plugins_count = service_ctx->session->plugin_count;
    return DOCA_SUCCESS;
}

doca_error_t doca_urom_service_get_cpuset(struct doca_urom_service *service_ctx,
        doca_cpu_set_t *cpuset)
{
    if (service_ctx == NULL || cpuset == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    if (service_ctx->ctx.state != DOCA_CTX_STATE_RUNNING)
        return DOCA_ERROR_BAD_STATE;

    *cpuset = service_ctx->cpu_set;
    return DOCA_SUCCESS;
}
