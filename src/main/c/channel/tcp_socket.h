/* SPDX-License-Identifier: Apache-2.0 */
/* TCP sockets of channels. */
#ifndef JUROM_CHANNEL_TCP_SOCKET_H_
#define JUROM_CHANNEL_TCP_SOCKET_H_

#include <doca_error.h>

#include "channel.h"

/* Creates a non-blocking socket, bound to the device of the address if it has one. -1: error. */
int tcp_socket_open(const struct channel_address *address);

/* Sends small frames immediately, and detects a lost peer within 10 s. */
void tcp_socket_tune(int fd);

/* Starts a connect. AGAIN: in progress. CONNECTION_ABORTED: failed, see errno. */
doca_error_t tcp_socket_connect(int fd, const struct channel_address *address);

/* Checks a connect without blocking. Returns the same errors. */
doca_error_t tcp_socket_connected(int fd);

/* Formats the address for messages. */
void tcp_socket_name(const struct channel_address *address, char *text, size_t capacity);

#endif /* JUROM_CHANNEL_TCP_SOCKET_H_ */
