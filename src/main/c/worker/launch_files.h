/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The files of a worker. The launcher creates them, because their directories belong to the
 * service, and transfers them to the worker's user.
 */
#ifndef JUROM_LAUNCH_FILES_H_
#define JUROM_LAUNCH_FILES_H_

#include <wire/wire.h>

#include "reason.h"

#define LAUNCH_CORES "JUROM_CORES" /* variable of the launcher */

/*
 * Creates the descriptors of the worker, with the numbers in launcher.h. `counters` is the memory of
 * its counters, or -1.
 */
doca_error_t launch_files(const struct wire_launch *launch, int counters, char reason[REASON_MAX]);

/*
 * Changes the working directory to /, or to the folder of the worker's user below the one that
 * LAUNCH_CORES names, where the kernel writes cores. Creates that folder.
 */
doca_error_t launch_directory(const struct wire_launch *launch, char reason[REASON_MAX]);

#endif /* JUROM_LAUNCH_FILES_H_ */
