/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A full fence that one thread executes on behalf of all others (membarrier()). Of two threads that
 * each store and then read what the other stores, the frequent one then needs no fence.
 */
#ifndef JUROM_CHANNEL_ASYMMETRIC_FENCE_H_
#define JUROM_CHANNEL_ASYMMETRIC_FENCE_H_

#include <stdbool.h>

/*
 * Registers this process, so that fences of other processes include its threads. Returns false if
 * the kernel does not support or permit this, or fences by this process. Repetition has no effect.
 */
bool asymmetric_fence_register(void);

/*
 * Executes a full fence on all running threads of all registered processes. Threads that do not run
 * execute one when they continue. Returns false if the kernel no longer permits this.
 */
bool asymmetric_fence(void);

#endif /* JUROM_CHANNEL_ASYMMETRIC_FENCE_H_ */
