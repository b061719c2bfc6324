/* SPDX-License-Identifier: Apache-2.0 */
/* Forks the hosts and distributes the operations of a round among them. */
#include "hosts.h"

#include <sys/wait.h>

#include "measure.h"

struct hosts {
    struct measurement measurement;
    size_t count;
    struct pair pairs[MAX_HOSTS];
};

size_t share_of(size_t whole, size_t parts, size_t number)
{
    return whole / parts + (number < whole % parts);
}

/* In a host: closes the ends of other hosts' sockets, so that the exit of each host is detected. */
static void close_others(const struct hosts *hosts, size_t own)
{
    for (size_t i = 0; i < own; ++i)
        pair_close(&hosts->pairs[i]);
}

void hosts_serve(const struct pair *pair, void (*stream)(void *owner, size_t count), void *owner)
{
    size_t count = 0;

    do {
        stream(owner, count);
        pair_send(pair, &count, sizeof(count));
    } while (pair_receive(pair, &count, sizeof(count)));
}

static void await_all(const struct hosts *hosts)
{
    size_t count;

    for (size_t i = 0; i < hosts->count; ++i) {
        if (!pair_receive(&hosts->pairs[i], &count, sizeof(count)))
            fail("a host", "exited");
    }
}

static void stream(struct measurement *measurement, size_t count)
{
    struct hosts *hosts = (struct hosts *)measurement;

    for (size_t i = 0; i < hosts->count; ++i) {
        size_t share = share_of(count, hosts->count, i);
        pair_send(&hosts->pairs[i], &share, sizeof(share));
    }
    await_all(hosts);
}

static uint64_t run(struct measurement *measurement, uint64_t *samples, size_t count)
{
    (void)samples;
    return measure_stream(measurement, stream, count);
}

int hosts_measure(const struct options *options,
        int (*be_host)(const struct pair *pair, size_t number, const struct options *options))
{
    static const int anywhere[2] = { -1, -1 };
    static struct hosts hosts = { .measurement.run = run };
    int exit_code;

    hosts.count = options->hosts;
    for (size_t i = 0; i < hosts.count; ++i) {
        hosts.pairs[i] = pair_split(anywhere);
        if (hosts.pairs[i].is_peer) {
            close_others(&hosts, i);
            return be_host(&hosts.pairs[i], i, options);
        }
    }
    await_all(&hosts);
    exit_code = measure(&hosts.measurement);
    for (size_t i = 0; i < hosts.count; ++i)
        pair_close(&hosts.pairs[i]);
    while (wait(NULL) > 0)
        ;
    return exit_code;
}
