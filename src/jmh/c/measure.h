/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One measurement per process. It starts, prints "ready" on standard output, and then executes a
 * round for each line "round N" on standard input: some warm-up operations, then N measured
 * operations. The answer to each round is one line:
 *
 *     p50=<ns> p99=<ns> rate=<operations per second>
 *
 * Operations that are timed together, such as overlapping ones, have only a rate, whose reciprocal
 * is their mean time.
 *
 * The process exits at the end of its input. Neither it nor a peer runs between rounds, so that
 * many measurements can alternate on the same cores.
 */
#ifndef MEASURE_H_
#define MEASURE_H_

#include <stddef.h>
#include <stdint.h>
#include <time.h>

#define BUFFER_FILLING 0x5a /* the content of messages */

struct measurement {
    /*
     * Announces the number of warm-up operations and measured operations of a round. Optional.
     */
    void (*begin)(struct measurement *measurement, size_t warm_up, size_t count);
    /*
     * Executes operations and returns the total time. Stores the time of each in `samples`, or
     * leaves `samples` unchanged if the operations are timed together.
     */
    uint64_t (*run)(struct measurement *measurement, uint64_t *samples, size_t count);
};

/* Executes rounds until the end of standard input; returns the exit code of the program. */
int measure(struct measurement *measurement);

/* Measures each operation individually, with one clock reading per operation. */
uint64_t measure_each(struct measurement *measurement, void (*operate)(struct measurement *),
        uint64_t *samples, size_t count);

/* Measures the total time of overlapping operations. */
uint64_t measure_stream(struct measurement *measurement,
        void (*stream)(struct measurement *, size_t count), size_t count);

/*
 * Allocates memory for messages and writes every page of it: unwritten pages would all map to one
 * page of zeros, which stays in the cache. Call it in the process that uses the memory, since
 * pages written before a fork are copied at the next write. Release the memory with free().
 */
void *make_buffer(size_t size);

/* Pins the calling thread to a core; no effect if the number is negative. */
void pin_to_core(int core);

/* Exits the program with an error message. */
_Noreturn void fail(const char *what, const char *why);

/* Returns the time of the monotonic clock in nanoseconds. */
static inline uint64_t now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* Hints to the processor that this is a spin-wait loop. */
static inline void relax(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

#endif /* MEASURE_H_ */
