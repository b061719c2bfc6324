/* SPDX-License-Identifier: Apache-2.0 */
/* The host side: any failure exits the program with an error message. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <doca_buf.h>
#include <doca_ctx.h>
#include <doca_error.h>
#include <doca_pe.h>
#include <doca_urom.h>

#include "reverse.h"

#define DEADLINE_SECONDS 20

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
    fprintf(stderr, "check failed: %s\n", what);
    exit(1);
}

static uint64_t find_plugin(struct doca_urom_service *service, const char *name)
{
    const struct doca_urom_service_plugin_info *plugins;
    size_t count;

    check(doca_urom_service_get_plugins_list(service, &plugins, &count), "get_plugins_list");
    for (size_t i = 0; i < count; ++i)
        if (strcmp(plugins[i].plugin_name, name) == 0)
            return plugins[i].id;
    require(0, "the service has the plugin");
    return 0;
}

static void progress_until(struct doca_pe *pe, struct doca_ctx *ctx, enum doca_ctx_states wanted)
{
    time_t deadline = time(NULL) + DEADLINE_SECONDS;
    enum doca_ctx_states state;

    do {
        doca_pe_progress(pe);
        check(doca_ctx_get_state(ctx, &state), "doca_ctx_get_state");
        require(time(NULL) < deadline, "the context changes its state in time");
    } while (state != wanted);
}

static void mark_done(struct doca_urom_worker_cmd_task *task, union doca_data task_user_data,
        union doca_data ctx_user_data)
{
    (void)task;
    (void)ctx_user_data;
    *(int *)task_user_data.ptr = 1;
}

static void send(struct doca_urom_worker_cmd_task *task, const char *message, int *done)
{
    struct doca_buf *payload = doca_urom_worker_cmd_task_get_payload(task);
    void *data;

    check(doca_buf_get_data(payload, &data), "doca_buf_get_data");
    memcpy(data, message, strlen(message));
    check(doca_buf_set_data(payload, data, strlen(message)), "doca_buf_set_data");
    doca_urom_worker_cmd_task_set_cb(task, mark_done);
    doca_task_set_user_data(
            doca_urom_worker_cmd_task_as_task(task), (union doca_data){ .ptr = done });
    check(doca_task_submit(doca_urom_worker_cmd_task_as_task(task)), "doca_task_submit");
}

static void reverse(
        struct doca_pe *pe, struct doca_urom_worker *worker, uint64_t plugin, const char *message)
{
    time_t deadline = time(NULL) + DEADLINE_SECONDS;
    struct doca_urom_worker_cmd_task *task;
    struct doca_buf *response;
    int done = 0;
    size_t length;
    void *data;

    check(doca_urom_worker_cmd_task_allocate_init(worker, plugin, &task), "allocate_init");
    send(task, message, &done);
    while (!done) {
        doca_pe_progress(pe);
        require(time(NULL) < deadline, "the answer arrives in time");
    }

    check(doca_task_get_status(doca_urom_worker_cmd_task_as_task(task)), "the command");
    response = doca_urom_worker_cmd_task_get_response(task);
    check(doca_buf_get_data(response, &data), "doca_buf_get_data");
    check(doca_buf_get_data_len(response, &length), "doca_buf_get_data_len");
    printf("answer %.*s\n", (int)length, (const char *)data);
    check(doca_urom_worker_cmd_task_release(task), "doca_urom_worker_cmd_task_release");
}

void offload(const struct reverse_config *config, struct doca_dev *dev)
{
    struct doca_urom_service *service;
    struct doca_urom_worker *worker;
    struct doca_pe *pe;
    uint64_t plugin;

    check(doca_pe_create(&pe), "doca_pe_create");
    check(doca_urom_service_create(&service), "doca_urom_service_create");
    check(doca_urom_service_set_dev(service, dev), "doca_urom_service_set_dev");
    check(doca_pe_connect_ctx(pe, doca_urom_service_as_ctx(service)), "doca_pe_connect_ctx");
    check(doca_ctx_start(doca_urom_service_as_ctx(service)), "starting the service");
    plugin = find_plugin(service, config->plugin);

    check(doca_urom_worker_create(&worker), "doca_urom_worker_create");
    check(doca_urom_worker_set_service(worker, service), "doca_urom_worker_set_service");
    check(doca_urom_worker_set_plugins(worker, plugin), "doca_urom_worker_set_plugins");
    check(doca_pe_connect_ctx(pe, doca_urom_worker_as_ctx(worker)), "doca_pe_connect_ctx");
    require(doca_ctx_start(doca_urom_worker_as_ctx(worker)) == DOCA_ERROR_IN_PROGRESS,
            "the start of a worker is asynchronous");
    progress_until(pe, doca_urom_worker_as_ctx(worker), DOCA_CTX_STATE_RUNNING);

    for (int i = 0; i < config->count; ++i)
        reverse(pe, worker, plugin, config->messages[i]);

    require(doca_ctx_stop(doca_urom_worker_as_ctx(worker)) == DOCA_ERROR_IN_PROGRESS,
            "the stop of a worker is asynchronous");
    progress_until(pe, doca_urom_worker_as_ctx(worker), DOCA_CTX_STATE_IDLE);
    check(doca_urom_worker_destroy(worker), "doca_urom_worker_destroy");
    check(doca_ctx_stop(doca_urom_service_as_ctx(service)), "stopping the service");
    check(doca_urom_service_destroy(service), "doca_urom_service_destroy");
    check(doca_pe_destroy(pe), "doca_pe_destroy");
}
