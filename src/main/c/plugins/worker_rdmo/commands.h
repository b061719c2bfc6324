/* SPDX-License-Identifier: Apache-2.0 */
/* Carrying commands out. */
#ifndef JUROM_RDMO_COMMANDS_H_
#define JUROM_RDMO_COMMANDS_H_

#include "rdmo.h"

/* Carries the command out; its answer comes now or later. INVALID_VALUE, NO_MEMORY: it has none. */
doca_error_t command_run(struct rdmo *rdmo, const struct urom_worker_cmd_desc *desc);

#endif /* JUROM_RDMO_COMMANDS_H_ */
