/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The files of a worker. The launcher creates them, because their directories belong to the
 * service, and transfers them to the worker's user.
 */
#ifndef JUROM_LAUNCH_FILES_H_
#define JUROM_LAUNCH_FILES_H_

#include <wire/wire.h>

#include "reason.h"

/* Creates the descriptors of the second stage, with the numbers in launcher.h. */
doca_error_t launch_files(const struct wire_launch *launch, char reason[REASON_MAX]);

#endif /* JUROM_LAUNCH_FILES_H_ */
