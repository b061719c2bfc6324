/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <time.h>

#include "clock.h"

#define NS_PER_SECOND UINT64_C(1000000000)
#define MEASURED_NS 200000
#define TRIES 3

static pthread_once_t measured = PTHREAD_ONCE_INIT;
static uint64_t per_second;

static uint64_t now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * NS_PER_SECOND + (uint64_t)now.tv_nsec;
}

/* Reads both clocks at the same time: uses the attempt with the shortest preemption. */
static void read_both(uint64_t *ticks, uint64_t *ns)
{
    uint64_t least = UINT64_MAX;

    for (int i = 0; i < TRIES; ++i) {
        uint64_t before = counters_ticks();
        uint64_t at = now_ns();
        uint64_t after = counters_ticks();

        if (after - before < least) {
            least = after - before;
            *ticks = before + (after - before) / 2;
            *ns = at;
        }
    }
}

static void measure(void)
{
    uint64_t first_ticks, first_ns, last_ticks, last_ns;

    read_both(&first_ticks, &first_ns);
    while (now_ns() - first_ns < MEASURED_NS)
        continue;
    read_both(&last_ticks, &last_ns);
    per_second = (uint64_t)((double)(last_ticks - first_ticks) * NS_PER_SECOND
            / (double)(last_ns - first_ns));
}

uint64_t counters_ticks_per_second(void)
{
    pthread_once(&measured, measure);
    return per_second;
}
