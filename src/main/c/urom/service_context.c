/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <channel/tcp_socket.h>
#include <common/dev.h>
#include <common/idle.h>
#include <common/sdk_log.h>
#include <jurom.h>

#include "service_context.h"
#include "service_task.h"

SDK_LOG_REGISTER(UROM::SERVICE)

#define OPEN_DEADLINE_NS 10000000000ull /* for all addresses of the service's host */
#define MESSAGE_SIZE_DEFAULT 4096
#define MESSAGE_SIZE_MIN 256
#define MESSAGE_SIZE_MAX (64u << 20)
#define MAX_WORKERS_DEFAULT 1024
#define ADDRESS_NAME_MAX 100

void service_retain(struct doca_urom_service *service)
{
    atomic_fetch_add(&service->references, 1);
}

void service_release(struct doca_urom_service *service)
{
    if (atomic_fetch_sub(&service->references, 1) > 1)
        return;

    pthread_mutex_destroy(&service->offer_lock);
    free(service->refusal);
    free(service->service_file);
    free(service->address);
    free(service);
}

bool service_get_offer(struct doca_urom_service *service, struct service_offer *offer)
{
    pthread_mutex_lock(&service->offer_lock);
    *offer = service->offer;
    if (offer->location != NULL)
        service_location_retain(offer->location);
    pthread_mutex_unlock(&service->offer_lock);
    return offer->location != NULL;
}

/* Replaces the offer. Takes over the reference in `offer`. */
static void set_offer(struct doca_urom_service *service, struct service_offer offer)
{
    struct service_location *former;

    pthread_mutex_lock(&service->offer_lock);
    former = service->offer.location;
    service->offer = offer;
    pthread_mutex_unlock(&service->offer_lock);
    service_location_release(former);
}

static void session_changed(struct session_user *user, doca_error_t status)
{
    struct doca_urom_service *service = CONTAINER_OF(user, struct doca_urom_service, session_user);

    if (status == DOCA_SUCCESS || service->ctx.state != DOCA_CTX_STATE_RUNNING)
        return;

    set_offer(service, (struct service_offer){ 0 });
    priv_doca_ctx_post_failure(&service->ctx);
    service_tasks_fail(service, status);
}

static void leave(struct doca_urom_service *service)
{
    set_offer(service, (struct service_offer){ 0 });
    if (service->session != NULL)
        session_release(service->session, &service->session_user);
    service->session = NULL;
}

static void clear_refusal(struct doca_urom_service *service)
{
    free(service->refusal);
    service->refusal = NULL;
}

/* Adds a sentence to the reasons why the service did not start; `reason` may be empty. */
static void add_refusal(struct doca_urom_service *service, const char *reason)
{
    const char *others = service->refusal == NULL ? "" : service->refusal;
    size_t length = strlen(others) + strlen(reason) + sizeof(" ");
    char *all = reason[0] == '\0' ? NULL : malloc(length);

    if (all == NULL)
        return;
    snprintf(all, length, "%s%s%s", others, others[0] == '\0' ? "" : " ", reason);
    clear_refusal(service);
    service->refusal = all;
}

/* Writes that a service has not answered, unless another reason is known. */
static void describe_silence(
        const struct service_location *location, char reason[SERVICE_REASON_MAX])
{
    char name[ADDRESS_NAME_MAX];

    if (reason[0] != '\0' || location->address.local)
        return;
    tcp_socket_name(&location->address, name, sizeof(name));
    snprintf(reason, SERVICE_REASON_MAX, "The UROM service at %s has not answered.", name);
}

/* Opens the session at the location's current address. */
static doca_error_t open_session_at(
        struct doca_urom_service *service, struct service_location *location, uint64_t ns)
{
    char reason[SERVICE_REASON_MAX] = "";
    doca_error_t status = session_acquire(
            service->ctx.pe, location, &service->session_user, &service->session, reason);

    if (status == DOCA_SUCCESS)
        status = session_await(service->session, ns);
    if (status == DOCA_SUCCESS)
        return DOCA_SUCCESS;

    if (status == DOCA_ERROR_TIME_OUT)
        describe_silence(location, reason);
    add_refusal(service,
            service->session == NULL || service->session->refusal == NULL
                    ? reason
                    : service->session->refusal);
    leave(service);
    return status;
}

/* Divides the remaining time equally among this and the remaining addresses. */
static uint64_t time_for(const struct service_location *location, uint64_t deadline)
{
    uint64_t now = idle_now_ns();
    unsigned count = 1;

    for (const struct addrinfo *at = location->others; at != NULL; at = at->ai_next)
        ++count;
    return now < deadline ? (deadline - now) / count : 0;
}

/* Returns whether no service has answered at the address. */
static bool is_unreached(doca_error_t status)
{
    return status == DOCA_ERROR_CONNECTION_ABORTED || status == DOCA_ERROR_TIME_OUT
            || status == DOCA_ERROR_OPERATING_SYSTEM;
}

/* Opens the session and publishes the offer. Takes over the reference on `location`. */
static doca_error_t open_session(
        struct doca_urom_service *service, struct service_location *location)
{
    struct service_offer offer = { .location = location };
    uint64_t deadline = idle_now_ns() + OPEN_DEADLINE_NS;
    doca_error_t status;

    do {
        status = open_session_at(service, location, time_for(location, deadline));
    } while (is_unreached(status) && service_location_next(location));
    if (status != DOCA_SUCCESS) {
        service_location_release(location);
        return status;
    }
    clear_refusal(service); /* of other addresses */
    offer.cpu_set = service->session->cpu_set;
    for (uint32_t i = 0; i < service->session->plugin_count; ++i)
        offer.plugin_ids |= service->session->plugins[i].id;
    set_offer(service, offer);
    return DOCA_SUCCESS;
}

static doca_error_t find_entry(const struct doca_urom_service *service, struct service_entry *entry)
{
    const char *path = service->service_file;

    if (service->address != NULL) {
        *entry = *service->address;
        return DOCA_SUCCESS;
    }
    if (path == NULL)
        path = secure_getenv("DOCA_UROM_SERVICE_FILE");
    if (path == NULL || path[0] == '\0') {
        SDK_LOG_ERR("DOCA_UROM_SERVICE_FILE is not set: set it to the service file, which contains "
                    "the address of the UROM service");
        return DOCA_ERROR_NOT_FOUND;
    }
    return service_file_find(path, priv_doca_dev_pci_address(service->dev), entry);
}

static doca_error_t start(struct doca_ctx *ctx)
{
    struct doca_urom_service *service = CONTAINER_OF(ctx, struct doca_urom_service, ctx);
    struct service_location *location;
    struct service_entry entry;
    char reason[SERVICE_REASON_MAX] = "";
    doca_error_t status;

    if (service->dev == NULL) {
        SDK_LOG_ERR("The service has no device: call doca_urom_service_set_dev before it starts");
        return DOCA_ERROR_INVALID_VALUE;
    }
    clear_refusal(service);
    leave(service); /* releases a lost session */
    service->session_user.changed = session_changed;
    status = find_entry(service, &entry);
    if (status == DOCA_SUCCESS)
        status = service_location_create(&entry, service->max_message_size, &location, reason);
    if (status == DOCA_SUCCESS)
        return open_session(service, location);
    add_refusal(service, reason);
    return status;
}

static doca_error_t stop(struct doca_ctx *ctx)
{
    struct doca_urom_service *service = CONTAINER_OF(ctx, struct doca_urom_service, ctx);

    if (atomic_load(&service->workers) > 0) {
        SDK_LOG_ERR("The service cannot stop: %u of its worker contexts are not idle. Stop them "
                    "first.",
                atomic_load(&service->workers));
        return DOCA_ERROR_IN_USE;
    }
    if (ctx->inflight == 0) {
        leave(service);
        return DOCA_SUCCESS;
    }
    service_tasks_fail(service, DOCA_ERROR_SHUTDOWN);
    leave(service);
    priv_doca_ctx_post_state(ctx, DOCA_CTX_STATE_IDLE);
    return DOCA_ERROR_IN_PROGRESS;
}

/* The service is lost: the context waits only for its workers and tasks. */
static bool give_up(struct doca_ctx *ctx)
{
    struct doca_urom_service *service = CONTAINER_OF(ctx, struct doca_urom_service, ctx);

    if (atomic_load(&service->workers) > 0 || ctx->inflight > 0)
        return false;
    leave(service);
    return true;
}

static const struct ctx_operations operations = {
    .name = "UROM service context",
    .start = start,
    .stop = stop,
    .give_up = give_up,
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
    pthread_mutex_init(&service->offer_lock, NULL);
    service->max_message_size = MESSAGE_SIZE_DEFAULT;
    service->max_workers = MAX_WORKERS_DEFAULT;
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
    service_tasks_free(service_ctx);
    if (service_ctx->dev != NULL)
        priv_doca_dev_release(service_ctx->dev);
    service_ctx->dev = NULL;
    service_release(service_ctx);
    return DOCA_SUCCESS;
}

doca_error_t doca_urom_service_set_max_comm_msg_size(
        struct doca_urom_service *service_ctx, size_t msg_size)
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

doca_error_t doca_urom_service_set_max_workers(
        struct doca_urom_service *service_ctx, uint32_t max_workers)
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

/* Takes over `service_file` and `address`. */
static void set_source(
        struct doca_urom_service *service, char *service_file, struct service_entry *address)
{
    free(service->service_file);
    free(service->address);
    service->service_file = service_file;
    service->address = address;
}

doca_error_t jurom_urom_service_set_service_file(
        struct doca_urom_service *service, const char *path)
{
    char *copy;

    if (service == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    if (!ctx_is_idle(&service->ctx))
        return DOCA_ERROR_BAD_STATE;
    copy = path == NULL ? NULL : strdup(path);
    if (path != NULL && copy == NULL)
        return DOCA_ERROR_NO_MEMORY;

    set_source(service, copy, NULL);
    return DOCA_SUCCESS;
}

doca_error_t jurom_urom_service_set_address(struct doca_urom_service *service, const char *address)
{
    struct service_entry *entry = NULL;
    const char *reason;

    if (service == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    if (!ctx_is_idle(&service->ctx))
        return DOCA_ERROR_BAD_STATE;
    if (address != NULL) {
        entry = malloc(sizeof(*entry));
        if (entry == NULL)
            return DOCA_ERROR_NO_MEMORY;
        reason = service_file_parse_address(address, entry);
        if (reason != NULL) {
            SDK_LOG_ERR("The address %s of the UROM service cannot be used: %s", address, reason);
            free(entry);
            return DOCA_ERROR_INVALID_VALUE;
        }
    }
    set_source(service, NULL, entry);
    return DOCA_SUCCESS;
}

const char *jurom_urom_service_get_refusal(const struct doca_urom_service *service)
{
    return service == NULL || service->refusal == NULL ? "" : service->refusal;
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

doca_error_t doca_urom_service_get_cpuset(
        struct doca_urom_service *service_ctx, doca_cpu_set_t *cpuset)
{
    if (service_ctx == NULL || cpuset == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    if (service_ctx->ctx.state != DOCA_CTX_STATE_RUNNING)
        return DOCA_ERROR_BAD_STATE;

    *cpuset = service_ctx->session->cpu_set;
    return DOCA_SUCCESS;
}
