/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loaded into a worker (LD_PRELOAD) that is to have a child: one that outlives it, and holds the
 * worker's output open, as a helper that a plugin forked off would. It lives as long as the file
 * does that the variable below names.
 */
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define VARIABLE "JUROM_CHILD_OF_WORKER"
#define LOOKS 6000

static void live(const char *file)
{
    const struct timespec pause = { .tv_nsec = 10000000 };

    close(STDIN_FILENO);
    close_range(STDERR_FILENO, ~0U, 0);
    for (unsigned i = 0; i < LOOKS && access(file, F_OK) == 0; ++i)
        nanosleep(&pause, NULL);
    _exit(0);
}

__attribute__((constructor)) static void begin(void)
{
    const char *file = getenv(VARIABLE);

    unsetenv("LD_PRELOAD");
    if (file != NULL && fork() == 0)
        live(file);
    unsetenv(VARIABLE);
}
