/* SPDX-License-Identifier: Apache-2.0 */
#include "tls_context.h"

#include <pthread.h>
#include <stdbool.h>

/* Both suites use SHA-256, because the key of a ticket is bound to one hash. */
#define TICKET_SUITES "TLS_AES_128_GCM_SHA256:TLS_CHACHA20_POLY1305_SHA256"
#define SERVICE_SUITES TICKET_SUITES ":TLS_AES_256_GCM_SHA384"
/* Excludes expensive groups: an unauthenticated peer selects the group. */
#define GROUPS "X25519:P-256:P-384"
#define CERTIFICATES_MAX 16384 /* bytes that a peer may send */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static OSSL_LIB_CTX *library;
static SSL_CTX *shared[TLS_WORKER + 1];

OSSL_LIB_CTX *tls_library_context(void)
{
    OSSL_LIB_CTX *answer;

    pthread_mutex_lock(&lock);
    if (library == NULL)
        library = OSSL_LIB_CTX_new();
    answer = library;
    pthread_mutex_unlock(&lock);
    return answer;
}

/*
 * The environment can name a configuration that makes OpenSSL load code. A worker ignores it,
 * because its environment comes from a host. A host does not, because the application may rely on
 * it.
 */
static void ignore_configuration(enum tls_kind kind)
{
    if (kind == TLS_WORKER)
        OPENSSL_init_crypto(OPENSSL_INIT_NO_LOAD_CONFIG, NULL);
}

/* Sets all relevant options, because a system's configuration may change OpenSSL's defaults. */
static bool set_up(SSL_CTX *context, enum tls_kind kind)
{
    SSL_CTX_clear_options(context,
            SSL_OP_ALLOW_NO_DHE_KEX | SSL_OP_IGNORE_UNEXPECTED_EOF | SSL_OP_CLEANSE_PLAINTEXT);
    SSL_CTX_set_options(context,
            SSL_OP_NO_TICKET | SSL_OP_NO_COMPRESSION | SSL_OP_NO_RENEGOTIATION
                    | SSL_OP_CIPHER_SERVER_PREFERENCE);
    SSL_CTX_set_mode(context,
            SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER
                    | SSL_MODE_RELEASE_BUFFERS | SSL_MODE_AUTO_RETRY);
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
    SSL_CTX_set_num_tickets(context, 0);
    SSL_CTX_set_max_early_data(context, 0);
    SSL_CTX_set_max_cert_list(context, CERTIFICATES_MAX);
    SSL_CTX_set_read_ahead(context, 1); /* reads header and body of a record in one system call */
    return SSL_CTX_set_min_proto_version(context, TLS1_3_VERSION) == 1
            && SSL_CTX_set_max_proto_version(context, TLS1_3_VERSION) == 1
            && SSL_CTX_set1_groups_list(context, GROUPS) == 1
            && SSL_CTX_set_ciphersuites(
                       context, kind == TLS_HOST_OF_SERVICE ? SERVICE_SUITES : TICKET_SUITES)
            == 1;
}

SSL_CTX *tls_context_new(enum tls_kind kind)
{
    OSSL_LIB_CTX *own;
    SSL_CTX *context = NULL;

    ignore_configuration(kind);
    own = tls_library_context();
    if (own != NULL)
        context = SSL_CTX_new_ex(
                own, NULL, kind == TLS_WORKER ? TLS_server_method() : TLS_client_method());
    if (context != NULL && !set_up(context, kind)) {
        SSL_CTX_free(context);
        context = NULL;
    }
    return context;
}

/* If two threads create a context concurrently, the second one frees its own. */
SSL_CTX *tls_context_shared(enum tls_kind kind, void (*prepare)(SSL_CTX *context))
{
    SSL_CTX *answer, *fresh = NULL;

    pthread_mutex_lock(&lock);
    answer = shared[kind];
    pthread_mutex_unlock(&lock);
    if (answer != NULL || (fresh = tls_context_new(kind)) == NULL)
        return answer;

    prepare(fresh);
    pthread_mutex_lock(&lock);
    if (shared[kind] == NULL) {
        shared[kind] = fresh;
        fresh = NULL;
    }
    answer = shared[kind];
    pthread_mutex_unlock(&lock);
    SSL_CTX_free(fresh);
    return answer;
}
