/* SPDX-License-Identifier: Apache-2.0 */
/* Keys with certificates that they signed themselves, and the files that they are kept in. */
#ifndef JUROM_TEST_CERTIFICATES_H_
#define JUROM_TEST_CERTIFICATES_H_

#include <stddef.h>

#include <openssl/evp.h>
#include <openssl/x509.h>

#define FILE_TEXT_MAX 16384

struct certified {
    EVP_PKEY *key;
    X509 *certificate;
};

/* A fresh EC key on P-256, with a certificate. */
void certified_make(struct certified *certified);

/* The same with a key of the caller's, which it takes; valid from and to these seconds from now. */
void certified_make_with(struct certified *certified, EVP_PKEY *key, long from, long to);
void certified_free(struct certified *certified);

/* What a file holds: blocks are added behind each other. */
struct file_text {
    char bytes[FILE_TEXT_MAX];
    size_t length;
};

void file_add(struct file_text *file, const char *text);
void file_add_key(struct file_text *file, EVP_PKEY *key); /* PKCS#8 */
void file_add_certificate(struct file_text *file, X509 *certificate);
/* SEC1 or PKCS#1, as OpenSSL wrote them before PKCS#8; in clear without a password. */
void file_add_old_key(struct file_text *file, EVP_PKEY *key, const char *password);
void file_add_encrypted_key(struct file_text *file, EVP_PKEY *key, const char *password);

#endif /* JUROM_TEST_CERTIFICATES_H_ */
