/* SPDX-License-Identifier: Apache-2.0 */
/*
 * UCX's transports within a machine bind an abstract datagram socket for each worker, through which
 * peers wake it; no setting disables that. Every process of the network namespace can send to it,
 * and UCX aborts the process when it receives an empty datagram. A socket filter therefore drops
 * empty datagrams. Other datagrams only wake the worker.
 */
#ifndef JUROM_UCX_SOCKETS_H_
#define JUROM_UCX_SOCKETS_H_

#include <stdbool.h>
#include <sys/types.h>

#define UCX_SOCKETS_MAX 1024 /* later descriptors count as new */

/* The abstract datagram sockets of this process. */
struct ucx_sockets {
    ino_t inode[UCX_SOCKETS_MAX]; /* by descriptor, which other threads may close and use again */
};

/* Records the sockets before a UCX worker is created. */
void ucx_sockets_note(struct ucx_sockets *sockets);

/* Protects the sockets created since. False: the kernel rejects the filter. */
bool ucx_sockets_protect(const struct ucx_sockets *before);

#endif /* JUROM_UCX_SOCKETS_H_ */
