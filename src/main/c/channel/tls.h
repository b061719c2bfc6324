/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What libjurom_channel_tls.so offers to the channels: TLS 1.3 over a connected, non-blocking TCP
 * socket. A library of its own, opened by dlopen when a channel first needs it: OpenSSL takes longer
 * to load than a worker to start. It knows nothing of frames. One thread a session.
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

/* Gives the key of an open ticket, or NULL. Called at most once a handshake. */
typedef const uint8_t *(*tls_find_key)(void *owner, const uint8_t *id);

struct tls_library {
    /* Reads key, certificate and known services from PEM text, which it wipes nothing of. */
    doca_error_t (*read_identity)(const char *pem, size_t length, struct tls_identity **identity,
            char reason[TLS_REASON_MAX]);
    void (*free_identity)(struct tls_identity *identity);

    /* A host that talks to a service: both show certificates that the other knows to the byte. */
    doca_error_t (*connect_known)(
            int fd, const struct tls_identity *identity, struct tls_session **session);
    /* A host that talks to a worker, with a ticket; and the worker. The key is fresh, used once. */
    doca_error_t (*connect_ticket)(int fd, const uint8_t *id, size_t id_length, const uint8_t *key,
            size_t key_length, struct tls_session **session);
    doca_error_t (*accept_ticket)(int fd, size_t id_length, size_t key_length, tls_find_key find,
            void *owner, struct tls_session **session);

    /*
     * Moves the handshake on. SUCCESS: done. AGAIN: waits for the peer. Else: over; `reason` says so in
     * a sentence.
     */
    doca_error_t (*handshake)(struct tls_session *session, char reason[TLS_REASON_MAX]);
    /* The id of the ticket that an accepted session was opened with. */
    const uint8_t *(*ticket_id)(const struct tls_session *session);
    /*
     * Read up to, or write, `length` bytes. AGAIN: nothing now. CONNECTION_RESET: the peer has gone.
     * A write that answered AGAIN may be tried again with other bytes behind the same ones. Rekeys
     * by itself.
     */
    doca_error_t (*read)(struct tls_session *session, uint8_t *data, size_t length, size_t *done);
    doca_error_t (*write)(
            struct tls_session *session, const uint8_t *data, size_t length, size_t *done);
    /* Whether it waits for the socket to take bytes, beside giving them. */
    bool (*wants_write)(const struct tls_session *session);
    /* Whether bytes that were read from the socket wait in here, so that it need not be readable. */
    bool (*has_read)(const struct tls_session *session);
    /*
     * Why reading or writing is over, in a sentence; empty while neither is. Where only a write has
     * answered CONNECTION_RESET, reading goes on: it gives what the peer had sent, and then why.
     */
    const char *(*reason)(const struct tls_session *session);
    /* Says good-bye if that is possible at once, and frees; the descriptor stays open. */
    void (*close)(struct tls_session *session);
};

/* The one symbol of the library. */
extern const struct tls_library jurom_channel_tls;

#endif /* JUROM_CHANNEL_TLS_H_ */
