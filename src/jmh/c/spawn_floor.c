/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The floor for starting a worker: start a program that opens a UCX context and a UCX worker and
 * says so. An operation lasts from the start to that word; the program's end is not counted.
 */
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "measure.h"
#include "options.h"
#include "ucx_side.h"

#define STARTED "started"

extern char **environ;

/* In the started program: standard output is a pipe to who waits. */
static int be_started(void)
{
    struct ucx_side side = {0};

    ucx_open(&side);
    if (write(STDOUT_FILENO, "1", 1) != 1)
        give_up("the pipe", "is closed");
    ucx_close(&side);
    return 0;
}

static uint64_t start_one(void)
{
    char *arguments[] = {"spawn_floor", STARTED, NULL};
    posix_spawn_file_actions_t actions;
    int ends[2];
    pid_t child;
    char word;

    if (pipe(ends) != 0)
        give_up("pipe", "failed");
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_addclose(&actions, ends[0]);
    posix_spawn_file_actions_addclose(&actions, ends[1]);

    uint64_t start = now_ns();
    if (posix_spawn(&child, "/proc/self/exe", &actions, NULL, arguments, environ) != 0)
        give_up("posix_spawn", "failed");
    close(ends[1]);
    if (read(ends[0], &word, 1) != 1)
        give_up("the started program", "ended before it was ready");
    uint64_t elapsed = now_ns() - start;

    waitpid(child, NULL, 0);
    close(ends[0]);
    posix_spawn_file_actions_destroy(&actions);
    return elapsed;
}

static uint64_t run(struct measurement *measurement, uint64_t *samples, size_t count)
{
    uint64_t total = 0;

    (void)measurement;
    for (size_t i = 0; i < count; i++) {
        samples[i] = start_one();
        total += samples[i];
    }
    return total;
}

int main(int argc, char **argv)
{
    struct measurement measurement = {.run = run};

    if (argc == 2 && strcmp(argv[1], STARTED) == 0)
        return be_started();
    options_parse(argc, argv);
    return measure(&measurement);
}
