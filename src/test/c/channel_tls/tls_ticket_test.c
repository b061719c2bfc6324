/* SPDX-License-Identifier: Apache-2.0 */
/* Mutual authentication of a host and a worker by a ticket. */
#include "cmocka_all.h"

#include <string.h>

#include "certificates.h"
#include "party.h"

static const struct tls_library *const tls = &jurom_channel_tls;
static struct party host, worker;
static struct authenticator authenticator;
static unsigned resumptions; /* offered to a raw host */

/* The ticket that a raw host presents; modified by tests. */
static uint8_t shown_key[KEY_SIZE];
static size_t shown_id_length;

static int set_up(void **state)
{
    (void)state;
    parties_open(&host, &worker);
    memcpy(shown_key, ticket_key, KEY_SIZE);
    shown_id_length = ID_SIZE;
    resumptions = 0;
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    party_close(&host);
    party_close(&worker);
    return 0;
}

static SSL_SESSION *make_key(SSL *ssl)
{
    static const unsigned char suite[] = { 0x13, 0x01 };
    SSL_SESSION *key = SSL_SESSION_new();

    assert_int_equal(1, SSL_SESSION_set1_master_key(key, shown_key, KEY_SIZE));
    assert_int_equal(1, SSL_SESSION_set_cipher(key, SSL_CIPHER_find(ssl, suite)));
    assert_int_equal(1, SSL_SESSION_set_protocol_version(key, TLS1_3_VERSION));
    return key;
}

static int show_ticket(SSL *ssl, const EVP_MD *hash, const unsigned char **id, size_t *id_length,
        SSL_SESSION **key)
{
    (void)hash;
    *id = ticket_id;
    *id_length = shown_id_length;
    *key = make_key(ssl);
    return 1;
}

static int count_resumption(SSL *ssl, SSL_SESSION *session)
{
    (void)ssl;
    (void)session;
    ++resumptions;
    return 0;
}

/* Creates a host of OpenSSL that presents the ticket and requests resumption. */
static SSL_CTX *make_host(void)
{
    SSL_CTX *context = SSL_CTX_new(TLS_client_method());

    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_CLIENT);
    SSL_CTX_sess_set_new_cb(context, count_resumption);
    SSL_CTX_set_psk_use_session_callback(context, show_ticket);
    return context;
}

static void connect_to_worker(SSL_CTX *raw_host)
{
    party_be_raw(&host, raw_host, false);
    party_accept_ticket(&worker, &authenticator);
    parties_handshake(&host, &worker);
}

static void assert_they_talk(void)
{
    char text[6];

    assert_string_equal("", host.reason);
    assert_string_equal("", worker.reason);
    party_write(&host, "hello", 6);
    party_read(&worker, text, 6);
    party_write(&worker, text, 6);
    memset(text, 0, sizeof(text));
    party_read(&host, text, 6);
    assert_string_equal("hello", text);
}

static void a_host_with_an_open_ticket_gets_in(void **state)
{
    (void)state;
    party_connect_ticket(&host);
    party_accept_ticket(&worker, &authenticator);
    assert_null(tls->ticket_id(worker.session));
    parties_handshake(&host, &worker);

    assert_they_talk();
    assert_memory_equal(ticket_id, tls->ticket_id(worker.session), ID_SIZE);
    assert_int_equal(1, authenticator.asked);
}

static void reads_and_writes_before_the_handshake_fail(void **state)
{
    uint8_t byte = 0;
    size_t count;

    (void)state;
    party_connect_ticket(&host);

    assert_int_equal(DOCA_ERROR_BAD_STATE, tls->read(host.session, &byte, 1, &count));
    assert_int_equal(DOCA_ERROR_BAD_STATE, tls->write(host.session, &byte, 1, &count));
    assert_false(tls->has_read(host.session));
}

static void the_wrong_key_is_rejected(void **state)
{
    (void)state;
    party_connect_ticket(&host);
    party_accept_ticket(&worker, &authenticator);
    authenticator.key[KEY_SIZE - 1] ^= 1;
    parties_handshake(&host, &worker);

    assert_ends_with_reason(
            DOCA_ERROR_AUTHENTICATION, "does not have the key of the ticket", &worker);
    assert_ends_with_reason(DOCA_ERROR_AUTHENTICATION, "the worker rejected the ticket", &host);
    assert_null(tls->ticket_id(worker.session));
}

static void an_unknown_ticket_is_rejected(void **state)
{
    (void)state;
    party_connect_ticket(&host);
    party_accept_ticket(&worker, &authenticator);
    authenticator.id[ID_SIZE - 1] ^= 1;
    parties_handshake(&host, &worker);

    assert_ends_with_reason(DOCA_ERROR_AUTHENTICATION, "presented an invalid ticket", &worker);
    assert_ends_with_reason(DOCA_ERROR_AUTHENTICATION, "the worker rejected the ticket", &host);
}

static void a_used_ticket_is_rejected(void **state)
{
    (void)state;
    parties_open_with_ticket(&host, &worker, &authenticator);
    tear_down(NULL);
    set_up(NULL);
    party_connect_ticket(&host);
    party_accept_ticket(&worker, &authenticator);
    authenticator.open = false;
    parties_handshake(&host, &worker);

    assert_ends_with_reason(DOCA_ERROR_AUTHENTICATION, "presented an invalid ticket", &worker);
    assert_ends_with_reason(DOCA_ERROR_AUTHENTICATION, "it was already used", &host);
    assert_int_equal(1, authenticator.asked);
}

static void an_id_of_another_length_is_rejected_without_asking(void **state)
{
    (void)state;
    shown_id_length = ID_SIZE - 1;
    connect_to_worker(make_host());

    assert_ends_with_reason(DOCA_ERROR_AUTHENTICATION, "presented an invalid ticket", &worker);
    assert_int_equal(0, authenticator.asked);
}

static void a_host_without_a_ticket_is_rejected(void **state)
{
    (void)state;
    connect_to_worker(SSL_CTX_new(TLS_client_method()));

    assert_ends_with_reason(
            DOCA_ERROR_AUTHENTICATION, "presented no ticket and no supported certificate", &worker);
    assert_int_equal(DOCA_ERROR_UNEXPECTED, host.status);
    assert_int_equal(0, authenticator.asked);
}

static void a_host_with_tls_1_2_is_rejected(void **state)
{
    SSL_CTX *context = SSL_CTX_new(TLS_client_method());

    (void)state;
    SSL_CTX_set_max_proto_version(context, TLS1_2_VERSION);
    connect_to_worker(context);

    assert_ends_with_reason(DOCA_ERROR_UNSUPPORTED_VERSION, "does not support TLS 1.3", &worker);
    assert_ends_with_reason(DOCA_ERROR_UNEXPECTED, "protocol version", &host);
}

static void secrets_are_fresh_and_the_cipher_is_aes(void **state)
{
    EVP_PKEY *fresh = NULL;

    (void)state;
    connect_to_worker(make_host());

    assert_they_talk();
    assert_int_equal(1, SSL_get_peer_tmp_key(host.raw, &fresh));
    assert_int_equal(EVP_PKEY_X25519, EVP_PKEY_get_base_id(fresh));
    assert_string_equal("TLS_AES_128_GCM_SHA256", SSL_get_cipher(host.raw));
    EVP_PKEY_free(fresh);
}

/* The host offers only ChaCha20, as machines without AES instructions may do. */
static void the_other_cipher_with_the_same_hash_will_do(void **state)
{
    SSL_CTX *context = make_host();

    (void)state;
    SSL_CTX_set_ciphersuites(context, "TLS_CHACHA20_POLY1305_SHA256");
    connect_to_worker(context);

    assert_they_talk();
    assert_string_equal("TLS_CHACHA20_POLY1305_SHA256", SSL_get_cipher(host.raw));
}

static void a_session_cannot_be_resumed_without_a_ticket(void **state)
{
    (void)state;
    connect_to_worker(make_host());

    assert_they_talk();
    assert_int_equal(0, resumptions);
}

static void a_second_hello_asks_for_the_ticket_no_second_time(void **state)
{
    SSL_CTX *context = make_host();

    (void)state;
    SSL_CTX_set1_groups_list(context, "P-521:X25519");
    connect_to_worker(context);

    assert_they_talk();
    assert_int_equal(1, authenticator.asked);
}

static SSL_CTX *make_server(const struct certified *key)
{
    SSL_CTX *context = SSL_CTX_new(TLS_server_method());

    SSL_CTX_use_certificate(context, key->certificate);
    SSL_CTX_use_PrivateKey(context, key->key);
    return context;
}

static void a_listener_with_a_certificate_instead_of_the_key_is_rejected(void **state)
{
    struct certified key;

    (void)state;
    certified_make(&key);
    party_be_raw(&worker, make_server(&key), true);
    party_connect_ticket(&host);
    parties_handshake(&host, &worker);

    assert_ends_with_reason(DOCA_ERROR_AUTHENTICATION, "the listener is not the worker", &host);
    assert_int_equal(DOCA_ERROR_UNEXPECTED, worker.status);
    certified_free(&key);
}

static void a_listener_with_tls_1_2_is_rejected(void **state)
{
    struct certified key;
    SSL_CTX *context;

    (void)state;
    certified_make(&key);
    context = make_server(&key);
    SSL_CTX_set_max_proto_version(context, TLS1_2_VERSION);
    party_be_raw(&worker, context, true);
    party_connect_ticket(&host);
    parties_handshake(&host, &worker);

    assert_ends_with_reason(DOCA_ERROR_UNSUPPORTED_VERSION, "does not support TLS 1.3", &host);
    certified_free(&key);
}

static void invalid_ticket_sizes_are_rejected(void **state)
{
    uint8_t bytes[1000] = { 0 };
    struct tls_session *session;

    (void)state;
    assert_int_equal(DOCA_ERROR_INVALID_VALUE,
            tls->connect_ticket(host.fd, bytes, 0, bytes, KEY_SIZE, &session));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE,
            tls->connect_ticket(host.fd, bytes, ID_SIZE, bytes, 1000, &session));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE,
            tls->accept_ticket(
                    worker.fd, 1000, KEY_SIZE, authenticator_find, &authenticator, &session));
    assert_null(session);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_host_with_an_open_ticket_gets_in, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
                reads_and_writes_before_the_handshake_fail, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_wrong_key_is_rejected, set_up, tear_down),
        cmocka_unit_test_setup_teardown(an_unknown_ticket_is_rejected, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_used_ticket_is_rejected, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
                an_id_of_another_length_is_rejected_without_asking, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_host_without_a_ticket_is_rejected, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_host_with_tls_1_2_is_rejected, set_up, tear_down),
        cmocka_unit_test_setup_teardown(secrets_are_fresh_and_the_cipher_is_aes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
                the_other_cipher_with_the_same_hash_will_do, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
                a_session_cannot_be_resumed_without_a_ticket, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
                a_second_hello_asks_for_the_ticket_no_second_time, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
                a_listener_with_a_certificate_instead_of_the_key_is_rejected, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_listener_with_tls_1_2_is_rejected, set_up, tear_down),
        cmocka_unit_test_setup_teardown(invalid_ticket_sizes_are_rejected, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
