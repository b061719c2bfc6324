/* SPDX-License-Identifier: Apache-2.0 */
/* Unix sockets: connecting, who the peer is, and passing a descriptor with a few bytes. */
#ifndef JUROM_CHANNEL_LOCAL_H_
#define JUROM_CHANNEL_LOCAL_H_

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include <doca_error.h>

#include "channel.h"

/* A new non-blocking socket, or -1. */
int unix_socket_open(void);

/* SUCCESS: connected. AGAIN: the listener has too many to accept. Else: errno says why. */
doca_error_t unix_socket_connect(int fd, const struct channel_address *address);

/*
 * Whether the peer of a connected socket (of one that connected: whoever listens) is a process of
 * this one's own user, or, if `or_root`, of root or of the user whose number JUROM_SERVICE_USER has.
 * `*uid` and `*pid` identify the peer; a pid that the kernel cannot tell is 0.
 */
bool unix_socket_peer_is_trusted(int fd, bool or_root, uid_t *uid, pid_t *pid);

/*
 * Sends all of `data` at once with a descriptor (-1: none); false: it could not. A socket sends
 * 2 KiB and less, half of its smallest buffer, whole or not at all: no remainder is left to send.
 */
bool unix_socket_send(int fd, const void *data, size_t length, int passed);

/*
 * Receives `length` bytes that were sent together with one descriptor. AGAIN: nothing there.
 * CONNECTION_RESET: the peer has gone. UNEXPECTED: fewer bytes, or not one descriptor.
 */
doca_error_t unix_socket_receive(int fd, void *data, size_t length, int *passed);

#endif /* JUROM_CHANNEL_LOCAL_H_ */
