/* SPDX-License-Identifier: Apache-2.0 */
#include "certificates.h"

#include "cmocka_all.h"

#include <string.h>

#include <openssl/pem.h>

#define HOUR 3600 /* s */

void certified_make_with(struct certified *certified, EVP_PKEY *key, long from, long to)
{
    X509 *certificate = X509_new();
    X509_NAME *name = X509_get_subject_name(certificate);
    static long serial;

    assert_int_equal(1, X509_set_version(certificate, X509_VERSION_3));
    assert_int_equal(1, ASN1_INTEGER_set(X509_get_serialNumber(certificate), ++serial));
    assert_non_null(X509_gmtime_adj(X509_getm_notBefore(certificate), from));
    assert_non_null(X509_gmtime_adj(X509_getm_notAfter(certificate), to));
    assert_int_equal(1,
            X509_NAME_add_entry_by_txt(
                    name, "CN", MBSTRING_ASC, (const unsigned char *)"test", -1, -1, 0));
    assert_int_equal(1, X509_set_issuer_name(certificate, name));
    assert_int_equal(1, X509_set_pubkey(certificate, key));
    assert_true(X509_sign(certificate, key,
                        EVP_PKEY_get_base_id(key) == EVP_PKEY_ED25519 ? NULL : EVP_sha256())
            > 0);
    *certified = (struct certified){ .key = key, .certificate = certificate };
}

void certified_make(struct certified *certified)
{
    certified_make_with(certified, EVP_EC_gen("P-256"), -HOUR, HOUR);
}

void certified_free(struct certified *certified)
{
    EVP_PKEY_free(certified->key);
    X509_free(certified->certificate);
}

static void add(struct file_text *file, const void *text, size_t length)
{
    assert_true(file->length + length < sizeof(file->bytes));
    memcpy(file->bytes + file->length, text, length);
    file->length += length;
}

static void add_bio(struct file_text *file, BIO *bio)
{
    char *text;
    long length = BIO_get_mem_data(bio, &text);

    assert_true(length > 0);
    add(file, text, (size_t)length);
    BIO_free(bio);
}

void file_add(struct file_text *file, const char *text)
{
    add(file, text, strlen(text));
}

void file_add_key(struct file_text *file, EVP_PKEY *key)
{
    BIO *bio = BIO_new(BIO_s_mem());

    assert_int_equal(1, PEM_write_bio_PrivateKey(bio, key, NULL, NULL, 0, NULL, NULL));
    add_bio(file, bio);
}

void file_add_certificate(struct file_text *file, X509 *certificate)
{
    BIO *bio = BIO_new(BIO_s_mem());

    assert_int_equal(1, PEM_write_bio_X509(bio, certificate));
    add_bio(file, bio);
}

void file_add_old_key(struct file_text *file, EVP_PKEY *key, const char *password)
{
    BIO *bio = BIO_new(BIO_s_mem());

    assert_int_equal(1,
            PEM_write_bio_PrivateKey_traditional(bio, key,
                    password == NULL ? NULL : EVP_aes_128_cbc(), (const unsigned char *)password,
                    password == NULL ? 0 : (int)strlen(password), NULL, NULL));
    add_bio(file, bio);
}

void file_add_encrypted_key(struct file_text *file, EVP_PKEY *key, const char *password)
{
    BIO *bio = BIO_new(BIO_s_mem());

    assert_int_equal(1,
            PEM_write_bio_PKCS8PrivateKey(
                    bio, key, EVP_aes_128_cbc(), password, (int)strlen(password), NULL, NULL));
    add_bio(file, bio);
}
