/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Several host processes of one service at a time, each with a session, a worker and --depth
 * commands under way: what they carry out together. Hosts and workers run where the system puts
 * them.
 */
#include <stdlib.h>
#include <sys/wait.h>

#include "loopback.h"
#include "measure.h"
#include "options.h"
#include "pair.h"

struct hosts {
    struct measurement measurement;
    size_t count;
    struct pair pairs[MAX_HOSTS];
};

/* In a host: others' ends are theirs, so that each is seen to end. */
static void close_others(const struct hosts *hosts, size_t own)
{
    for (size_t i = 0; i < own; i++)
        pair_close(&hosts->pairs[i]);
}

/* In a host: runs as many commands as it is told to, again and again. */
static int be_host(const struct pair *pair, const struct options *options)
{
    struct loopback loopback = {0};
    size_t count = 0;

    loopback_open(&loopback, options);
    do {
        loopback_stream(&loopback, count);
        pair_send(pair, &count, sizeof(count));
    } while (pair_receive(pair, &count, sizeof(count)));
    loopback_close(&loopback);
    return 0;
}

static void await_all(const struct hosts *hosts)
{
    size_t count;

    for (size_t i = 0; i < hosts->count; i++) {
        if (!pair_receive(&hosts->pairs[i], &count, sizeof(count)))
            give_up("a host", "has ended");
    }
}

static void stream(struct measurement *measurement, size_t count)
{
    struct hosts *hosts = (struct hosts *)measurement;

    for (size_t i = 0; i < hosts->count; i++) {
        size_t share = count / hosts->count + (i < count % hosts->count);
        pair_send(&hosts->pairs[i], &share, sizeof(share));
    }
    await_all(hosts);
}

static uint64_t run(struct measurement *measurement, uint64_t *samples, size_t count)
{
    return measure_stream(measurement, stream, samples, count);
}

int main(int argc, char **argv)
{
    static const int anywhere[2] = {-1, -1};
    struct options options = options_parse(argc, argv);
    struct hosts hosts = {.measurement.run = run, .count = options.hosts};
    int exit_code;

    options.cores[0] = options.cores[1] = -1;
    for (size_t i = 0; i < hosts.count; i++) {
        hosts.pairs[i] = pair_split(anywhere);
        if (hosts.pairs[i].is_peer) {
            close_others(&hosts, i);
            return be_host(&hosts.pairs[i], &options);
        }
    }
    await_all(&hosts);
    exit_code = measure(&hosts.measurement);
    for (size_t i = 0; i < hosts.count; i++)
        pair_close(&hosts.pairs[i]);
    while (wait(NULL) > 0)
        ;
    return exit_code;
}
