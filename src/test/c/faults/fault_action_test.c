/* SPDX-License-Identifier: Apache-2.0 */
/* Effects of each kind of action, observed from outside the worker that performs it. */
#include <errno.h>
#include <signal.h>
#include <unistd.h>

#include <worker/host.h>

#include "fault_table.h"

#define MESSAGE_SIZE 4096
#define MAX_TASKS 8
#define SIGNALLED 128 /* added to a signal in exit statuses */
#define DELAY_MS 300
#define NS_PER_MS UINT64_C(1000000)
#define HOUR_NS (3600 * 1000 * NS_PER_MS)

static struct worker_process worker;
static struct host host;

static int set_up(void **state)
{
    (void)state;
    fault_table_clear();
    worker_start(&worker, MESSAGE_SIZE);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    host_close(&host);
    worker_clean_up(&worker);
    return 0;
}

static void attach(void)
{
    host_open(&host, &worker, MESSAGE_SIZE);
    host_attach(&host, MAX_TASKS);
}

static void echo(uint64_t number)
{
    host_puppet(&host, number, (struct puppet_command){ .act = PUPPET_ECHO }, "text");
}

static void echo_and_await(uint64_t number)
{
    echo(number);
    host_await(&host, 1);
    host_assert_answer(&host, 0, number, DOCA_SUCCESS);
    host_forget(&host);
}

static void assert_event(unsigned index, unsigned point, enum fault_action action)
{
    const struct fault_event *event = fault_event(index);

    assert_int_equal(point, event->point);
    assert_int_equal(action, event->action);
    assert_int_equal(worker.pid, event->process_id);
    assert_int_equal(FAULT_ROLE_WORKER, event->role);
}

static void a_point_is_counted_and_nothing_fails_without_an_action(void **state)
{
    (void)state;
    attach();
    echo_and_await(1);

    assert_true(fault_reached(FAULT_CALL_worker_accept) >= 1);
    assert_int_equal(1, fault_reached(FAULT_CONNECTION_worker_command_arrived));
    assert_int_equal(0, fault_events());
    worker_stop(&worker);
}

static void an_allocation_fails(void **state)
{
    (void)state;
    attach();
    fault_set(FAULT_ALLOCATION_worker_command_memory, FAULT_ROLE_WORKER, FAULT_FAIL, 0);

    echo(1);
    host_await(&host, 1);

    host_assert_answer(&host, 0, 1, DOCA_ERROR_NO_MEMORY);
    assert_event(0, FAULT_ALLOCATION_worker_command_memory, FAULT_FAIL);
    host_forget(&host);
    echo_and_await(2);
    assert_int_equal(1, fault_events());
    worker_stop(&worker);
}

static void a_call_fails_with_its_errno(void **state)
{
    struct channel_address address = { .local = true };
    struct channel_settings settings = { .max_message_size = MESSAGE_SIZE };
    struct channel *channel = NULL;

    (void)state;
    worker_local_address(&worker, &address);
    fault_set(FAULT_CALL_socket_connect, FAULT_ROLE_HOST, FAULT_FAIL, EACCES);

    assert_status(DOCA_ERROR_NOT_PERMITTED,
            channel_connect_worker(
                    &address, &(struct channel_ticket){ .id = { 0 } }, &settings, &channel));
    assert_int_equal(getpid(), fault_event(0)->process_id);
    assert_int_equal(FAULT_ROLE_HOST, fault_event(0)->role);
    worker_stop(&worker);
}

static void a_transfer_is_short(void **state)
{
    (void)state;
    fault_set(FAULT_TRANSFER_ticket_receive, FAULT_ROLE_WORKER, FAULT_SHORT, 1);
    atomic_store(&fault_row(FAULT_TRANSFER_ticket_receive)->times, -1);

    attach();

    assert_true(fault_events() >= WIRE_TICKET_SIZE);
    assert_event(0, FAULT_TRANSFER_ticket_receive, FAULT_SHORT);
    worker_stop(&worker);
}

static void a_delay_postpones_the_answer(void **state)
{
    uint64_t end;

    (void)state;
    attach();
    fault_set(FAULT_CONNECTION_worker_command_arrived, FAULT_ROLE_WORKER, FAULT_DELAY,
            DELAY_MS * NS_PER_MS);
    end = deadline_in(DELAY_MS);

    echo_and_await(1);

    assert_true(deadline_has_passed(end));
    worker_stop(&worker);
}

static void a_connection_is_dropped(void **state)
{
    (void)state;
    attach();
    fault_set(FAULT_CONNECTION_worker_command_arrived, FAULT_ROLE_WORKER, FAULT_DROP, 0);

    echo(1);

    host_await_end(&host, DOCA_ERROR_CONNECTION_RESET);
    assert_event(0, FAULT_CONNECTION_worker_command_arrived, FAULT_DROP);
    worker_stop(&worker);
}

static void a_process_is_killed(void **state)
{
    const pid_t process = worker.pid;

    (void)state;
    attach();
    fault_set(FAULT_CONNECTION_worker_command_arrived, FAULT_ROLE_WORKER, FAULT_KILL, 0);

    echo(1);

    assert_int_equal(SIGNALLED + SIGKILL, worker_await_exit(&worker, EXIT_MS));
    worker.pid = process;
    assert_event(0, FAULT_CONNECTION_worker_command_arrived, FAULT_KILL);
    worker.pid = -1;
    host_await_end(&host, DOCA_ERROR_CONNECTION_RESET);
}

/* A sanitizer catches the signal and exits. */
static void a_process_crashes(void **state)
{
    unsigned status;

    (void)state;
    attach();
    fault_set(FAULT_CONNECTION_worker_command_arrived, FAULT_ROLE_WORKER, FAULT_SEGV, 0);

    echo(1);
    status = worker_await_exit(&worker, EXIT_MS);

#ifdef __SANITIZE_ADDRESS__
    assert_in_range(status, 1, SIGNALLED);
#else
    assert_int_equal(SIGNALLED + SIGSEGV, status);
#endif
    host_await_end(&host, DOCA_ERROR_CONNECTION_RESET);
}

static void a_process_stops_until_it_is_continued(void **state)
{
    (void)state;
    attach();
    fault_set(FAULT_CONNECTION_worker_command_arrived, FAULT_ROLE_WORKER, FAULT_STOP, 0);

    echo(1);
    await(process_is_stopped(worker.pid), EXIT_MS);
    assert_int_equal(0, host.count);
    kill(worker.pid, SIGCONT);

    host_await(&host, 1);
    host_assert_answer(&host, 0, 1, DOCA_SUCCESS);
    worker_stop(&worker);
}

static void a_byte_of_a_header_is_corrupted(void **state)
{
    (void)state;
    host_open(&host, &worker, MESSAGE_SIZE);
    fault_set(FAULT_HEADER_frame_header, FAULT_ROLE_WORKER, FAULT_CORRUPT, 0);

    host_send_frame(&host,
            &(struct wire_frame){
                    .type = WIRE_ATTACH, .request_id = 1, .attach.max_tasks = MAX_TASKS });

    host_await_end(&host, DOCA_ERROR_UNEXPECTED);
    assert_event(0, FAULT_HEADER_frame_header, FAULT_CORRUPT);
    worker_stop(&worker);
}

static void a_clock_jumps(void **state)
{
    struct channel_address address;
    struct channel_ticket ticket;

    (void)state;
    worker_give_ticket(&worker, SESSION, TICKET_MS, &ticket, &address);
    fault_set(FAULT_CLOCK_clock, FAULT_ROLE_WORKER, FAULT_JUMP, HOUR_NS);
    await(fault_events() == 1, EXIT_MS);

    host_connect(&host, &address, &ticket, MESSAGE_SIZE);

    host_await_end(&host, DOCA_ERROR_CONNECTION_RESET); /* the ticket has expired */
    worker_stop(&worker);
}

static void skipped_reaches_have_no_effect(void **state)
{
    struct fault_row *row = fault_row(FAULT_ALLOCATION_worker_command_memory);

    (void)state;
    attach();
    fault_set(FAULT_ALLOCATION_worker_command_memory, FAULT_ROLE_WORKER, FAULT_FAIL, 0);
    atomic_store(&row->skip, 2);

    echo_and_await(1);
    echo_and_await(2);
    echo(3);
    host_await(&host, 1);

    host_assert_answer(&host, 0, 3, DOCA_ERROR_NO_MEMORY);
    assert_int_equal(0, atomic_load(&row->times));
    host_forget(&host);
    echo_and_await(4);
    worker_stop(&worker);
}

static void other_roles_and_processes_are_not_affected(void **state)
{
    struct fault_row *row = fault_row(FAULT_ALLOCATION_worker_command_memory);

    (void)state;
    attach();
    fault_set(FAULT_ALLOCATION_worker_command_memory, FAULT_ROLE_HOST, FAULT_FAIL, 0);
    echo_and_await(1);
    row->process_id = (uint32_t)getpid();
    row->roles = FAULT_ROLE_WORKER;
    echo_and_await(2);
    assert_int_equal(0, fault_events());
    row->process_id = (uint32_t)worker.pid;
    echo(3);
    host_await(&host, 1);

    host_assert_answer(&host, 0, 3, DOCA_ERROR_NO_MEMORY);
    worker_stop(&worker);
}

#define test(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(int count, char **arguments)
{
    const struct CMUnitTest tests[] = {
        test(a_point_is_counted_and_nothing_fails_without_an_action),
        test(an_allocation_fails),
        test(a_call_fails_with_its_errno),
        test(a_transfer_is_short),
        test(a_delay_postpones_the_answer),
        test(a_connection_is_dropped),
        test(a_process_is_killed),
        test(a_process_crashes),
        test(a_process_stops_until_it_is_continued),
        test(a_byte_of_a_header_is_corrupted),
        test(a_clock_jumps),
        test(skipped_reaches_have_no_effect),
        test(other_roles_and_processes_are_not_affected),
    };

    (void)count;
    fault_table_begin(arguments);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
