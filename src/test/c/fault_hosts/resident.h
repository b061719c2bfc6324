/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A host that uses a worker from before a run until after it, to detect resources that the other
 * hosts leave in the worker, and a worker that no longer serves hosts. It executes commands of one
 * letter:
 *
 *     p   submits commands in several ways, while the worker sleeps and while it is active
 *     e   exits; the end of the input has the same effect
 *
 * After each command p, and once after the start of the worker (LETTER: h), it prints:
 *
 *     resident run=R command=LETTER ok=0|1 late=0|1 answered=N commands=M error=CALL:STATUS
 *
 * It reconnects a few times, since a fault may have closed its connection.
 */
#ifndef JUROM_FAULT_RESIDENT_H_
#define JUROM_FAULT_RESIDENT_H_

#include "job.h"

void resident_run(const struct job *job, int commands);

#endif /* JUROM_FAULT_RESIDENT_H_ */
