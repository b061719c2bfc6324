/* SPDX-License-Identifier: Apache-2.0 */
/* The processor's own clock: a read costs no system call and few instructions. */
#ifndef JUROM_COUNTERS_CLOCK_H_
#define JUROM_COUNTERS_CLOCK_H_

#include <stdint.h>

/* Never 0, and the same on all cores. */
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

/* Measured when it is first asked for, which takes a fifth of a millisecond. Any thread. */
uint64_t counters_ticks_per_second(void);

#endif /* JUROM_COUNTERS_CLOCK_H_ */
