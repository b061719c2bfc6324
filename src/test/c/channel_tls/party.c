/* SPDX-License-Identifier: Apache-2.0 */
#include "party.h"

#include "cmocka_all.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <openssl/err.h>

#define SMALL_BUFFER 8192 /* bytes: less than a record */

static const struct tls_library *const tls = &jurom_channel_tls;

const uint8_t ticket_id[ID_SIZE] = { 0, 1, 0, 2 };
const uint8_t ticket_key[KEY_SIZE] = { 7, 0, 9, 0, 0, 1 };

const uint8_t *authenticator_find(void *owner, const uint8_t *id)
{
    struct authenticator *authenticator = owner;

    ++authenticator->asked;
    return authenticator->open && memcmp(id, authenticator->id, ID_SIZE) == 0 ? authenticator->key
                                                                              : NULL;
}

static void open_party(struct party *party, int fd)
{
    *party = (struct party){ .fd = fd, .status = DOCA_ERROR_AGAIN };
    assert_int_equal(0, fcntl(fd, F_SETFL, O_NONBLOCK));
}

void parties_open(struct party *one, struct party *other)
{
    struct sockaddr_in address = { .sin_family = AF_INET,
        .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    socklen_t length = sizeof(address);
    int listener = socket(AF_INET, SOCK_STREAM, 0), fd = socket(AF_INET, SOCK_STREAM, 0);
    int immediately = 1;

    assert_int_equal(0, bind(listener, (struct sockaddr *)&address, length));
    assert_int_equal(0, listen(listener, 1));
    assert_int_equal(0, getsockname(listener, (struct sockaddr *)&address, &length));
    assert_int_equal(0, connect(fd, (struct sockaddr *)&address, length));
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &immediately, sizeof(immediately));
    open_party(one, fd);
    open_party(other, accept(listener, NULL, NULL));
    close(listener);
}

void parties_open_small(struct party *one, struct party *other)
{
    int fd[2], size = SMALL_BUFFER;

    assert_int_equal(0, socketpair(AF_UNIX, SOCK_STREAM, 0, fd));
    for (int i = 0; i < 2; ++i)
        assert_int_equal(0, setsockopt(fd[i], SOL_SOCKET, SO_SNDBUF, &size, sizeof(size)));
    open_party(one, fd[0]);
    open_party(other, fd[1]);
}

void party_be_raw(struct party *party, SSL_CTX *context, bool server)
{
    party->raw = SSL_new(context);
    SSL_CTX_free(context);
    assert_int_equal(1, SSL_set_fd(party->raw, party->fd));
    if (server)
        SSL_set_accept_state(party->raw);
    else
        SSL_set_connect_state(party->raw);
}

void party_connect_known(struct party *party, const struct tls_identity *identity)
{
    assert_int_equal(DOCA_SUCCESS, tls->connect_known(party->fd, identity, &party->session));
}

void party_connect_ticket(struct party *party)
{
    assert_int_equal(DOCA_SUCCESS,
            tls->connect_ticket(
                    party->fd, ticket_id, ID_SIZE, ticket_key, KEY_SIZE, &party->session));
}

void party_accept_ticket(struct party *party, struct authenticator *authenticator)
{
    memcpy(authenticator->id, ticket_id, ID_SIZE);
    memcpy(authenticator->key, ticket_key, KEY_SIZE);
    authenticator->open = true;
    authenticator->asked = 0;
    assert_int_equal(DOCA_SUCCESS,
            tls->accept_ticket(party->fd, ID_SIZE, KEY_SIZE, authenticator_find, authenticator,
                    &party->session));
}

void party_close(struct party *party)
{
    tls->close(party->session);
    SSL_free(party->raw);
    if (party->fd >= 0)
        close(party->fd);
    *party = (struct party){ .fd = -1 };
}

bool before_deadline(long long *deadline)
{
    struct timespec now;
    long long now_ms;

    clock_gettime(CLOCK_MONOTONIC, &now);
    now_ms = now.tv_sec * 1000LL + now.tv_nsec / 1000000;
    if (*deadline == 0)
        *deadline = now_ms + DEADLINE_MS;
    return now_ms < *deadline;
}

/* Converts the result of OpenSSL's last call to a status. */
static doca_error_t raw_status(SSL *raw, int result)
{
    int error = SSL_get_error(raw, result);

    if (result > 0)
        return DOCA_SUCCESS;
    return error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE ? DOCA_ERROR_AGAIN
                                                                         : DOCA_ERROR_UNEXPECTED;
}

/* The reason of a raw party is OpenSSL's. */
static void step(struct party *party)
{
    if (party->status != DOCA_ERROR_AGAIN)
        return;
    if (party->session != NULL) {
        party->status = tls->handshake(party->session, party->reason);
        return;
    }
    ERR_clear_error();
    party->status = raw_status(party->raw, SSL_do_handshake(party->raw));
    if (party->status == DOCA_ERROR_UNEXPECTED)
        ERR_error_string_n(ERR_peek_error(), party->reason, sizeof(party->reason));
}

void parties_handshake(struct party *one, struct party *other)
{
    long long deadline = 0;

    while (one->status == DOCA_ERROR_AGAIN || other->status == DOCA_ERROR_AGAIN) {
        assert_true(before_deadline(&deadline));
        step(one);
        step(other);
    }
}

void parties_open_with_ticket(
        struct party *host, struct party *worker, struct authenticator *authenticator)
{
    party_connect_ticket(host);
    party_accept_ticket(worker, authenticator);
    parties_handshake(host, worker);
    assert_int_equal(DOCA_SUCCESS, host->status);
    assert_int_equal(DOCA_SUCCESS, worker->status);
}

void party_read(struct party *party, void *data, size_t length)
{
    long long deadline = 0;
    doca_error_t status;
    size_t count;

    for (size_t done = 0; done < length; done += count) {
        assert_true(before_deadline(&deadline));
        count = 0;
        if (party->session != NULL)
            status = tls->read(party->session, (uint8_t *)data + done, length - done, &count);
        else
            status = raw_status(party->raw,
                    SSL_read_ex(party->raw, (uint8_t *)data + done, length - done, &count));
        assert_true(status == DOCA_SUCCESS || status == DOCA_ERROR_AGAIN);
    }
}

void party_write(struct party *party, const void *data, size_t length)
{
    long long deadline = 0;
    doca_error_t status;
    size_t count;

    for (size_t done = 0; done < length; done += count) {
        assert_true(before_deadline(&deadline));
        count = 0;
        if (party->session != NULL)
            status = tls->write(
                    party->session, (const uint8_t *)data + done, length - done, &count);
        else
            status = raw_status(party->raw,
                    SSL_write_ex(party->raw, (const uint8_t *)data + done, length - done, &count));
        assert_true(status == DOCA_SUCCESS || status == DOCA_ERROR_AGAIN);
    }
}

doca_error_t party_read_end(struct party *party)
{
    long long deadline = 0;
    doca_error_t status = DOCA_ERROR_AGAIN;
    uint8_t byte;
    size_t count;

    while (status == DOCA_ERROR_AGAIN && before_deadline(&deadline))
        status = tls->read(party->session, &byte, 1, &count);
    party->status = status;
    strcpy(party->reason, tls->reason(party->session));
    return status;
}
