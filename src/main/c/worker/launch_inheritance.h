/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Properties that a process inherits besides its user and that must not reach a worker.
 * docs/security.md lists them.
 */
#ifndef JUROM_LAUNCH_INHERITANCE_H_
#define JUROM_LAUNCH_INHERITANCE_H_

#include <stdbool.h>
#include <sys/types.h>

#include <wire/wire.h>

#include "reason.h"

/* Leaves the service's session and terminal. Must be called first. */
doca_error_t launch_leave_terminal(char reason[REASON_MAX]);

/* Resets signals that the service ignores or blocks, which would stay so in plugins. */
void launch_reset_signals(void);

/*
 * Lets the kernel kill this process when its parent, which had this id, exits. Returns false if the
 * parent has exited. A change of user cancels it.
 */
bool launch_end_with(pid_t parent);

/* Drops inherited resources. Call while the process is still privileged. */
doca_error_t launch_inheritance(const struct wire_launch *launch, char reason[REASON_MAX]);

/* Joins a new session keyring, which belongs to the user of this process. */
doca_error_t launch_keyring(char reason[REASON_MAX]);

#endif /* JUROM_LAUNCH_INHERITANCE_H_ */
