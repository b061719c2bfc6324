/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a poller does between two polls that found nothing: it polls on for a while (an answer from
 * the other core takes less than a wake-up), then gives its core to whoever wants it. Where
 * somebody did want it, it will be patient for less long: two pollers that share a core would
 * otherwise wait for the scheduler's slice. One thread an object.
 */
#ifndef JUROM_IDLE_H_
#define JUROM_IDLE_H_

#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include <faults/faults.h>

#define IDLE_POLLS_MAX 4096 /* empty polls before a yield on a core of one's own: about 50 us */
#define IDLE_POLLS_MIN 16   /* ... and on a core that others want */
#define IDLE_YIELD_SHORT 1500 /* ns: a yield that took less found nobody else to run */

struct idle {
    uint32_t empty;  /* polls since the last that found something */
    uint32_t limit;  /* of them, before each poll yields */
    uint32_t yields; /* since the last poll that found something */
};

static inline void idle_init(struct idle *idle)
{
    *idle = (struct idle){ .limit = IDLE_POLLS_MAX };
}

static inline void idle_found_work(struct idle *idle)
{
    idle->empty = 0;
    idle->yields = 0;
}

static inline uint64_t idle_read_clock(clockid_t clock)
{
    struct timespec now;

    clock_gettime(clock, &now);
    return FAULT_TIME(clock, (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec);
}

static inline uint64_t idle_now_ns(void)
{
    return idle_read_clock(CLOCK_MONOTONIC);
}

/* The same as of the last tick of the kernel, some ms ago: costs a third. */
static inline uint64_t idle_tick_ns(void)
{
    return idle_read_clock(CLOCK_MONOTONIC_COARSE);
}

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

/*
 * Tells the processor that this is a spin: it would otherwise read ahead what the other side is
 * about to write, and have to take all of that back.
 */
static inline void idle_relax(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

/* Call after each poll that found nothing. True when it yielded. */
static inline bool idle_step(struct idle *idle)
{
    idle_relax();
    if (++idle->empty <= idle->limit)
        return false;
    idle_yield(idle);
    return true;
}

#endif /* JUROM_IDLE_H_ */
