/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Idle strategy of the worker. After the last work it spins for some tens of microseconds, because
 * a wake-up costs as much; then it yields its core between polls; then it arms all event sources
 * and sleeps until an event or a deadline. While it does not sleep, it polls its descriptors
 * periodically.
 */
#ifndef JUROM_IDLE_STRATEGY_H_
#define JUROM_IDLE_STRATEGY_H_

#include <common/idle.h>

struct worker;

struct idle_strategy {
    struct idle idle;
    unsigned skips;   /* rounds with work since the last poll of the descriptors */
    unsigned closing; /* closing channels, which still have to be polled */
};

/* Initialises a zeroed strategy. */
void idle_strategy_init(struct idle_strategy *strategy);

/* Called after each round, with the amount of work found. Spins, yields or sleeps if it is 0. */
void idle_strategy_idle(struct worker *worker, unsigned found);

#endif /* JUROM_IDLE_STRATEGY_H_ */
