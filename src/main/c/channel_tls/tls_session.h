/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One TLS session over a socket, of whichever kind.
 *
 *     shaking hands -> open -> over
 *
 * When a write finds the peer gone, only writing is over: what the peer had sent before it went,
 * and why it did, is still read. One thread at a time. In a process that was forked off, a session
 * can only be closed.
 */
#ifndef JUROM_CHANNEL_TLS_TLS_SESSION_H_
#define JUROM_CHANNEL_TLS_TLS_SESSION_H_

#include <channel/tls.h>

#include "tls_context.h"
#include "socket_bio.h"
#include "tls_ticket.h"

struct tls_session {
    enum tls_kind kind;
    pid_t process; /* that made it */
    SSL *ssl;
    struct socket_end end;
    struct tls_ticket ticket;

    bool open;
    bool read_waits;             /* the last read waits for the socket to take bytes */
    bool write_waits;            /* the last write or handshake does */
    bool dry;                    /* the last read found all that was there */
    uint32_t records;            /* written with the key of now */
    doca_error_t write_status;   /* SUCCESS, or why writing is over */
    doca_error_t status;         /* SUCCESS, or why the session is over */
    char reason[TLS_REASON_MAX]; /* a sentence; empty without a reason */
};

/* A session of this kind over `fd`, with a reference to the context; or NULL: out of memory. */
struct tls_session *tls_session_new(enum tls_kind kind, SSL_CTX *context, int fd);

doca_error_t tls_session_handshake(struct tls_session *session, char reason[TLS_REASON_MAX]);
doca_error_t tls_session_read(
        struct tls_session *session, uint8_t *data, size_t length, size_t *done);
doca_error_t tls_session_write(
        struct tls_session *session, const uint8_t *data, size_t length, size_t *done);
bool tls_session_wants_write(const struct tls_session *session);
bool tls_session_has_read(const struct tls_session *session);
const char *tls_session_reason(const struct tls_session *session);
void tls_session_close(struct tls_session *session);

#endif /* JUROM_CHANNEL_TLS_TLS_SESSION_H_ */
