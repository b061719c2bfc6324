/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Idle strategy of a poller: it spins for a while, since a response from another core takes less
 * time than a wake-up, and then yields. A yield during which another thread ran shortens later
 * spins: two pollers on one core would otherwise wait for the scheduler's time slice. One object
 * per thread.
 */
#ifndef JUROM_IDLE_H_
#define JUROM_IDLE_H_

#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include <faults/faults.h>

#define IDLE_POLLS_MAX 4096   /* empty polls before a yield on an uncontended core: about 50 us */
#define IDLE_POLLS_MIN 16     /* the same on a contended core */
#define IDLE_YIELD_SHORT 1500 /* ns: a shorter yield ran no other thread */

struct idle {
    uint32_t empty;  /* empty polls since the last that found work */
    uint32_t limit;  /* empty polls before each poll yields */
    uint32_t yields; /* yields since the last poll that found work */
};

/* Initializes the state for an uncontended core. */
static inline void idle_init(struct idle *idle)
{
    *idle = (struct idle){ .limit = IDLE_POLLS_MAX };
}

/* Call after each poll that found work. */
static inline void idle_found_work(struct idle *idle)
{
    idle->empty = 0;
    idle->yields = 0;
}

/* Returns the time of `clock` in nanoseconds. */
static inline uint64_t idle_read_clock(clockid_t clock)
{
    struct timespec now;

    clock_gettime(clock, &now);
    return FAULT_TIME(clock, (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec);
}

/* Returns the monotonic time in nanoseconds. */
static inline uint64_t idle_now_ns(void)
{
    return idle_read_clock(CLOCK_MONOTONIC);
}

/* Returns the time of the last kernel tick, up to a few ms ago, at a third of the cost. */
static inline uint64_t idle_tick_ns(void)
{
    return idle_read_clock(CLOCK_MONOTONIC_COARSE);
}

/* Yields, and adapts the number of empty polls before later yields. */
static inline void idle_yield(struct idle *idle)
{
    uint64_t before = idle_now_ns();

    sched_yield();
    ++idle->yields;
    if (idle_now_ns() - before > IDLE_YIELD_SHORT)
        idle->limit = idle->limit / 2 < IDLE_POLLS_MIN ? IDLE_POLLS_MIN : idle->limit / 2;
    else if (idle->limit < IDLE_POLLS_MAX)
        ++idle->limit;
}

/* Hints to the CPU that this is a spin loop, so that it does not load the polled line too early. */
static inline void idle_relax(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

/* Call after each poll that found nothing. Returns whether it yielded. */
static inline bool idle_step(struct idle *idle)
{
    idle_relax();
    if (++idle->empty <= idle->limit)
        return false;
    idle_yield(idle);
    return true;
}

#endif /* JUROM_IDLE_H_ */
