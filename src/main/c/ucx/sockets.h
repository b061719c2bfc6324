/* SPDX-License-Identifier: Apache-2.0 */
/*
 * UCX's transports within a machine bind an abstract datagram socket for each worker, by which peers
 * wake it up; no setting keeps them from that. Every process of the network namespace can send to
 * it, and UCX aborts the process when an empty datagram arrives. A socket filter therefore drops empty
 * ones. Others only wake the worker up.
 */
#ifndef JUROM_UCX_SOCKETS_H_
#define JUROM_UCX_SOCKETS_H_

#include <stdbool.h>
#include <sys/select.h>

/* Notes the abstract datagram sockets of this process, before a UCX worker is made. */
void ucx_sockets_note(fd_set *sockets);

/* Protects those that came since then. False: the kernel does not take a filter. */
bool ucx_sockets_protect(const fd_set *before);

#endif /* JUROM_UCX_SOCKETS_H_ */
