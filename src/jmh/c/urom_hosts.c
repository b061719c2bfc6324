/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Several concurrent host processes of one service, each with a session, one or more workers, and
 * --depth commands in flight to each worker: the total rate. With --busy, the other workers of
 * each host are idle. Hosts and workers are not pinned.
 *
 * With --shared, all hosts share one worker and one thread, so that they do not compete for cores,
 * and each has one command in flight: the times of the commands. With --greedy, the first host
 * keeps more commands in flight, and the times are those of the others.
 */
#include <stdlib.h>

#include <doca_pe.h>

#include "hosts.h"
#include "loopback.h"
#include "measure.h"
#include "options.h"

/* In a host: opens its session and its workers, the first of which are active. */
struct own {
    size_t count;
    size_t busy;
    struct loopback *workers;
};

static void open_own(struct own *own, size_t count, const struct options *options)
{
    own->count = count;
    own->busy = options->busy == 0 || options->busy > count ? count : options->busy;
    own->workers = calloc(count, sizeof(*own->workers));
    if (own->workers == NULL)
        fail("--workers", "out of memory");
    loopback_open(&own->workers[0], options);
    for (size_t i = 1; i < count; ++i)
        loopback_open_beside(&own->workers[i], &own->workers[0], options);
}

static void close_own(struct own *own)
{
    for (size_t i = own->count; i > 0; i--)
        loopback_close(&own->workers[i - 1]);
    free(own->workers);
}

static void stream(void *owner, size_t count)
{
    struct own *own = owner;
    size_t done = 0; /* number of workers, from the first, that have completed all commands */

    for (size_t i = 0; i < own->busy; ++i)
        loopback_begin(&own->workers[i], share_of(count, own->busy, i));
    while (done < own->busy) {
        if (loopback_is_done(&own->workers[done]))
            done++;
        else
            doca_pe_progress(own->workers[0].host.pe);
    }
}

static size_t workers_of(const struct options *options)
{
    return options->workers == 0 ? options->hosts : options->workers;
}

/* In a host: executes rounds of commands on request. */
static int be_host(const struct pair *pair, size_t number, const struct options *options)
{
    struct own own;

    open_own(&own, share_of(workers_of(options), options->hosts, number), options);
    hosts_serve(pair, stream, &own);
    close_own(&own);
    return 0;
}

/* Hosts of one worker in this process. */
struct sharing {
    struct measurement measurement;
    size_t count;
    size_t greedy; /* the number of greedy hosts, which are the first */
    struct loopback hosts[MAX_HOSTS];
    uint64_t begun[MAX_HOSTS]; /* time at which the command of a host was submitted */
};

static void begin_command(struct sharing *sharing, size_t host)
{
    sharing->begun[host] = now_ns();
    loopback_begin(&sharing->hosts[host], 1);
}

static void begin_round(struct sharing *sharing)
{
    for (size_t i = 0; i < sharing->greedy; ++i)
        loopback_begin(&sharing->hosts[i], SIZE_MAX / 2);
    for (size_t i = sharing->greedy; i < sharing->count; ++i)
        begin_command(sharing, i);
}

/* Completes the commands in flight. */
static void end_round(struct sharing *sharing)
{
    for (size_t i = 0; i < sharing->count; ++i) {
        struct loopback *host = &sharing->hosts[i];

        host->limit = host->submitted;
        while (!loopback_is_done(host))
            doca_pe_progress(host->host.pe);
    }
}

static uint64_t run_sharing(struct measurement *measurement, uint64_t *samples, size_t count)
{
    struct sharing *sharing = (struct sharing *)measurement;
    uint64_t start = now_ns();
    size_t done = 0;
    uint64_t end;

    begin_round(sharing);
    for (size_t i = 0; done < count; i = (i + 1) % sharing->count) {
        doca_pe_progress(sharing->hosts[i].host.pe);
        if (i < sharing->greedy || !loopback_is_done(&sharing->hosts[i]))
            continue;
        samples[done++] = now_ns() - sharing->begun[i];
        begin_command(sharing, i);
    }
    end = now_ns();
    end_round(sharing);
    return end - start;
}

static int measure_sharing(struct options options)
{
    static struct sharing sharing = { .measurement.run = run_sharing };
    int exit_code;

    sharing.count = options.hosts;
    sharing.greedy = options.greedy > 0 && options.hosts > 1 ? 1 : 0;
    pin_to_core(options.cores[0]);
    for (size_t i = 0; i < sharing.count; ++i) {
        options.depth = i < sharing.greedy ? options.greedy : 1;
        loopback_open(&sharing.hosts[i], &options);
    }
    exit_code = measure(&sharing.measurement);
    for (size_t i = 0; i < sharing.count; ++i)
        loopback_close(&sharing.hosts[i]);
    return exit_code;
}

int main(int argc, char **argv)
{
    struct options options = options_parse(argc, argv);

    if (options.worker_id != 0)
        return measure_sharing(options);
    if (workers_of(&options) < options.hosts)
        fail("--workers", "must be at least the number of hosts");
    options.cores[0] = options.cores[1] = -1;
    return hosts_measure(&options, be_host);
}
