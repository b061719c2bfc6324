/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One command at a time is timed. Its time goes to a bucket of a log-linear histogram: the first 8
 * buckets are one tick wide, and each power of two above has 8, so that none is wider than an
 * eighth of its values.
 */
#include "counters.h"

#define NOBODY UINT64_MAX /* the key of no command */
#define BITS 3 /* a power of two has 2^BITS buckets */

static unsigned bucket(uint64_t ticks)
{
    unsigned power, found;

    if (ticks < 1u << BITS)
        return (unsigned)ticks;
    power = 63u - (unsigned)__builtin_clzll(ticks);
    found = ((power - BITS + 1) << BITS) + ((ticks >> (power - BITS)) & ((1u << BITS) - 1));
    return found < COUNTERS_BUCKETS ? found : COUNTERS_BUCKETS - 1;
}

/* A command whose end was never seen, since its host has left, makes room after a second. */
bool counters_sample(struct counters *counters, uint64_t key)
{
    uint64_t *values = counters->values;
    uint64_t now = counters_ticks();

    values[COUNTERS_LEFT] = COUNTERS_SAMPLED;
    if (values[COUNTERS_SINCE] != 0 && now - values[COUNTERS_SINCE] < counters->ticks_per_second)
        return false;
    values[COUNTERS_SAMPLE] = key;
    values[COUNTERS_SINCE] = now;
    return true;
}

void counters_sampled(struct counters *counters)
{
    uint64_t *values = counters->values;

    if (values[COUNTERS_SINCE] == 0)
        return;
    ++counters->histogram[bucket(counters_ticks() - values[COUNTERS_SINCE])];
    values[COUNTERS_SINCE] = 0;
    values[COUNTERS_SAMPLE] = NOBODY;
}
