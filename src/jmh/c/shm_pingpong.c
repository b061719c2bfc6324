/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Round trips of one cache line between two cores through shared memory: the lowest bound, and
 * the probe of the cache domain.
 */
#include <stdatomic.h>
#include <sys/mman.h>

#include "measure.h"
#include "options.h"
#include "pair.h"

struct line {
    _Alignas(64) _Atomic uint64_t turn;
};

struct ping {
    struct measurement measurement;
    struct pair pair;
    struct line *line;
    uint64_t turn;
};

static void wait_for_turn(struct ping *ping, uint64_t turn)
{
    while (atomic_load_explicit(&ping->line->turn, memory_order_acquire) != turn)
        relax();
}

static void begin(struct measurement *measurement, size_t warm_up, size_t count)
{
    pair_begin(&((struct ping *)measurement)->pair, warm_up, count);
}

static void operate(struct measurement *measurement)
{
    struct ping *ping = (struct ping *)measurement;

    atomic_store_explicit(&ping->line->turn, ++ping->turn, memory_order_release);
    wait_for_turn(ping, ++ping->turn);
}

static uint64_t run(struct measurement *measurement, uint64_t *samples, size_t count)
{
    return measure_each(measurement, operate, samples, count);
}

static void answer(void *owner, size_t count)
{
    struct ping *ping = owner;

    for (size_t i = 0; i < count; ++i) {
        wait_for_turn(ping, ++ping->turn);
        atomic_store_explicit(&ping->line->turn, ++ping->turn, memory_order_release);
    }
}

int main(int argc, char **argv)
{
    struct options options = options_parse(argc, argv);
    struct ping ping = { .measurement = { .begin = begin, .run = run } };

    ping.line = mmap(
            NULL, sizeof(*ping.line), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (ping.line == MAP_FAILED)
        fail("mmap", "no shared memory");
    ping.pair = pair_split(options.cores);
    if (ping.pair.is_peer)
        return pair_answer(&ping.pair, answer, &ping);
    return measure(&ping.measurement);
}
