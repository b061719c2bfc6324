/* SPDX-License-Identifier: Apache-2.0 */
/* Functions shared by all measurements: rounds, percentiles and pinning. */
#include "measure.h"

#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_COUNT 100000000
#define NO_SAMPLE UINT64_MAX

_Noreturn void fail(const char *what, const char *why)
{
    fprintf(stderr, "%s: %s\n", what, why);
    exit(1);
}

void *make_buffer(size_t size)
{
    void *buffer = malloc(size + 1);

    if (buffer == NULL)
        fail("allocation of a buffer", "out of memory");
    return memset(buffer, BUFFER_FILLING, size + 1);
}

void pin_to_core(int core)
{
    cpu_set_t set;

    if (core < 0)
        return;
    CPU_ZERO(&set);
    CPU_SET(core, &set);
    if (sched_setaffinity(0, sizeof(set), &set) != 0)
        fail("cannot run on the core", "choose another one with --cores");
}

static int compare_samples(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left;
    uint64_t b = *(const uint64_t *)right;

    return (a > b) - (a < b);
}

static void print_round(uint64_t *samples, size_t count, uint64_t elapsed)
{
    if (samples[0] != NO_SAMPLE) {
        qsort(samples, count, sizeof(*samples), compare_samples);
        printf("p50=%" PRIu64 " p99=%" PRIu64 " ", samples[count / 2],
                samples[count - 1 - count / 100]);
    }
    printf("rate=%.0f\n", count * 1e9 / elapsed);
    fflush(stdout);
}

static void run_round(struct measurement *measurement, size_t count)
{
    size_t warm_up = count / 10 + 1;
    uint64_t *samples = make_buffer((count + warm_up) * sizeof(*samples));

    if (measurement->begin != NULL)
        measurement->begin(measurement, warm_up, count);
    measurement->run(measurement, samples, warm_up);
    samples[0] = NO_SAMPLE;
    print_round(samples, count, measurement->run(measurement, samples, count));
    free(samples);
}

int measure(struct measurement *measurement)
{
    char line[64];
    size_t count;

    puts("ready");
    fflush(stdout);
    while (fgets(line, sizeof(line), stdin) != NULL) {
        if (sscanf(line, "round %zu", &count) != 1 || count == 0 || count > MAX_COUNT)
            fail("invalid line on standard input (expected \"round N\", N from 1 to 100000000)",
                    line);
        run_round(measurement, count);
    }
    return 0;
}

uint64_t measure_each(struct measurement *measurement, void (*operate)(struct measurement *),
        uint64_t *samples, size_t count)
{
    uint64_t start = now_ns();
    uint64_t last = start;

    for (size_t i = 0; i < count; ++i) {
        operate(measurement);
        uint64_t now = now_ns();
        samples[i] = now - last;
        last = now;
    }
    return last - start;
}

uint64_t measure_stream(struct measurement *measurement,
        void (*stream)(struct measurement *, size_t count), size_t count)
{
    uint64_t start = now_ns();

    stream(measurement, count);
    return now_ns() - start;
}
