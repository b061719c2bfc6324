/* SPDX-License-Identifier: Apache-2.0 */
/* A worker without memory for an answer closes the connection, so that its host does not hang. */
#include <errno.h>

#include <worker/host.h>

#include "fault_table.h"

#define MESSAGE_SIZE 4096
#define MAX_TASKS 8

static struct worker_process worker;
static struct host host;

static int set_up(void **state)
{
    (void)state;
    fault_table_clear();
    worker_start(&worker, MESSAGE_SIZE);
    host_open(&host, &worker, MESSAGE_SIZE);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    host_close(&host);
    worker_clean_up(&worker);
    return 0;
}

static void send_attach(void)
{
    host_send_frame(&host,
            &(struct wire_frame){
                    .type = WIRE_ATTACH, .request_id = 1, .attach.max_tasks = MAX_TASKS });
}

static void no_memory_for_attached_ends_the_connection(void **state)
{
    (void)state;
    fault_set(FAULT_ALLOCATION_frame_memory, FAULT_ROLE_WORKER, FAULT_FAIL, 0);

    send_attach();

    host_await_end(&host, DOCA_ERROR_CONNECTION_RESET);
    worker_stop(&worker);
}

static void no_memory_for_an_answer_ends_the_connection(void **state)
{
    (void)state;
    host_attach(&host, MAX_TASKS);
    fault_set(FAULT_ALLOCATION_worker_answer_memory, FAULT_ROLE_WORKER, FAULT_FAIL, 0);

    host_puppet(&host, 1, (struct puppet_command){ .act = PUPPET_ECHO }, "text");

    host_await_end(&host, DOCA_ERROR_CONNECTION_RESET);
    worker_stop(&worker);
}

static void no_memory_for_a_rejection_ends_the_connection(void **state)
{
    (void)state;
    host_attach(&host, MAX_TASKS);
    fault_set(FAULT_ALLOCATION_worker_answer_memory, FAULT_ROLE_WORKER, FAULT_FAIL, 0);

    host_command(&host, 1u << 20, 1, "", 1); /* a plugin that the worker has not loaded */

    host_await_end(&host, DOCA_ERROR_CONNECTION_RESET);
    worker_stop(&worker);
}

/* The worker rejects the connection, and closes its socket. */
static void no_descriptor_for_a_connection_leaves_none_open(void **state)
{
    unsigned before = worker_descriptors(&worker);
    struct channel_address address;
    struct channel_ticket ticket;
    static struct host other;

    (void)state;
    fault_set(FAULT_CALL_channel_epoll_make, FAULT_ROLE_WORKER, FAULT_FAIL, EMFILE);
    worker_give_ticket(&worker, SESSION, TICKET_MS, &ticket, &address);

    host_connect(&other, &address, &ticket, MESSAGE_SIZE);
    host_await_end(&other, DOCA_ERROR_CONNECTION_RESET);
    host_close(&other);

    await(worker_descriptors(&worker) == before, ANSWER_MS);
    worker_stop(&worker);
}

#define test(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(int count, char **arguments)
{
    const struct CMUnitTest tests[] = {
        test(no_memory_for_attached_ends_the_connection),
        test(no_memory_for_an_answer_ends_the_connection),
        test(no_memory_for_a_rejection_ends_the_connection),
        test(no_descriptor_for_a_connection_leaves_none_open),
    };

    (void)count;
    fault_table_begin(arguments);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
