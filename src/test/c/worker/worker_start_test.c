/* SPDX-License-Identifier: Apache-2.0 */
/* Configuration, readiness and exit of a worker process. */
#include <sched.h>
#include <string.h>
#include <unistd.h>

#include "host.h"

#define MESSAGE_SIZE 4096
#define FLOOD 200
#define LONG_COMMAND_MS 300

static const char *const graph_alone[] = { WORKER_GRAPH ":1", NULL };
static struct worker_process worker;
static struct host host;

static int tear_down(void **state)
{
    (void)state;
    host_close(&host);
    worker_clean_up(&worker);
    return 0;
}

static void serve_host(void)
{
    worker_start(&worker, MESSAGE_SIZE);
    host_open(&host, &worker, MESSAGE_SIZE);
    host_attach(&host, FLOOD);
}

static void a_configured_worker_says_that_it_is_ready(void **state)
{
    pid_t pid;

    (void)state;
    worker_launch(&worker, graph_alone);
    worker_configure(&worker, MESSAGE_SIZE, NULL);
    worker_expect(&worker, WIRE_READY);

    assert_int_equal(worker.pid, worker.answer.ready.process_id);
    assert_int_equal(1, find_processes(worker.pid, "urom_worker", &pid, 1));
    assert_int_equal(worker.pid, pid);
    worker_stop(&worker);
}

/* Sends these bytes instead of CONFIGURE. The worker must answer with ERROR and exit. */
static void assert_refused(const void *bytes, size_t length, doca_error_t status)
{
    worker_launch(&worker, graph_alone);
    assert_int_equal(length, write(worker.input, bytes, length));
    close(worker.input);
    worker.input = -1;
    worker_expect(&worker, WIRE_ERROR);
    assert_int_equal(status, worker.answer.error.status);
    worker_await_failure(&worker);
}

static void an_invalid_configuration_is_rejected_with_an_error(void **state)
{
    struct wire_frame ping = { .type = WIRE_PING };
    uint8_t bytes[512] = "no frame at all, but longer than a header";
    size_t length;

    (void)state;
    assert_refused(bytes, 0, DOCA_ERROR_IO_FAILED);
    assert_refused(bytes, 1, DOCA_ERROR_IO_FAILED);
    assert_refused(bytes, 40, DOCA_ERROR_INVALID_VALUE);
    assert_success(encode_any(&ping, bytes, sizeof(bytes), &length));
    assert_refused(bytes, length, DOCA_ERROR_UNEXPECTED);
    bytes[2] = WIRE_VERSION + 1;
    assert_refused(bytes, length, DOCA_ERROR_UNSUPPORTED_VERSION);
}

static void a_configuration_that_ends_early_or_has_the_wrong_length_is_rejected(void **state)
{
    const struct wire_frame frame = {
        .type = WIRE_CONFIGURE,
        .configure = { .max_message_size = MESSAGE_SIZE },
    };
    uint8_t bytes[512];
    size_t length;

    (void)state;
    assert_success(encode_any(&frame, bytes, sizeof(bytes), &length));
    assert_refused(bytes, length - 1, DOCA_ERROR_IO_FAILED);
    assert_refused(bytes, WIRE_HEADER_SIZE, DOCA_ERROR_IO_FAILED);
    bytes[4] -= 1; /* the length of the body */
    assert_refused(bytes, length - 1, DOCA_ERROR_INVALID_VALUE);
    memset(bytes + 4, 0xff, 4);
    assert_refused(bytes, length, DOCA_ERROR_TOO_BIG);
}

static void an_impossible_message_size_is_rejected(void **state)
{
    static const uint32_t sizes[] = { 0, 1, 31, 255, (64u << 20) + 1, UINT32_MAX };

    (void)state;
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); ++i) {
        worker_launch(&worker, graph_alone);
        worker_configure(&worker, sizes[i], NULL);
        worker_expect(&worker, WIRE_ERROR);
        assert_int_equal(DOCA_ERROR_INVALID_VALUE, worker.answer.error.status);
        worker_await_failure(&worker);
    }
}

static unsigned first_cpu(void)
{
    unsigned cpu = 0;
    cpu_set_t set;

    assert_int_equal(0, sched_getaffinity(0, sizeof(set), &set));
    while (!CPU_ISSET(cpu, &set))
        ++cpu;
    return cpu;
}

static void a_worker_runs_on_the_cpus_of_its_set(void **state)
{
    static const char *const puppet_alone[] = { WORKER_PUPPET ":2", NULL };
    uint8_t set[WIRE_CPU_SET_SIZE] = { 0 };
    unsigned cpu = first_cpu();

    (void)state;
    set[cpu / 8] |= 1u << cpu % 8;
    set[1000 / 8] |= 1; /* the service may send a larger set than exists */
    worker_launch(&worker, puppet_alone);
    worker_configure(&worker, MESSAGE_SIZE, set);
    worker_expect(&worker, WIRE_READY);
    host_open(&host, &worker, MESSAGE_SIZE);
    host_attach(&host, 1);

    host_puppet(&host, 1, (struct puppet_command){ .act = PUPPET_CPUS }, NULL);
    host_await(&host, 1);

    assert_int_equal(sizeof(struct puppet_notification) + 1, host.answers[0].length);
    assert_int_equal(cpu, host_puppet_answer(&host, 0)->bytes[0]);
    worker_stop(&worker);
}

static void a_cpu_set_without_a_cpu_of_this_machine_is_logged_and_changes_nothing(void **state)
{
    uint8_t set[WIRE_CPU_SET_SIZE] = { [1000 / 8] = 1 };

    (void)state;
    worker_launch(&worker, graph_alone);
    worker_configure(&worker, MESSAGE_SIZE, set);
    worker_expect(&worker, WIRE_READY);

    worker_assert_logged(&worker, "CPU set could not be applied");
    worker_stop(&worker);
}

static void an_idle_worker_leaves_at_the_end_of_its_input(void **state)
{
    (void)state;
    worker_start(&worker, MESSAGE_SIZE);
    worker_stop(&worker);
}

static void a_worker_closes_its_plugins_before_it_leaves(void **state)
{
    (void)state;
    worker_start(&worker, MESSAGE_SIZE);
    worker_stop(&worker);

    worker_assert_logged(&worker, "puppet closed");
}

static void a_worker_with_commands_in_hand_leaves_at_the_end_of_its_input(void **state)
{
    (void)state;
    serve_host();
    for (unsigned i = 0; i < FLOOD / 2; ++i)
        host_puppet(&host, i, (struct puppet_command){ .act = PUPPET_HOLD }, "kept");
    for (unsigned i = 0; i < FLOOD / 2; ++i)
        host_puppet(&host, FLOOD + i,
                (struct puppet_command){
                        .act = PUPPET_POSTPONE, .status = DOCA_ERROR_AGAIN, .count = UINT64_MAX },
                "left");

    worker_stop(&worker);
}

static void a_worker_inside_a_long_command_leaves_when_it_is_over(void **state)
{
    (void)state;
    serve_host();
    host_puppet(&host, 1, (struct puppet_command){ .act = PUPPET_BUSY, .count = LONG_COMMAND_MS },
            NULL);

    worker_stop(&worker);
}

static void a_worker_that_is_kept_busy_leaves_at_the_end_of_its_input(void **state)
{
    uint64_t deadline = deadline_in(EXIT_MS);

    (void)state;
    serve_host();
    close(worker.input);
    worker.input = -1;

    for (unsigned sent = 0; !process_is_gone(worker.pid); host_progress(&host)) {
        assert_false(deadline_has_passed(deadline));
        if (sent == host.count) {
            host_forget(&host);
            host_puppet(&host, 1, (struct puppet_command){ .act = PUPPET_ECHO }, NULL);
            sent = 1;
        }
    }
    worker_stop(&worker);
}

static void what_a_plugin_prints_does_not_reach_the_service(void **state)
{
    char byte;

    (void)state;
    serve_host();
    host_puppet(&host, 1, (struct puppet_command){ .act = PUPPET_PRINT }, "printed by a plugin");
    host_await(&host, 1);

    worker_assert_logged(&worker, "printed by a plugin");
    worker_stop(&worker);
    assert_int_equal(0, read(worker.output, &byte, 1)); /* end of file, without data before */
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_teardown(name, tear_down)
        TEST(a_configured_worker_says_that_it_is_ready),
        TEST(an_invalid_configuration_is_rejected_with_an_error),
        TEST(a_configuration_that_ends_early_or_has_the_wrong_length_is_rejected),
        TEST(an_impossible_message_size_is_rejected),
        TEST(a_worker_runs_on_the_cpus_of_its_set),
        TEST(a_cpu_set_without_a_cpu_of_this_machine_is_logged_and_changes_nothing),
        TEST(an_idle_worker_leaves_at_the_end_of_its_input),
        TEST(a_worker_closes_its_plugins_before_it_leaves),
        TEST(a_worker_with_commands_in_hand_leaves_at_the_end_of_its_input),
        TEST(a_worker_inside_a_long_command_leaves_when_it_is_over),
        TEST(a_worker_that_is_kept_busy_leaves_at_the_end_of_its_input),
        TEST(what_a_plugin_prints_does_not_reach_the_service),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
