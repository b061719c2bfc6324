/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sessions authenticated with a ticket, whose id and key are an external pre-shared key of TLS 1.3.
 * An ephemeral key exchange provides forward secrecy. Both sides prove that they have the key, and
 * neither has a certificate.
 */
#ifndef JUROM_CHANNEL_TLS_TICKET_H_
#define JUROM_CHANNEL_TLS_TICKET_H_

#include <channel/tls.h>

#include <openssl/ssl.h>

#define TLS_TICKET_ID_MAX 64
#define TLS_TICKET_KEY_MAX 64

/* The ticket of a session. */
struct tls_ticket {
    uint8_t id[TLS_TICKET_ID_MAX];
    size_t id_length;
    size_t key_length;
    SSL_SESSION *key; /* as OpenSSL requires; wiped and NULL after the handshake */

    tls_find_key find; /* worker only */
    void *owner;
    bool asked; /* `find` was called for `id` */
};

/*
 * Creates a session from a host to a worker over `fd`, which the caller keeps. Copies id and key.
 * INVALID_VALUE: a length in bytes is not supported.
 */
doca_error_t tls_ticket_connect(int fd, const uint8_t *id, size_t id_length, const uint8_t *key,
        size_t key_length, struct tls_session **session);

/*
 * Creates the worker's session over `fd`, which the caller keeps. Tickets have these lengths in
 * bytes; the handshake calls `find` with `owner` at most once.
 */
doca_error_t tls_ticket_accept(int fd, size_t id_length, size_t key_length, tls_find_key find,
        void *owner, struct tls_session **session);

/* Returns the id of the session's ticket; NULL for hosts, and before the session is open. */
const uint8_t *tls_ticket_id(const struct tls_session *session);

#endif /* JUROM_CHANNEL_TLS_TICKET_H_ */
