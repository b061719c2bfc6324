/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A TLS session over a socket.
 *
 *     handshake -> open -> ended
 *
 * A write that fails because the peer has disconnected ends only writing: reads still return the
 * data and the alert that the peer had sent. Not thread-safe. A forked child can only close a
 * session.
 */
#ifndef JUROM_CHANNEL_TLS_SESSION_H_
#define JUROM_CHANNEL_TLS_SESSION_H_

#include <channel/tls.h>

#include "tls_context.h"
#include "socket_bio.h"
#include "tls_ticket.h"

struct tls_session {
    enum tls_kind kind;
    pid_t process; /* the process that created it */
    SSL *ssl;
    struct socket_end end;
    struct tls_ticket ticket;

    bool open;
    bool read_waits;             /* the last read waits until the socket is writable */
    bool write_waits;            /* the same for the last write or handshake */
    bool dry;                    /* the last read returned all available data */
    uint32_t records;            /* written with the current key */
    doca_error_t write_status;   /* SUCCESS, or why writing has failed */
    doca_error_t status;         /* SUCCESS, or why the session has ended */
    char reason[TLS_REASON_MAX]; /* a sentence; empty: no failure */
};

/* Creates a session over `fd` with a reference to the context. NULL: out of memory. */
struct tls_session *tls_session_new(enum tls_kind kind, SSL_CTX *context, int fd);

/*
 * Continues the handshake. SUCCESS: complete. AGAIN: waiting for the socket. Other errors: failed;
 * `reason` is a sentence.
 */
doca_error_t tls_session_handshake(struct tls_session *session, char reason[TLS_REASON_MAX]);

/*
 * Reads up to `length` bytes and sets `*done` to their number. AGAIN: none available. BAD_STATE:
 * the session is not open. Other errors: it has ended.
 */
doca_error_t tls_session_read(
        struct tls_session *session, uint8_t *data, size_t length, size_t *done);

/*
 * Writes up to `length` bytes and sets `*done` to their number. After AGAIN, the write must be
 * repeated with the same bytes, to which more may be appended. Updates keys automatically.
 */
doca_error_t tls_session_write(
        struct tls_session *session, const uint8_t *data, size_t length, size_t *done);

/* Returns whether the session waits until the socket is writable. */
bool tls_session_wants_write(const struct tls_session *session);

/* Returns whether data can be read without the socket being readable. */
bool tls_session_has_read(const struct tls_session *session);

/* Returns why reading or writing has failed, as a sentence; empty: neither has. */
const char *tls_session_reason(const struct tls_session *session);

/*
 * Sends a close_notify if possible and frees the session. Does not close the descriptor. NULL has
 * no effect.
 */
void tls_session_close(struct tls_session *session);

#endif /* JUROM_CHANNEL_TLS_SESSION_H_ */
