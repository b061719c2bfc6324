/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Preloaded into a worker (LD_PRELOAD). Forks a child that outlives the worker and keeps the
 * worker's output open, as a helper of a plugin would. The child exits when the file named by the
 * variable below is deleted.
 */
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define VARIABLE "JUROM_CHILD_OF_WORKER"
#define CHECKS 6000

static void run_child(const char *file)
{
    const struct timespec pause = { .tv_nsec = 10000000 };

    close(STDIN_FILENO);
    close_range(STDERR_FILENO, ~0U, 0);
    for (unsigned i = 0; i < CHECKS && access(file, F_OK) == 0; ++i)
        nanosleep(&pause, NULL);
    _exit(0);
}

__attribute__((constructor)) static void begin(void)
{
    const char *file = getenv(VARIABLE);

    unsetenv("LD_PRELOAD");
    if (file != NULL && fork() == 0)
        run_child(file);
    unsetenv(VARIABLE);
}
