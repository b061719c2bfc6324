/* SPDX-License-Identifier: Apache-2.0 */
/* An idle worker sleeps, and wakes for commands, plugins and the service. */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host.h"

#define MESSAGE_SIZE 4096
#define NAP_MS 50
#define IDLE_MS 500
#define SLEEPS_MAX 2  /* in IDLE_MS; a polling worker would have 500 */
#define POLLS 100     /* with a plugin that does not sleep: one per ms */
#define POLLS_MS 8000 /* in which a worker with sleeps of 1 s has 8 */
#define EVENTS 30
#define EVENTS_MS 8000 /* in which a worker with sleeps of 1 s sees 8 */
#define WAKES 3

static struct worker_process worker;
static struct host host;

static int tear_down(void **state)
{
    (void)state;
    host_close(&host);
    worker_clean_up(&worker);
    return 0;
}

static void start_with(const char *plugin)
{
    const char *const arguments[] = { plugin, NULL };

    worker_launch(&worker, arguments);
    worker_configure(&worker, MESSAGE_SIZE, NULL);
    worker_expect(&worker, WIRE_READY);
}

/* Returns the number of voluntary context switches of the process. */
static long sleeps(void)
{
    return process_number(worker.pid, "voluntary_ctxt_switches", 10);
}

/* Waits until the worker has slept for NAP_MS without interruption. */
static void await_sleep(void)
{
    uint64_t end = deadline_in(NAP_MS), deadline = deadline_in(ANSWER_MS);
    long before = sleeps();

    while (!deadline_has_passed(end)) {
        long now = sleeps();

        if (now != before || !process_is_asleep(worker.pid))
            end = deadline_in(NAP_MS);
        before = now;
        assert_false(deadline_has_passed(deadline));
        give_way();
    }
}

/* Returns the number of sleeps in IDLE_MS. */
static long sleeps_when_idle(void)
{
    uint64_t end = deadline_in(IDLE_MS);
    long before = sleeps();

    await(deadline_has_passed(end), 2 * IDLE_MS);
    return sleeps() - before;
}

static void an_idle_worker_sleeps(void **state)
{
    (void)state;
    start_with(WORKER_GRAPH ":1");
    await_sleep();

    assert_in_range(sleeps_when_idle(), 0, SLEEPS_MAX);
    worker_stop(&worker);
}

static void a_sleeping_worker_wakes_for_a_command(void **state)
{
    (void)state;
    start_with(WORKER_PUPPET ":2");
    host_open(&host, &worker, MESSAGE_SIZE);
    host_attach(&host, 1);
    for (unsigned i = 0; i < WAKES; ++i) {
        await_sleep();
        host_puppet(&host, i, (struct puppet_command){ .act = PUPPET_ECHO }, NULL);
        host_await(&host, i + 1);
        host_assert_answer(&host, i, i, DOCA_SUCCESS);
    }
    worker_stop(&worker);
}

static void a_worker_with_an_open_connection_and_nothing_to_do_sleeps(void **state)
{
    (void)state;
    start_with(WORKER_PUPPET ":2");
    host_open(&host, &worker, MESSAGE_SIZE);
    host_attach(&host, 1);
    host_puppet(&host, 1, (struct puppet_command){ .act = PUPPET_ECHO }, NULL);
    host_await(&host, 1);
    await_sleep();

    assert_in_range(sleeps_when_idle(), 0, SLEEPS_MAX);
    worker_stop(&worker);
}

static void a_plugin_that_owes_an_answer_is_progressed_all_the_time(void **state)
{
    (void)state;
    start_with(WORKER_PUPPET ":2");
    host_open(&host, &worker, MESSAGE_SIZE);
    host_attach(&host, 1);

    host_puppet(&host, 1, (struct puppet_command){ .act = PUPPET_LATER, .count = 1000 }, NULL);
    host_await(&host, 1);

    host_assert_answer(&host, 0, 1, DOCA_SUCCESS);
    worker_stop(&worker);
}

static void a_plugin_with_an_address_is_progressed_though_nothing_is_asked_of_it(void **state)
{
    long before;

    (void)state;
    start_with(WORKER_SLEEPLESS ":2");
    before = sleeps();

    await(sleeps() > before + POLLS, POLLS_MS);

    worker_stop(&worker);
}

static void a_plugin_with_events_of_its_own_is_woken_by_them(void **state)
{
    char directory[PATH_MAX], in[PATH_MAX], out[PATH_MAX], byte = 'x';
    int to, from;

    (void)state;
    make_directory(directory);
    path_in(in, directory, "in");
    path_in(out, directory, "out");
    assert_int_equal(0, mkfifo(in, 0600));
    assert_int_equal(0, mkfifo(out, 0600));
    assert_int_equal(0, setenv("ARMED_IN", in, 1));
    assert_int_equal(0, setenv("ARMED_OUT", out, 1));
    to = open(in, O_RDWR | O_NONBLOCK | O_CLOEXEC);
    from = open(out, O_RDWR | O_NONBLOCK | O_CLOEXEC);
    start_with(WORKER_ARMED ":1");
    await_sleep();

    uint64_t end = deadline_in(EVENTS_MS);
    for (unsigned i = 0; i < EVENTS; ++i) {
        assert_int_equal(1, write(to, &byte, 1));
        await(read(from, &byte, 1) == 1, EVENTS_MS);
    }

    assert_false(deadline_has_passed(end));
    close(to);
    close(from);
    remove_directory(directory);
    worker_stop(&worker);
}

static void a_worker_sleeps_while_a_plugin_with_events_owes_an_answer(void **state)
{
    (void)state;
    start_with(WORKER_ARMED ":1");
    host_open(&host, &worker, MESSAGE_SIZE);
    host_attach(&host, 1);
    host_command(&host, 1, 1, "command", 7);
    host_progress(&host);
    await_sleep();

    assert_in_range(sleeps_when_idle(), 0, SLEEPS_MAX);
    worker_stop(&worker);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_teardown(name, tear_down)
        TEST(an_idle_worker_sleeps),
        TEST(a_sleeping_worker_wakes_for_a_command),
        TEST(a_worker_with_an_open_connection_and_nothing_to_do_sleeps),
        TEST(a_plugin_that_owes_an_answer_is_progressed_all_the_time),
        TEST(a_plugin_with_an_address_is_progressed_though_nothing_is_asked_of_it),
        TEST(a_worker_sleeps_while_a_plugin_with_events_owes_an_answer),
        TEST(a_plugin_with_events_of_its_own_is_woken_by_them),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
