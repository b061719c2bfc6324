/* SPDX-License-Identifier: Apache-2.0 */
#include "tls_ticket.h"

#include <string.h>

#include <openssl/err.h>

#include "tls_failure.h"
#include "tls_session.h"

/* Wraps the key in a session, as if it were to be resumed. OpenSSL wipes it when it is freed. */
static SSL_SESSION *make_key(SSL *ssl, const uint8_t *key, size_t length)
{
    static const unsigned char suite[] = { 0x13, 0x01 }; /* TLS_AES_128_GCM_SHA256 */
    const SSL_CIPHER *cipher = SSL_CIPHER_find(ssl, suite);
    SSL_SESSION *made = SSL_SESSION_new();

    if (made == NULL || cipher == NULL || SSL_SESSION_set1_master_key(made, key, length) != 1
            || SSL_SESSION_set_cipher(made, cipher) != 1
            || SSL_SESSION_set_protocol_version(made, TLS1_3_VERSION) != 1) {
        SSL_SESSION_free(made);
        made = NULL;
    }
    return made;
}

/* OpenSSL frees the result, and calls this again if the peer requests another group. */
static int use_key(SSL *ssl, const EVP_MD *hash, const unsigned char **id, size_t *id_length,
        SSL_SESSION **key)
{
    struct tls_session *session = SSL_get_app_data(ssl);

    (void)hash; /* all our suites have the same hash */
    SSL_SESSION_up_ref(session->ticket.key);
    *id = session->ticket.id;
    *id_length = session->ticket.id_length;
    *key = session->ticket.key;
    return 1;
}

static void ask_owner(struct tls_session *session, const unsigned char *id)
{
    struct tls_ticket *ticket = &session->ticket;
    const uint8_t *key;

    ticket->asked = true;
    memcpy(ticket->id, id, ticket->id_length);
    key = ticket->find(ticket->owner, ticket->id);
    if (key != NULL)
        ticket->key = make_key(session->ssl, key, ticket->key_length);
    if (key != NULL && ticket->key == NULL)
        tls_session_end(session, DOCA_ERROR_NO_MEMORY, "there is no memory for a ticket's key");
}

/*
 * A peer can offer several ids, and repeats them after a request for another group. Only the first
 * one is looked up, once. Without a key, the handshake fails because there is no certificate.
 */
static int find_key(SSL *ssl, const unsigned char *id, size_t id_length, SSL_SESSION **key)
{
    struct tls_session *session = SSL_get_app_data(ssl);
    struct tls_ticket *ticket = &session->ticket;
    bool fits = id_length == ticket->id_length;

    *key = NULL;
    if (fits && !ticket->asked)
        ask_owner(session, id);
    if (fits && ticket->key != NULL && memcmp(id, ticket->id, id_length) == 0) {
        SSL_SESSION_up_ref(ticket->key);
        *key = ticket->key;
    } else {
        tls_session_end(session, DOCA_ERROR_AUTHENTICATION,
                "the host presented an invalid ticket: it was used, has expired or never existed");
    }
    return 1;
}

/* A worker has no certificate, so a peer that presents one does not have the ticket. */
static int refuse_certificate(X509_STORE_CTX *store, void *nothing)
{
    SSL *ssl = X509_STORE_CTX_get_ex_data(store, SSL_get_ex_data_X509_STORE_CTX_idx());

    (void)nothing;
    X509_STORE_CTX_set_error(store, X509_V_ERR_CERT_REJECTED);
    tls_session_end(SSL_get_app_data(ssl), DOCA_ERROR_AUTHENTICATION,
            "the listener is not the worker: it does not know the ticket, and presented a "
            "certificate instead");
    return 0;
}

static void prepare_host(SSL_CTX *context)
{
    SSL_CTX_set_verify(context, SSL_VERIFY_PEER, NULL);
    SSL_CTX_set_cert_verify_callback(context, refuse_certificate, NULL);
    SSL_CTX_set_psk_use_session_callback(context, use_key);
}

static void prepare_worker(SSL_CTX *context)
{
    SSL_CTX_set_psk_find_session_callback(context, find_key);
}

/* Creates a session without a ticket. */
static doca_error_t new_session(enum tls_kind kind, int fd, struct tls_session **session)
{
    SSL_CTX *context = tls_context_shared(kind, kind == TLS_WORKER ? prepare_worker : prepare_host);

    *session = context == NULL ? NULL : tls_session_new(kind, context, fd);
    ERR_clear_error();
    if (context == NULL)
        return DOCA_ERROR_INITIALIZATION;
    return *session == NULL ? DOCA_ERROR_NO_MEMORY : DOCA_SUCCESS;
}

static bool sizes_fit(size_t id_length, size_t key_length)
{
    return id_length > 0 && id_length <= TLS_TICKET_ID_MAX && key_length > 0
            && key_length <= TLS_TICKET_KEY_MAX;
}

doca_error_t tls_ticket_connect(int fd, const uint8_t *id, size_t id_length, const uint8_t *key,
        size_t key_length, struct tls_session **session)
{
    struct tls_session *made;
    doca_error_t status;

    *session = NULL;
    if (!sizes_fit(id_length, key_length))
        return DOCA_ERROR_INVALID_VALUE;
    status = new_session(TLS_HOST_OF_WORKER, fd, &made);
    if (status != DOCA_SUCCESS)
        return status;

    memcpy(made->ticket.id, id, id_length);
    made->ticket.id_length = id_length;
    made->ticket.key = make_key(made->ssl, key, key_length);
    if (made->ticket.key == NULL) {
        tls_session_close(made);
        return DOCA_ERROR_NO_MEMORY;
    }
    *session = made;
    return DOCA_SUCCESS;
}

doca_error_t tls_ticket_accept(int fd, size_t id_length, size_t key_length, tls_find_key find,
        void *owner, struct tls_session **session)
{
    doca_error_t status;

    *session = NULL;
    if (!sizes_fit(id_length, key_length) || find == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    status = new_session(TLS_WORKER, fd, session);
    if (status != DOCA_SUCCESS)
        return status;

    (*session)->ticket = (struct tls_ticket){
        .id_length = id_length,
        .key_length = key_length,
        .find = find,
        .owner = owner,
    };
    return DOCA_SUCCESS;
}

const uint8_t *tls_ticket_id(const struct tls_session *session)
{
    return session->open && session->ticket.asked ? session->ticket.id : NULL;
}
