/* SPDX-License-Identifier: Apache-2.0 */
/* The CPU's clock (TSC, CNTVCT_EL0): reading it takes few instructions and no system call. */
#ifndef JUROM_COUNTERS_CLOCK_H_
#define JUROM_COUNTERS_CLOCK_H_

#include <stdint.h>

/* Returns the counter in ticks: never 0, and synchronized between cores. */
static inline uint64_t counters_ticks(void)
{
#if defined(__x86_64__)
    return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
    uint64_t ticks;

    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
    return ticks;
#else
#error "no clock is known for this processor"
#endif
}

/* Returns the counter's frequency. The first call measures it for 200 us. Thread-safe. */
uint64_t counters_ticks_per_second(void);

#endif /* JUROM_COUNTERS_CLOCK_H_ */
