/* SPDX-License-Identifier: Apache-2.0 */
/* Execution of commands. */
#ifndef JUROM_RDMO_COMMANDS_H_
#define JUROM_RDMO_COMMANDS_H_

#include "rdmo.h"

/* Executes the command, and answers it now or later; after INVALID_VALUE or NO_MEMORY, never. */
doca_error_t command_run(struct rdmo *rdmo, const struct urom_worker_cmd_desc *desc);

#endif /* JUROM_RDMO_COMMANDS_H_ */
