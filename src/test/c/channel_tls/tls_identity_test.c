/* SPDX-License-Identifier: Apache-2.0 */
/* Valid key files, and messages about invalid ones. */
#include "cmocka_all.h"

#include <string.h>

#include <openssl/rsa.h>

#include "certificates.h"
#include "party.h"

static const struct tls_library *const tls = &jurom_channel_tls;
static struct certified host, service;

static int make_certificates(void **state)
{
    (void)state;
    certified_make(&host);
    certified_make(&service);
    return 0;
}

static int free_certificates(void **state)
{
    (void)state;
    certified_free(&host);
    certified_free(&service);
    return 0;
}

static void assert_taken(const struct file_text *file)
{
    struct tls_identity *identity;
    char reason[TLS_REASON_MAX] = "";
    doca_error_t status = tls->read_identity(file->bytes, file->length, &identity, reason);

    if (status != DOCA_SUCCESS)
        fail_msg("%s", reason);
    tls->free_identity(identity);
}

static void assert_refused(const struct file_text *file, doca_error_t status, const char *text)
{
    struct party answer = { 0 };
    struct tls_identity *identity;

    answer.status = tls->read_identity(file->bytes, file->length, &identity, answer.reason);
    assert_ends_with_reason(status, text, &answer);
    assert_null(identity);
}

static void a_key_its_certificate_and_a_service_will_do_in_any_order(void **state)
{
    struct file_text file = { 0 }, reversed = { 0 };

    (void)state;
    file_add_key(&file, host.key);
    file_add_certificate(&file, host.certificate);
    file_add_certificate(&file, service.certificate);
    file_add(&reversed, "Our service, and behind it what is ours:\r\n");
    file_add_certificate(&reversed, service.certificate);
    file_add_certificate(&reversed, host.certificate);
    file_add_key(&reversed, host.key);

    assert_taken(&file);
    assert_taken(&reversed);
}

static void keys_of_older_tools_will_do(void **state)
{
    struct file_text file = { 0 };

    (void)state;
    file_add(&file,
            "-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n"
            "-----END EC PARAMETERS-----\n");
    file_add_old_key(&file, host.key, NULL);
    file_add_certificate(&file, host.certificate);
    file_add_certificate(&file, service.certificate);

    assert_non_null(strstr(file.bytes, "BEGIN EC PRIVATE KEY"));
    assert_taken(&file);
}

static void an_rsa_key_will_do(void **state)
{
    struct file_text file = { 0 }, old = { 0 };
    struct certified rsa;

    (void)state;
    certified_make_with(&rsa, EVP_RSA_gen(2048), -1, 1);
    file_add_key(&file, rsa.key);
    file_add_certificate(&file, rsa.certificate);
    file_add_certificate(&file, service.certificate);
    file_add_old_key(&old, rsa.key, NULL);
    file_add_certificate(&old, rsa.certificate);
    file_add_certificate(&old, service.certificate);

    assert_taken(&file);
    assert_taken(&old);
    certified_free(&rsa);
}

static void other_keys_are_rejected(void **state)
{
    struct file_text file = { 0 };
    struct certified edwards;

    (void)state;
    certified_make_with(&edwards, EVP_PKEY_Q_keygen(NULL, NULL, "ED25519"), -1, 1);
    file_add_key(&file, edwards.key);
    file_add_certificate(&file, edwards.certificate);
    file_add_certificate(&file, service.certificate);

    assert_refused(&file, DOCA_ERROR_NOT_SUPPORTED, "only EC and RSA");
    certified_free(&edwards);
}

static void a_key_that_is_too_weak_is_rejected(void **state)
{
    struct file_text file = { 0 };
    struct certified weak;

    (void)state;
    certified_make_with(&weak, EVP_RSA_gen(1024), -1, 1);
    file_add_key(&file, weak.key);
    file_add_certificate(&file, weak.certificate);
    file_add_certificate(&file, service.certificate);

    assert_refused(&file, DOCA_ERROR_NOT_SUPPORTED, "key too small");
    certified_free(&weak);
}

static void an_incomplete_file_is_rejected_with_advice(void **state)
{
    struct file_text empty = { 0 }, no_key = { 0 }, no_certificate = { 0 }, no_service = { 0 };

    (void)state;
    file_add(&empty, "nothing of this is PEM\n");
    file_add_certificate(&no_key, host.certificate);
    file_add_certificate(&no_key, service.certificate);
    file_add_key(&no_certificate, host.key);
    file_add_certificate(&no_certificate, service.certificate);
    file_add_key(&no_service, host.key);
    file_add_certificate(&no_service, host.certificate);

    assert_refused(&empty, DOCA_ERROR_NOT_FOUND, "no private key in the file");
    assert_refused(&no_key, DOCA_ERROR_NOT_FOUND, "no private key in the file");
    assert_refused(&no_certificate, DOCA_ERROR_NOT_FOUND, "no certificate in the file matches");
    assert_refused(&no_service, DOCA_ERROR_NOT_FOUND, "append the certificate of the service");
}

static void an_encrypted_key_is_rejected_without_asking_for_a_password(void **state)
{
    struct file_text file = { 0 }, old = { 0 };

    (void)state;
    file_add_encrypted_key(&file, host.key, "secret");
    file_add_old_key(&old, host.key, "secret");

    assert_refused(&file, DOCA_ERROR_NOT_SUPPORTED, "encrypted");
    assert_refused(&old, DOCA_ERROR_NOT_SUPPORTED, "encrypted");
}

static void damaged_files_are_rejected(void **state)
{
    struct file_text key = { 0 }, certificate = { 0 }, broken_off = { 0 };

    (void)state;
    file_add(&key, "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n");
    file_add(&certificate, "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n");
    file_add_key(&broken_off, host.key);
    broken_off.length -= 40;

    assert_refused(&key, DOCA_ERROR_INVALID_VALUE, "the private key is damaged");
    assert_refused(&certificate, DOCA_ERROR_INVALID_VALUE, "certificate 1 of the file is damaged");
    assert_refused(&broken_off, DOCA_ERROR_INVALID_VALUE, "block 1 of the file is damaged");
}

static void no_change_of_a_byte_does_harm(void **state)
{
    struct file_text file = { 0 };
    struct tls_identity *identity;
    char reason[TLS_REASON_MAX];

    (void)state;
    file_add_key(&file, host.key);
    file_add_certificate(&file, host.certificate);
    file_add_certificate(&file, service.certificate);

    for (size_t i = 0; i < file.length; i += 3) {
        file.bytes[i] ^= 0x15;
        if (tls->read_identity(file.bytes, file.length, &identity, reason) == DOCA_SUCCESS)
            tls->free_identity(identity);
        file.bytes[i] ^= 0x15;
    }
    assert_taken(&file);
}

static void an_enormous_file_is_rejected(void **state)
{
    struct tls_identity *identity;
    char reason[TLS_REASON_MAX];

    (void)state;
    assert_int_equal(DOCA_ERROR_TOO_BIG, tls->read_identity("", SIZE_MAX, &identity, reason));
    assert_null(identity);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_key_its_certificate_and_a_service_will_do_in_any_order),
        cmocka_unit_test(keys_of_older_tools_will_do),
        cmocka_unit_test(an_rsa_key_will_do),
        cmocka_unit_test(other_keys_are_rejected),
        cmocka_unit_test(a_key_that_is_too_weak_is_rejected),
        cmocka_unit_test(an_incomplete_file_is_rejected_with_advice),
        cmocka_unit_test(an_encrypted_key_is_rejected_without_asking_for_a_password),
        cmocka_unit_test(damaged_files_are_rejected),
        cmocka_unit_test(no_change_of_a_byte_does_harm),
        cmocka_unit_test(an_enormous_file_is_rejected),
    };

    return cmocka_run_group_tests(tests, make_certificates, free_certificates);
}
