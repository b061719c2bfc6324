/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How a host behaves beyond what it is told: drawn from its seed, so that a run can be repeated. It
 * is nothing that a service, a worker or another host may suffer from.
 */
#ifndef JUROM_FAULT_MANNER_H_
#define JUROM_FAULT_MANNER_H_

#include "course.h"
#include "job.h"

struct manner {
    bool flushes; /* what a batch was cut short of; otherwise that goes with the next progress */
    bool polls;   /* does not sleep until there is something: nothing is told it is about to */
    bool deaf;    /* before it leaves abruptly it asks for more answers than it has room for... */
    bool cuts;    /* ...and has its connection end before it does so itself */
    bool forks;   /* a child that outlives it, and holds what it has inherited */
    bool again;   /* shows a worker its ticket once more when it was let in */
};

struct manner manner_of(const struct job *job);

/* Submits more than its ring has room for the answers to, and takes none: the process is to end. */
void manner_stuff(struct course *course);

/* Has the worker's connection end while the service's goes on, and prints whether it did. */
void manner_cut(const struct job *job);

/* Forks a child that lives until `leash` has ended. */
void manner_fork(int leash);

/* Shows the last ticket of this process once more, and prints whether that was let in. */
void manner_show_again(const struct job *job);

#endif /* JUROM_FAULT_MANNER_H_ */
