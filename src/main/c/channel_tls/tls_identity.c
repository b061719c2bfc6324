/* SPDX-License-Identifier: Apache-2.0 */
#include "tls_identity.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <openssl/err.h>

#include "tls_failure.h"
#include "key_file.h"
#include "tls_session.h"

struct tls_identity {
    struct key_file file;
    SSL_CTX *context;
};

static bool are_equal(const X509 *one, const X509 *other)
{
    unsigned char *a = NULL, *b = NULL;
    int a_length = i2d_X509(one, &a), b_length = i2d_X509(other, &b);
    bool equal = a_length > 0 && a_length == b_length && memcmp(a, b, (size_t)a_length) == 0;

    OPENSSL_free(a);
    OPENSSL_free(b);
    return equal;
}

static bool is_known(const struct tls_identity *identity, const X509 *certificate)
{
    for (int i = 0; i < sk_X509_num(identity->file.others); ++i) {
        if (are_equal(sk_X509_value(identity->file.others, i), certificate))
            return true;
    }
    return false;
}

/* The message contains the fingerprint, so that an operator can verify a new certificate. */
static void refuse(struct tls_session *session, const X509 *certificate)
{
    EVP_MD *sha256 = EVP_MD_fetch(tls_library_context(), "SHA256", NULL);
    unsigned char digest[EVP_MAX_MD_SIZE];
    unsigned length = 0;
    char text[2 * EVP_MAX_MD_SIZE + 1] = "?";

    if (sha256 != NULL)
        X509_digest(certificate, sha256, digest, &length);
    for (unsigned i = 0; i < length; ++i)
        snprintf(text + 2 * i, 3, "%02x", digest[i]);
    tls_session_end(session, DOCA_ERROR_AUTHENTICATION,
            "the service presented a certificate that is not in the key file (SHA-256 %s): if it "
            "is the right one, add it to that file",
            text);
    EVP_MD_free(sha256);
}

/* Replaces OpenSSL's checks of chains, names and dates: only certificates in the file are valid. */
static int check_service(X509_STORE_CTX *store, void *argument)
{
    SSL *ssl = X509_STORE_CTX_get_ex_data(store, SSL_get_ex_data_X509_STORE_CTX_idx());
    X509 *certificate = X509_STORE_CTX_get0_cert(store);

    if (is_known(argument, certificate)) {
        X509_STORE_CTX_set_error(store, X509_V_OK);
        return 1;
    }
    X509_STORE_CTX_set_error(store, X509_V_ERR_CERT_REJECTED);
    refuse(SSL_get_app_data(ssl), certificate);
    return 0;
}

/* Fails for keys that are too weak for OpenSSL. */
static doca_error_t make_context(struct tls_identity *identity, char reason[TLS_REASON_MAX])
{
    SSL_CTX *context = tls_context_new(TLS_HOST_OF_SERVICE);
    const char *error;

    identity->context = context;
    if (context == NULL) {
        snprintf(reason, TLS_REASON_MAX,
                "OpenSSL cannot be initialized: version 3.0 or newer is required");
        return DOCA_ERROR_INITIALIZATION;
    }
    if (SSL_CTX_use_certificate(context, identity->file.own) != 1
            || SSL_CTX_use_PrivateKey(context, identity->file.key) != 1) {
        error = ERR_reason_error_string(ERR_peek_last_error());
        snprintf(reason, TLS_REASON_MAX,
                "OpenSSL rejected the key or its certificate (%s): create "
                "both with `urom key create FILE --name N`",
                error == NULL ? "?" : error);
        return DOCA_ERROR_NOT_SUPPORTED;
    }
    SSL_CTX_set_verify(context, SSL_VERIFY_PEER, NULL);
    SSL_CTX_set_cert_verify_callback(context, check_service, identity);
    return DOCA_SUCCESS;
}

doca_error_t tls_identity_read(
        const char *pem, size_t length, struct tls_identity **identity, char reason[TLS_REASON_MAX])
{
    struct tls_identity *made = calloc(1, sizeof(*made));
    OSSL_LIB_CTX *library = tls_library_context();
    doca_error_t status;

    *identity = NULL;
    if (made == NULL || library == NULL) {
        snprintf(reason, TLS_REASON_MAX, "there is no memory to read the key file");
        status = DOCA_ERROR_NO_MEMORY;
    } else {
        status = tls_key_file_read(library, pem, length, &made->file, reason);
    }
    if (status == DOCA_SUCCESS)
        status = make_context(made, reason);

    if (status == DOCA_SUCCESS)
        *identity = made;
    else
        tls_identity_free(made);
    ERR_clear_error();
    return status;
}

void tls_identity_free(struct tls_identity *identity)
{
    if (identity == NULL)
        return;
    SSL_CTX_free(identity->context);
    tls_key_file_free(&identity->file);
    free(identity);
}

doca_error_t tls_identity_connect(
        int fd, const struct tls_identity *identity, struct tls_session **session)
{
    *session = tls_session_new(TLS_HOST_OF_SERVICE, identity->context, fd);
    return *session == NULL ? DOCA_ERROR_NO_MEMORY : DOCA_SUCCESS;
}
