/* SPDX-License-Identifier: Apache-2.0 */
/*
 * OpenSSL's access to the socket. It differs from OpenSSL's own BIO in three points: no SIGPIPE; a
 * limit per read, because a peer could send an endless sequence of messages that carry no data; and
 * a buffer for key updates while the socket is not writable. Without the buffer, OpenSSL would not
 * read until the update is sent, and the peer might not read until we do: a deadlock.
 */
#ifndef JUROM_CHANNEL_TLS_SOCKET_BIO_H_
#define JUROM_CHANNEL_TLS_SOCKET_BIO_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <openssl/bio.h>

#define SOCKET_KEPT_MAX 64 /* bytes of two key updates */

struct socket_end {
    int fd;           /* borrowed */
    size_t allowance; /* bytes that may still be read */
    bool denied;      /* a read has reached the limit */
    bool ended;       /* the peer has closed its direction */
    int error;        /* errno of a failed call, or 0 */

    uint8_t kept[SOCKET_KEPT_MAX]; /* buffered bytes, sent before all others */
    size_t kept_length;
    bool may_keep; /* whether bytes may be buffered now */
};

/* Creates a BIO over `end`, which must outlive it. NULL: out of memory. */
BIO *tls_socket_bio(struct socket_end *end);

/* Sends buffered bytes if the socket is writable. */
void tls_socket_flush(struct socket_end *end);

#endif /* JUROM_CHANNEL_TLS_SOCKET_BIO_H_ */
