/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The counter file of a host. It is in the directory of the host's service if this user owns that
 * directory, else in one that all hosts of this user share. docs/counters.md describes it.
 */
#ifndef JUROM_HOST_COUNTERS_H_
#define JUROM_HOST_COUNTERS_H_

#include <limits.h>
#include <stdbool.h>

#include "counters.h"

/*
 * The counters of a host and their file. Owned by one thread; must not move in memory while open.
 */
struct counters_file {
    struct counters *counters;  /* NULL: none */
    char path[PATH_MAX];        /* empty: no file */
    struct counters_file *next; /* in the list of open files */
};

/*
 * Creates the file of a host in the directory of `socket`, the socket of a worker, or NULL for a
 * worker on another machine. If no file can be created, the host counts in private memory. Returns
 * false without memory.
 */
bool counters_open(struct counters_file *file, const char *socket);

/* Closes and removes the file. A forked child of its creator removes no file. */
void counters_close(struct counters_file *file);

#endif /* JUROM_HOST_COUNTERS_H_ */
