/* SPDX-License-Identifier: Apache-2.0 */
/* A host of a seeded run. */
#ifndef JUROM_FAULT_HOST_H_
#define JUROM_FAULT_HOST_H_

#include "job.h"

/* Does a job and prints its result. */
void host_run(const struct job *job);

#endif /* JUROM_FAULT_HOST_H_ */
