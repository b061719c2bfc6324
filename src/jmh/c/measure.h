/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One measurement a process. It starts, says "ready" on standard output, and then carries out one
 * round for each line "round N" on standard input: some operations to warm up, then N operations
 * that count. Each round is answered by one line:
 *
 *     p50=<ns> p99=<ns> rate=<operations per second>
 *
 * At the end of its input it leaves. Between rounds nothing runs, neither here nor in a peer, so
 * that many measurements can take turns on the same cores.
 */
#ifndef MEASURE_H_
#define MEASURE_H_

#include <stddef.h>
#include <stdint.h>
#include <time.h>

#define BUFFER_FILLING 0x5a /* what messages consist of, where it does not matter */

struct measurement {
    /*
     * Announces the operations of one round: those that warm up, then those that count. Optional.
     */
    void (*begin)(struct measurement *measurement, size_t warm_up, size_t count);
    /* Carries out operations, says in `samples` how long each took, and returns the whole time. */
    uint64_t (*run)(struct measurement *measurement, uint64_t *samples, size_t count);
};

/* Serves rounds until the end of standard input; returns the program's exit code. */
int measure(struct measurement *measurement);

/* A run that times each operation by itself, with one look at the clock an operation. */
uint64_t measure_each(struct measurement *measurement, void (*operate)(struct measurement *),
        uint64_t *samples, size_t count);

/* A run whose operations overlap: each takes its share of the whole time. */
uint64_t measure_stream(struct measurement *measurement,
        void (*stream)(struct measurement *, size_t count), uint64_t *samples, size_t count);

/*
 * Memory for messages, every page of which has been written: pages that nobody wrote are all one
 * page of zeros, and reading that again and again from the cache is no copy of a message. Call it
 * where the memory is used: what a process wrote before it forked is copied at the next write. For
 * free().
 */
void *make_buffer(size_t size);

/* Keeps the calling thread on one core; a negative number leaves it where it is. */
void pin_to_core(int core);

/* Ends the program with a message when something that cannot fail failed. */
_Noreturn void give_up(const char *what, const char *why);

/* The monotonic clock in nanoseconds. */
static inline uint64_t now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* Tells the processor that a loop waits for another one. */
static inline void relax(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

#endif /* MEASURE_H_ */
