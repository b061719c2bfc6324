/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A host for `scripts/urom kills`, which kills it, its worker or its service. It reads these
 * commands from standard input:
 *
 *     open ID COMMANDS BYTES PAUSE_US HELD    open worker ID (0: any) and run this load
 *     status                                  print the counts
 *     latencies                               print the latencies since the previous request
 *     close                                   stop the worker context after all answers
 *     quit                                    exit
 *
 * It prints these events, with the time of CLOCK_MONOTONIC in ns:
 *
 *     service NS                the service context is running
 *     running NS ID             the worker context is running
 *     rejected NS STATUS        the service or worker context failed to start
 *     failed FIRST NS           the worker context failed; all commands are completed
 *     service-failed NS         the service context failed
 *     closed NS                 the worker context stopped after close
 *     status ANSWERS WRONG FAILURES SLOWEST_NS IN_FLIGHT PROCESS
 *     latencies P50_NS P99_NS
 *
 * Usage: kill_host SLEEPS SEED PLUGIN, where SLEEPS is 1 to wait for the notification handle, 0 to
 * spin.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "load.h"
#include "control.h"

#define POLLS_PER_COMMAND 256 /* polls of the engine between two polls of standard input */
#define SLEEP_MS 200

static struct test_service service;
static struct test_worker worker;
static struct load load;
static uint64_t puppet, failure_seen; /* ns; when the end of the worker context was detected */
static const char *plugin;
static bool sleeps, announced, closing, quitting;

static void open_service(void)
{
    doca_error_t status;

    service_new(&service);
    status = doca_ctx_start(service.ctx);
    if (status == DOCA_SUCCESS) {
        puppet = plugin_id(&service, plugin);
        print_line("service %lu", now_ns());
        return;
    }
    print_line("rejected %lu %s", now_ns(), doca_error_get_name(status));
    service_close(&service);
}

static void destroy_worker(void)
{
    load_release(&load);
    assert_success(doca_urom_worker_destroy(worker.worker));
    worker.worker = NULL;
    closing = announced = false;
    failure_seen = 0;
}

static void open_worker(const char *line)
{
    unsigned held;
    uint64_t id;
    doca_error_t status;

    load = (struct load){ .random = load.random, .number = load.number };
    if (sscanf(line, "open %lu %u %u %u %u", &id, &load.count, &load.length_max, &load.pause_us,
                &held)
                    != 5
            || load.count > LOAD_MAX || load.length_max + 24 > LOAD_BYTES_MAX)
        exit(EXIT_FAILURE);
    load.held = held;
    load.loopback = strcmp(plugin, "worker_graph") == 0;
    if (service.service == NULL)
        open_service();
    if (service.service == NULL)
        return;
    worker_new(&worker, service.pe, &service, plugin);
    if (id != 0)
        assert_success(doca_urom_worker_set_id(worker.worker, id));
    status = doca_ctx_start(worker.ctx);
    if (status != DOCA_ERROR_IN_PROGRESS) {
        print_line("rejected %lu %s", now_ns(), doca_error_get_name(status));
        destroy_worker();
    }
}

static void begin_close(void)
{
    if (worker.worker == NULL)
        return;
    closing = load.ending = true;
    if (state_of(worker.ctx) == DOCA_CTX_STATE_RUNNING)
        (void)!doca_ctx_stop(worker.ctx);
}

static void run_command(const char *line)
{
    if (strncmp(line, "open ", 5) == 0) {
        open_worker(line);
    } else if (strcmp(line, "close") == 0) {
        begin_close();
    } else if (strcmp(line, "status") == 0) {
        print_line("status %lu %lu %lu %lu %u %d", load.answers, load.wrong, load.failures,
                load.slowest_ns, load.in_flight, (int)load.process);
        load.slowest_ns = 0;
    } else if (strcmp(line, "latencies") == 0) {
        print_line("latencies %lu %lu", load_quantile(&load, 0.5), load_quantile(&load, 0.99));
        memset(load.times, 0, sizeof(load.times));
    } else if (strcmp(line, "quit") == 0) {
        quitting = true;
    }
}

static void run_commands(void)
{
    char line[CONTROL_LINE_MAX];

    while (control_next(line))
        run_command(line);
    quitting |= control_is_closed();
}

/* Prints the event for the end of the worker context and the time of its detection. */
static void report_end(void)
{
    uint64_t now = now_ns();

    if (closing)
        print_line("closed %lu", now);
    else if (!announced)
        print_line("rejected %lu ENDED", now);
    else
        print_line("failed %lu %lu",
                load.first_failure != 0 && load.first_failure < failure_seen ? load.first_failure
                                                                             : failure_seen,
                now);
    destroy_worker();
}

static void check_worker(void)
{
    enum doca_ctx_states state;

    if (worker.worker == NULL)
        return;
    state = state_of(worker.ctx);
    if (state == DOCA_CTX_STATE_RUNNING && !announced) {
        announced = true;
        print_line("running %lu %lu", now_ns(), id_of(&worker));
        load_begin(&load, &worker, puppet);
    }
    if ((state == DOCA_CTX_STATE_STOPPING || state == DOCA_CTX_STATE_IDLE) && failure_seen == 0)
        failure_seen = now_ns();
    if (state == DOCA_CTX_STATE_IDLE && load.in_flight == 0)
        report_end();
    else if (state == DOCA_CTX_STATE_RUNNING)
        load_continue(&load);
}

static void check_service(void)
{
    if (service.service == NULL || state_of(service.ctx) != DOCA_CTX_STATE_IDLE)
        return;
    if (worker.worker != NULL)
        return; /* the worker context is destroyed first */
    print_line("service-failed %lu", now_ns());
    assert_success(doca_urom_service_destroy(service.service));
    assert_success(doca_pe_destroy(service.pe));
    assert_success(doca_dev_close(service.dev));
    service.service = NULL;
}

static void check_contexts(void)
{
    check_worker();
    check_service();
}

static void wait_for_event(void)
{
    doca_notification_handle_t handle;
    int pause = load_pause_ms(&load);

    assert_success(doca_pe_get_notification_handle(service.pe, &handle));
    assert_success(doca_pe_request_notification(service.pe));
    control_wait(handle, pause >= 0 ? pause : SLEEP_MS);
    assert_success(doca_pe_clear_notification(service.pe, handle));
}

/* Progresses until no work is left, then runs commands and waits. */
static void work(void)
{
    for (unsigned i = 0; i < POLLS_PER_COMMAND && service.service != NULL; ++i) {
        uint8_t done = doca_pe_progress(service.pe);

        check_contexts();
        if (done == 0 && sleeps)
            break;
    }
    run_commands();
    if (service.service == NULL)
        control_wait(-1, SLEEP_MS);
    else if (sleeps && !quitting)
        wait_for_event();
}

int main(int argc, char **argv)
{
    if (argc != 4)
        return EXIT_FAILURE;
    sleeps = atoi(argv[1]) != 0;
    load.random = strtoull(argv[2], NULL, 0) | 1;
    plugin = argv[3];
    while (!quitting)
        work();
    if (worker.worker != NULL) {
        begin_close();
        progress_until(service.pe, state_of(worker.ctx) == DOCA_CTX_STATE_IDLE, RUN_MS);
        destroy_worker();
    }
    service_close(&service);
    return EXIT_SUCCESS;
}
