/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where the counters of a host are: in the directory of its service if that is this user's own,
 * else in one that all hosts of this user share. docs/counters.md says where that is.
 */
#ifndef JUROM_COUNTERS_PLACE_H_
#define JUROM_COUNTERS_PLACE_H_

#include <limits.h>
#include <stdbool.h>

#include "counters.h"

/* The counters of a host and their file. Owned by one thread; stays where it is while open. */
struct counters_file {
    struct counters *counters; /* NULL: none */
    char path[PATH_MAX];       /* empty: there is no file */
    struct counters_file *next; /* fork.c's */
};

/*
 * Makes the file of a host, in the directory of `socket`, the socket of a worker, or NULL for one
 * of another machine. Where no file can be made, it is counted where nobody reads. False: no memory.
 */
bool counters_open(struct counters_file *file, const char *socket);

/* Removes the file; harmless if there is none, and in a child of the process that made it. */
void counters_close(struct counters_file *file);

/* fork.c: has children that are forked off count in pages of their own, until it is removed. */
void counters_fork_add(struct counters_file *file);
void counters_fork_remove(struct counters_file *file);

#endif /* JUROM_COUNTERS_PLACE_H_ */
