/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Keys are updated after a number of records. Built with TLS_RECORDS_A_KEY = 8; the peer is
 * OpenSSL, which reports key updates.
 */
#include "cmocka_all.h"

#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include "certificates.h"
#include "party.h"

#define KEY_UPDATE 24 /* the message's type in TLS 1.3 */

static const struct tls_library *const tls = &jurom_channel_tls;
static struct certified host_key, service_key;
static struct tls_identity *identity;
static struct party host, service;
static unsigned changes; /* updates of our key, as seen by the service */

static void see_message(int sent, int version, int content, const void *bytes, size_t length,
        SSL *ssl, void *argument)
{
    (void)version;
    (void)ssl;
    (void)argument;
    if (!sent && content == SSL3_RT_HANDSHAKE && length > 0
            && *(const uint8_t *)bytes == KEY_UPDATE)
        ++changes;
}

static int accept_host(X509_STORE_CTX *store, void *nothing)
{
    (void)store;
    (void)nothing;
    return 1;
}

static SSL_CTX *make_service(void)
{
    SSL_CTX *context = SSL_CTX_new(TLS_server_method());

    SSL_CTX_use_certificate(context, service_key.certificate);
    SSL_CTX_use_PrivateKey(context, service_key.key);
    SSL_CTX_set_verify(context, SSL_VERIFY_PEER, NULL);
    SSL_CTX_set_cert_verify_callback(context, accept_host, NULL);
    SSL_CTX_set_msg_callback(context, see_message);
    SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
    return context;
}

static int open_connection(void)
{
    struct file_text file = { 0 };
    char reason[TLS_REASON_MAX];

    certified_make(&host_key);
    certified_make(&service_key);
    file_add_key(&file, host_key.key);
    file_add_certificate(&file, host_key.certificate);
    file_add_certificate(&file, service_key.certificate);
    assert_int_equal(DOCA_SUCCESS, tls->read_identity(file.bytes, file.length, &identity, reason));
    party_be_raw(&service, make_service(), true);
    party_connect_known(&host, identity);
    parties_handshake(&host, &service);
    assert_int_equal(DOCA_SUCCESS, host.status);
    assert_int_equal(DOCA_SUCCESS, service.status);
    changes = 0;
    return 0;
}

static int set_up(void **state)
{
    (void)state;
    parties_open(&host, &service);
    return open_connection();
}

static int set_up_small(void **state)
{
    (void)state;
    parties_open_small(&host, &service);
    return open_connection();
}

static int tear_down(void **state)
{
    (void)state;
    party_close(&host);
    party_close(&service);
    tls->free_identity(identity);
    certified_free(&host_key);
    certified_free(&service_key);
    return 0;
}

static void the_key_changes_after_so_many_records(void **state)
{
    char text[6];

    (void)state;
    for (unsigned i = 0; i < 80; ++i) {
        party_write(&host, "hello", 6);
        party_read(&service, text, 6);
        assert_string_equal("hello", text);
        assert_int_equal(i / 8, changes);
    }
}

static void it_changes_in_mid_stream_through_small_buffers(void **state)
{
    static uint8_t bytes[100000], sink[100000];
    size_t sent = 0, received = 0, count;
    long long deadline = 0;

    (void)state;
    for (size_t i = 0; i < sizeof(bytes); ++i)
        bytes[i] = (uint8_t)(i * 13 + (i >> 8));
    while (received < sizeof(sink) && before_deadline(&deadline)) {
        size_t left = sizeof(bytes) - sent;

        if (left > 0
                && tls->write(host.session, bytes + sent, left < 900 ? left : 900, &count)
                        == DOCA_SUCCESS)
            sent += count;
        else if (SSL_read_ex(service.raw, sink + received, sizeof(sink) - received, &count) == 1)
            received += count;
    }

    assert_memory_equal(bytes, sink, sizeof(sink));
    assert_in_range(changes, 8, 14);
}

/* Two busy senders update their keys without waiting for each other. */
static void both_change_while_both_are_full(void **state)
{
    static uint8_t bytes[1000], sink[20000];
    struct party one, other, *ends[] = { &one, &other };
    size_t sent[2] = { 0 }, received[2] = { 0 }, count;
    struct authenticator authenticator;
    long long deadline = 0;

    (void)state;
    parties_open_small(&one, &other);
    parties_open_with_ticket(&one, &other, &authenticator);
    while ((received[0] < 500000 || received[1] < 500000) && before_deadline(&deadline)) {
        for (int i = 0; i < 2; ++i) {
            while (sent[i] < 500000
                    && tls->write(ends[i]->session, bytes, sizeof(bytes), &count) == DOCA_SUCCESS)
                sent[i] += count;
        }
        for (int i = 0; i < 2; ++i) {
            if (tls->read(ends[i]->session, sink, sizeof(sink), &count) == DOCA_SUCCESS)
                received[i] += count;
        }
    }

    assert_int_equal(500000, received[0]);
    assert_int_equal(500000, received[1]);
    party_close(&one);
    party_close(&other);
}

/* Writes records until the socket is full. Returns the number of bytes written. */
static size_t fill(void)
{
    static const uint8_t bytes[900];
    size_t taken = 0, count;

    while (tls->write(host.session, bytes, sizeof(bytes), &count) == DOCA_SUCCESS)
        taken += count;
    return taken;
}

/* Reads these bytes, and the record that did not fit. */
static void drain(size_t length)
{
    uint8_t bytes[900];

    for (; length > 0; length -= sizeof(bytes))
        party_read(&service, bytes, sizeof(bytes));
    party_write(&host, bytes, sizeof(bytes));
    party_read(&service, bytes, sizeof(bytes));
}

static void a_peer_that_does_not_read_blocks_no_reads_by_a_key_update(void **state)
{
    char text[6];
    size_t taken;

    (void)state;
    /* Fills the socket, so that eventually a key update does not fit. */
    for (int round = 0; round < 20; ++round) {
        for (int i = 0; i < round % 9; ++i) {
            party_write(&host, "hello", 6);
            party_read(&service, text, 6);
        }
        taken = fill();
        party_write(&service, "world", 6);
        party_read(&host, text, 6);
        assert_string_equal("world", text);
        assert_true(tls->wants_write(host.session));
        drain(taken);
        assert_false(tls->wants_write(host.session));
    }
}

static void a_change_that_the_peer_asks_for_is_made(void **state)
{
    char text[6];

    (void)state;
    assert_int_equal(1, SSL_key_update(service.raw, SSL_KEY_UPDATE_REQUESTED));
    party_write(&service, "hello", 6);
    party_read(&host, text, 6);
    party_write(&host, text, 6);
    party_read(&service, text, 6);

    assert_string_equal("hello", text);
    assert_int_equal(1, changes);
}

static void the_peer_may_ask_while_a_record_is_half_sent(void **state)
{
    char text[6];
    size_t taken;

    (void)state;
    taken = fill();
    assert_int_equal(1, SSL_key_update(service.raw, SSL_KEY_UPDATE_REQUESTED));
    party_write(&service, "hello", 6);
    party_read(&host, text, 6);
    assert_string_equal("hello", text);
    drain(taken);
    party_write(&host, "world", 6);
    party_read(&service, text, 6);
    assert_string_equal("world", text);
}

/* A read must return in between, so that the reader can serve its other connections. */
static void changes_without_end_take_bounded_time_each_read(void **state)
{
    const int many = 3000;
    long long deadline = 0;
    unsigned reads = 0;
    uint8_t byte;
    int waiting;
    size_t count;

    (void)state;
    for (int i = 0; i < many; ++i) {
        assert_int_equal(1, SSL_key_update(service.raw, SSL_KEY_UPDATE_NOT_REQUESTED));
        assert_int_equal(1, SSL_do_handshake(service.raw));
    }
    do {
        assert_int_equal(DOCA_ERROR_AGAIN, tls->read(host.session, &byte, 1, &count));
        ++reads;
        assert_int_equal(0, ioctl(host.fd, FIONREAD, &waiting));
    } while (waiting > 0 && before_deadline(&deadline));

    assert_in_range(reads, 4, 20);
    party_write(&service, "x", 1);
    party_read(&host, &byte, 1);
    assert_int_equal('x', byte);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_key_changes_after_so_many_records, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
                it_changes_in_mid_stream_through_small_buffers, set_up_small, tear_down),
        cmocka_unit_test(both_change_while_both_are_full),
        cmocka_unit_test_setup_teardown(a_change_that_the_peer_asks_for_is_made, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
                a_peer_that_does_not_read_blocks_no_reads_by_a_key_update, set_up_small, tear_down),
        cmocka_unit_test_setup_teardown(
                the_peer_may_ask_while_a_record_is_half_sent, set_up_small, tear_down),
        cmocka_unit_test_setup_teardown(
                changes_without_end_take_bounded_time_each_read, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
