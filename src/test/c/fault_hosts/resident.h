/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A host that uses a worker from before a run until after it, to detect what the other hosts
 * leave behind in the worker, and whether the worker still serves hosts. It executes commands of
 * one letter:
 *
 *     p   submits commands in several ways, while the worker sleeps and while it is active
 *     e   exits, as does the end of the input
 *
 * After each command, and once after the start of the worker, it prints:
 *
 *     resident run=R did=LETTER ok=0|1 late=0|1 answered=N of=M error=CALL:STATUS
 *
 * The run may have closed its connection, so it reconnects a few times.
 */
#ifndef JUROM_FAULT_RESIDENT_H_
#define JUROM_FAULT_RESIDENT_H_

#include "job.h"

void resident_run(const struct job *job, int commands);

#endif /* JUROM_FAULT_RESIDENT_H_ */
