/* SPDX-License-Identifier: Apache-2.0 */
/* A child process that is single-stepped with ptrace. */
#ifndef JUROM_STEPPING_STEPS_H_
#define JUROM_STEPPING_STEPS_H_

#include <stdbool.h>
#include <sys/types.h>

/* Called by the child: waits until the parent can step it. */
void steps_offer(void);

/* Called by the child: the first call marks the start of the steps, the second the end. */
void steps_mark(void);

/* Returns whether the child has reached a mark since. Fails if the child has exited. */
bool steps_reached_mark(pid_t pid);

/*
 * Executes up to `count` instructions of the child. A system call counts as one, each iteration of
 * a repeated instruction as one. Returns their number, which is lower at the second mark.
 */
unsigned long steps_take(pid_t pid, unsigned long count);

/* Returns whether the next instruction is a system call. */
bool steps_enter_kernel(pid_t pid);

/* Kills the child, and waits until it has exited. */
void steps_kill(pid_t pid);

#endif /* JUROM_STEPPING_STEPS_H_ */
