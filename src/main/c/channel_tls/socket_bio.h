/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How OpenSSL reaches the socket: like its own way, but without SIGPIPE, with a bound on what is
 * read in one go, which a peer may fill with messages that only we have work with, and with room
 * for a message of OpenSSL's own while the socket takes nothing: OpenSSL does not read until such a
 * message has left, and the peer may not take anything until we read.
 */
#ifndef JUROM_CHANNEL_TLS_SOCKET_BIO_H_
#define JUROM_CHANNEL_TLS_SOCKET_BIO_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <openssl/bio.h>

#define SOCKET_KEPT_MAX 64 /* bytes: two changes of key */

struct socket_end {
    int fd;           /* not closed here */
    size_t allowance; /* bytes that may still be read */
    bool denied;      /* ... and it was too little */
    bool ended;       /* the peer sends no more */
    int error;        /* errno of what failed, or 0 */

    uint8_t kept[SOCKET_KEPT_MAX]; /* to be sent before all else */
    size_t kept_length;
    bool may_keep; /* what the socket does not take now */
};

/* A new BIO over `end`, which must outlive it; or NULL. */
BIO *tls_socket_bio(struct socket_end *end);

/* Sends what was kept, if the socket takes it. */
void tls_socket_flush(struct socket_end *end);

#endif /* JUROM_CHANNEL_TLS_SOCKET_BIO_H_ */
