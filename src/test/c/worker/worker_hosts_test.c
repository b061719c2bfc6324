/* SPDX-License-Identifier: Apache-2.0 */
/* Several hosts of a worker: actions and failures of one do not affect the others. */
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <common/idle.h>

#include "host.h"

#define MESSAGE_SIZE 65536
#define MAX_TASKS 4000
#define HOSTS 8
#define MANY 40 /* more than the number of hosts polled per round */
#define KILLS 300
#define KILLS_BY_TLS 60
#define ROUNDS 200
#define FLOOD 2000
#define FLOOD_SIZE 60000
#define FLOOD_GIVEN_MAX \
    80 /* answers: 1 MiB, the capacity of the rings, one round, and a remainder */
#define FLOOD_GIVEN_MAX_BY_TCP 500 /* ... and the capacity of socket buffers */
#define STOPPED 8
#define STOPPED_SESSION 2
#define CLOSES_MS 500 /* for STOPPED connections */
#define CLOSE_TRIP_NS \
    20000000 /* a close that waits takes longer; the clock may count in ticks of 4 ms */
#define SEED 20261122
#define CHILD "--child"

static struct worker_process worker;
static struct host *hosts; /* MANY */
static pid_t child;
static pid_t stopped[STOPPED];

static int set_up(void **state)
{
    (void)state;
    child = -1;
    for (unsigned i = 0; i < STOPPED; ++i)
        stopped[i] = -1;
    hosts = calloc(MANY, sizeof(*hosts));
    worker_start(&worker, MESSAGE_SIZE);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    end_child(&child);
    for (unsigned i = 0; i < STOPPED; ++i)
        end_child(&stopped[i]);
    for (unsigned i = 0; i < MANY; ++i)
        host_close(&hosts[i]);
    free(hosts);
    worker_clean_up(&worker);
    return 0;
}

static void open_hosts(unsigned count)
{
    for (unsigned i = 0; i < count; ++i) {
        host_open(&hosts[i], &worker, MESSAGE_SIZE);
        host_attach(&hosts[i], MAX_TASKS);
    }
}

static void make_round_trip(struct host *host, uint64_t number)
{
    host_puppet(host, number, (struct puppet_command){ .act = PUPPET_ECHO }, NULL);
    host_await(host, 1);
    host_assert_answer(host, 0, number, DOCA_SUCCESS);
    host_forget(host);
}

static uint32_t next_random(uint32_t *seed)
{
    *seed = *seed * 1664525 + 1013904223;
    return *seed >> 8;
}

/*
 * In its own process: attaches, reports that with a byte, and then sends commands of many kinds
 * forever, reading rarely.
 */
static void send_for_ever(const struct channel_address *address,
        const struct channel_ticket *ticket, int told, uint32_t seed)
{
    static const uint32_t acts[] = { PUPPET_ECHO, PUPPET_BIG, PUPPET_HOLD, PUPPET_LATER,
        PUPPET_REFUSE };
    static struct host host;

    host_connect(&host, address, ticket, MESSAGE_SIZE);
    host_await_open(&host);
    host_attach(&host, MAX_TASKS);
    (void)!write(told, "", 1);
    for (uint64_t number = 0;; ++number) {
        struct puppet_command command = {
            .act = acts[next_random(&seed) % 5],
            .status = DOCA_ERROR_DRIVER,
            .count = next_random(&seed) % 50000,
        };

        if (host.sending < 100)
            host_puppet(&host, number, command, "text");
        if (next_random(&seed) % 4 == 0)
            host_progress(&host);
        host_forget(&host);
        if (host_has_ended(&host))
            _exit(1);
    }
}

/* The parameters of that process, sent to its standard input. */
struct orders {
    struct channel_address address;
    struct channel_ticket ticket;
    uint32_t seed;
};

static int run_child(void)
{
    struct orders orders;

    if (read(STDIN_FILENO, &orders, sizeof(orders)) == (ssize_t)sizeof(orders))
        send_for_ever(&orders.address, &orders.ticket, STDOUT_FILENO, orders.seed);
    return EXIT_FAILURE;
}

/*
 * Starts such a process, and waits until it is attached. Executes this program again, because UCX
 * cannot be used in a forked child of a process that uses it.
 */
static pid_t start_child_as(uint64_t session, uint32_t seed)
{
    struct orders orders = { .seed = seed };
    int telling[2];
    int told[2];
    char byte;
    pid_t pid;

    worker_give_ticket(&worker, session, TICKET_MS, &orders.ticket, &orders.address);
    assert_int_equal(0, pipe2(telling, O_CLOEXEC));
    assert_int_equal(0, pipe2(told, O_CLOEXEC));
    pid = fork();
    if (pid == 0) {
        close(worker.input);
        dup2(telling[0], STDIN_FILENO);
        dup2(told[1], STDOUT_FILENO);
        execl("/proc/self/exe", "worker_hosts_test", CHILD, (char *)NULL);
        _exit(EXIT_FAILURE);
    }
    assert_int_equal(sizeof(orders), write(telling[1], &orders, sizeof(orders)));
    close(telling[0]);
    close(telling[1]);
    close(told[1]);
    assert_int_equal(1, read(told[0], &byte, 1));
    close(told[0]);
    return pid;
}

static void start_child(uint32_t seed)
{
    child = start_child_as(SESSION, seed);
}

static void nothing_is_left_of_hosts_that_were_killed(void **state)
{
    unsigned kills = worker_is_over_tcp() ? KILLS_BY_TLS : KILLS;
    unsigned descriptors;
    uint32_t seed = SEED;
    uint64_t left;

    (void)state;
    open_hosts(HOSTS - 1);
    descriptors = worker_descriptors(&worker);
    for (unsigned i = 0; i < kills; ++i) {
        start_child(next_random(&seed));
        for (unsigned trips = next_random(&seed) % 4; trips > 0; --trips)
            make_round_trip(&hosts[next_random(&seed) % (HOSTS - 1)], i);
        end_child(&child);
        make_round_trip(&hosts[i % (HOSTS - 1)], i);
    }

    await((make_round_trip(&hosts[0], 0), worker_descriptors(&worker) <= descriptors), ANSWER_MS);
    host_puppet(&hosts[0], 1, (struct puppet_command){ .act = PUPPET_LEFT }, NULL);
    host_await(&hosts[0], 1);
    memcpy(&left, host_puppet_answer(&hosts[0], 0)->bytes, sizeof(left));
    assert_int_equal(kills, left);
    worker_stop(&worker);
}

static void a_stopped_host_does_not_affect_others(void **state)
{
    (void)state;
    open_hosts(HOSTS - 1);
    start_child(SEED);
    make_round_trip(&hosts[0], 0);
    assert_int_equal(0, kill(child, SIGSTOP));

    for (uint64_t round = 0; round < ROUNDS; ++round) {
        for (unsigned i = 0; i < HOSTS - 1; ++i)
            make_round_trip(&hosts[i], round);
    }

    /* The worker still runs. */
    assert_int_equal(0, kill(child, SIGCONT));
    make_round_trip(&hosts[0], 0);
    assert_int_equal(0, waitpid(child, NULL, WNOHANG));
    worker_stop(&worker);
}

/*
 * The service ends the session of stopped hosts that have not read their answers. Measures the CPU
 * time of the worker, because the machine may be busy.
 */
static void a_host_is_answered_while_connections_to_stopped_hosts_close(void **state)
{
    uint64_t longest = 0;
    clockid_t clock;
    uint64_t end;

    (void)state;
    if (!worker_is_over_ucx())
        skip(); /* the kernel still sends data of other connections */
    open_hosts(1);
    for (unsigned i = 0; i < STOPPED; ++i) {
        stopped[i] = start_child_as(STOPPED_SESSION, SEED + i);
        assert_int_equal(0, kill(stopped[i], SIGSTOP));
    }
    for (unsigned i = 0; i < ROUNDS; ++i)
        make_round_trip(&hosts[0], i);
    assert_int_equal(0, clock_getcpuclockid(worker.pid, &clock));
    worker_tell(
            &worker, &(struct wire_frame){ .type = WIRE_HOST_GONE, .session = STOPPED_SESSION });
    end = deadline_in(CLOSES_MS);
    for (uint64_t number = 0; !deadline_has_passed(end); ++number) {
        uint64_t begin = idle_read_clock(clock);
        uint64_t taken;

        make_round_trip(&hosts[0], number);
        taken = idle_read_clock(clock) - begin;
        longest = taken > longest ? taken : longest;
    }
    if (longest > CLOSE_TRIP_NS)
        fail_msg("a round trip took %lu us", (unsigned long)longest / 1000);
    worker_stop(&worker);
}

/* Sends commands with long answers, and does not read them. */
static void a_host_that_does_not_read_is_not_read(void **state)
{
    unsigned most = worker_is_over_tcp() ? FLOOD_GIVEN_MAX_BY_TCP : FLOOD_GIVEN_MAX;
    uint64_t given = 0;

    (void)state;
    open_hosts(2);
    for (uint64_t i = 0; i < FLOOD; ++i)
        host_puppet(&hosts[0], i, (struct puppet_command){ .act = PUPPET_BIG, .count = FLOOD_SIZE },
                NULL);
    for (uint64_t i = 0; i < ROUNDS; ++i)
        make_round_trip(&hosts[1], i);

    given = host_count_given(&hosts[1]) - ROUNDS;
    assert_in_range(given, 1, most);
    host_await(&hosts[0], FLOOD);
    for (unsigned i = 0; i < FLOOD; ++i)
        host_assert_answer(&hosts[0], i, i, DOCA_SUCCESS);
    worker_stop(&worker);
}

static void many_hosts_are_served(void **state)
{
    unsigned descriptors;

    (void)state;
    descriptors = worker_descriptors(&worker);
    open_hosts(MANY);
    for (uint64_t round = 0; round < ROUNDS / 10; ++round) {
        for (unsigned i = 0; i < MANY; ++i)
            make_round_trip(&hosts[i], round);
    }
    /* All at once, including idle hosts. */
    for (unsigned i = 0; i < MANY; ++i)
        host_puppet(&hosts[i], 1, (struct puppet_command){ .act = PUPPET_ECHO }, NULL);
    for (unsigned i = 0; i < MANY; ++i)
        host_await(&hosts[i], 1);

    for (unsigned i = 0; i < MANY; ++i)
        host_close(&hosts[i]);
    await(worker_descriptors(&worker) <= descriptors, ANSWER_MS);
    worker_stop(&worker);
}

/* While one of many hosts keeps the worker busy, only the descriptors of the others are polled. */
static void a_quiet_host_among_many_is_heard_while_another_is_loud(void **state)
{
    struct host *loud;
    uint64_t number = 0;

    (void)state;
    open_hosts(MANY);
    loud = &hosts[0];
    for (; number < 20 * ROUNDS; ++number)
        make_round_trip(loud, number);

    for (unsigned i = 1; i < MANY; ++i) {
        host_puppet(&hosts[i], 1, (struct puppet_command){ .act = PUPPET_ECHO }, NULL);
        while (hosts[i].count == 0) {
            make_round_trip(loud, number++);
            host_progress(&hosts[i]);
            assert_true(number < 1000000);
        }
    }
    worker_stop(&worker);
}

/* The plugin still answers these commands, although the host has disconnected. */
static void answers_to_a_disconnected_host_are_dropped(void **state)
{
    (void)state;
    open_hosts(2);
    for (uint64_t i = 0; i < 100; ++i)
        host_puppet(&hosts[0], i, (struct puppet_command){ .act = PUPPET_HOLD }, NULL);
    for (uint64_t i = 100; i < 200; ++i)
        host_puppet(&hosts[0], i,
                (struct puppet_command){ PUPPET_POSTPONE, DOCA_ERROR_AGAIN, UINT64_MAX }, NULL);
    host_send_frame(&hosts[0], &(struct wire_frame){ .type = WIRE_DETACH });
    host_await(&hosts[0], 1);
    host_close(&hosts[0]);

    host_puppet(&hosts[1], 1, (struct puppet_command){ .act = PUPPET_LET_GO }, NULL);
    host_await(&hosts[1], 1);

    host_expect_nothing(&hosts[1]);
    worker_stop(&worker);
}

int main(int count, char **arguments)
{
    static const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
        TEST(nothing_is_left_of_hosts_that_were_killed),
        TEST(a_stopped_host_does_not_affect_others),
        TEST(a_host_is_answered_while_connections_to_stopped_hosts_close),
        TEST(a_host_that_does_not_read_is_not_read),
        TEST(many_hosts_are_served),
        TEST(a_quiet_host_among_many_is_heard_while_another_is_loud),
        TEST(answers_to_a_disconnected_host_are_dropped),
    };

    if (count > 1 && strcmp(arguments[1], CHILD) == 0)
        return run_child();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
