/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Properties that a process inherits besides its user and that must not reach a worker.
 * docs/security.md lists them.
 */
#ifndef JUROM_LAUNCH_INHERITANCE_H_
#define JUROM_LAUNCH_INHERITANCE_H_

#include <wire/wire.h>

#include "reason.h"

/* Leaves the service's session and terminal. Must be called first. */
doca_error_t launch_leave_terminal(char reason[REASON_MAX]);

/* Drops inherited resources. Call while the process is still privileged. */
doca_error_t launch_inheritance(const struct wire_launch *launch, char reason[REASON_MAX]);

/* Joins a new session keyring, which belongs to the user of this process. */
doca_error_t launch_keyring(char reason[REASON_MAX]);

#endif /* JUROM_LAUNCH_INHERITANCE_H_ */
