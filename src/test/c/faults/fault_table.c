/* SPDX-License-Identifier: Apache-2.0 */
#include "fault_table.h"
#include "temporary.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <testing/assertions.h>

#define EVENT_MS 5000

static pid_t owner;

static void create(char path[])
{
    const struct fault_table head = {
        .magic = FAULTS_MAGIC,
        .version = FAULTS_VERSION,
        .rows = FAULTS_ROWS,
        .row_size = sizeof(struct fault_row),
        .events = FAULTS_EVENTS,
        .event_size = sizeof(struct fault_event),
    };
    int fd = mkstemp(path);

    if (fd < 0 || write(fd, &head, sizeof(head)) != (ssize_t)sizeof(head))
        abort();
    close(fd);
}

/* Forked children do not remove the table. */
static void remove_table(void)
{
    if (getpid() == owner)
        unlink(getenv(FAULTS_VARIABLE));
}

void fault_table_begin(char **arguments)
{
    static char path[PATH_MAX];

    if (getenv(FAULTS_VARIABLE) == NULL) {
        snprintf(path, sizeof(path), "%s/jurom-faults-XXXXXX", temporary_folder());
        create(path);
        setenv(FAULTS_VARIABLE, path, 1);
        execv("/proc/self/exe", arguments);
        abort();
    }
    if (faults_table == NULL || atexit(remove_table) != 0)
        abort();
    owner = getpid();
}

void fault_table_clear(void)
{
    memset(faults_table->row, 0, sizeof(faults_table->row));
    memset(faults_table->event, 0, sizeof(faults_table->event));
    atomic_store(&faults_table->next_event, 0);
}

struct fault_row *fault_row(unsigned point)
{
    return &faults_table->row[point];
}

void fault_set(unsigned point, enum fault_role role, enum fault_action action, uint64_t argument)
{
    struct fault_row *row = fault_row(point);

    atomic_store(&row->action, FAULT_NONE);
    row->roles = role;
    row->argument = argument;
    atomic_store(&row->skip, 0);
    atomic_store(&row->times, 1);
    atomic_store(&row->action, action);
}

uint64_t fault_reached(unsigned point)
{
    return atomic_load(&fault_row(point)->reached);
}

uint64_t fault_events(void)
{
    return atomic_load(&faults_table->next_event);
}

const struct fault_event *fault_event(unsigned index)
{
    const struct fault_event *event = &faults_table->event[index];

    await(atomic_load(&event->monotonic_ns) != 0, EVENT_MS);
    return event;
}
