/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The start of a process that the launcher (monitor.h) has forked. That of a worker applies the
 * LAUNCH frame from its standard input, which switches to the worker's user, then executes the
 * program with only the environment of that frame and these descriptors:
 *
 *     0, 1  pipes from and to the service
 *     2     the log: a pipe to the service, or the service's standard error
 *     3     the Unix socket to listen on, if any
 *     4     unused
 *     5     the memory of its counters, if any, which readers open through /proc
 */
#ifndef JUROM_LAUNCHER_H_
#define JUROM_LAUNCHER_H_

#include <sys/types.h>

#include "monitor_request.h"

#define LAUNCHED_LISTENER 3
#define LAUNCHED_UNUSED 4
#define LAUNCHED_COUNTERS 5

/*
 * Becomes a worker that ends with `parent`. Returns only on failure, with the exit status, after
 * writing an ERROR frame.
 */
int launch(const char *program, const struct received *received, pid_t parent);

/* Executes a probe or a sweep. Returns only on failure, with the exit status. */
int launch_other(const char *program, const struct received *received);

#endif /* JUROM_LAUNCHER_H_ */
