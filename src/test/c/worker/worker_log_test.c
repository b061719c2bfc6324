/* SPDX-License-Identifier: Apache-2.0 */
/* The worker's log on standard error: levels, and failing readers and disks. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host.h"

#define MESSAGE_SIZE 4096
#define FILE_LIMIT 10000
#define LINES 4000 /* several times the capacity of a pipe, and the limit */

static const char *const plugins[] = { WORKER_GRAPH ":1", WORKER_PUPPET ":2", NULL };
static char environment[ENVIRONMENT_MAX];
static struct worker_process worker;
static struct host host;

static int tear_down(void **state)
{
    (void)state;
    host_close(&host);
    worker_clean_up(&worker);
    return 0;
}

/* Starts a worker with this level in its environment (NULL: none). */
static void start(const char *level)
{
    struct wire_frame frame = { .type = WIRE_LAUNCH };

    worker_execute(&worker, plugins);
    worker_default_launch(&worker, &frame.launch, environment);
    if (level != NULL)
        worker_add_variable(&frame.launch, environment, level);
    worker_tell(&worker, &frame);
    worker_configure(&worker, MESSAGE_SIZE, NULL);
    worker_expect(&worker, WIRE_READY);
    host_open(&host, &worker, MESSAGE_SIZE);
    host_attach(&host, 1);
}

/* Starts a worker that logs to a pipe. Returns the read end. */
static int start_with_pipe(void)
{
    int ends[2];

    assert_int_equal(0, pipe2(ends, O_CLOEXEC));
    worker.standard_error = ends[1];
    start(NULL);
    close(ends[1]);
    return ends[0];
}

static void print_line(uint64_t number)
{
    char text[64];

    snprintf(text, sizeof(text), "line %lu of the plugin", (unsigned long)number);
    host_puppet(&host, number, (struct puppet_command){ .act = PUPPET_PRINT }, text);
    host_await(&host, 1);
    host_assert_answer(&host, 0, number, DOCA_SUCCESS);
    host_forget(&host);
}

static void what_a_plugin_prints_is_logged(void **state)
{
    (void)state;
    start(NULL);
    print_line(1);

    assert_true(worker_has_logged(&worker, "puppet opened"));
    assert_true(worker_has_logged(&worker, "line 1 of the plugin"));
    worker_stop(&worker);
    assert_true(worker_has_logged(&worker, "puppet closed"));
}

static void the_level_is_that_of_the_environment(void **state)
{
    (void)state;
    start("UROM_WORKER_LOG_LEVEL=30"); /* errors */
    assert_false(worker_has_logged(&worker, "puppet opened"));
    worker_stop(&worker);
    tear_down(NULL);

    start("UROM_WORKER_LOG_LEVEL=50"); /* information */
    worker_assert_logged(&worker, "Worker 7 runs with 2 plugins");
    assert_true(worker_has_logged(&worker, "puppet opened"));
    worker_stop(&worker);
}

static void a_log_that_is_not_read_does_not_block_commands(void **state)
{
    int end = start_with_pipe();

    (void)state;
    for (uint64_t i = 0; i < LINES; ++i)
        print_line(i);

    worker_stop(&worker);
    close(end);
}

static void the_end_of_its_log_does_not_end_a_worker(void **state)
{
    (void)state;
    close(start_with_pipe());
    for (uint64_t i = 0; i < LINES; ++i)
        print_line(i);

    worker_stop(&worker);
}

static void a_disk_that_is_full_does_not_end_the_worker(void **state)
{
    const struct rlimit full = { FILE_LIMIT, FILE_LIMIT };
    struct stat status;

    (void)state;
    start(NULL);
    assert_int_equal(0, prlimit(worker.pid, RLIMIT_FSIZE, &full, NULL));
    for (uint64_t i = 0; i < LINES; ++i)
        print_line(i);

    assert_int_equal(0, stat(worker.log, &status));
    assert_true(status.st_size <= FILE_LIMIT);
    worker_stop(&worker);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_teardown(name, tear_down)
        TEST(what_a_plugin_prints_is_logged),
        TEST(the_level_is_that_of_the_environment),
        TEST(a_log_that_is_not_read_does_not_block_commands),
        TEST(the_end_of_its_log_does_not_end_a_worker),
        TEST(a_disk_that_is_full_does_not_end_the_worker),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
