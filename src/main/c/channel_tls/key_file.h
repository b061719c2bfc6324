/* SPDX-License-Identifier: Apache-2.0 */
/* Keys and certificates in PEM text. */
#ifndef JUROM_CHANNEL_TLS_KEY_FILE_H_
#define JUROM_CHANNEL_TLS_KEY_FILE_H_

#include <channel/tls.h>

#include <openssl/evp.h>
#include <openssl/x509.h>

struct key_file {
    EVP_PKEY *key;
    X509 *own;               /* the certificate of this key */
    STACK_OF(X509) * others; /* at least one */
};

/* On an error, `file` is empty and `reason` is a sentence about what to change. */
doca_error_t tls_key_file_read(OSSL_LIB_CTX *library, const char *pem, size_t length,
        struct key_file *file, char reason[TLS_REASON_MAX]);

/* Wipes the key. */
void tls_key_file_free(struct key_file *file);

#endif /* JUROM_CHANNEL_TLS_KEY_FILE_H_ */
