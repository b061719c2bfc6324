/* SPDX-License-Identifier: Apache-2.0 */
/* Requests of the service to a running worker, and the answers. */
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <counters/counters.h>
#include <jurom.h>

#include "host.h"

#define MESSAGE_SIZE 65536
#define MAX_TASKS 64
#define BUSY_MS 600
#define BUSY_S 120
#define HANG_MS 1500
#define SIGNALLED 128 /* added to a signal in the exit code */
#define TERMINATION_MS 20000
#define LEAVE_MS 3000 /* 2 s, plus a margin for a loaded machine */
#define ANSWER_SIZE 60000
#define FOREVER 3600000
#define SLOW_HOSTS 4
#define SLOW_MS 10      /* per command, MAX_TASKS per host: 2.5 s in total */
#define SLOWER_MS 50    /* per command, MAX_TASKS of one host: 3.2 s */
#define PROMPT_MS 1500  /* less than either total */
#define PROGRESS_MS 150 /* per slow progress call: 4.8 s for 32 rounds */
#define HALF_ROUND_MS 1000

static struct worker_process worker;
static struct host host, other;
static struct host slow[SLOW_HOSTS];

static int set_up(void **state)
{
    (void)state;
    worker_start(&worker, MESSAGE_SIZE);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    host_close(&host);
    host_close(&other);
    for (unsigned i = 0; i < SLOW_HOSTS; ++i)
        host_close(&slow[i]);
    worker_clean_up(&worker);
    return 0;
}

static void ping(uint64_t number)
{
    worker_tell(&worker, &(struct wire_frame){ .type = WIRE_PING, .request_id = number });
}

static void expect_pong(uint64_t number)
{
    worker_expect(&worker, WIRE_PONG);
    assert_int_equal(number, worker.answer.request_id);
}

static void open_host(struct host *opened, uint64_t session)
{
    host_open_as(opened, &worker, MESSAGE_SIZE, session);
    host_attach(opened, MAX_TASKS);
}

static void pings_are_answered(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 100; ++i) {
        ping(UINT64_MAX - i);
        expect_pong(UINT64_MAX - i);
    }
    worker_stop(&worker);
}

static void pings_are_answered_while_a_host_keeps_the_worker_busy(void **state)
{
    uint64_t deadline = deadline_in(ANSWER_MS);

    (void)state;
    open_host(&host, SESSION);
    ping(7);
    for (uint64_t i = 0; !worker_speaks(&worker, 0); ++i) {
        assert_false(deadline_has_passed(deadline));
        host_puppet(&host, i, (struct puppet_command){ .act = PUPPET_ECHO }, NULL);
        host_await(&host, 1);
        host_forget(&host);
    }

    expect_pong(7);
    worker_stop(&worker);
}

/* Makes the plugin block for this time, and waits until it does. */
static void block(uint64_t milliseconds)
{
    host_puppet(&host, 1, (struct puppet_command){ .act = PUPPET_PRINT }, "blocks now");
    host_puppet(
            &host, 2, (struct puppet_command){ .act = PUPPET_BUSY, .count = milliseconds }, NULL);
    worker_assert_logged(&worker, "blocks now");
}

static void send_slow_commands(struct host *sender, uint64_t milliseconds)
{
    for (uint64_t i = 0; i < MAX_TASKS; ++i)
        host_puppet(sender, i, (struct puppet_command){ .act = PUPPET_BUSY, .count = milliseconds },
                NULL);
    await(host_progress(sender) == 0, ANSWER_MS);
}

static void pings_are_answered_between_slow_commands_of_several_hosts(void **state)
{
    (void)state;
    for (unsigned i = 0; i < SLOW_HOSTS; ++i)
        open_host(&slow[i], SESSION);
    for (unsigned i = 0; i < SLOW_HOSTS; ++i)
        send_slow_commands(&slow[i], SLOW_MS);

    ping(7);

    assert_true(worker_speaks(&worker, PROMPT_MS));
    expect_pong(7);
    for (unsigned i = 0; i < SLOW_HOSTS; ++i)
        host_await(&slow[i], MAX_TASKS);
    worker_stop(&worker);
}

static void assert_pinged_during_slow_progress(doca_error_t status)
{
    open_host(&host, SESSION);
    host_puppet(&host, 1, (struct puppet_command){ PUPPET_SLOW, status, PROGRESS_MS }, NULL);
    host_await(&host, 1);

    for (uint64_t i = 0; i < 3; ++i) {
        ping(i);

        assert_true(worker_speaks(&worker, PROMPT_MS));
        expect_pong(i);
    }
    worker_stop(&worker);
}

static void pings_are_answered_between_slow_calls_of_progress_with_work(void **state)
{
    (void)state;
    assert_pinged_during_slow_progress(DOCA_SUCCESS);
}

static void pings_are_answered_between_slow_calls_of_progress_without_work(void **state)
{
    (void)state;
    assert_pinged_during_slow_progress(DOCA_ERROR_EMPTY);
}

/* Sets the duration and the result of progress calls in both plugins. */
static void make_slow(uint64_t milliseconds, doca_error_t status)
{
    const struct puppet_command slow = { PUPPET_SLOW, status, milliseconds };

    host_puppet(&host, 1, slow, NULL);
    host_command(&host, 4, 2, &slow, sizeof(slow));
    host_await(&host, 2);
    host_forget(&host);
}

/* Two plugins whose progress calls together take longer than PROMPT_MS. */
static void pings_are_answered_between_the_slow_plugins_of_a_round(void **state)
{
    static const char *const arguments[] = { WORKER_PUPPET ":2", WORKER_SLEEPLESS ":4", NULL };

    (void)state;
    worker_clean_up(&worker);
    worker_launch(&worker, arguments);
    worker_configure(&worker, MESSAGE_SIZE, NULL);
    worker_expect(&worker, WIRE_READY);
    open_host(&host, SESSION);
    make_slow(HALF_ROUND_MS, DOCA_SUCCESS);

    for (uint64_t i = 0; i < 3; ++i) {
        ping(i);

        assert_true(worker_speaks(&worker, PROMPT_MS));
        expect_pong(i);
    }
    make_slow(0, DOCA_ERROR_EMPTY); /* so that the worker can exit in time */
    worker_stop(&worker);
}

static void a_host_is_admitted_between_slow_commands_of_another(void **state)
{
    uint64_t prompt;

    (void)state;
    open_host(&other, SESSION);
    send_slow_commands(&other, SLOWER_MS);
    prompt = deadline_in(PROMPT_MS);

    open_host(&host, SESSION);

    assert_false(deadline_has_passed(prompt));
    host_await(&other, MAX_TASKS);
    worker_stop(&worker);
}

/* Reads a value from the worker's counters, as the service does. */
static uint64_t read_counter(enum counters_worker counter)
{
    off_t offset = offsetof(struct counters, values) + counter * sizeof(uint64_t);
    uint64_t value = 0;
    char path[64];
    int fd;

    snprintf(path, sizeof(path), "/proc/%d/fd/5", (int)worker.pid);
    fd = open(path, O_RDONLY | O_CLOEXEC);
    assert_true(fd >= 0);
    assert_int_equal(sizeof(value), pread(fd, &value, sizeof(value), offset));
    close(fd);
    return value;
}

static uint64_t running_callback(void)
{
    return read_counter(COUNTERS_CALLBACK);
}

static const uint64_t worker_cmd = 1 + COUNTERS_CALLBACKS + 3; /* of the second plugin */

static void the_callback_of_a_plugin_that_hangs_is_in_the_counters(void **state)
{
    (void)state;
    open_host(&host, SESSION);
    await(running_callback() == 0, START_MS);
    block(BUSY_MS);

    await(running_callback() == worker_cmd, START_MS);
    await(running_callback() == 0, START_MS);
    worker_stop(&worker);
}

static void the_time_that_a_plugin_announces_is_in_the_counters_until_its_callback_ends(
        void **state)
{
    const struct puppet_command busy = { PUPPET_BUSY, .status = BUSY_S, .count = BUSY_MS };
    uint64_t now = deadline_in(0);

    (void)state;
    open_host(&host, SESSION);
    assert_int_equal(0, read_counter(COUNTERS_BUSY));
    host_puppet(&host, 1, busy, NULL);

    await(read_counter(COUNTERS_BUSY) >= now + BUSY_S * 1000000000u, START_MS);
    assert_true(read_counter(COUNTERS_BUSY) <= deadline_in(BUSY_S * 1000));
    host_await(&host, 1);
    await(read_counter(COUNTERS_BUSY) == 0, START_MS);
    worker_stop(&worker);
}

/* As in workers of other implementations. */
static void a_plugin_that_calls_the_worker_loads_where_the_worker_has_no_such_functions(
        void **state)
{
    void *plugin;

    (void)state;
    assert_null(dlsym(RTLD_DEFAULT, "jurom_worker_set_busy"));
    assert_int_equal(1, jurom_command_is_wanted(NULL));
    assert_int_equal(0, jurom_command_deadline(NULL));
    plugin = dlopen(WORKER_PUPPET, RTLD_NOW | RTLD_LOCAL);
    if (plugin == NULL)
        fail_msg("%s", dlerror());
    dlclose(plugin);
}

static void a_plugin_that_hangs_leaves_pings_without_an_answer(void **state)
{
    uint64_t hang_end;

    (void)state;
    open_host(&host, SESSION);
    hang_end = deadline_in(HANG_MS);
    block(HANG_MS);
    await(running_callback() == worker_cmd, START_MS);

    ping(7);

    expect_pong(7);
    assert_true(deadline_has_passed(hang_end));
    worker_stop(&worker);
}

static void a_frame_in_pieces_is_put_together(void **state)
{
    uint8_t bytes[3 * WIRE_HEADER_SIZE];
    size_t length = 0, whole = 0;

    (void)state;
    for (uint64_t i = 0; i < 3; ++i) {
        struct wire_frame frame = { .type = WIRE_PING, .request_id = i };

        assert_success(encode_any(&frame, bytes + whole, sizeof(bytes) - whole, &length));
        whole += length;
    }
    for (size_t i = 0; i < whole; i += 5) {
        size_t piece = whole - i < 5 ? whole - i : 5;

        assert_int_equal(piece, write(worker.input, bytes + i, piece));
        worker_speaks(&worker, 1);
    }

    for (uint64_t i = 0; i < 3; ++i)
        expect_pong(i);
    worker_stop(&worker);
}

static void the_end_of_a_session_ends_its_hosts_and_no_others(void **state)
{
    (void)state;
    open_host(&host, SESSION);
    open_host(&other, SESSION + 1);
    host_puppet(&host, 1, (struct puppet_command){ .act = PUPPET_HOLD }, NULL);

    worker_tell(&worker, &(struct wire_frame){ .type = WIRE_HOST_GONE, .session = SESSION });

    host_await_end(&host, DOCA_ERROR_CONNECTION_RESET);
    host_puppet(&other, 1, (struct puppet_command){ .act = PUPPET_LET_GO }, NULL);
    host_await(&other, 1);
    host_expect_nothing(&other);
    worker_stop(&worker);
}

static void expect_exit(int expected)
{
    assert_int_equal(expected, worker_await_exit(&worker, LEAVE_MS));
}

static void a_worker_leaves_when_the_service_says_so(void **state)
{
    (void)state;
    open_host(&host, SESSION);
    host_puppet(&host, 1, (struct puppet_command){ .act = PUPPET_HOLD }, NULL);

    worker_tell(&worker, &(struct wire_frame){ .type = WIRE_DRAIN });

    expect_exit(0);
    host_await_end(&host, DOCA_ERROR_CONNECTION_RESET);
    assert_int_equal(0, host.count);
}

/* More than the capacity of a channel: the rest is queued in the worker. */
static void what_was_finished_reaches_a_host_that_reads_though_the_worker_leaves(void **state)
{
    uint64_t given;

    (void)state;
    open_host(&other, SESSION);
    open_host(&host, SESSION);
    for (uint64_t i = 0; i < MAX_TASKS; ++i)
        host_puppet(
                &host, i, (struct puppet_command){ .act = PUPPET_BIG, .count = ANSWER_SIZE }, NULL);
    await((given = host_count_given(&other)) > 10, ANSWER_MS);
    worker_tell(&worker, &(struct wire_frame){ .type = WIRE_DRAIN });

    host_await_end(&host, DOCA_ERROR_CONNECTION_RESET);

    expect_exit(0);
    assert_true(host.count > 10);
    for (unsigned i = 0; i < host.count; ++i)
        host_assert_answer(&host, i, i, DOCA_SUCCESS);
}

static void a_worker_leaves_though_a_host_does_not_read(void **state)
{
    (void)state;
    open_host(&other, SESSION);
    open_host(&host, SESSION);
    for (uint64_t i = 0; i < MAX_TASKS; ++i)
        host_puppet(
                &host, i, (struct puppet_command){ .act = PUPPET_BIG, .count = ANSWER_SIZE }, NULL);
    await(host_count_given(&other) > 10, ANSWER_MS);

    worker_tell(&worker, &(struct wire_frame){ .type = WIRE_DRAIN });

    expect_exit(0);
}

static void a_worker_with_a_hung_plugin_exits_after_its_service(void **state)
{
    (void)state;
    open_host(&host, SESSION);
    block(FOREVER);
    await(running_callback() == worker_cmd, START_MS);

    close(worker.input);
    worker.input = -1;

    expect_exit(1);
    worker_assert_logged(&worker, "did not exit within 2 s");
}

static void a_worker_serves_its_hosts_after_sigterm_until_they_have_left(void **state)
{
    (void)state;
    open_host(&host, SESSION);
    open_host(&other, SESSION + 1);
    assert_int_equal(0, kill(worker.pid, SIGTERM));
    ping(6); /* the worker handles the signal first */
    expect_pong(6);

    for (uint64_t i = 0; i < MAX_TASKS; ++i)
        host_puppet(&host, i, (struct puppet_command){ .act = PUPPET_ECHO }, NULL);
    host_await(&host, MAX_TASKS);
    host_detach(&host);
    ping(7);
    expect_pong(7);
    host_puppet(&other, 1, (struct puppet_command){ .act = PUPPET_ECHO }, NULL);
    host_await(&other, 1);
    host_close(&other); /* as if the host had been killed */

    expect_exit(SIGNALLED + SIGTERM);
}

static void a_worker_that_expects_its_first_host_survives_sigterm(void **state)
{
    (void)state;
    assert_int_equal(0, kill(worker.pid, SIGTERM));
    ping(6); /* the worker handles the signal first */
    expect_pong(6);

    open_host(&host, SESSION);
    host_puppet(&host, 1, (struct puppet_command){ .act = PUPPET_ECHO }, NULL);
    host_await(&host, 1);
    worker_stop(&worker);
}

/* One worker has a host that stays, and the other a plugin that never returns. */
static void workers_leave_20_s_after_sigterm_in_any_case(void **state)
{
    static struct worker_process blocked;
    uint64_t earliest;

    (void)state;
    if (worker_is_over_tcp())
        skip();
    open_host(&host, SESSION);
    block(FOREVER);
    await(running_callback() == worker_cmd, START_MS);
    blocked = worker;
    worker = (struct worker_process){ 0 };
    worker_start(&worker, MESSAGE_SIZE);
    open_host(&other, SESSION);
    earliest = deadline_in(TERMINATION_MS - LEAVE_MS);

    assert_int_equal(0, kill(worker.pid, SIGTERM));
    assert_int_equal(0, kill(blocked.pid, SIGTERM));

    await((host_progress(&other), host_has_ended(&other)), TERMINATION_MS + EXIT_MS);
    assert_true(deadline_has_passed(earliest));
    expect_exit(SIGNALLED + SIGTERM);
    worker_clean_up(&worker);
    worker = blocked;
    expect_exit(1);
}

static void a_service_that_says_what_no_service_says_is_left(void **state)
{
    static const uint8_t nonsense[64] = "not a frame, and longer than a header   ";
    const struct wire_frame ready = { .type = WIRE_READY };

    (void)state;
    worker_tell(&worker, &ready);
    expect_exit(0);
    tear_down(NULL);
    set_up(NULL);
    assert_int_equal(sizeof(nonsense), write(worker.input, nonsense, sizeof(nonsense)));
    expect_exit(0);
}

/* The pipe has no room for the worker's answers, which must not block it. */
static void a_service_that_does_not_read_blocks_no_worker(void **state)
{
    (void)state;
    open_host(&host, SESSION);
    for (uint64_t i = 0; i < 8000; ++i)
        ping(i);

    host_expect_nothing(&host);
    for (uint64_t i = 0; i < 1000; ++i)
        expect_pong(i);
    worker_stop(&worker);
}

/* Requests a ticket over TCP at this address, with a port in this range. */
static void ask_for_listener(const char *at, uint32_t low, uint32_t high, uint32_t lifetime_ms)
{
    uint8_t bytes[WIRE_TICKET_SIZE];
    struct channel_ticket ticket;

    make_ticket(&ticket, bytes);
    worker_tell(&worker,
            &(struct wire_frame){
                    .type = WIRE_TICKET,
                    .request_id = 3,
                    .ticket = { .ticket = bytes,
                            .session = SESSION,
                            .lifetime_ms = lifetime_ms,
                            .flags = WIRE_FLAG_OVER_TCP,
                            .port_low = low,
                            .port_high = high,
                            .address = { (const uint8_t *)at, strlen(at) } },
            });
}

static bool can_connect(uint32_t port)
{
    struct channel_address address;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bool connected;

    worker_tcp_address(port, &address);
    connected = connect(fd, (struct sockaddr *)&address.socket, address.socket_length) == 0;
    close(fd);
    return connected;
}

static void the_worker_listens_only_while_there_is_a_ticket(void **state)
{
    uint32_t port;

    (void)state;
    ask_for_listener("127.0.0.1", 0, 0, 300);
    worker_expect(&worker, WIRE_LISTENING);
    assert_int_equal(3, worker.answer.request_id);
    port = worker.answer.listening.port;
    assert_true(can_connect(port));
    await(!can_connect(port), ANSWER_MS);

    ask_for_listener("127.0.0.1", 0, 0, TICKET_MS);
    worker_expect(&worker, WIRE_LISTENING);
    port = worker.answer.listening.port;
    assert_true(can_connect(port));
    worker_tell(&worker, &(struct wire_frame){ .type = WIRE_HOST_GONE, .session = SESSION });
    await(!can_connect(port), ANSWER_MS);
    worker_stop(&worker);
}

static void tickets_of_one_address_share_a_port_and_it_is_from_the_range(void **state)
{
    uint32_t port;

    (void)state;
    ask_for_listener("127.0.0.1", 20000, 60000, TICKET_MS);
    worker_expect(&worker, WIRE_LISTENING);
    port = worker.answer.listening.port;
    assert_in_range(port, 20000, 60000);
    ask_for_listener("127.0.0.1", 20000, 60000, TICKET_MS);
    worker_expect(&worker, WIRE_LISTENING);
    assert_int_equal(port, worker.answer.listening.port);
    ask_for_listener("127.0.0.2", 20000, 60000, TICKET_MS);
    worker_expect(&worker, WIRE_LISTENING);
    ask_for_listener("::1", 0, 0, TICKET_MS);
    assert_true(worker_speaks(&worker, ANSWER_MS)); /* not available on every machine */
    worker_stop(&worker);
}

static void a_worker_that_cannot_listen_says_why(void **state)
{
    uint32_t port;

    (void)state;
    ask_for_listener("no address", 0, 0, TICKET_MS);
    worker_expect(&worker, WIRE_ERROR);
    assert_int_equal(3, worker.answer.request_id);
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, worker.answer.error.status);
    ask_for_listener("192.0.2.1", 0, 0, TICKET_MS); /* reserved for documentation */
    worker_expect(&worker, WIRE_ERROR);
    assert_int_equal(DOCA_ERROR_IO_FAILED, worker.answer.error.status);

    ask_for_listener("127.0.0.1", 0, 0, TICKET_MS);
    worker_expect(&worker, WIRE_LISTENING);
    port = worker.answer.listening.port;
    ask_for_listener("0.0.0.0", port, port, TICKET_MS);
    worker_expect(&worker, WIRE_ERROR);
    assert_int_equal(DOCA_ERROR_IO_FAILED, worker.answer.error.status);
    worker_stop(&worker);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
        TEST(pings_are_answered),
        TEST(pings_are_answered_while_a_host_keeps_the_worker_busy),
        TEST(pings_are_answered_between_slow_commands_of_several_hosts),
        TEST(pings_are_answered_between_slow_calls_of_progress_with_work),
        TEST(pings_are_answered_between_slow_calls_of_progress_without_work),
        TEST(pings_are_answered_between_the_slow_plugins_of_a_round),
        TEST(a_host_is_admitted_between_slow_commands_of_another),
        TEST(the_callback_of_a_plugin_that_hangs_is_in_the_counters),
        TEST(the_time_that_a_plugin_announces_is_in_the_counters_until_its_callback_ends),
        TEST(a_plugin_that_calls_the_worker_loads_where_the_worker_has_no_such_functions),
        TEST(a_plugin_that_hangs_leaves_pings_without_an_answer),
        TEST(a_frame_in_pieces_is_put_together),
        TEST(the_end_of_a_session_ends_its_hosts_and_no_others),
        TEST(a_worker_leaves_when_the_service_says_so),
        TEST(what_was_finished_reaches_a_host_that_reads_though_the_worker_leaves),
        TEST(a_worker_leaves_though_a_host_does_not_read),
        TEST(a_worker_with_a_hung_plugin_exits_after_its_service),
        TEST(a_worker_serves_its_hosts_after_sigterm_until_they_have_left),
        TEST(a_worker_that_expects_its_first_host_survives_sigterm),
        TEST(workers_leave_20_s_after_sigterm_in_any_case),
        TEST(a_service_that_says_what_no_service_says_is_left),
        TEST(a_service_that_does_not_read_blocks_no_worker),
        TEST(the_worker_listens_only_while_there_is_a_ticket),
        TEST(tickets_of_one_address_share_a_port_and_it_is_from_the_range),
        TEST(a_worker_that_cannot_listen_says_why),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
