/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The time from the start of a program until it is ready: --program alone writes a byte to its
 * standard output; with --plugin it is a urom_worker, started by a launcher as for the service,
 * without a change of user. The start of the launcher and the exit are not measured. All processes run on one core, because the
 * cost of waking another core varies from second to second.
 */
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <worker/monitor.h>

#include "measure.h"
#include "options.h"
#include "worker_start.h"

#define MAX_ARGUMENTS 2

struct starter {
    struct measurement measurement;
    char *arguments[MAX_ARGUMENTS];
    char plugin[4096];
    bool is_worker;
    struct worker_start worker;
    int launcher; /* the socket to it */
    uint64_t count;
};

struct started {
    pid_t process; /* 0: a child of the launcher */
    int input;     /* write end of its standard input */
    int output;    /* read end of its standard output */
};

static char *environment[] = { "PATH=/usr/bin:/bin", "LANG=C.UTF-8", NULL };

static void start_launcher(struct starter *starter, char *program)
{
    char *arguments[] = { program, "--monitor", program, NULL };
    posix_spawn_file_actions_t actions;
    pid_t process;
    int ends[2];

    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
        fail("socketpair", "failed");
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDIN_FILENO);
    if (posix_spawn(&process, program, &actions, NULL, arguments, environment) != 0)
        fail(program, "cannot be started: set its path with --program");
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    starter->launcher = ends[0];
}

static void receive_event(const struct starter *starter, enum monitor_event_kind kind)
{
    struct monitor_event event;

    if (recv(starter->launcher, &event, sizeof(event), 0) < (ssize_t)sizeof(event)
            || event.kind != kind)
        fail("the launcher", "refused a request");
}

/* Sends MONITOR_START with one plugin and two descriptors. */
static void request_start(struct starter *starter, int input, int output)
{
    struct monitor_request request = {
        .kind = MONITOR_START, .flags = MONITOR_SHARES_LOG, .id = ++starter->count, .count = 1
    };
    const int descriptors[] = { input, output };
    union {
        char bytes[CMSG_SPACE(sizeof(descriptors))];
        struct cmsghdr aligned;
    } control = { .bytes = "" };
    struct iovec parts[] = {
        { &request, sizeof(request) },
        { starter->plugin, strlen(starter->plugin) + 1 },
    };
    struct msghdr message = {
        .msg_iov = parts,
        .msg_iovlen = 2,
        .msg_control = &control,
        .msg_controllen = sizeof(control),
    };

    CMSG_FIRSTHDR(&message)->cmsg_level = SOL_SOCKET;
    CMSG_FIRSTHDR(&message)->cmsg_type = SCM_RIGHTS;
    CMSG_FIRSTHDR(&message)->cmsg_len = CMSG_LEN(sizeof(descriptors));
    memcpy(CMSG_DATA(CMSG_FIRSTHDR(&message)), descriptors, sizeof(descriptors));
    if (sendmsg(starter->launcher, &message, 0) < 0)
        fail("the launcher", "has exited");
}

static struct started start_worker(struct starter *starter)
{
    int input[2], output[2];

    if (pipe2(input, O_CLOEXEC) != 0 || pipe2(output, O_CLOEXEC) != 0)
        fail("pipe", "failed");
    request_start(starter, input[0], output[1]);
    close(input[0]);
    close(output[1]);
    return (struct started){ .input = input[1], .output = output[0] };
}

static struct started start(char **arguments)
{
    posix_spawn_file_actions_t actions;
    struct started started;
    int input[2], output[2];

    if (pipe(input) != 0 || pipe(output) != 0)
        fail("pipe", "failed");
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, input[0], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, output[1], STDOUT_FILENO);
    for (int i = 0; i < 2; ++i) {
        posix_spawn_file_actions_addclose(&actions, input[i]);
        posix_spawn_file_actions_addclose(&actions, output[i]);
    }
    if (posix_spawn(&started.process, arguments[0], &actions, NULL, arguments, environment) != 0)
        fail(arguments[0], "cannot be started: set its path with --program");
    posix_spawn_file_actions_destroy(&actions);
    close(input[0]);
    close(output[1]);
    started.input = input[1];
    started.output = output[0];
    return started;
}

static void await_ready(struct starter *starter, const struct started *started)
{
    char word;

    if (starter->is_worker)
        worker_start_await(&starter->worker, started->input, started->output);
    else if (read(started->output, &word, 1) != 1)
        fail("the started program", "exited before it was ready");
}

static void end(struct starter *starter, const struct started *started)
{
    close(started->input);
    if (starter->is_worker) {
        receive_event(starter, MONITOR_STARTED);
        receive_event(starter, MONITOR_ENDED);
        worker_start_clean(&starter->worker);
    } else {
        waitpid(started->process, NULL, 0);
    }
    close(started->output);
}

static uint64_t start_one(struct starter *starter)
{
    if (starter->is_worker)
        worker_start_prepare(&starter->worker);
    uint64_t begin = now_ns();
    struct started started = starter->is_worker ? start_worker(starter) : start(starter->arguments);
    await_ready(starter, &started);
    uint64_t elapsed = now_ns() - begin;

    end(starter, &started);
    return elapsed;
}

static uint64_t run(struct measurement *measurement, uint64_t *samples, size_t count)
{
    uint64_t total = 0;

    for (size_t i = 0; i < count; ++i) {
        samples[i] = start_one((struct starter *)measurement);
        total += samples[i];
    }
    return total;
}

int main(int argc, char **argv)
{
    struct options options = options_parse(argc, argv);
    struct starter starter = { .measurement.run = run, .is_worker = options.plugin != NULL };
    int exit_code;

    if (options.program == NULL)
        fail("--program", "is required");
    starter.arguments[0] = (char *)options.program;
    if (starter.is_worker) {
        snprintf(starter.plugin, sizeof(starter.plugin), "%s:1", options.plugin);
        worker_start_open(&starter.worker, environment);
    }
    signal(SIGPIPE, SIG_IGN);
    pin_to_core(options.cores[0]);
    if (starter.is_worker)
        start_launcher(&starter, starter.arguments[0]);
    exit_code = measure(&starter.measurement);
    if (starter.is_worker)
        worker_start_close(&starter.worker);
    return exit_code;
}
