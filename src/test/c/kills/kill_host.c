/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A host that `scripts/urom kills` starts, or whose worker or service it kills. It is told, a line each,
 *
 *     open ID COMMANDS BYTES REST_US HELD    be a host of worker ID (0: any) with so much load
 *     look                                   say how it went so far
 *     times                                  say how long answers took since that was asked last
 *     close                                  stop the worker context, all commands answered
 *     quit                                   leave
 *
 * and says what happens to it, with the time of CLOCK_MONOTONIC in ns:
 *
 *     service NS                        the service context runs
 *     running NS ID                     so does the worker context
 *     refused NS STATUS                 the service or worker context did not start
 *     gone FIRST NS                     its worker context has failed, all commands are completed
 *     service-gone NS                   so has the service context
 *     closed NS                         it stopped when told to
 *     look ANSWERS WRONG FAILURES SLOWEST_NS IN_FLIGHT PROCESS
 *
 *     times P50_NS P99_NS
 *
 *     kill_host SLEEPS SEED PLUGIN    SLEEPS: 1 waits for the notification handle, 0 spins
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "load.h"
#include "orders.h"

#define LOOKS_AN_ORDER 256 /* at the engine, for one at the orders */
#define SLEEP_MS 200

static struct test_service service;
static struct test_worker worker;
static struct load load;
static uint64_t puppet, first_sight; /* ns, when the worker context was seen to end */
static const char *plugin;
static bool sleeps, announced, closing, quitting;

static void open_service(void)
{
    doca_error_t status;

    service_new(&service);
    status = doca_ctx_start(service.ctx);
    if (status == DOCA_SUCCESS) {
        puppet = plugin_id(&service, plugin);
        say("service %lu", now_ns());
        return;
    }
    say("refused %lu %s", now_ns(), doca_error_get_name(status));
    service_close(&service);
}

static void destroy_worker(void)
{
    load_end(&load);
    assert_success(doca_urom_worker_destroy(worker.worker));
    worker.worker = NULL;
    closing = announced = false;
    first_sight = 0;
}

static void open_worker(const char *order)
{
    unsigned held;
    uint64_t id;
    doca_error_t status;

    load = (struct load){ .random = load.random, .number = load.number };
    if (sscanf(order, "open %lu %u %u %u %u", &id, &load.count, &load.length_max, &load.rest_us,
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
        say("refused %lu %s", now_ns(), doca_error_get_name(status));
        destroy_worker();
    }
}

static void begin_to_close(void)
{
    if (worker.worker == NULL)
        return;
    closing = load.ending = true;
    if (state_of(worker.ctx) == DOCA_CTX_STATE_RUNNING)
        (void)!doca_ctx_stop(worker.ctx);
}

static void follow_order(const char *order)
{
    if (strncmp(order, "open ", 5) == 0) {
        open_worker(order);
    } else if (strcmp(order, "close") == 0) {
        begin_to_close();
    } else if (strcmp(order, "look") == 0) {
        say("look %lu %lu %lu %lu %u %d", load.answers, load.wrong, load.failures, load.slowest_ns,
                load.in_flight, (int)load.process);
        load.slowest_ns = 0;
    } else if (strcmp(order, "times") == 0) {
        say("times %lu %lu", load_quantile(&load, 0.5), load_quantile(&load, 0.99));
        memset(load.times, 0, sizeof(load.times));
    } else if (strcmp(order, "quit") == 0) {
        quitting = true;
    }
}

static void follow_orders(void)
{
    char order[ORDER_MAX];

    while (orders_next(order))
        follow_order(order);
    quitting |= orders_have_ended();
}

/* A worker context that has ended: why, and when that was first to be seen. */
static void tell_end(void)
{
    uint64_t now = now_ns();

    if (closing)
        say("closed %lu", now);
    else if (!announced)
        say("refused %lu ENDED", now);
    else
        say("gone %lu %lu",
                load.first_failure != 0 && load.first_failure < first_sight ? load.first_failure
                                                                            : first_sight,
                now);
    destroy_worker();
}

static void look_at_worker(void)
{
    enum doca_ctx_states state;

    if (worker.worker == NULL)
        return;
    state = state_of(worker.ctx);
    if (state == DOCA_CTX_STATE_RUNNING && !announced) {
        announced = true;
        say("running %lu %lu", now_ns(), id_of(&worker));
        load_begin(&load, &worker, puppet);
    }
    if ((state == DOCA_CTX_STATE_STOPPING || state == DOCA_CTX_STATE_IDLE) && first_sight == 0)
        first_sight = now_ns();
    if (state == DOCA_CTX_STATE_IDLE && load.in_flight == 0)
        tell_end();
    else if (state == DOCA_CTX_STATE_RUNNING)
        load_go_on(&load);
}

static void look_at_service(void)
{
    if (service.service == NULL || state_of(service.ctx) != DOCA_CTX_STATE_IDLE)
        return;
    if (worker.worker != NULL)
        return; /* its context goes first */
    say("service-gone %lu", now_ns());
    assert_success(doca_urom_service_destroy(service.service));
    assert_success(doca_pe_destroy(service.pe));
    assert_success(doca_dev_close(service.dev));
    service.service = NULL;
}

static void look_at_all(void)
{
    look_at_worker();
    look_at_service();
}

static void sleep_for_work(void)
{
    doca_notification_handle_t handle;
    int rests = load_rests_ms(&load);

    assert_success(doca_pe_get_notification_handle(service.pe, &handle));
    assert_success(doca_pe_request_notification(service.pe));
    orders_sleep(handle, rests >= 0 ? rests : SLEEP_MS);
    assert_success(doca_pe_clear_notification(service.pe, handle));
}

/* Progresses until there is nothing more to do at once. */
static void work(void)
{
    for (unsigned i = 0; i < LOOKS_AN_ORDER && service.service != NULL; ++i) {
        uint8_t done = doca_pe_progress(service.pe);

        look_at_all();
        if (done == 0 && sleeps)
            break;
    }
    follow_orders();
    if (service.service == NULL)
        orders_sleep(-1, SLEEP_MS);
    else if (sleeps && !quitting)
        sleep_for_work();
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
        begin_to_close();
        progress_until(service.pe, state_of(worker.ctx) == DOCA_CTX_STATE_IDLE, RUN_MS);
        destroy_worker();
    }
    service_close(&service);
    return EXIT_SUCCESS;
}
