/* SPDX-License-Identifier: Apache-2.0 */
/* The start of a worker: its LAUNCH frame, and the resulting process state in /proc. */
#ifndef JUROM_LAUNCHING_H_
#define JUROM_LAUNCHING_H_

#include <stdbool.h>

#include "worker_process.h"

#define LAUNCHED_MESSAGE_SIZE 4096

struct launching {
    struct worker_process worker;
    struct wire_frame frame; /* the LAUNCH frame, which the test may modify before it is sent */
    char environment[ENVIRONMENT_MAX];
};

/* Forks a worker with worker_graph and worker_puppet, and prepares the LAUNCH frame. */
void launching_begin(struct launching *launching);

/* Sends LAUNCH, and waits until the worker is READY. */
void launching_go(struct launching *launching);

/* Sends LAUNCH. The process must report a reason that contains this text, and exit. */
void launching_fails(struct launching *launching, doca_error_t status, const char *words);

/* Return a file in /proc/PID, with spaces for NULs, or the target of a link. To be freed. */
char *launched_file(const struct launching *launching, const char *name);
void launched_link(const struct launching *launching, const char *name, char target[PATH_MAX]);

/* Fail unless that file contains `text`, or does not contain it. */
void launched_assert(
        const struct launching *launching, const char *name, const char *text, bool expected);

/* cmocka set-up and teardown around a worker that waits for LAUNCH. */
extern struct launching it;
int launching_set_up(void **state);
int launching_tear_down(void **state);

#endif /* JUROM_LAUNCHING_H_ */
