/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Measures the duration of one command at a time in a log-linear histogram: the first 8 buckets are
 * one tick wide, and each higher power of two has 8 buckets, so that no bucket is wider than an
 * eighth of its values.
 */
#include "counters.h"

#define NO_COMMAND UINT64_MAX /* no command is being measured */
#define BITS 3                /* 2^BITS buckets per power of two */

static unsigned bucket(uint64_t ticks)
{
    unsigned power, found;

    if (ticks < 1u << BITS)
        return (unsigned)ticks;
    power = 63u - (unsigned)__builtin_clzll(ticks);
    found = ((power - BITS + 1) << BITS) + ((ticks >> (power - BITS)) & ((1u << BITS) - 1));
    return found < COUNTERS_BUCKETS ? found : COUNTERS_BUCKETS - 1;
}

/* Replaces a measurement that has not ended within a second: its host has disconnected. */
bool counters_begin_sample(struct counters *counters, uint64_t key)
{
    uint64_t *values = counters->values;
    uint64_t now = counters_ticks();

    values[COUNTERS_LEFT] = COUNTERS_SAMPLE_INTERVAL;
    if (values[COUNTERS_SINCE] != 0 && now - values[COUNTERS_SINCE] < counters->ticks_per_second)
        return false;
    values[COUNTERS_SAMPLE] = key;
    values[COUNTERS_SINCE] = now;
    return true;
}

void counters_end_sample(struct counters *counters)
{
    uint64_t *values = counters->values;

    if (values[COUNTERS_SINCE] == 0)
        return;
    ++counters->histogram[bucket(counters_ticks() - values[COUNTERS_SINCE])];
    values[COUNTERS_SINCE] = 0;
    values[COUNTERS_SAMPLE] = NO_COMMAND;
}
