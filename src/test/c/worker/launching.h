/* SPDX-License-Identifier: Apache-2.0 */
/* A worker between its two stages: what it is told in LAUNCH, and what /proc then says of it. */
#ifndef JUROM_LAUNCHING_H_
#define JUROM_LAUNCHING_H_

#include <stdbool.h>

#include "worker_process.h"

#define LAUNCHED_MESSAGE_SIZE 4096

struct launching {
    struct worker_process worker;
    struct wire_frame frame; /* LAUNCH, that the test may change before it is written */
    char environment[ENVIRONMENT_MAX];
};

/* Executes the first stage, with worker_graph and worker_puppet, and prepares what to tell it. */
void launching_begin(struct launching *launching);

/* Tells it, until it is READY. */
void launching_go(struct launching *launching);

/* Tells it; the launcher must say why not, with these words, and end. */
void launching_fails(struct launching *launching, doca_error_t status, const char *words);

/* A file of its /proc/PID, with spaces for NULs; to be freed. And where a link leads to. */
char *launched_file(const struct launching *launching, const char *name);
void launched_link(const struct launching *launching, const char *name, char target[PATH_MAX]);

/* Fails unless that file has `text`, or has not. */
void launched_assert(
        const struct launching *launching, const char *name, const char *text, bool expected);

/* cmocka set-up and teardown around the worker of a test, which has begun and was told nothing. */
extern struct launching it;
int launching_set_up(void **state);
int launching_tear_down(void **state);

#endif /* JUROM_LAUNCHING_H_ */
