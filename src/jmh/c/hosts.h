/* SPDX-License-Identifier: Apache-2.0 */
/* Several concurrent processes, each of which executes a share of the operations of each round. */
#ifndef HOSTS_H_
#define HOSTS_H_

#include <stddef.h>

#include "options.h"
#include "pair.h"

/*
 * Forks --hosts processes, which call be_host with their number from 0, and measures the total rate
 * of their operations. Returns the exit code of the program, in each process.
 */
int hosts_measure(const struct options *options,
        int (*be_host)(const struct pair *pair, size_t number, const struct options *options));

/* In a host: executes operations on request until the measuring process exits. */
void hosts_serve(const struct pair *pair, void (*stream)(void *owner, size_t count), void *owner);

/* Returns the share of the part with the given number. */
size_t share_of(size_t whole, size_t parts, size_t number);

#endif /* HOSTS_H_ */
