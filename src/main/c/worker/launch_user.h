/* SPDX-License-Identifier: Apache-2.0 */
/* Irrevocable switches from the service's user to another. */
#ifndef JUROM_LAUNCH_USER_H_
#define JUROM_LAUNCH_USER_H_

#include <sys/types.h>

#include <wire/wire.h>

#include "reason.h"

/* Switches to the worker's user and drops all capabilities that it may not keep. */
doca_error_t launch_user(const struct wire_launch *launch, char reason[REASON_MAX]);

/* Applies the worker's resource limits and no_new_privs. */
doca_error_t launch_limits(const struct wire_launch *launch, char reason[REASON_MAX]);

/* Switches to an unprivileged user, to probe a plugin. */
doca_error_t launch_as_nobody(char reason[REASON_MAX]);

/* Switches to a user without groups, unless this process runs as that user; drops capabilities. */
doca_error_t launch_as(uid_t user, char reason[REASON_MAX]);

#endif /* JUROM_LAUNCH_USER_H_ */
