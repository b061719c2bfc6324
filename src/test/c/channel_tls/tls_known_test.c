/* SPDX-License-Identifier: Apache-2.0 */
/* Mutual authentication by certificates of a host and a service, which OpenSSL plays here. */
#include "cmocka_all.h"

#include <stdio.h>
#include <string.h>

#include "certificates.h"
#include "party.h"

#define HOUR 3600 /* s */

static const struct tls_library *const tls = &jurom_channel_tls;
static struct certified host_key, service_key, other_key;
static struct tls_identity *identity;
static struct party host, service;

/* The host accepts the certificates of two services. */
static int set_up(void **state)
{
    struct file_text file = { 0 };
    char reason[TLS_REASON_MAX];

    (void)state;
    certified_make(&host_key);
    certified_make(&service_key);
    certified_make(&other_key);
    file_add_key(&file, host_key.key);
    file_add_certificate(&file, host_key.certificate);
    file_add_certificate(&file, other_key.certificate);
    file_add_certificate(&file, service_key.certificate);
    assert_int_equal(DOCA_SUCCESS, tls->read_identity(file.bytes, file.length, &identity, reason));
    parties_open(&host, &service);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    party_close(&host);
    party_close(&service);
    tls->free_identity(identity);
    certified_free(&host_key);
    certified_free(&service_key);
    certified_free(&other_key);
    return 0;
}

static int accept_host(X509_STORE_CTX *store, void *expected)
{
    int known = X509_cmp(X509_STORE_CTX_get0_cert(store), expected) == 0;

    X509_STORE_CTX_set_error(store, known ? X509_V_OK : X509_V_ERR_CERT_REJECTED);
    return known;
}

/* Creates a service with this key (NULL: none) that trusts this certificate of a host. */
static SSL_CTX *make_service(const struct certified *key, X509 *known)
{
    SSL_CTX *context = SSL_CTX_new(TLS_server_method());

    if (key != NULL) {
        SSL_CTX_use_certificate(context, key->certificate);
        SSL_CTX_use_PrivateKey(context, key->key);
    }
    SSL_CTX_set_verify(context, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, NULL);
    SSL_CTX_set_cert_verify_callback(context, accept_host, known);
    SSL_CTX_set_session_id_context(context, (const unsigned char *)"test", 4);
    return context;
}

static void handshake(SSL_CTX *context)
{
    party_be_raw(&service, context, true);
    party_connect_known(&host, identity);
    parties_handshake(&host, &service);
}

static void assert_they_talk(void)
{
    char text[6];

    assert_int_equal(DOCA_SUCCESS, host.status);
    assert_int_equal(DOCA_SUCCESS, service.status);
    party_write(&host, "hello", 6);
    party_read(&service, text, 6);
    party_write(&service, text, 6);
    memset(text, 0, sizeof(text));
    party_read(&host, text, 6);
    assert_string_equal("hello", text);
}

static void two_that_know_each_other_talk(void **state)
{
    (void)state;
    handshake(make_service(&service_key, host_key.certificate));

    assert_they_talk();
    assert_int_equal(TLS1_3_VERSION, SSL_version(service.raw));
    assert_string_equal("", tls->reason(host.session));
    assert_null(tls->ticket_id(host.session));
}

static void any_service_of_the_file_is_known(void **state)
{
    (void)state;
    handshake(make_service(&other_key, host_key.certificate));

    assert_they_talk();
}

static void dates_do_not_matter(void **state)
{
    struct certified expired;
    struct file_text file = { 0 };
    char reason[TLS_REASON_MAX];

    (void)state;
    certified_make_with(&expired, EVP_EC_gen("P-256"), -2 * HOUR, -HOUR);
    file_add_key(&file, host_key.key);
    file_add_certificate(&file, host_key.certificate);
    file_add_certificate(&file, expired.certificate);
    tls->free_identity(identity);
    assert_int_equal(DOCA_SUCCESS, tls->read_identity(file.bytes, file.length, &identity, reason));

    handshake(make_service(&expired, host_key.certificate));

    assert_they_talk();
    certified_free(&expired);
}

static void an_unknown_service_is_rejected_with_its_fingerprint(void **state)
{
    struct certified stranger;
    unsigned char digest[32];
    char first_byte[16];

    (void)state;
    certified_make(&stranger);
    handshake(make_service(&stranger, host_key.certificate));

    X509_digest(stranger.certificate, EVP_sha256(), digest, NULL);
    snprintf(first_byte, sizeof(first_byte), "(SHA-256 %02x", digest[0]);
    assert_ends_with_reason(DOCA_ERROR_AUTHENTICATION, first_byte, &host);
    assert_ends_with_reason(DOCA_ERROR_AUTHENTICATION, "add it to that file", &host);
    assert_ends_with_reason(DOCA_ERROR_UNEXPECTED, "alert bad certificate", &service);
    certified_free(&stranger);
}

static void another_certificate_of_a_known_key_is_rejected(void **state)
{
    struct certified renewed;

    (void)state;
    EVP_PKEY_up_ref(service_key.key);
    certified_make_with(&renewed, service_key.key, -HOUR, HOUR);
    handshake(make_service(&renewed, host_key.certificate));

    assert_ends_with_reason(DOCA_ERROR_AUTHENTICATION, "not in the key file", &host);
    certified_free(&renewed);
}

static void a_service_without_a_certificate_is_rejected(void **state)
{
    (void)state;
    handshake(make_service(NULL, host_key.certificate));

    assert_ends_with_reason(DOCA_ERROR_UNSUPPORTED_VERSION, "the service", &host);
}

static void a_read_reports_that_the_service_does_not_know_the_host(void **state)
{
    (void)state;
    handshake(make_service(&service_key, other_key.certificate));
    assert_int_equal(DOCA_SUCCESS, host.status);
    assert_int_equal(DOCA_ERROR_UNEXPECTED, service.status);

    party_read_end(&host);

    assert_ends_with_reason(DOCA_ERROR_AUTHENTICATION,
            "the service does not accept this host's certificate: have its operator add it to "
            "--authorized-hosts",
            &host);
}

static void a_read_reports_the_rejection_after_a_failed_write(void **state)
{
    long long deadline = 0;
    doca_error_t status = DOCA_SUCCESS;
    size_t count;

    (void)state;
    handshake(make_service(&service_key, other_key.certificate));
    party_close(&service);
    while (status == DOCA_SUCCESS && before_deadline(&deadline))
        status = tls->write(host.session, (const uint8_t *)"hello", 6, &count);
    assert_int_equal(DOCA_ERROR_CONNECTION_RESET, status);
    assert_non_null(strstr(tls->reason(host.session), "the service disconnected"));

    party_read_end(&host);

    assert_ends_with_reason(DOCA_ERROR_AUTHENTICATION, "--authorized-hosts", &host);
}

static void a_service_with_tls_1_2_is_rejected(void **state)
{
    SSL_CTX *context = make_service(&service_key, host_key.certificate);

    (void)state;
    SSL_CTX_set_max_proto_version(context, TLS1_2_VERSION);
    handshake(context);

    assert_ends_with_reason(DOCA_ERROR_UNSUPPORTED_VERSION, "does not support TLS 1.3", &host);
}

static void an_enormous_chain_is_rejected(void **state)
{
    SSL_CTX *context = make_service(&service_key, host_key.certificate);

    (void)state;
    for (int i = 0; i < 100; ++i) {
        X509_up_ref(other_key.certificate);
        assert_int_equal(1, SSL_CTX_add_extra_chain_cert(context, other_key.certificate));
    }
    handshake(context);

    assert_int_equal(DOCA_ERROR_CONNECTION_ABORTED, host.status);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(two_that_know_each_other_talk, set_up, tear_down),
        cmocka_unit_test_setup_teardown(any_service_of_the_file_is_known, set_up, tear_down),
        cmocka_unit_test_setup_teardown(dates_do_not_matter, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
                an_unknown_service_is_rejected_with_its_fingerprint, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
                another_certificate_of_a_known_key_is_rejected, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
                a_service_without_a_certificate_is_rejected, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
                a_read_reports_that_the_service_does_not_know_the_host, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
                a_read_reports_the_rejection_after_a_failed_write, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_service_with_tls_1_2_is_rejected, set_up, tear_down),
        cmocka_unit_test_setup_teardown(an_enormous_chain_is_rejected, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
