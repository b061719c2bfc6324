/* SPDX-License-Identifier: Apache-2.0 */
/* Which process: ids are used again, but not by one that began at the same time. */
#ifndef JUROM_COUNTERS_PROCESS_H_
#define JUROM_COUNTERS_PROCESS_H_

#include <stdint.h>

/* When it began, in clock ticks after boot; 0: there is none, or it has ended. */
uint64_t counters_process_start(uint64_t process_id);

#endif /* JUROM_COUNTERS_PROCESS_H_ */
