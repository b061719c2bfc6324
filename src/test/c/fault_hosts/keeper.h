/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A host that has a worker from before a run until after it, so that what the others leave behind
 * in the worker can be seen, and what it is good for after them. It does what it is told by letters:
 *
 *     p   gives commands in several ways, when the worker sleeps and when it does not
 *     l   gives as many as go round a ring, and looks from now on instead of sleeping
 *     n   gives some, which it does not flush, and more as soon as those are answered
 *     u   gives some, and waits until there is an answer, which it does not take
 *     r   gives one more, and takes those answers, whatever has become of the worker
 *     s   starts another context for the worker, which may die of that, and gives commands
 *     e   ends; so does the end of its input
 *
 * and prints after each, and once when it has the worker:
 *
 *     keeper run=R did=LETTER ok=0|1 late=0|1 answered=N of=M errors=...
 *
 * What the run has done to its connection is no error: it connects again, a few times.
 */
#ifndef JUROM_FAULT_KEEPER_H_
#define JUROM_FAULT_KEEPER_H_

#include "job.h"

void keeper_run(const struct job *job, int letters);

#endif /* JUROM_FAULT_KEEPER_H_ */
