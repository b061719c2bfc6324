/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The time from the start of a program until it is ready: --program alone writes a byte to its
 * standard output; with --plugin it is a urom_worker, started as by the service, in two stages,
 * without a change of user. The exit is not measured. All processes run on one core, because the
 * cost of waking another core varies from second to second.
 */
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "measure.h"
#include "options.h"
#include "worker_start.h"

#define MAX_ARGUMENTS 4

struct starter {
    struct measurement measurement;
    char *arguments[MAX_ARGUMENTS];
    bool is_worker;
    struct worker_start worker;
};

struct started {
    pid_t process;
    int input;  /* write end of its standard input */
    int output; /* read end of its standard output */
};

static char *environment[] = { "PATH=/usr/bin:/bin", "LANG=C.UTF-8", NULL };

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
    waitpid(started->process, NULL, 0);
    close(started->output);
    if (starter->is_worker)
        worker_start_clean(&starter->worker);
}

static uint64_t start_one(struct starter *starter)
{
    if (starter->is_worker)
        worker_start_prepare(&starter->worker);
    uint64_t begin = now_ns();
    struct started started = start(starter->arguments);
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
    char plugin[4096];
    int exit_code;

    if (options.program == NULL)
        fail("--program", "is required");
    starter.arguments[0] = (char *)options.program;
    if (starter.is_worker) {
        snprintf(plugin, sizeof(plugin), "%s:1", options.plugin);
        starter.arguments[1] = "--launch";
        starter.arguments[2] = plugin;
        worker_start_open(&starter.worker, environment);
    }
    signal(SIGPIPE, SIG_IGN);
    pin_to_core(options.cores[0]);
    exit_code = measure(&starter.measurement);
    if (starter.is_worker)
        worker_start_close(&starter.worker);
    return exit_code;
}
