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

#include <wire/wire.h>

#include "why.h"

#define LAUNCHED_LISTENER 3
#define LAUNCHED_NOTHING 4
#define LAUNCHED_COUNTERS 5

/* Returns only on failure, with the exit status, after writing an ERROR frame. */
int launch(int count, char **plugins);

/* launch_files.c: creates the descriptors of the second stage, with the numbers above. */
doca_error_t launch_files(const struct wire_launch *launch, char why[WHY_MAX]);

/* launch_inheritance.c: leaves the service's session and terminal. Must be called first. */
doca_error_t launch_leave_terminal(char why[WHY_MAX]);

/* launch_inheritance.c: drops inherited resources. Call while the process is still privileged. */
doca_error_t launch_inheritance(const struct wire_launch *launch, char why[WHY_MAX]);

/* launch_inheritance.c: joins a new session keyring, which belongs to the user of this process. */
doca_error_t launch_keyring(char why[WHY_MAX]);

/* launch_user.c: switches irrevocably to an unprivileged user, to probe a plugin. */
doca_error_t launch_as_nobody(char why[WHY_MAX]);

/* launch_user.c: switch irrevocably to the worker's user; apply limits and no_new_privs. */
doca_error_t launch_user(const struct wire_launch *launch, char why[WHY_MAX]);
doca_error_t launch_limits(const struct wire_launch *launch, char why[WHY_MAX]);

#endif /* JUROM_LAUNCHER_H_ */
