/* SPDX-License-Identifier: Apache-2.0 */
/* Peers that violate the protocol or disconnect during it. */
#include "cmocka_all.h"

#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <openssl/err.h>

#include "fixture.h"

#define ROUNDS 200

/* Continues the handshake of a party whose peer does not answer. */
static void shake_alone(struct party *party)
{
    struct party nobody = { .status = DOCA_SUCCESS };

    parties_handshake(party, &nobody);
}

static void send_noise(int fd, unsigned round)
{
    uint8_t noise[300];

    for (size_t i = 0; i < sizeof(noise); ++i)
        noise[i] = (uint8_t)rand();
    if (round % 2 == 0) /* with a record header, so that OpenSSL parses more of it */
        memcpy(noise, "\x16\x03\x01\x01\x00\x01\x00\x00\xfc\x03\x03", round % 12);
    assert_int_equal(sizeof(noise), send(fd, noise, sizeof(noise), MSG_NOSIGNAL));
    shutdown(fd, SHUT_WR);
}

static void noise_ends_a_workers_handshake_with_a_sentence(void **state)
{
    (void)state;
    srand(1);
    for (unsigned round = 0; round < ROUNDS; ++round) {
        set_up(NULL);
        party_accept_ticket(&worker, &authenticator);
        send_noise(host.fd, round);

        shake_alone(&worker);

        assert_int_not_equal(DOCA_SUCCESS, worker.status);
        assert_ends_with_reason(worker.status, "the host ", &worker);
        tear_down(NULL);
    }
}

static void noise_ends_a_hosts_handshake_with_a_sentence(void **state)
{
    (void)state;
    srand(2);
    for (unsigned round = 0; round < ROUNDS; ++round) {
        set_up(NULL);
        party_connect_ticket(&host);
        send_noise(worker.fd, round);

        shake_alone(&host);

        assert_int_not_equal(DOCA_SUCCESS, host.status);
        assert_ends_with_reason(host.status, "the worker ", &host);
        tear_down(NULL);
    }
}

/* Sends the start of a message of 128 KiB. */
static void data_before_authentication_is_limited(void **state)
{
    static uint8_t record[5 + 16384] = { 0x16, 3, 1, 0x40, 0, /* ClientHello: */ 1, 1, 0xff, 0xff };
    size_t sent = 0;
    ssize_t count;

    (void)state;
    party_accept_ticket(&worker, &authenticator);
    while (worker.status == DOCA_ERROR_AGAIN && sent < 1024 * 1024) {
        count = send(host.fd, record + sent % sizeof(record),
                sizeof(record) - sent % sizeof(record), MSG_NOSIGNAL);
        if (count > 0)
            sent += (size_t)count;
        if (sent > 5 + 4)
            memset(record + 5, 0, 4); /* only the first record begins a message */
        worker.status = tls->handshake(worker.session, worker.reason);
    }

    assert_ends_with_reason(DOCA_ERROR_CONNECTION_ABORTED, "sent more than 65536 bytes", &worker);
    assert_true(sent < 1024 * 1024);
}

static void a_changed_bit_ends_the_session(void **state)
{
    uint8_t cipher[200], byte;
    ssize_t length;
    size_t count;

    (void)state;
    party_write(&host, "hello", 6);
    length = recv(worker.fd, cipher, sizeof(cipher), 0);
    assert_true(length > 6);
    cipher[length - 1] ^= 1;
    assert_int_equal(length, send(host.fd, cipher, (size_t)length, 0));

    party_read_end(&worker);

    assert_ends_with_reason(DOCA_ERROR_CONNECTION_ABORTED, "bad record mac", &worker);
    assert_int_equal(DOCA_ERROR_CONNECTION_ABORTED, tls->read(worker.session, &byte, 1, &count));
    assert_int_equal(DOCA_ERROR_CONNECTION_ABORTED, tls->write(worker.session, &byte, 1, &count));
    assert_false(tls->wants_write(worker.session));
    assert_false(tls->has_read(worker.session));
    assert_int_equal(DOCA_ERROR_CONNECTION_ABORTED, party_read_end(&host));
}

static void a_record_that_comes_twice_ends_the_session(void **state)
{
    uint8_t cipher[200];
    char text[6];
    ssize_t length;

    (void)state;
    party_write(&host, "hello", 6);
    length = recv(worker.fd, cipher, sizeof(cipher), 0);
    assert_true(length > 6);
    assert_int_equal(length, send(host.fd, cipher, (size_t)length, 0));
    assert_int_equal(length, send(host.fd, cipher, (size_t)length, 0));
    party_read(&worker, text, 6);

    assert_int_equal(DOCA_ERROR_CONNECTION_ABORTED, party_read_end(&worker));
}

static void a_peer_that_goes_before_the_handshake_is_noticed(void **state)
{
    (void)state;
    party_accept_ticket(&worker, &authenticator);
    party_close(&host);
    shake_alone(&worker);

    assert_ends_with_reason(DOCA_ERROR_CONNECTION_RESET,
            "the host disconnected before it was authenticated", &worker);
}

static void a_good_bye_is_noticed_after_what_was_sent(void **state)
{
    char text[6];

    (void)state;
    party_write(&host, "hello", 6);
    party_close(&host);

    party_read(&worker, text, 6);
    party_read_end(&worker);

    assert_string_equal("hello", text);
    assert_ends_with_reason(
            DOCA_ERROR_CONNECTION_RESET, "the host has closed the connection", &worker);
}

static void an_end_without_good_bye_is_noticed_in_the_midst_of_a_record(void **state)
{
    uint8_t cipher[200];
    ssize_t length;

    (void)state;
    party_write(&host, "hello", 6);
    length = recv(worker.fd, cipher, sizeof(cipher), 0);
    assert_int_equal(length - 1, send(host.fd, cipher, (size_t)length - 1, 0));
    shutdown(host.fd, SHUT_WR);

    party_read_end(&worker);

    assert_ends_with_reason(DOCA_ERROR_CONNECTION_RESET, "the host disconnected", &worker);
}

/* SIGPIPE would kill this program. */
static void writing_to_a_disconnected_peer_raises_no_signal(void **state)
{
    long long deadline = 0;
    doca_error_t status = DOCA_SUCCESS;
    char text[6];
    size_t count;

    (void)state;
    party_write(&worker, "hello", 6);
    party_close(&worker);
    while (status == DOCA_SUCCESS && before_deadline(&deadline))
        status = tls->write(host.session, (const uint8_t *)"x", 1, &count);
    assert_int_equal(DOCA_ERROR_CONNECTION_RESET, status);
    assert_int_equal(status, tls->write(host.session, (const uint8_t *)"x", 1, &count));

    party_read(&host, text, 6);
    assert_string_equal("hello", text);
    assert_int_equal(DOCA_ERROR_CONNECTION_RESET, party_read_end(&host));
}

static void errors_of_others_do_not_count(void **state)
{
    uint8_t byte = 0;
    size_t count;

    (void)state;
    ERR_raise(ERR_LIB_SSL, SSL_R_BAD_LENGTH);
    assert_int_equal(DOCA_ERROR_AGAIN, tls->read(host.session, &byte, 1, &count));
    ERR_raise(ERR_LIB_SSL, SSL_R_BAD_LENGTH);
    assert_int_equal(DOCA_SUCCESS, tls->write(host.session, &byte, 1, &count));
    assert_int_equal(0, ERR_peek_error());
}

static void a_child_process_says_no_good_bye_for_its_parent(void **state)
{
    char text[6];
    pid_t child;
    int how;

    (void)state;
    child = fork();
    if (child == 0) {
        tls->close(host.session);
        _exit(0);
    }
    assert_int_equal(child, waitpid(child, &how, 0));

    party_write(&host, "hello", 6);
    party_read(&worker, text, 6);
    assert_string_equal("hello", text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(noise_ends_a_workers_handshake_with_a_sentence),
        cmocka_unit_test(noise_ends_a_hosts_handshake_with_a_sentence),
        cmocka_unit_test_setup_teardown(data_before_authentication_is_limited, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_changed_bit_ends_the_session, set_up_open, tear_down),
        cmocka_unit_test_setup_teardown(
                a_record_that_comes_twice_ends_the_session, set_up_open, tear_down),
        cmocka_unit_test_setup_teardown(
                a_peer_that_goes_before_the_handshake_is_noticed, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
                a_good_bye_is_noticed_after_what_was_sent, set_up_open, tear_down),
        cmocka_unit_test_setup_teardown(an_end_without_good_bye_is_noticed_in_the_midst_of_a_record,
                set_up_open, tear_down),
        cmocka_unit_test_setup_teardown(
                writing_to_a_disconnected_peer_raises_no_signal, set_up_open, tear_down),
        cmocka_unit_test_setup_teardown(errors_of_others_do_not_count, set_up_open, tear_down),
        cmocka_unit_test_setup_teardown(
                a_child_process_says_no_good_bye_for_its_parent, set_up_open, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
