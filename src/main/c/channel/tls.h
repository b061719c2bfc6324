/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The interface of libjurom_channel_tls.so: TLS 1.3 over a connected, non-blocking TCP socket. A
 * separate library, loaded on first use, because loading OpenSSL takes longer than starting a
 * worker. A session is used by one thread.
 */
#ifndef JUROM_CHANNEL_TLS_H_
#define JUROM_CHANNEL_TLS_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <doca_error.h>

#define TLS_REASON_MAX 256

struct tls_session;
struct tls_identity;

/* Returns the key of a valid ticket, or NULL. Called at most once per handshake. */
typedef const uint8_t *(*tls_find_key)(void *owner, const uint8_t *id);

struct tls_library {
    /* Reads key, certificate and known services from PEM text. Does not wipe the text. */
    doca_error_t (*read_identity)(const char *pem, size_t length, struct tls_identity **identity,
            char reason[TLS_REASON_MAX]);
    void (*free_identity)(struct tls_identity *identity);

    /* From a host to a service. Both authenticate with certificates that the other side has. */
    doca_error_t (*connect_known)(
            int fd, const struct tls_identity *identity, struct tls_session **session);
    /* From a host to a worker, and the worker's side. Both authenticate with the ticket's key. */
    doca_error_t (*connect_ticket)(int fd, const uint8_t *id, size_t id_length, const uint8_t *key,
            size_t key_length, struct tls_session **session);
    doca_error_t (*accept_ticket)(int fd, size_t id_length, size_t key_length, tls_find_key find,
            void *owner, struct tls_session **session);

    /*
     * Continues the handshake. SUCCESS: complete. AGAIN: waiting for the peer. Other errors:
     * failed; `reason` is a sentence.
     */
    doca_error_t (*handshake)(struct tls_session *session, char reason[TLS_REASON_MAX]);
    /* Returns the id of the ticket with which an accepted session was opened. */
    const uint8_t *(*ticket_id)(const struct tls_session *session);
    /*
     * Reads or writes up to `length` bytes. AGAIN: not possible now. CONNECTION_RESET: the peer has
     * disconnected. After AGAIN, a write must be repeated with the same bytes, to which more may be
     * appended. Updates keys automatically.
     */
    doca_error_t (*read)(struct tls_session *session, uint8_t *data, size_t length, size_t *done);
    doca_error_t (*write)(
            struct tls_session *session, const uint8_t *data, size_t length, size_t *done);
    /* Returns whether the session waits until the socket is writable. */
    bool (*wants_write)(const struct tls_session *session);
    /* Returns whether data can be read without the socket being readable. */
    bool (*has_read)(const struct tls_session *session);
    /*
     * Returns why reading or writing has failed, as a sentence; empty: neither has. After a write
     * has returned CONNECTION_RESET, reads still return the data that the peer had sent.
     */
    const char *(*reason)(const struct tls_session *session);
    /* Sends a close_notify if possible and frees the session. Does not close the descriptor. */
    void (*close)(struct tls_session *session);
};

/* The only symbol that the library exports. */
extern const struct tls_library jurom_channel_tls;

#endif /* JUROM_CHANNEL_TLS_H_ */
