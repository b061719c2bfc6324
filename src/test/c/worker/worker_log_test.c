/* SPDX-License-Identifier: Apache-2.0 */
/* The worker's own log: its level, its rotation, and disks that are full. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host.h"

#define MESSAGE_SIZE 4096
#define LIMIT 20000
#define LINES 2000 /* several times more than fill both logs */

static const char *const plugins[] = { WORKER_GRAPH ":1", WORKER_PUPPET ":2", NULL };
static char environment[ENVIRONMENT_MAX];
static struct worker_process worker;
static struct host host;
static char log_path[PATH_MAX], older_path[PATH_MAX];

static int tear_down(void **state)
{
    (void)state;
    host_close(&host);
    worker_clean_up(&worker);
    return 0;
}

/* Starts a worker with a log of its own, and this level in its environment, if any. */
static void start(const char *level)
{
    struct wire_frame frame = { .type = WIRE_LAUNCH };
    char name[64];

    worker_execute(&worker, plugins);
    worker_default_launch(&worker, &frame.launch, environment);
    frame.launch.log_limit = LIMIT;
    frame.launch.log_directory =
            (struct wire_bytes){ (const uint8_t *)worker.directory, strlen(worker.directory) };
    if (level != NULL)
        worker_add_variable(&frame.launch, environment, level);
    snprintf(name, sizeof(name), "urom_worker_%d_dev.log", (int)worker.pid);
    path_in(log_path, worker.directory, name);
    snprintf(name, sizeof(name), "urom_worker_%d_dev.log.1", (int)worker.pid);
    path_in(older_path, worker.directory, name);
    worker_tell(&worker, &frame);
    worker_configure(&worker, MESSAGE_SIZE, NULL);
    worker_expect(&worker, WIRE_READY);
    host_open(&host, &worker, MESSAGE_SIZE);
    host_attach(&host, 1);
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

static off_t size_of(const char *path)
{
    struct stat status;

    assert_int_equal(0, stat(path, &status));
    return status.st_size;
}

static bool has(const char *path, const char *text)
{
    char *log = read_text(path);
    bool found = strstr(log, text) != NULL;

    free(log);
    return found;
}

static void a_worker_has_a_log_and_an_older_one_that_are_its_own(void **state)
{
    struct stat status;

    (void)state;
    start(NULL);
    print_line(1);

    assert_int_equal(0, stat(log_path, &status));
    assert_int_equal(0600, status.st_mode & 07777);
    assert_int_equal(0, stat(older_path, &status));
    assert_int_equal(0600, status.st_mode & 07777);
    assert_true(has(log_path, "puppet opened"));
    assert_true(has(log_path, "line 1 of the plugin"));
    assert_false(worker_has_logged(&worker, "puppet opened"));
    worker_stop(&worker);
    assert_true(has(log_path, "puppet closed"));
}

static void the_level_is_that_of_the_environment(void **state)
{
    (void)state;
    start("UROM_WORKER_LOG_LEVEL=30"); /* errors */
    assert_false(has(log_path, "puppet opened"));
    worker_stop(&worker);
    tear_down(NULL);

    start("UROM_WORKER_LOG_LEVEL=50"); /* information */
    await(has(log_path, "Worker 7 runs with 2 plugins"), ANSWER_MS);
    assert_true(has(log_path, "puppet opened"));
    worker_stop(&worker);
}

static void a_log_that_is_too_long_becomes_the_older_one(void **state)
{
    (void)state;
    start(NULL);
    print_line(0);
    for (uint64_t i = 1; size_of(older_path) == 0; ++i) {
        assert_true(i < 1000000);
        print_line(i);
    }

    assert_true(has(older_path, "puppet opened"));
    assert_true(has(older_path, "line 0 of the plugin"));
    assert_true(size_of(older_path) > LIMIT);
    worker_stop(&worker);
    assert_false(has(log_path, "line 0 of the plugin"));
}

static void however_much_is_logged_two_files_of_the_limit_are_what_it_takes(void **state)
{
    off_t largest = 0;

    (void)state;
    start(NULL);
    for (uint64_t i = 0; i < 2 * LINES; ++i) {
        print_line(i);
        if (size_of(log_path) > largest)
            largest = size_of(log_path);
    }

    assert_true(size_of(older_path) > 0);
    assert_in_range(largest, LIMIT, 50 * LIMIT); /* it is looked at every 10 ms */
    worker_stop(&worker);
}

static void a_disk_that_is_full_does_not_end_the_worker(void **state)
{
    const struct rlimit full = { LIMIT / 2, LIMIT / 2 };

    (void)state;
    start(NULL);
    assert_int_equal(0, prlimit(worker.pid, RLIMIT_FSIZE, &full, NULL));
    for (uint64_t i = 0; i < LINES; ++i)
        print_line(i);

    assert_true(size_of(log_path) <= LIMIT / 2);
    worker_stop(&worker);
}

static void a_log_of_an_earlier_process_with_the_same_id_is_replaced(void **state)
{
    char target[PATH_MAX];

    (void)state;
    /* The id is known once the process exists, which waits for LAUNCH. */
    worker_execute(&worker, plugins);
    path_in(target, worker.directory, "target");
    write_text(target, "of somebody else");
    snprintf(log_path, sizeof(log_path), "%.4000s/urom_worker_%d_dev.log", worker.directory,
            (int)worker.pid);
    assert_int_equal(0, symlink(target, log_path));

    struct wire_frame frame = { .type = WIRE_LAUNCH };
    worker_default_launch(&worker, &frame.launch, environment);
    frame.launch.log_limit = LIMIT;
    frame.launch.log_directory =
            (struct wire_bytes){ (const uint8_t *)worker.directory, strlen(worker.directory) };
    worker_tell(&worker, &frame);
    worker_configure(&worker, MESSAGE_SIZE, NULL);
    worker_expect(&worker, WIRE_READY);

    worker_stop(&worker);
    assert_true(has(log_path, "puppet opened"));
    assert_false(has(target, "puppet opened"));
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_teardown(name, tear_down)
        TEST(a_worker_has_a_log_and_an_older_one_that_are_its_own),
        TEST(the_level_is_that_of_the_environment),
        TEST(a_log_that_is_too_long_becomes_the_older_one),
        TEST(however_much_is_logged_two_files_of_the_limit_are_what_it_takes),
        TEST(a_disk_that_is_full_does_not_end_the_worker),
        TEST(a_log_of_an_earlier_process_with_the_same_id_is_replaced),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
