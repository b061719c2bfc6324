/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What sessions of a kind have in common, made as they need it and kept for the life of the
 * process. Any thread. The rest of a host's process may use OpenSSL too and sees nothing of this:
 * providers, random numbers and settings are in a library context of our own.
 */
#ifndef JUROM_CHANNEL_TLS_TLS_CONTEXT_H_
#define JUROM_CHANNEL_TLS_TLS_CONTEXT_H_

#include <openssl/ssl.h>

/* Who we are to whom. */
enum tls_kind {
    TLS_HOST_OF_SERVICE,
    TLS_HOST_OF_WORKER,
    TLS_WORKER,
};

/* OpenSSL's context of ours, or NULL: out of memory. */
OSSL_LIB_CTX *tls_library_context(void);

/* A new context of this kind, without key, certificate and callbacks; or NULL. */
SSL_CTX *tls_context_new(enum tls_kind kind);

/* The one context of this kind, set up by `prepare` when it is first asked for; or NULL. */
SSL_CTX *tls_context_shared(enum tls_kind kind, void (*prepare)(SSL_CTX *context));

#endif /* JUROM_CHANNEL_TLS_TLS_CONTEXT_H_ */
