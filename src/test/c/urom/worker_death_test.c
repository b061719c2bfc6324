/* SPDX-License-Identifier: Apache-2.0 */
/* Workers killed by a signal or ended by a plugin: detection by hosts, and its latency. */
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>

#include <doca_buf.h>

#include <testing/contexts.h>
#include <testing/daemon.h>
#include <testing/logged.h>

#define IN_FLIGHT 32
#define KILLS 30
#define TEXT_LENGTH 3800
#define DESCRIPTORS 256
#define WAKE_MS 5000
#define FAILED_RESPONSE 64

static struct test_service service;
static struct test_worker victim, other;
static struct test_command commands[IN_FLIGHT];
static uint64_t puppet;

static int set_up(void **state)
{
    (void)state;
    service_open(&service);
    puppet = plugin_id(&service, "worker_puppet");
    worker_open(&victim, service.pe, &service, "worker_puppet");
    worker_open(&other, service.pe, &service, "worker_puppet");
    log_keep();
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    worker_close(&victim);
    worker_close(&other);
    service_close(&service);
    return 0;
}

static void submit_again(struct test_command *command)
{
    if (command->status == DOCA_SUCCESS)
        command_submit(command);
}

/* Keeps IN_FLIGHT commands of various sizes in flight to the victim, until one fails. */
static void flood(void)
{
    static char text[TEXT_LENGTH + 1];

    memset(text, 'x', TEXT_LENGTH);
    for (unsigned i = 0; i < IN_FLIGHT; ++i) {
        command_new(&commands[i], &victim, puppet);
        command_write(&commands[i], (struct puppet_command){ .act = PUPPET_ECHO }, text);
        commands[i].on_completion = submit_again;
        command_submit(&commands[i]);
    }
    progress_until(service.pe, commands[IN_FLIGHT - 1].completions > 3, RUN_MS);
}

static void others_go_on_whenever_a_worker_is_killed(void **state)
{
    (void)state;
    for (unsigned i = 0; i < KILLS; ++i) {
        pid_t pid = process_of(&victim, puppet);

        flood();
        assert_int_equal(0, kill(pid, SIGKILL));
        progress_until(service.pe, state_of(victim.ctx) == DOCA_CTX_STATE_IDLE, RUN_MS);

        process_of(&other, puppet);
        for (unsigned at = 0; at < IN_FLIGHT; ++at) {
            assert_int_not_equal(DOCA_SUCCESS, commands[at].status);
            command_release(&commands[at]);
        }
        victim.transitions.count = 0;
        worker_run(&victim);
    }
}

/* The worker is killed before, while or after it receives the request to stop. */
static void a_context_stops_while_its_worker_is_killed(void **state)
{
    (void)state;
    for (unsigned i = 0; i < KILLS; ++i) {
        pid_t pid = process_of(&victim, puppet);

        assert_status(DOCA_ERROR_IN_PROGRESS, doca_ctx_stop(victim.ctx));
        for (unsigned polls = 0; polls < i * i; ++polls)
            doca_pe_progress(service.pe);
        kill(pid, SIGKILL); /* it may have exited */
        progress_until(service.pe, state_of(victim.ctx) == DOCA_CTX_STATE_IDLE, RUN_MS);

        process_of(&other, puppet);
        victim.transitions.count = 0;
        worker_run(&victim);
    }
}

/* Returns the library's newest socket. */
static int last_socket(void)
{
    int last = -1;

    for (int fd = 0; fd < DESCRIPTORS; ++fd) {
        socklen_t length = sizeof(int);
        int type;

        if (getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &length) == 0)
            last = fd;
    }
    return last;
}

/* The worker is alive, so only the socket shows that the connection has ended. */
static void the_end_of_its_connection_alone_wakes_a_sleeping_host(void **state)
{
    struct pollfd wakes = { .events = POLLIN };

    (void)state;
    command_new(&commands[0], &other, puppet);
    command_write(&commands[0], (struct puppet_command){ .act = PUPPET_HOLD }, NULL);
    command_submit(&commands[0]);
    process_of(&other, puppet);
    assert_int_equal(0, shutdown(last_socket(), SHUT_RDWR));
    assert_status(DOCA_SUCCESS, doca_pe_get_notification_handle(service.pe, &wakes.fd));
    while (state_of(other.ctx) != DOCA_CTX_STATE_IDLE) {
        if (doca_pe_progress(service.pe) > 0
                || doca_pe_request_notification(service.pe) != DOCA_SUCCESS)
            continue;
        assert_int_equal(1, poll(&wakes, 1, WAKE_MS));
        doca_pe_clear_notification(service.pe, wakes.fd);
    }
    assert_status(DOCA_ERROR_CONNECTION_RESET, commands[0].status);
    command_release(&commands[0]);
}

/* The service may not have noticed that the worker exited. */
static void a_start_that_is_assigned_a_killed_worker_gets_another(void **state)
{
    struct test_worker late;

    (void)state;
    for (unsigned i = 0; i < KILLS / 3; ++i) {
        pid_t pid = process_of(&victim, puppet);

        worker_new(&late, service.pe, &service, "worker_puppet");
        assert_success(doca_urom_worker_set_id(late.worker, id_of(&victim)));
        assert_int_equal(0, kill(pid, SIGKILL));
        worker_run(&late);
        assert_int_not_equal(pid, process_of(&late, puppet));
        progress_until(service.pe, state_of(victim.ctx) == DOCA_CTX_STATE_IDLE, RUN_MS);
        worker_close(&late);
        victim.transitions.count = 0;
        worker_run(&victim);
    }
}

static unsigned transitions_before_completion;

static void note_transitions(struct test_command *command)
{
    (void)command;
    transitions_before_completion = victim.transitions.count;
}

/* Applications count completions as the calls that return 1. */
static void the_first_call_that_returns_1_is_for_a_task_in_flight(void **state)
{
    unsigned before = victim.transitions.count;
    pid_t pid = process_of(&victim, puppet);

    (void)state;
    for (unsigned i = 0; i < 2; ++i) {
        command_new(&commands[i], &victim, puppet);
        commands[i].on_completion = note_transitions;
        command_write(&commands[i], (struct puppet_command){ .act = PUPPET_HOLD }, NULL);
        command_submit(&commands[i]);
    }
    process_of(&victim, puppet);
    assert_int_equal(0, kill(pid, SIGKILL));
    for (unsigned i = 0; i < 2; ++i) {
        progress_to_event(service.pe);
        assert_int_equal(1, commands[i].completions);
        assert_int_not_equal(DOCA_SUCCESS, commands[i].status);
        assert_int_equal(before, transitions_before_completion);
        assert_status(DOCA_ERROR_BAD_STATE,
                doca_task_submit(doca_urom_worker_cmd_task_as_task(commands[i].task)));
    }
    progress_to_event(service.pe);
    assert_transition(&victim.transitions, before, DOCA_CTX_STATE_RUNNING, DOCA_CTX_STATE_STOPPING);
    progress_to_event(service.pe);
    assert_int_equal(DOCA_CTX_STATE_IDLE, state_of(victim.ctx));
    for (unsigned i = 0; i < 2; ++i)
        command_release(&commands[i]);
}

/* An application may read the response before it checks the status. */
static void a_command_that_fails_has_a_response_of_zeros(void **state)
{
    static const uint8_t zeros[FAILED_RESPONSE];
    struct test_command *command = &commands[0];
    pid_t pid = process_of(&victim, puppet);
    struct doca_buf *response;
    size_t length;
    void *data;

    (void)state;
    command_run(command, &victim, puppet, (struct puppet_command){ .act = PUPPET_ECHO },
            "an answer that is longer than a response of zeros, which has sixty-four bytes");
    command_write(command, (struct puppet_command){ .act = PUPPET_HOLD }, NULL);
    command_submit(command);
    assert_int_equal(0, kill(pid, SIGKILL));
    progress_until(service.pe, command->completions == 2, RUN_MS);
    assert_int_not_equal(DOCA_SUCCESS, command->status);

    response = doca_urom_worker_cmd_task_get_response(command->task);
    assert_status(DOCA_SUCCESS, doca_buf_get_data_len(response, &length));
    assert_status(DOCA_SUCCESS, doca_buf_get_data(response, &data));
    assert_int_equal(FAILED_RESPONSE, length);
    assert_memory_equal(zeros, data, length);
    command_release(command);
    progress_until(service.pe, state_of(victim.ctx) == DOCA_CTX_STATE_IDLE, RUN_MS);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
        TEST(others_go_on_whenever_a_worker_is_killed),
        TEST(a_context_stops_while_its_worker_is_killed),
        TEST(the_end_of_its_connection_alone_wakes_a_sleeping_host),
        TEST(a_start_that_is_assigned_a_killed_worker_gets_another),
        TEST(the_first_call_that_returns_1_is_for_a_task_in_flight),
        TEST(a_command_that_fails_has_a_response_of_zeros),
    };

    return cmocka_run_group_tests(tests, daemon_set_up, daemon_tear_down);
}
