/* SPDX-License-Identifier: Apache-2.0 */
/* A host that forks in every state of its contexts, and forks that keep its sockets open. */
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <jurom.h>
#include <testing/contexts.h>
#include <testing/daemon.h>
#include <testing/process.h>

#define CHILD_MS 30000
#define FREED_MS 5000

static struct test_service service;
static struct test_worker worker;
static uint64_t puppet;

static int set_up(void **state)
{
    (void)state;
    service_open(&service);
    puppet = plugin_id(&service, "worker_puppet");
    worker_new(&worker, service.pe, &service, "worker_puppet");
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    worker_close(&worker);
    service_close(&service);
    return 0;
}

/* Waits for a child, all of whose checks must succeed. */
static void assert_child_succeeds(pid_t pid)
{
    int status;

    assert_true(pid > 0);
    status = await_exit(pid, CHILD_MS);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        fail_msg("the child ended with wait status 0x%x", status);
}

static void echo(void)
{
    struct test_command command;

    command_run(&command, &worker, puppet, (struct puppet_command){ .act = PUPPET_ECHO }, "text");
    command_release(&command);
}

/* In the child: its parent's contexts are unusable, and new contexts work. */
static int use_own_contexts(struct test_command *command)
{
    struct test_service own_service;
    struct test_worker own_worker;
    struct test_command own_command;
    doca_error_t status = doca_task_submit(doca_urom_worker_cmd_task_as_task(command->task));

    if (status != DOCA_ERROR_BAD_STATE)
        return 2;
    service_open(&own_service);
    worker_open(&own_worker, own_service.pe, &own_service, "worker_puppet");
    command_run(&own_command, &own_worker, puppet, (struct puppet_command){ .act = PUPPET_ECHO },
            "of the child");
    command_release(&own_command);
    worker_close(&own_worker);
    service_close(&own_service);
    return 0;
}

static void contexts_are_the_parents_and_a_child_makes_its_own(void **state)
{
    struct test_command command;
    pid_t pid;

    (void)state;
    worker_run(&worker);
    command_new(&command, &worker, puppet);
    command_write(&command, (struct puppet_command){ .act = PUPPET_ECHO }, "text");
    pid = fork();
    if (pid == 0)
        _exit(use_own_contexts(&command));
    assert_child_succeeds(pid);
    command_submit(&command);
    command_await(&command, service.pe, 1, DOCA_SUCCESS);
    command_release(&command);
}

/* A child that progresses inherited contexts does not block, and does not affect its parent. */
static void fork_and_progress(void)
{
    pid_t pid = fork();

    if (pid == 0) {
        for (unsigned i = 0; i < 1000; ++i)
            doca_pe_progress(service.pe);
        _exit(0);
    }
    assert_child_succeeds(pid);
}

static void a_fork_while_a_worker_starts_and_stops_changes_nothing(void **state)
{
    (void)state;
    fork_and_progress();
    assert_status(DOCA_ERROR_IN_PROGRESS, doca_ctx_start(worker.ctx));
    fork_and_progress();
    progress_until(service.pe, state_of(worker.ctx) == DOCA_CTX_STATE_RUNNING, RUN_MS);
    fork_and_progress();
    echo();
    assert_status(DOCA_ERROR_IN_PROGRESS, doca_ctx_stop(worker.ctx));
    fork_and_progress();
    progress_until(service.pe, state_of(worker.ctx) == DOCA_CTX_STATE_IDLE, RUN_MS);
}

static void a_fork_while_a_command_is_in_flight_leaves_the_answer_to_the_parent(void **state)
{
    struct jurom_urom_counters counters;
    struct test_command command;

    (void)state;
    worker_run(&worker);
    command_new(&command, &worker, puppet);
    command_write(&command, (struct puppet_command){ .act = PUPPET_BUSY, .count = 100 }, "text");
    command_submit(&command);
    fork_and_progress();
    assert_success(jurom_urom_service_get_counters(service.service, &counters));
    assert_int_equal(1, counters.in_flight);
    command_await(&command, service.pe, 1, DOCA_SUCCESS);
    command_release(&command);
}

static unsigned sockets_of(pid_t pid)
{
    char path[64], link[64], target[64];
    struct dirent *entry;
    unsigned count = 0;
    DIR *directory;

    snprintf(path, sizeof(path), "/proc/%d/fd", (int)pid);
    directory = opendir(path);
    assert_non_null(directory);
    while ((entry = readdir(directory)) != NULL) {
        ssize_t length;

        snprintf(link, sizeof(link), "%.20s/%.20s", path, entry->d_name);
        length = readlink(link, target, sizeof(target) - 1);
        count += length > 7 && memcmp(target, "socket:", 7) == 0;
    }
    closedir(directory);
    return count;
}

/* The host of the next test: another connection to the worker, and a fork without handlers. */
static void hold_sockets(uint64_t worker_id, int ready)
{
    struct test_service own_service;
    struct test_worker own_worker;
    long pid;

    service_open(&own_service);
    worker_new(&own_worker, own_service.pe, &own_service, "worker_puppet");
    doca_urom_worker_set_id(own_worker.worker, worker_id);
    worker_run(&own_worker);
    pid = syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
    if (pid != 0)
        (void)!write(ready, &pid, sizeof(pid));
    for (;;)
        pause();
}

static void a_fork_that_keeps_the_sockets_does_not_hide_the_death_of_its_host(void **state)
{
    unsigned sockets;
    pid_t host, process;
    int ready[2];
    long fork_of_host;

    (void)state;
    worker_run(&worker);
    process = process_of(&worker, puppet);
    sockets = sockets_of(process);
    assert_int_equal(0, pipe(ready));
    host = fork();
    if (host == 0)
        hold_sockets(id_of(&worker), ready[1]);
    assert_int_equal(sizeof(fork_of_host), read(ready[0], &fork_of_host, sizeof(fork_of_host)));
    await(sockets_of(process) == sockets + 1, RUN_MS);

    assert_int_equal(0, kill(host, SIGKILL));
    await_exit(host, CHILD_MS);
    await(sockets_of(process) == sockets, FREED_MS);

    assert_int_equal(0, kill((pid_t)fork_of_host, SIGKILL));
    close(ready[0]);
    close(ready[1]);
    echo();
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
        TEST(contexts_are_the_parents_and_a_child_makes_its_own),
        TEST(a_fork_while_a_worker_starts_and_stops_changes_nothing),
        TEST(a_fork_while_a_command_is_in_flight_leaves_the_answer_to_the_parent),
        TEST(a_fork_that_keeps_the_sockets_does_not_hide_the_death_of_its_host),
    };

    return cmocka_run_group_tests(tests, daemon_set_up, daemon_tear_down);
}
