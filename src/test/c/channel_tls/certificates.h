/* SPDX-License-Identifier: Apache-2.0 */
/* Keys with self-signed certificates, and key files. */
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

/* Creates an EC key on P-256 with a certificate. */
void certified_make(struct certified *certified);

/* The same for a given key, whose ownership is transferred. Validity in seconds from now. */
void certified_make_with(struct certified *certified, EVP_PKEY *key, long from, long to);
void certified_free(struct certified *certified);

/* The contents of a file, to which blocks are appended. */
struct file_text {
    char bytes[FILE_TEXT_MAX];
    size_t length;
};

void file_add(struct file_text *file, const char *text);
void file_add_key(struct file_text *file, EVP_PKEY *key); /* PKCS#8 */
void file_add_certificate(struct file_text *file, X509 *certificate);
/* SEC1 or PKCS#1, as written by OpenSSL before PKCS#8. Encrypted if there is a password. */
void file_add_old_key(struct file_text *file, EVP_PKEY *key, const char *password);
void file_add_encrypted_key(struct file_text *file, EVP_PKEY *key, const char *password);

#endif /* JUROM_TEST_CERTIFICATES_H_ */
