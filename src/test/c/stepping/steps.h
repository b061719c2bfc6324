/* SPDX-License-Identifier: Apache-2.0 */
/* A child process that is run instruction by instruction, by ptrace. */
#ifndef JUROM_STEPPING_STEPS_H_
#define JUROM_STEPPING_STEPS_H_

#include <stdbool.h>
#include <sys/types.h>

/* In the child: from here on its parent can step it, which it has to wait for. */
void steps_offer(void);

/* In the child: the first call is where the steps begin, the second where they end. */
void steps_mark(void);

/* Whether the child has come to a mark since; it must not end before. */
bool steps_reached_mark(pid_t pid);

/*
 * Has it execute up to `count` instructions; a system call is one, a repeated one is as many as its
 * repetitions. How many there were: fewer when it comes to the second mark.
 */
unsigned long steps_take(pid_t pid, unsigned long count);

/* Whether the next instruction asks the kernel for something. */
bool steps_enter_kernel(pid_t pid);

/* Kills it where it stands, and waits until it has ended. */
void steps_kill(pid_t pid);

#endif /* JUROM_STEPPING_STEPS_H_ */
