/* SPDX-License-Identifier: Apache-2.0 */
#include <faults/faults.h>

#include "tls_session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <openssl/err.h>

#include "tls_failure.h"

#define RECORD_MAX 16384                /* bytes of data per record */
#define READ_ALLOWANCE 17408            /* bytes read from the socket per call: fits any record */
#define HANDSHAKE_ALLOWANCE (64 * 1024) /* bytes that a peer may send before it is authenticated */
#ifndef TLS_RECORDS_A_KEY
/* AES-GCM is secure for 2^24.5 records per key (RFC 8446, 5.5). */
#define TLS_RECORDS_A_KEY (1u << 24)
#endif

struct tls_session *tls_session_new(enum tls_kind kind, SSL_CTX *context, int fd)
{
    struct tls_session *session = FAULT_ALLOCATE(tls_memory, calloc(1, sizeof(*session)));
    BIO *bio = NULL;

    if (session == NULL)
        return NULL;
    session->kind = kind;
    session->process = getpid();
    session->end = (struct socket_end){ .fd = fd, .allowance = HANDSHAKE_ALLOWANCE };
    session->ssl = SSL_new(context);
    if (session->ssl != NULL)
        bio = tls_socket_bio(&session->end);
    if (bio == NULL) {
        SSL_free(session->ssl);
        free(session);
        ERR_clear_error();
        return NULL;
    }
    SSL_set_bio(session->ssl, bio, bio);
    SSL_set_app_data(session->ssl, session);
    if (kind == TLS_WORKER)
        SSL_set_accept_state(session->ssl);
    else
        SSL_set_connect_state(session->ssl);
    return session;
}

/* SSL_get_error also considers errors that earlier calls of this thread have left. */
static void begin(struct tls_session *session)
{
    ERR_clear_error();
    session->end.error = 0;
    session->end.denied = false;
    if (session->open)
        session->end.allowance = READ_ALLOWANCE;
}

/*
 * Returns the status of a call of OpenSSL that did not succeed. Sets `*waits` if it waits until the
 * socket is writable.
 */
static doca_error_t judge(struct tls_session *session, int result, bool *waits)
{
    int error = SSL_get_error(session->ssl, result);

    *waits = error == SSL_ERROR_WANT_WRITE;
    if (session->status == DOCA_SUCCESS
            && (error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE)) {
        if (!session->end.denied || session->open)
            return DOCA_ERROR_AGAIN;
        tls_session_end(session, DOCA_ERROR_CONNECTION_ABORTED,
                "%s sent more than %d bytes without authenticating itself", tls_peer(session->kind),
                HANDSHAKE_ALLOWANCE);
    } else {
        tls_failure(session, error);
    }
    ERR_clear_error();
    return session->status;
}

/* Returns whether the handshake was authenticated with the ticket. */
static bool used_ticket(const struct tls_session *session)
{
    return session->ticket.key != NULL && SSL_session_reused(session->ssl) == 1;
}

/* Wipes the key of the ticket, if there is one. */
static void forget_ticket(struct tls_session *session)
{
    SSL_SESSION_free(session->ticket.key);
    session->ticket.key = NULL;
}

doca_error_t tls_session_handshake(struct tls_session *session, char reason[TLS_REASON_MAX])
{
    int result;

    if (session->status == DOCA_SUCCESS && !session->open) {
        begin(session);
        result = SSL_do_handshake(session->ssl);
        session->write_waits = false;
        if (result != 1 && judge(session, result, &session->write_waits) == DOCA_ERROR_AGAIN)
            return DOCA_ERROR_AGAIN;
        if (session->kind != TLS_HOST_OF_SERVICE && result == 1 && !used_ticket(session))
            tls_session_end(session, DOCA_ERROR_AUTHENTICATION,
                    "%s completed the handshake without the ticket", tls_peer(session->kind));
        forget_ticket(session);
        session->open = session->status == DOCA_SUCCESS;
    }
    if (session->status != DOCA_SUCCESS)
        memcpy(reason, session->reason, TLS_REASON_MAX);
    return session->status;
}

doca_error_t tls_session_read(
        struct tls_session *session, uint8_t *data, size_t length, size_t *done)
{
    doca_error_t status;
    int result;

    *done = 0;
    if (session->status != DOCA_SUCCESS)
        return session->status;
    if (!session->open)
        return DOCA_ERROR_BAD_STATE;
    if (length == 0)
        return DOCA_SUCCESS;

    begin(session);
    session->read_waits = false;
    session->dry = false;
    tls_socket_flush(&session->end);
    session->end.error = 0;       /* the next write detects it */
    session->end.may_keep = true; /* a key update, ours or requested by the peer */
    result = SSL_read_ex(session->ssl, data, length, done);
    session->end.may_keep = false;
    if (result == 1)
        return DOCA_SUCCESS;
    status = judge(session, 0, &session->read_waits);
    session->dry = status == DOCA_ERROR_AGAIN && !session->end.denied;
    return status;
}

/* The next write sends the update first. OpenSSL rejects updates while a record is incomplete. */
static void update_key_if_due(struct tls_session *session)
{
    if (session->records >= TLS_RECORDS_A_KEY && !session->write_waits
            && SSL_key_update(session->ssl, SSL_KEY_UPDATE_NOT_REQUESTED) == 1)
        session->records = 0;
}

/* The disconnected peer may have sent an alert, which the next read returns. */
static doca_error_t end_of_writing(struct tls_session *session)
{
    session->write_status = DOCA_ERROR_CONNECTION_RESET;
    if (session->reason[0] == '\0')
        snprintf(session->reason, sizeof(session->reason), "%s disconnected: %s",
                tls_peer(session->kind), strerror(session->end.error));
    ERR_clear_error();
    return session->write_status;
}

doca_error_t tls_session_write(
        struct tls_session *session, const uint8_t *data, size_t length, size_t *done)
{
    *done = 0;
    if (session->status != DOCA_SUCCESS)
        return session->status;
    if (session->write_status != DOCA_SUCCESS)
        return session->write_status;
    if (!session->open)
        return DOCA_ERROR_BAD_STATE;
    if (length == 0)
        return DOCA_SUCCESS;

    begin(session);
    update_key_if_due(session);
    if (SSL_write_ex(session->ssl, data, length, done) == 1) {
        session->write_waits = false;
        session->records += (uint32_t)((*done + RECORD_MAX - 1) / RECORD_MAX);
        return DOCA_SUCCESS;
    }
    if (session->end.error != 0)
        return end_of_writing(session);
    return judge(session, 0, &session->write_waits);
}

bool tls_session_wants_write(const struct tls_session *session)
{
    bool writing = session->write_waits || session->end.kept_length > 0;

    return session->status == DOCA_SUCCESS
            && (session->read_waits || (writing && session->write_status == DOCA_SUCCESS));
}

bool tls_session_has_read(const struct tls_session *session)
{
    return session->open && session->status == DOCA_SUCCESS && !session->dry
            && SSL_has_pending(session->ssl);
}

const char *tls_session_reason(const struct tls_session *session)
{
    return session->reason;
}

/* In a forked child, the descriptor belongs to the parent or to another file: sends nothing. */
void tls_session_close(struct tls_session *session)
{
    if (session == NULL)
        return;
    ERR_clear_error();
    if (session->open && session->status == DOCA_SUCCESS && session->write_status == DOCA_SUCCESS
            && !session->write_waits && session->process == getpid())
        SSL_shutdown(session->ssl);
    forget_ticket(session);
    SSL_free(session->ssl);
    free(session);
    ERR_clear_error();
}
