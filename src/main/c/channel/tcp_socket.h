/* SPDX-License-Identifier: Apache-2.0 */
/* TCP sockets as the channels have them. */
#ifndef JUROM_CHANNEL_REMOTE_H_
#define JUROM_CHANNEL_REMOTE_H_

#include <doca_error.h>

#include "channel.h"

/* A new non-blocking socket for this address, bound to its device if it names one; or -1. */
int tcp_socket_open(const struct channel_address *address);

/* Small frames leave at once, and a peer that is gone is noticed within 10 s. */
void tcp_socket_tune(int fd);

/* SUCCESS: connected. AGAIN: on its way. CONNECTION_ABORTED: refused; errno says why. */
doca_error_t tcp_socket_connect(int fd, const struct channel_address *address);
doca_error_t tcp_socket_connected(int fd);

/* The address as text, for messages. */
void tcp_socket_name(const struct channel_address *address, char *text, size_t capacity);

#endif /* JUROM_CHANNEL_REMOTE_H_ */
