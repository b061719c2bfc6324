/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The lower bound for UROM: round trips of UCX active messages between two processes with --depth
 * messages in flight, or one way at full speed (--stream), with one answer after all messages. With
 * --hosts, several such pairs of processes run at the same time: their total rate of round trips.
 * They are not pinned.
 */
#include "hosts.h"
#include "measure.h"
#include "options.h"
#include "pair.h"
#include "ucx_side.h"

struct ping {
    struct measurement measurement;
    struct pair pair;
    struct ucx_side side;
    size_t depth;
    uint64_t awaited;
};

static void begin(struct measurement *measurement, size_t warm_up, size_t count)
{
    pair_begin(&((struct ping *)measurement)->pair, warm_up, count);
}

static void operate(struct measurement *measurement)
{
    struct ping *ping = (struct ping *)measurement;

    ucx_send(&ping->side);
    ucx_await(&ping->side, ++ping->awaited);
}

static uint64_t run_round_trips(struct measurement *measurement, uint64_t *samples, size_t count)
{
    return measure_each(measurement, operate, samples, count);
}

static void overlap(struct measurement *measurement, size_t count)
{
    struct ping *ping = (struct ping *)measurement;
    size_t sent = 0;

    for (size_t i = 0; i < count; ++i) {
        for (; sent < count && sent < i + ping->depth; ++sent)
            ucx_send(&ping->side);
        ucx_await(&ping->side, ++ping->awaited);
    }
}

static uint64_t run_overlapping(struct measurement *measurement, uint64_t *samples, size_t count)
{
    (void)samples;
    return measure_stream(measurement, overlap, count);
}

static void answer_round_trips(void *owner, size_t count)
{
    struct ping *ping = owner;

    for (size_t i = 0; i < count; ++i) {
        ucx_await(&ping->side, ++ping->awaited);
        ucx_send(&ping->side);
    }
    ucx_settle(&ping->side);
}

static void stream(struct measurement *measurement, size_t count)
{
    struct ping *ping = (struct ping *)measurement;

    for (size_t i = 0; i < count; ++i)
        ucx_send(&ping->side);
    ucx_await(&ping->side, ++ping->awaited);
}

static uint64_t run_stream(struct measurement *measurement, uint64_t *samples, size_t count)
{
    (void)samples;
    return measure_stream(measurement, stream, count);
}

static void answer_stream(void *owner, size_t count)
{
    struct ping *ping = owner;

    ping->awaited += count;
    ucx_await(&ping->side, ping->awaited);
    ucx_send(&ping->side);
    ucx_settle(&ping->side);
}

static void stream_in_host(void *owner, size_t count)
{
    struct ping *ping = owner;

    pair_begin(&ping->pair, 0, count);
    overlap(&ping->measurement, count);
}

/* In a host: executes round trips with a peer of its own on request. */
static int be_host(const struct pair *pair, size_t number, const struct options *options)
{
    static const int anywhere[2] = { -1, -1 };
    struct ping ping = { .depth = options->depth, .pair = pair_split(anywhere) };

    (void)number;
    ucx_open(&ping.side);
    ucx_connect(&ping.side, &ping.pair, options->size);
    if (ping.pair.is_peer) {
        pair_close(pair);
        pair_answer(&ping.pair, answer_round_trips, &ping);
    } else {
        hosts_serve(pair, stream_in_host, &ping);
        pair_close(&ping.pair);
    }
    ucx_close(&ping.side);
    return 0;
}

int main(int argc, char **argv)
{
    struct options options = options_parse(argc, argv);
    struct ping ping = {
        .measurement = { .begin = begin, .run = run_round_trips },
        .depth = options.depth,
    };
    int exit_code;

    if (options.hosts > 1)
        return hosts_measure(&options, be_host);
    if (options.stream)
        ping.measurement.run = run_stream;
    else if (options.depth > 1)
        ping.measurement.run = run_overlapping;
    ping.pair = pair_split(options.cores);
    ucx_open(&ping.side);
    ucx_connect(&ping.side, &ping.pair, options.size);
    if (ping.pair.is_peer)
        exit_code = pair_answer(
                &ping.pair, options.stream ? answer_stream : answer_round_trips, &ping);
    else
        exit_code = measure(&ping.measurement);
    ucx_close(&ping.side);
    return exit_code;
}
