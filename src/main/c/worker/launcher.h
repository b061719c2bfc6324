/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The first stage of a worker, which still runs with the service's rights: it does what the LAUNCH
 * frame on standard input says, and then executes this program again, as the user whose worker it
 * is, with the environment and the descriptors that are meant for it and no others:
 *
 *     0, 1  pipes from and to the service
 *     2     the log: a pipe to the service, or the service's standard error
 *     3     the Unix socket on which to listen, if any
 *     4     nothing
 *     5     the memory of its counters, if there is one, which readers open through /proc
 */
#ifndef JUROM_LAUNCHER_H_
#define JUROM_LAUNCHER_H_

#include <wire/wire.h>

#include "why.h"

#define LAUNCHED_LISTENER 3
#define LAUNCHED_NOTHING 4
#define LAUNCHED_COUNTERS 5

/* Returns the exit status if the second stage cannot be; an ERROR frame then says why. */
int launch(int count, char **plugins);

/* launch_files.c: makes and opens what the second stage gets, at the numbers above. */
doca_error_t launch_files(const struct wire_launch *launch, char why[WHY_MAX]);

/* launch_inheritance.c: leaves the service's session, and with it its terminal. First of all. */
doca_error_t launch_leave_terminal(char why[WHY_MAX]);

/* launch_inheritance.c: gives up what the service lends; while that still needs its rights. */
doca_error_t launch_inheritance(const struct wire_launch *launch, char why[WHY_MAX]);

/* launch_inheritance.c: joins a new session keyring, which belongs to the user of this process. */
doca_error_t launch_keyring(char why[WHY_MAX]);

/* launch_user.c: becomes a user who may do nothing, for good: for looking at a plugin. */
doca_error_t launch_as_nobody(char why[WHY_MAX]);

/* launch_user.c: becomes the user, for good; and takes the limits and no new privileges. */
doca_error_t launch_user(const struct wire_launch *launch, char why[WHY_MAX]);
doca_error_t launch_limits(const struct wire_launch *launch, char why[WHY_MAX]);

#endif /* JUROM_LAUNCHER_H_ */
