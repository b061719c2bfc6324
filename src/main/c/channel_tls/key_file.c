/* SPDX-License-Identifier: Apache-2.0 */
#include "key_file.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <openssl/err.h>
#include <openssl/pem.h>

#define FILE_MAX (1024 * 1024) /* bytes; fits hundreds of services */

/* A PEM block, decoded from Base64. */
struct block {
    char *name, *header;
    unsigned char *data;
    long length;
};

struct reader {
    OSSL_LIB_CTX *library;
    struct key_file *file;
    char *reason;
};

__attribute__((format(printf, 3, 4))) static doca_error_t refuse(
        struct reader *reader, doca_error_t status, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(reader->reason, TLS_REASON_MAX, format, arguments);
    va_end(arguments);
    return status;
}

static doca_error_t no_memory(struct reader *reader)
{
    return refuse(reader, DOCA_ERROR_NO_MEMORY, "there is no memory to read the key file");
}

static doca_error_t take_key(struct reader *reader, const struct block *block)
{
    const unsigned char *data = block->data;
    int type;

    if (reader->file->key != NULL)
        return DOCA_SUCCESS;
    if (strcmp(block->name, "ENCRYPTED PRIVATE KEY") == 0
            || strstr(block->header, "ENCRYPTED") != NULL)
        return refuse(reader, DOCA_ERROR_NOT_SUPPORTED,
                "the private key is encrypted, which is not supported: store it without a password "
                "(openssl pkey -in FILE), readable to its owner only");
    reader->file->key = d2i_AutoPrivateKey_ex(NULL, &data, block->length, reader->library, NULL);
    if (reader->file->key == NULL)
        return refuse(reader, DOCA_ERROR_INVALID_VALUE,
                "the private key is damaged: create the file again");
    type = EVP_PKEY_get_base_id(reader->file->key);
    if (type != EVP_PKEY_EC && type != EVP_PKEY_RSA)
        return refuse(reader, DOCA_ERROR_NOT_SUPPORTED,
                "the private key is of type %s, but only EC and RSA are supported: create another "
                "key",
                EVP_PKEY_get0_type_name(reader->file->key));
    return DOCA_SUCCESS;
}

static doca_error_t take_certificate(struct reader *reader, const struct block *block)
{
    const unsigned char *data = block->data;
    X509 *certificate = X509_new_ex(reader->library, NULL);

    if (certificate == NULL)
        return no_memory(reader);
    if (d2i_X509(&certificate, &data, block->length) == NULL
            || data != block->data + block->length) {
        X509_free(certificate);
        return refuse(reader, DOCA_ERROR_INVALID_VALUE,
                "certificate %d of the file is damaged: copy it again",
                sk_X509_num(reader->file->others) + 1);
    }
    if (sk_X509_push(reader->file->others, certificate) == 0) {
        X509_free(certificate);
        return no_memory(reader);
    }
    return DOCA_SUCCESS;
}

/* Ignores other blocks, such as the parameters that `openssl ecparam` writes before a key. */
static doca_error_t take_block(struct reader *reader, const struct block *block)
{
    static const char key[] = "PRIVATE KEY";
    size_t length = strlen(block->name);

    if (strcmp(block->name, "CERTIFICATE") == 0)
        return take_certificate(reader, block);
    if (length >= strlen(key) && strcmp(block->name + length - strlen(key), key) == 0)
        return take_key(reader, block);
    return DOCA_SUCCESS;
}

static doca_error_t read_blocks(struct reader *reader, BIO *text)
{
    struct block block;
    doca_error_t status = DOCA_SUCCESS;

    while (status == DOCA_SUCCESS
            && PEM_read_bio(text, &block.name, &block.header, &block.data, &block.length) == 1) {
        status = take_block(reader, &block);
        OPENSSL_clear_free(block.data, (size_t)block.length);
        OPENSSL_free(block.header);
        OPENSSL_free(block.name);
    }
    if (status == DOCA_SUCCESS && ERR_GET_REASON(ERR_peek_last_error()) != PEM_R_NO_START_LINE)
        status = refuse(reader, DOCA_ERROR_INVALID_VALUE,
                "block %d of the file is damaged: it is not PEM text, or is truncated",
                sk_X509_num(reader->file->others) + (reader->file->key != NULL) + 1);
    return status;
}

/* Moves the certificate of the key from `others` to `own`. */
static void find_own(struct key_file *file)
{
    for (int i = 0; file->own == NULL && i < sk_X509_num(file->others); ++i) {
        if (X509_check_private_key(sk_X509_value(file->others, i), file->key) == 1)
            file->own = sk_X509_delete(file->others, i);
    }
}

static doca_error_t check_is_complete(struct reader *reader)
{
    struct key_file *file = reader->file;

    if (file->key == NULL)
        return refuse(reader, DOCA_ERROR_NOT_FOUND,
                "there is no private key in the file: create one with "
                "`urom key create FILE --name N`");
    find_own(file);
    if (file->own == NULL)
        return refuse(reader, DOCA_ERROR_NOT_FOUND,
                "no certificate in the file matches its private key: add it, or create both with "
                "`urom key create FILE --name N`");
    if (sk_X509_num(file->others) == 0)
        return refuse(reader, DOCA_ERROR_NOT_FOUND,
                "the file has no certificate of a service: append the certificate of the service");
    return DOCA_SUCCESS;
}

doca_error_t tls_key_file_read(OSSL_LIB_CTX *library, const char *pem, size_t length,
        struct key_file *file, char reason[TLS_REASON_MAX])
{
    struct reader reader = { .library = library, .file = file, .reason = reason };
    BIO *text = NULL;
    doca_error_t status;

    *file = (struct key_file){ .others = sk_X509_new_null() };
    ERR_clear_error();
    if (length <= FILE_MAX)
        text = BIO_new_mem_buf(pem, (int)length);
    if (length > FILE_MAX)
        status = refuse(&reader, DOCA_ERROR_TOO_BIG, "the file has %zu bytes; the maximum is %d",
                length, FILE_MAX);
    else if (text == NULL || file->others == NULL)
        status = no_memory(&reader);
    else
        status = read_blocks(&reader, text);
    if (status == DOCA_SUCCESS)
        status = check_is_complete(&reader);

    if (status != DOCA_SUCCESS)
        tls_key_file_free(file);
    BIO_free(text);
    ERR_clear_error();
    return status;
}

void tls_key_file_free(struct key_file *file)
{
    EVP_PKEY_free(file->key);
    X509_free(file->own);
    sk_X509_pop_free(file->others, X509_free);
    *file = (struct key_file){ 0 };
}
