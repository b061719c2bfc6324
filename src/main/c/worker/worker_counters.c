/* SPDX-License-Identifier: Apache-2.0 */
#include <fcntl.h>

#include <common/idle.h>
#include <jurom.h>

#include "launcher.h"
#include "worker_counters.h"

#define NS_PER_SECOND UINT64_C(1000000000)

_Alignas(COUNTING_PAGE) union counted counted;

/* The descriptor stays open, so that readers can open the memory through /proc. */
void counting_open(void)
{
    if (counters_map_over(&counted.counters, LAUNCHED_COUNTERS))
        fcntl(LAUNCHED_COUNTERS, F_SETFD, FD_CLOEXEC);
}

static uint64_t sampled; /* host whose command is timed: request ids are per host */

void counting_sample(const struct connection *connection, uint64_t request_id)
{
    if (counters_begin_sample(&counted.counters, request_id))
        sampled = connection->serial;
}

void counting_sampled(const struct connection *connection)
{
    if (sampled == connection->serial)
        counters_end_sample(&counted.counters);
}

void counting_begin(uint64_t worker_id, const char *label)
{
    counters_begin(&counted.counters, COUNTERS_WORKER, worker_id, label);
}

__attribute__((noinline, cold)) void counting_error(doca_error_t status)
{
    counters_add(&counted.counters, COUNTERS_FAILED, 1);
    counters_note(&counted.counters, COUNTERS_COMMAND_ANSWERED, status);
}

void counting_refused(void)
{
    counters_add(&counted.counters, COUNTERS_REFUSED, 1);
}

/* Any thread of a plugin may call it. */
void jurom_worker_set_busy(uint32_t seconds)
{
    __atomic_store_n(counting_busy(), seconds == 0 ? 0 : idle_now_ns() + seconds * NS_PER_SECOND,
            __ATOMIC_RELAXED);
}

void counting_break(doca_error_t status)
{
    counters_note(&counted.counters, COUNTERS_CONNECTION_ENDED, status);
}
