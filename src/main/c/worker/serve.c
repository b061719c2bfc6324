/* SPDX-License-Identifier: Apache-2.0 */
/* Start and main loop: reads CONFIGURE, sends READY, serves until the service ends the worker. */
#include <inttypes.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <channel/asymmetric_fence.h>
#include <common/sdk_log.h>
#include <faults/faults.h>

#include "cancellation.h"
#include "exit_timer.h"
#include "launcher.h"
#include "pipe_frame.h"
#include "receive.h"
#include "serve.h"
#include "worker.h"
#include "worker_counters.h"

SDK_LOG_REGISTER(UROM::WORKER)

#define SIGNALLED 128 /* added to a signal, as in the exit codes of shells */

static int output = -1; /* to the service, for report_exit */

/* Logs to standard error at the level in UROM_WORKER_LOG_LEVEL. */
static void open_log(void)
{
    const char *level = secure_getenv("UROM_WORKER_LOG_LEVEL");
    struct doca_log_backend *own;

    /* One for the plugins, one for the worker itself. */
    doca_log_backend_create_standard();
    doca_log_backend_create_with_file_sdk(stderr, &own);
    if (level == NULL)
        return;
    doca_log_level_set_global_lower_limit((uint32_t)atoi(level));
    doca_log_level_set_global_sdk_limit((uint32_t)atoi(level));
}

/* Returns the Unix socket inherited from the launcher, or -1. */
static int inherited_socket(void)
{
    struct stat status;

    return fstat(LAUNCHED_LISTENER, &status) == 0 && S_ISSOCK(status.st_mode) ? LAUNCHED_LISTENER
                                                                              : -1;
}

static doca_error_t set_up(
        struct worker *worker, int plugins, char **plugin, char reason[REASON_MAX])
{
    doca_error_t status = configuration_read(&worker->configuration, worker->service.input, reason);

    FAULTS_OF_WORKER(worker->configuration.worker_id);
    FAULT_REACH(worker_configured);
    if (status == DOCA_SUCCESS)
        status = events_open(&worker->events);
    if (status == DOCA_SUCCESS && !service_open(worker))
        status = DOCA_ERROR_OPERATING_SYSTEM;
    for (int i = 0; i < plugins && status == DOCA_SUCCESS; ++i)
        status = plugins_add(&worker->plugins, plugin[i], &worker->domains, reason);
    if (status == DOCA_SUCCESS)
        status = plugins_list_addresses(&worker->plugins, reason);
    if (status == DOCA_SUCCESS)
        status = listeners_init(worker, inherited_socket(), reason);
    if (status == DOCA_SUCCESS)
        status = termination_watch(worker);
    if (status == DOCA_SUCCESS)
        status = exit_timer_open(worker->service.input, worker->termination.caught);
    if (status != DOCA_SUCCESS && reason[0] == '\0')
        fail_with(
                reason, status, "the worker could not be set up: %s", doca_error_get_descr(status));
    return status;
}

/* Reports the result of the set-up to the service with READY or ERROR. */
static bool report(const struct worker *worker, doca_error_t status, const char *reason)
{
    char label[COUNTERS_LABEL];
    const struct wire_frame ready = {
        .type = WIRE_READY,
        .ready.process_id = (uint32_t)getpid(),
    };

    FAULT_REACH(worker_ready_sending);
    if (status == DOCA_SUCCESS) {
        plugins_label(&worker->plugins, label, sizeof(label));
        /* Before READY, so that readers find valid counters. */
        counting_begin(worker->configuration.worker_id, label);
        return pipe_write_frame(worker->service.output, &ready);
    }
    pipe_write_error(worker->service.output, status, reason);
    return false;
}

/*
 * The plugin interface requires a block per command and notification. Keeps large blocks on the
 * heap, because mapping each anew would cost a page fault for every 4 KiB.
 */
static void keep_memory(const struct worker *worker)
{
    int largest = (int)worker->configuration.max_message_size;

    mallopt(M_MMAP_THRESHOLD, 2 * largest);
    mallopt(M_TRIM_THRESHOLD, 16 * largest);
}

static void run(struct worker *worker)
{
    while (!worker->service.stopping) {
        unsigned found = hosts_serve(worker);

        found += dispatch_commands(worker);
        found += dispatch_notifications(worker);
        notifications_push(worker);
        idle_strategy_idle(worker, found);
    }
}

/* Publishes the results that plugins have finished. Does not wait for unfinished commands. */
static void finish(struct worker *worker)
{
    exit_timer_start();
    FAULT_REACH(worker_leaving);
    dispatch_all_notifications(worker);
    notifications_push(worker);
    hosts_flush(worker);
}

/* Frees everything, also after a failed set-up. */
static void tear_down(struct worker *worker)
{
    service_stop(&worker->service);
    FAULT_REACH(worker_tearing_down);
    pending_hellos_free(worker);
    connection_close_all(worker);
    connections_free(&worker->connections);
    plugins_free(&worker->plugins);
    domains_free(&worker->domains);
    notifications_free(worker);
    blocks_free(&worker->blocks);
    exit_timer_cancel();
}

/* Reports a plugin that ends the process in `open` with quick_exit. */
static void report_exit(void)
{
    char reason[REASON_MAX];

    if (plugin_explain_exit(reason))
        pipe_write_error(output, DOCA_ERROR_INITIALIZATION, reason);
}

int serve(int count, char **arguments)
{
    static struct worker worker;
    char reason[REASON_MAX] = "";
    doca_error_t status = DOCA_ERROR_OPERATING_SYSTEM;

    /* Before a second thread exists: then the kernel would wait for all CPUs, 10 ms and more. */
    (void)asymmetric_fence_register();
    signal(SIGPIPE, SIG_IGN);
    setenv("UCX_ERROR_SIGNALS", "", 1); /* UCX in plugins must not handle signals */
    setenv("UCX_DEBUG_SIGNO", "0", 1);
    signal(SIGXFSZ, SIG_IGN); /* a log at its size limit must not end the worker */
    prctl(PR_SET_NAME, "urom_worker");
    open_log();
    idle_strategy_init(&worker.idle_strategy);
    pending_hellos_init(&worker.pending_hellos, connection_accept);
    connections_init(&worker.connections, &receive_callbacks);
    dispatch_init(&worker.dispatch);
    domains_init(&worker.domains);
    tickets_init(&worker.tickets, service_read);
    cancellation_open(&worker);
    counting_open();
    if (termination_catch(&worker.termination) == DOCA_SUCCESS
            && service_reserve_pipes(&worker.service)) {
        output = worker.service.output;
        at_quick_exit(report_exit);
        status = set_up(&worker, count, arguments, reason);
    }
    if (!report(&worker, status, reason)) {
        SDK_LOG_ERR("The worker did not start: %s", reason);
        tear_down(&worker);
        return EXIT_FAILURE;
    }
    FAULT_REACH(worker_ready_sent);
    keep_memory(&worker);
    SDK_LOG_INFO("Worker %" PRIu64 " runs with %u plugins", worker.configuration.worker_id,
            worker.plugins.count);
    run(&worker);
    finish(&worker);
    tear_down(&worker);
    return worker.termination.ends_worker ? SIGNALLED + SIGTERM : EXIT_SUCCESS;
}
