/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Preloaded into the first stage of a worker (LD_PRELOAD); runs the second stage under callgrind,
 * which writes its counts to the file named by JUROM_CALLGRIND. The first stage executes
 * /proc/self/exe, which would be valgrind itself if the first stage ran under valgrind.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define ARGUMENTS_MAX 64

int execve(const char *path, char *const arguments[], char *const environment[])
{
    static char program[PATH_MAX];
    static char file[PATH_MAX + 32];
    char *words[ARGUMENTS_MAX] = { "valgrind", "--tool=callgrind", "--compress-strings=no",
        "--compress-pos=no", file, program };
    int count = 6;

    if (strcmp(path, "/proc/self/exe") != 0)
        return (int)syscall(SYS_execve, path, arguments, environment);
    if (readlink(path, program, sizeof(program) - 1) < 0)
        return -1;
    snprintf(file, sizeof(file), "--callgrind-out-file=%s", getenv("JUROM_CALLGRIND"));
    for (int i = 1; arguments[i] != NULL && count < ARGUMENTS_MAX - 1; ++i)
        words[count++] = arguments[i];
    return (int)syscall(SYS_execve, "/usr/bin/valgrind", words, environment);
}
