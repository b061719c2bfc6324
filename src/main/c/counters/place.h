/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Location of a host's counters: the directory of its service if this user owns it, else one that
 * all hosts of this user share. docs/counters.md describes it.
 */
#ifndef JUROM_COUNTERS_PLACE_H_
#define JUROM_COUNTERS_PLACE_H_

#include <limits.h>
#include <stdbool.h>

#include "counters.h"

/*
 * The counters of a host and their file. Owned by one thread; must not move in memory while open.
 */
struct counters_file {
    struct counters *counters;  /* NULL: none */
    char path[PATH_MAX];        /* empty: no file */
    struct counters_file *next; /* for fork.c */
};

/*
 * Creates the file of a host in the directory of `socket`, the socket of a worker, or NULL for a
 * worker on another machine. If no file can be created, the host counts in memory that no process
 * reads. False: no memory.
 */
bool counters_open(struct counters_file *file, const char *socket);

/* Removes the file. No effect if there is none, or in a child of the process that created it. */
void counters_close(struct counters_file *file);

/* fork.c: makes forked children count in pages of their own, until the file is removed. */
void counters_fork_add(struct counters_file *file);
void counters_fork_remove(struct counters_file *file);

#endif /* JUROM_COUNTERS_PLACE_H_ */
