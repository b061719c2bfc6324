/* SPDX-License-Identifier: Apache-2.0 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "counting.h"
#include "launcher.h"

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

/* Appends the file's name without its directory, "worker_" and ".so". */
static void add_name(char label[COUNTERS_LABEL], const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash == NULL ? path : slash + 1;
    size_t used = strlen(label);
    size_t length;

    if (strncmp(name, "worker_", 7) == 0)
        name += 7;
    length = strcspn(name, ".");
    snprintf(label + used, COUNTERS_LABEL - used, "%s%.*s", used > 0 ? "," : "", (int)length, name);
}

void counting_begin(const struct worker *worker)
{
    char label[COUNTERS_LABEL] = "";

    for (unsigned i = 0; i < worker->plugin_count; ++i)
        add_name(label, worker->plugins[i].path);
    counters_begin(&counted.counters, COUNTERS_WORKER, worker->id, label);
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

void counting_break(doca_error_t status)
{
    counters_note(&counted.counters, COUNTERS_CONNECTION_ENDED, status);
}
