/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the instructions of an act whose effect the peer can observe: those that modify the memory
 * of the rings or enter the kernel. Other instructions modify only private state, so the peer
 * cannot distinguish a kill after them from a kill before them.
 */
#ifndef JUROM_STEPPING_WALK_H_
#define JUROM_STEPPING_WALK_H_

#include <stdbool.h>
#include <sys/types.h>

#include "view.h"

#define WALK_MAX 100000ul /* instructions; exceeds the length of any act */

struct walk {
    unsigned long instructions, changes;
    /* The state after a number of instructions: a hash of the memory, and whether it is new. */
    struct stand {
        uint64_t digest;
        bool changed;
    } stands[WALK_MAX + 1];
};

/* Steps a process from its first mark to its second, or to the last instruction before it. */
void walk_take(struct walk *walk, pid_t pid, const struct view *view);

#endif /* JUROM_STEPPING_WALK_H_ */
