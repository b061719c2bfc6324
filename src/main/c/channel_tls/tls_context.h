/* SPDX-License-Identifier: Apache-2.0 */
/*
 * OpenSSL contexts shared by sessions, created on first use and never freed. Thread-safe. A
 * separate library context isolates providers, random numbers and settings from other users of
 * OpenSSL in the process.
 */
#ifndef JUROM_CHANNEL_TLS_CONTEXT_H_
#define JUROM_CHANNEL_TLS_CONTEXT_H_

#include <openssl/ssl.h>

/* The role of this side. */
enum tls_kind {
    TLS_HOST_OF_SERVICE,
    TLS_HOST_OF_WORKER,
    TLS_WORKER,
};

/* Returns our library context; NULL: out of memory. */
OSSL_LIB_CTX *tls_library_context(void);

/* Creates a context without key, certificate and callbacks. NULL: out of memory. */
SSL_CTX *tls_context_new(enum tls_kind kind);

/* Returns the shared context of this kind, set up by `prepare` on first use. NULL: error. */
SSL_CTX *tls_context_shared(enum tls_kind kind, void (*prepare)(SSL_CTX *context));

#endif /* JUROM_CHANNEL_TLS_CONTEXT_H_ */
