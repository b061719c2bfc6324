/* SPDX-License-Identifier: Apache-2.0 */
/* Opens and closes the device, the progress engine, the service and the worker. */
#include "urom_host.h"

#include <string.h>

#include <doca_ctx.h>
#include <doca_dev.h>
#include <doca_pe.h>

#include "measure.h"

#define NAME_SIZE 64
#define DEADLINE_NS 20000000000

void urom_check(doca_error_t status, const char *what)
{
    if (status != DOCA_SUCCESS)
        fail(what, doca_error_get_descr(status));
}

static bool is_wanted(const struct doca_devinfo *devinfo, const char *name)
{
    char found[NAME_SIZE];

    if (name == NULL)
        return true;
    if (doca_devinfo_get_ibdev_name(devinfo, found, sizeof(found)) == DOCA_SUCCESS
            && strcmp(found, name) == 0)
        return true;
    return doca_devinfo_get_iface_name(devinfo, found, sizeof(found)) == DOCA_SUCCESS
            && strcmp(found, name) == 0;
}

static struct doca_dev *open_device(const char *name)
{
    struct doca_devinfo **list;
    struct doca_dev *dev = NULL;
    uint32_t count;

    urom_check(doca_devinfo_create_list(&list, &count), "doca_devinfo_create_list");
    for (uint32_t i = 0; i < count && dev == NULL; ++i) {
        if (is_wanted(list[i], name))
            urom_check(doca_dev_open(list[i], &dev), "doca_dev_open");
    }
    doca_devinfo_destroy_list(list);
    if (dev == NULL)
        fail("device not found", name == NULL ? "no device" : name);
    return dev;
}

static void open_service(struct urom_host *host, const struct options *options)
{
    urom_check(doca_urom_service_create(&host->service), "doca_urom_service_create");
    urom_check(doca_urom_service_set_dev(host->service, host->dev), "doca_urom_service_set_dev");
    if (options->message_size > 0)
        urom_check(doca_urom_service_set_max_comm_msg_size(host->service, options->message_size),
                "doca_urom_service_set_max_comm_msg_size");
    struct doca_ctx *ctx = doca_urom_service_as_ctx(host->service);
    urom_check(doca_pe_connect_ctx(host->pe, ctx), "doca_pe_connect_ctx");
    urom_check(doca_ctx_start(ctx), "start of the service context");
}

static uint64_t find_plugin(struct doca_urom_service *service, const char *name)
{
    const struct doca_urom_service_plugin_info *plugins;
    size_t count;

    urom_check(doca_urom_service_get_plugins_list(service, &plugins, &count),
            "doca_urom_service_get_plugins_list");
    for (size_t i = 0; i < count; ++i) {
        if (strcmp(plugins[i].plugin_name, name) == 0)
            return plugins[i].id;
    }
    fail("plugin not found in the service", name);
}

static enum doca_ctx_states state_of(struct doca_ctx *ctx)
{
    enum doca_ctx_states state;

    urom_check(doca_ctx_get_state(ctx, &state), "doca_ctx_get_state");
    return state;
}

static void await_state(struct urom_host *host, enum doca_ctx_states wanted)
{
    struct doca_ctx *ctx = doca_urom_worker_as_ctx(host->worker);
    uint64_t deadline = now_ns() + DEADLINE_NS;

    while (state_of(ctx) != wanted) {
        doca_pe_progress(host->pe);
        if (wanted == DOCA_CTX_STATE_RUNNING && state_of(ctx) == DOCA_CTX_STATE_IDLE)
            fail("the worker", "did not start");
        if (now_ns() > deadline)
            fail("the worker", "state change timed out");
    }
}

static void open_worker(struct urom_host *host, const struct options *options)
{
    uint32_t tasks = 1;
    doca_error_t status;

    while (tasks < options->depth)
        tasks *= 2;
    urom_check(doca_urom_worker_create(&host->worker), "doca_urom_worker_create");
    urom_check(doca_urom_worker_set_service(host->worker, host->service),
            "doca_urom_worker_set_service");
    urom_check(doca_urom_worker_set_id(host->worker,
                       options->worker_id == 0 ? DOCA_UROM_WORKER_ID_ANY : options->worker_id),
            "doca_urom_worker_set_id");
    urom_check(doca_urom_worker_set_plugins(host->worker, host->plugin),
            "doca_urom_worker_set_plugins");
    urom_check(doca_urom_worker_set_max_inflight_tasks(host->worker, tasks),
            "doca_urom_worker_set_max_inflight_tasks");
    if (options->cores[1] >= 0) {
        doca_cpu_set_t cores;

        DOCA_CPU_ZERO(&cores);
        DOCA_CPU_SET(options->cores[1], &cores);
        urom_check(doca_urom_worker_set_cpuset(host->worker, cores), "doca_urom_worker_set_cpuset");
    }
    struct doca_ctx *ctx = doca_urom_worker_as_ctx(host->worker);
    urom_check(doca_pe_connect_ctx(host->pe, ctx), "doca_pe_connect_ctx");
    status = doca_ctx_start(ctx);
    if (status != DOCA_ERROR_IN_PROGRESS)
        urom_check(status, "start of the worker context");
    await_state(host, DOCA_CTX_STATE_RUNNING);
}

void urom_host_open(struct urom_host *host, const struct options *options)
{
    host->shares_host = false;
    host->dev = open_device(options->device);
    urom_check(doca_pe_create(&host->pe), "doca_pe_create");
    open_service(host, options);
    host->plugin = find_plugin(host->service, "worker_graph");
    open_worker(host, options);
}

void urom_host_open_beside(
        struct urom_host *host, const struct urom_host *first, const struct options *options)
{
    *host = *first;
    host->shares_host = true;
    open_worker(host, options);
}

static void close_worker(struct urom_host *host)
{
    doca_error_t status = doca_ctx_stop(doca_urom_worker_as_ctx(host->worker));

    if (status != DOCA_ERROR_IN_PROGRESS)
        urom_check(status, "stop of the worker context");
    await_state(host, DOCA_CTX_STATE_IDLE);
    urom_check(doca_urom_worker_destroy(host->worker), "doca_urom_worker_destroy");
}

void urom_host_close(struct urom_host *host)
{
    close_worker(host);
    if (host->shares_host)
        return;
    urom_check(
            doca_ctx_stop(doca_urom_service_as_ctx(host->service)), "stop of the service context");
    urom_check(doca_urom_service_destroy(host->service), "doca_urom_service_destroy");
    urom_check(doca_pe_destroy(host->pe), "doca_pe_destroy");
    urom_check(doca_dev_close(host->dev), "doca_dev_close");
}
