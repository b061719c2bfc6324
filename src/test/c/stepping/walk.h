/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One way through an act, instruction by instruction: after which of them the peer could see
 * something else than before. Those are the ones that changed a byte of the rings' memory or entered
 * the kernel; any other changed only what is the process's own and ends with it, so that a death
 * after it is, for the peer, the death before it.
 */
#ifndef JUROM_STEPPING_WALK_H_
#define JUROM_STEPPING_WALK_H_

#include <stdbool.h>
#include <sys/types.h>

#include "view.h"

#define WALK_MAX 100000ul /* instructions, more than an act has */

struct walk {
    unsigned long instructions, changes;
    /* After so many instructions: what the rings' memory is, and whether that or more is new. */
    struct stand {
        uint64_t digest;
        bool changed;
    } stands[WALK_MAX + 1];
};

/* Takes a process from its first mark to its second, or to the last instruction before that. */
void walk_take(struct walk *walk, pid_t pid, const struct view *view);

#endif /* JUROM_STEPPING_WALK_H_ */
