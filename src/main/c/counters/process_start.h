/* SPDX-License-Identifier: Apache-2.0 */
/* Identity of a process: an id may be reused, but not with the same start time. */
#ifndef JUROM_COUNTERS_PROCESS_START_H_
#define JUROM_COUNTERS_PROCESS_START_H_

#include <stdint.h>

/*
 * Returns the process's start time in clock ticks since boot; 0: it does not exist, or has exited.
 */
uint64_t counters_process_start(uint64_t process_id);

/* Returns the id of the process's parent; 0: the process does not exist, or has exited. */
uint64_t counters_process_parent(uint64_t process_id);

#endif /* JUROM_COUNTERS_PROCESS_START_H_ */
