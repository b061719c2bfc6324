/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Performs each action at each point while a host runs a complete scenario. The host or its worker
 * may exit, but no process hangs, no task is lost or answered twice, and no worker remains.
 *     fault_sweep_test [POINT [ACTION]]    only these
 * With SWEEP_OVER=tcp or =ucx, the host connects as if from another machine, and only the points
 * that a local host does not reach are tried.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <testing/assertions.h>
#include <testing/daemon.h>
#include <testing/process.h>
#include <urom/keyed_daemon.h>

#include "fault_table.h"
#include "scenario.h"

#define NS_PER_MS UINT64_C(1000000)
#define STOPPED_MS 100
#define WORKERS_EXIT_MS 20000
#define SLOW_MS 12000 /* longer runs are reported */
#define HEADER_BYTES 24
#define WRONG_EXIT 3

enum kind { STATE, CONNECTION, CALL, ALLOCATION, TRANSFER, HEADER, CLOCK, ANSWER };

static const struct {
    const char *name;
    enum kind kind;
} points[] = {
#define FAULT_POINT(name, kind, text) { #name, kind },
#include <faults/points.def>
#undef FAULT_POINT
};

static const char *const action_names[] = { "none", "fail", "short", "delay", "drop", "kill",
    "stop", "segv", "corrupt", "jump", "silence", "twice", "wrong-context", "wrong-length" };

static struct {
    unsigned tried, failed;
    bool acted[FAULTS_NATIVE];
    const char *over, *only_point, *only_action; /* NULL: locally; all */
} sweep;

static uint64_t now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / NS_PER_MS;
}

static pid_t begin_host(void)
{
    const char *wrong;
    pid_t host;

    fflush(stdout);
    host = fork();
    if (host != 0)
        return host;
    signal(SIGSEGV, SIG_DFL); /* cmocka's handler would continue with the tests in the child */
    if (freopen("/dev/null", "w", stderr) == NULL)
        exit(WRONG_EXIT);
    wrong = scenario_run();
    if (wrong != NULL)
        printf("    %s\n", wrong);
    fflush(stdout);
    exit(wrong == NULL ? EXIT_SUCCESS : WRONG_EXIT);
}

/* Continues stopped processes after a while, like an operator. */
static void continue_stopped(uint64_t *seen)
{
    uint64_t count = fault_events() < FAULTS_EVENTS ? fault_events() : FAULTS_EVENTS;

    for (; *seen < count; ++*seen) {
        const struct fault_event *event = fault_event((unsigned)*seen);

        if (event->action != FAULT_STOP)
            continue;
        usleep(STOPPED_MS * 1000);
        kill((pid_t)event->process_id, SIGCONT);
    }
}

/* Returns the wait status of the host; -1: it hung and was killed. */
static int await_host(pid_t host)
{
    uint64_t deadline = now_ms() + SCENARIO_MS + 5000;
    uint64_t seen = 0;
    int status;

    while (waitpid(host, &status, WNOHANG) == 0) {
        continue_stopped(&seen);
        if (now_ms() > deadline) {
            kill(host, SIGKILL);
            waitpid(host, &status, 0);
            return -1;
        }
        usleep(500);
    }
    continue_stopped(&seen);
    return status;
}

static bool was_killed_by_fault(pid_t host)
{
    uint64_t count = fault_events() < FAULTS_EVENTS ? fault_events() : FAULTS_EVENTS;

    for (unsigned i = 0; i < count; ++i) {
        const struct fault_event *event = fault_event(i);

        if (event->process_id == (uint32_t)host
                && (event->action == FAULT_KILL || event->action == FAULT_SEGV))
            return true;
    }
    return false;
}

static bool workers_exit(void)
{
    uint64_t deadline = now_ms() + WORKERS_EXIT_MS;

    while (daemon_workers(&the_daemon) > 0) {
        if (now_ms() > deadline)
            return false;
        usleep(1000);
    }
    return true;
}

static const char *find_failure(pid_t host, int status)
{
    if (status == -1)
        return "the host hung";
    if (WIFSIGNALED(status) && !was_killed_by_fault(host))
        return "the host crashed";
    if (WIFEXITED(status) && WEXITSTATUS(status) != 0 && !was_killed_by_fault(host))
        return "the host or a sanitizer reported an error";
    if (process_is_gone(the_daemon.pid))
        return "the service exited";
    return workers_exit() ? NULL : "a worker remains";
}

static void try(unsigned point, enum fault_role role, enum fault_action action, uint64_t argument,
        uint64_t argument2, int64_t skip)
{
    uint64_t start = now_ms();
    const char *failure;
    pid_t host;
    int status;

    fault_table_clear();
    fault_row(point)->argument2 = argument2;
    fault_set(point, role, action, argument);
    atomic_store(&fault_row(point)->skip, skip);
    host = begin_host();
    status = await_host(host);
    failure = find_failure(host, status);
    ++sweep.tried;
    sweep.acted[point] |= fault_events() > 0;
    if (failure == NULL && now_ms() - start < SLOW_MS)
        return;
    sweep.failed += failure != NULL;
    printf("%s %s in the %s, argument %lu %lu, after %ld: %s, %lu ms, status %x\n",
            points[point].name, action_names[action], role == FAULT_ROLE_HOST ? "host" : "worker",
            (unsigned long)argument, (unsigned long)argument2, (long)skip,
            failure == NULL ? "slow" : failure, (unsigned long)(now_ms() - start),
            (unsigned)status);
    fflush(stdout);
}

static bool is_selected(enum fault_action action)
{
    return sweep.only_action == NULL || strcmp(sweep.only_action, action_names[action]) == 0;
}

/* Performs the action at the first reach and, if that happened, at the second. */
static void try_both(
        unsigned point, enum fault_action action, uint64_t argument, uint64_t argument2)
{
    static const enum fault_role roles[] = { FAULT_ROLE_HOST, FAULT_ROLE_WORKER };

    for (unsigned i = 0; i < 2 && is_selected(action); ++i) {
        try(point, roles[i], action, argument, argument2, 0);
        if (fault_events() > 0)
            try(point, roles[i], action, argument, argument2, 1);
    }
}

static void try_process_actions(unsigned point)
{
    try_both(point, FAULT_DELAY, 20 * NS_PER_MS, 0);
    try_both(point, FAULT_KILL, 0, 0);
    try_both(point, FAULT_STOP, 0, 0);
    try_both(point, FAULT_SEGV, 0, 0);
}

static void try_errors(unsigned point)
{
    static const int errors[] = { EMFILE, EAGAIN, EINTR, ECONNRESET, ENOSPC };

    for (unsigned i = 0; i < sizeof(errors) / sizeof(errors[0]); ++i)
        try_both(point, FAULT_FAIL, (uint64_t)errors[i], 0);
}

static void try_all(unsigned point)
{
    switch (points[point].kind) {
    case STATE:
        try_process_actions(point);
        break;
    case CONNECTION:
        try_both(point, FAULT_DROP, 0, 0);
        try_process_actions(point);
        break;
    case CALL:
        try_errors(point);
        try_both(point, FAULT_KILL, 0, 0);
        break;
    case ALLOCATION:
        try_both(point, FAULT_FAIL, 0, 0);
        try_both(point, FAULT_KILL, 0, 0);
        break;
    case TRANSFER:
        try_errors(point);
        try_both(point, FAULT_SHORT, 1, 0);
        break;
    case HEADER:
        for (unsigned i = 0; i < HEADER_BYTES; i += 3)
            try_both(point, FAULT_CORRUPT, i, 0x55);
        break;
    case CLOCK:
        try_both(point, FAULT_JUMP, 3600000 * NS_PER_MS, 0);
        break;
    case ANSWER:
        for (unsigned action = FAULT_SILENCE; action <= FAULT_WRONG_LENGTH; ++action)
            try_both(point, action, 0, 0);
        break;
    }
}

/* Returns whether only a host on another machine, or its worker, reaches the point. */
static bool is_remote(unsigned point)
{
    const char *name = points[point].name;

    return strncmp(name, "tls_", 4) == 0 || strncmp(name, "tcp_", 4) == 0
            || strncmp(name, "ucx_", 4) == 0;
}

static bool is_tried(unsigned point)
{
    return sweep.only_point != NULL ? strcmp(sweep.only_point, points[point].name) == 0
                                    : sweep.over == NULL || is_remote(point);
}

static void no_fault_hangs_a_process_or_loses_a_task(void **state)
{
    bool used[FAULTS_NATIVE] = { false };

    (void)state;
    fault_table_clear();
    assert_int_equal(0, await_host(begin_host()));
    assert_true(workers_exit());
    for (unsigned i = 0; i < FAULT_POINTS; ++i)
        used[i] = fault_reached(i) > 0;
    for (unsigned i = 0; i < FAULT_POINTS; ++i) {
        if (used[i] && is_tried(i))
            try_all(i);
        else if (!used[i])
            printf("not reached: %s\n", points[i].name);
    }
    printf("%u tried, %u failed\n", sweep.tried, sweep.failed);
    assert_int_equal(0, sweep.failed);
}

static int set_up(void **state)
{
    static const char *const over_ucx[] = { "--data", "ucx", NULL };

    if (sweep.over == NULL)
        return daemon_set_up(state);
    if (strcmp(sweep.over, "ucx") == 0)
        assert_int_equal(0, setenv("JUROM_DATA", "ucx", 1));
    keyed_daemon_start(strcmp(sweep.over, "ucx") == 0 ? over_ucx : NULL);
    keyed_daemon_use_port(the_daemon.port);
    return 0;
}

static int tear_down(void **state)
{
    return sweep.over == NULL ? daemon_tear_down(state) : keyed_daemon_tear_down(state);
}

int main(int count, char **arguments)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_fault_hangs_a_process_or_loses_a_task),
    };

    fault_table_begin(arguments);
    sweep.over = getenv("SWEEP_OVER");
    sweep.only_point = count > 1 ? arguments[1] : NULL;
    sweep.only_action = count > 2 ? arguments[2] : NULL;
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
