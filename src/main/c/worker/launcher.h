/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The first stage of a worker, which still runs with the service's privileges. It applies the
 * LAUNCH frame from standard input, then executes this program again as the worker's user, with
 * only the environment of that frame and these descriptors:
 *
 *     0, 1  pipes from and to the service
 *     2     the log: a pipe to the service, or the service's standard error
 *     3     the Unix socket to listen on, if any
 *     4     unused
 *     5     the memory of its counters, if any, which readers open through /proc
 */
#ifndef JUROM_LAUNCHER_H_
#define JUROM_LAUNCHER_H_

#define LAUNCHED_LISTENER 3
#define LAUNCHED_UNUSED 4
#define LAUNCHED_COUNTERS 5

/* Returns only on failure, with the exit status, after writing an ERROR frame. */
int launch(int count, char **plugins);

#endif /* JUROM_LAUNCHER_H_ */
