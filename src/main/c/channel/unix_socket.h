/* SPDX-License-Identifier: Apache-2.0 */
/* Unix sockets: connecting, the identity of the peer, and passing of descriptors. */
#ifndef JUROM_CHANNEL_UNIX_SOCKET_H_
#define JUROM_CHANNEL_UNIX_SOCKET_H_

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include <doca_error.h>

#include "channel.h"

/* Creates a non-blocking socket; -1: error. */
int unix_socket_open(void);

/* Connects. AGAIN: the backlog of the listener is full. Other errors: see errno. */
doca_error_t unix_socket_connect(int fd, const struct channel_address *address);

/*
 * Returns whether the peer of a connected socket (for a client, the listener) runs as the user of
 * this process or, with `or_root`, as root or the user with the number in JUROM_SERVICE_USER. Where
 * the number of the user stands for several users, the peer must be the process `expected`.
 * `*uid` and `*pid` identify the peer; a pid of 0 is unknown.
 */
bool unix_socket_peer_is_trusted(int fd, bool or_root, pid_t expected, uid_t *uid, pid_t *pid);

/*
 * Sends all of `data` with a descriptor (-1: none). Returns false on failure. A socket sends up to
 * 2 KiB, half of its smallest buffer, completely or not at all.
 */
bool unix_socket_send(int fd, const void *data, size_t length, int passed);

/*
 * Receives `length` bytes that were sent with one descriptor. AGAIN: none available.
 * CONNECTION_RESET: the peer has disconnected. UNEXPECTED: fewer bytes, or not one descriptor.
 */
doca_error_t unix_socket_receive(int fd, void *data, size_t length, int *passed);

#endif /* JUROM_CHANNEL_UNIX_SOCKET_H_ */
