/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A whole host program: it finds the plugin worker_reverse, starts a worker, sends one command and
 * checks the answer. DOCA_UROM_SERVICE_FILE names the service. Exit code 0 means that all went
 * well.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <doca_buf.h>
#include <doca_ctx.h>
#include <doca_dev.h>
#include <doca_error.h>
#include <doca_pe.h>
#include <doca_urom.h>

#define DEADLINE_SECONDS 20

static const char message[] = "stressed";
static const char reversed[] = "desserts";

static void check(doca_error_t status, const char *what)
{
    if (status == DOCA_SUCCESS)
        return;
    fprintf(stderr, "%s: %s\n", what, doca_error_get_descr(status));
    exit(1);
}

static void require(int condition, const char *what)
{
    if (condition)
        return;
    fprintf(stderr, "%s does not hold\n", what);
    exit(1);
}

static struct doca_dev *open_device(const char *pci_addr)
{
    struct doca_devinfo **list;
    struct doca_dev *dev = NULL;
    uint32_t count;
    uint8_t equal;

    check(doca_devinfo_create_list(&list, &count), "doca_devinfo_create_list");
    for (uint32_t i = 0; i < count && dev == NULL; i++) {
        check(doca_devinfo_is_equal_pci_addr(list[i], pci_addr, &equal), "is_equal_pci_addr");
        if (equal)
            check(doca_dev_open(list[i], &dev), "doca_dev_open");
    }
    check(doca_devinfo_destroy_list(list), "doca_devinfo_destroy_list");
    require(dev != NULL, "that the device is there");
    return dev;
}

static uint64_t find_plugin(struct doca_urom_service *service, const char *name)
{
    const struct doca_urom_service_plugin_info *plugins;
    size_t count;

    check(doca_urom_service_get_plugins_list(service, &plugins, &count), "get_plugins_list");
    for (size_t i = 0; i < count; i++)
        if (strcmp(plugins[i].plugin_name, name) == 0)
            return plugins[i].id;
    require(0, "that the service has the plugin");
    return 0;
}

static void progress_until(struct doca_pe *pe, struct doca_ctx *ctx, enum doca_ctx_states wanted)
{
    time_t deadline = time(NULL) + DEADLINE_SECONDS;
    enum doca_ctx_states state;

    do {
        doca_pe_progress(pe);
        check(doca_ctx_get_state(ctx, &state), "doca_ctx_get_state");
        require(time(NULL) < deadline, "that the context changes its state in time");
    } while (state != wanted);
}

static void mark_done(struct doca_urom_worker_cmd_task *task, union doca_data task_user_data,
        union doca_data ctx_user_data)
{
    (void)task;
    (void)ctx_user_data;
    *(int *)task_user_data.ptr = 1;
}

static void offload(struct doca_pe *pe, struct doca_urom_worker *worker, uint64_t plugin)
{
    time_t deadline = time(NULL) + DEADLINE_SECONDS;
    struct doca_urom_worker_cmd_task *task;
    struct doca_buf *payload, *response;
    int done = 0;
    size_t length;
    void *data;

    check(doca_urom_worker_cmd_task_allocate_init(worker, plugin, &task), "allocate_init");
    payload = doca_urom_worker_cmd_task_get_payload(task);
    check(doca_buf_get_data(payload, &data), "doca_buf_get_data");
    memcpy(data, message, strlen(message));
    check(doca_buf_set_data(payload, data, strlen(message)), "doca_buf_set_data");
    doca_urom_worker_cmd_task_set_cb(task, mark_done);
    doca_task_set_user_data(doca_urom_worker_cmd_task_as_task(task),
            (union doca_data){.ptr = &done});
    check(doca_task_submit(doca_urom_worker_cmd_task_as_task(task)), "doca_task_submit");
    while (!done) {
        doca_pe_progress(pe);
        require(time(NULL) < deadline, "that the answer comes in time");
    }

    check(doca_task_get_status(doca_urom_worker_cmd_task_as_task(task)), "the command");
    response = doca_urom_worker_cmd_task_get_response(task);
    check(doca_buf_get_data(response, &data), "doca_buf_get_data");
    check(doca_buf_get_data_len(response, &length), "doca_buf_get_data_len");
    require(length == strlen(reversed) && memcmp(data, reversed, length) == 0,
            "that the answer is the message in reverse");
    check(doca_urom_worker_cmd_task_release(task), "doca_urom_worker_cmd_task_release");
}

int main(void)
{
    struct doca_dev *dev = open_device("0000:00:00.0");
    struct doca_urom_service *service;
    struct doca_urom_worker *worker;
    struct doca_pe *pe;
    uint64_t plugin;

    check(doca_pe_create(&pe), "doca_pe_create");
    check(doca_urom_service_create(&service), "doca_urom_service_create");
    check(doca_urom_service_set_dev(service, dev), "doca_urom_service_set_dev");
    check(doca_pe_connect_ctx(pe, doca_urom_service_as_ctx(service)), "doca_pe_connect_ctx");
    check(doca_ctx_start(doca_urom_service_as_ctx(service)), "starting the service");
    plugin = find_plugin(service, "worker_reverse");

    check(doca_urom_worker_create(&worker), "doca_urom_worker_create");
    check(doca_urom_worker_set_service(worker, service), "doca_urom_worker_set_service");
    check(doca_urom_worker_set_plugins(worker, plugin), "doca_urom_worker_set_plugins");
    check(doca_pe_connect_ctx(pe, doca_urom_worker_as_ctx(worker)), "doca_pe_connect_ctx");
    require(doca_ctx_start(doca_urom_worker_as_ctx(worker)) == DOCA_ERROR_IN_PROGRESS,
            "that a worker takes its time to start");
    progress_until(pe, doca_urom_worker_as_ctx(worker), DOCA_CTX_STATE_RUNNING);

    offload(pe, worker, plugin);

    require(doca_ctx_stop(doca_urom_worker_as_ctx(worker)) == DOCA_ERROR_IN_PROGRESS,
            "that a worker takes its time to stop");
    progress_until(pe, doca_urom_worker_as_ctx(worker), DOCA_CTX_STATE_IDLE);
    check(doca_urom_worker_destroy(worker), "doca_urom_worker_destroy");
    check(doca_ctx_stop(doca_urom_service_as_ctx(service)), "stopping the service");
    check(doca_urom_service_destroy(service), "doca_urom_service_destroy");
    check(doca_pe_destroy(pe), "doca_pe_destroy");
    check(doca_dev_close(dev), "doca_dev_close");
    return 0;
}
