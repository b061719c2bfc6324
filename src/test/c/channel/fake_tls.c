/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A fake libjurom_channel_tls.so. It sends tickets in clear text, does not encrypt, transfers odd
 * numbers of bytes, and often returns AGAIN.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include <channel/tls.h>

#define TICKET_MAX 64
#define HELD_MAX 512

struct tls_identity {
    char name[32];
};

struct tls_session {
    int fd;
    bool accepts;
    uint8_t ticket[TICKET_MAX]; /* id, then key */
    size_t id_length, key_length;
    size_t moved; /* number of its bytes received */
    tls_find_key find;
    void *owner;
    unsigned calls;
    uint8_t held[HELD_MAX]; /* bytes read from the socket and not yet by the caller */
    size_t held_start, held_end;
    size_t refused; /* bytes of a write that must be repeated */
    uint8_t refused_byte;
};

static doca_error_t result_of(ssize_t moved, size_t *done)
{
    *done = moved > 0 ? (size_t)moved : 0;
    if (moved > 0)
        return DOCA_SUCCESS;
    return moved < 0 && errno == EAGAIN ? DOCA_ERROR_AGAIN : DOCA_ERROR_CONNECTION_RESET;
}

static doca_error_t read_identity(
        const char *pem, size_t length, struct tls_identity **identity, char reason[TLS_REASON_MAX])
{
    if (length < 5 || memcmp(pem, "fake ", 5) != 0) {
        snprintf(reason, TLS_REASON_MAX, "There is no key in it.");
        return DOCA_ERROR_INVALID_VALUE;
    }
    *identity = calloc(1, sizeof(**identity));
    return DOCA_SUCCESS;
}

static void free_identity(struct tls_identity *identity)
{
    free(identity);
}

static struct tls_session *new_session(int fd)
{
    struct tls_session *session = calloc(1, sizeof(*session));

    session->fd = fd;
    return session;
}

static doca_error_t connect_known(
        int fd, const struct tls_identity *identity, struct tls_session **session)
{
    (void)identity;
    *session = new_session(fd);
    return DOCA_SUCCESS;
}

static doca_error_t connect_ticket(int fd, const uint8_t *id, size_t id_length, const uint8_t *key,
        size_t key_length, struct tls_session **session)
{
    *session = new_session(fd);
    memcpy((*session)->ticket, id, id_length);
    memcpy((*session)->ticket + id_length, key, key_length);
    (*session)->id_length = id_length;
    (*session)->key_length = key_length;
    return DOCA_SUCCESS;
}

static doca_error_t accept_ticket(int fd, size_t id_length, size_t key_length, tls_find_key find,
        void *owner, struct tls_session **session)
{
    *session = new_session(fd);
    (*session)->accepts = true;
    (*session)->id_length = id_length;
    (*session)->key_length = key_length;
    (*session)->find = find;
    (*session)->owner = owner;
    return DOCA_SUCCESS;
}

static doca_error_t judge(struct tls_session *session, char reason[TLS_REASON_MAX])
{
    const uint8_t *key = session->accepts ? session->find(session->owner, session->ticket) : NULL;

    if (!session->accepts
            || (key != NULL
                    && memcmp(key, session->ticket + session->id_length, session->key_length) == 0))
        return DOCA_SUCCESS;
    snprintf(reason, TLS_REASON_MAX, "The host has no ticket that is open.");
    return DOCA_ERROR_NOT_PERMITTED;
}

/* Reads one byte per call. */
static doca_error_t handshake(struct tls_session *session, char reason[TLS_REASON_MAX])
{
    size_t whole = session->id_length + session->key_length;
    size_t done = 0;
    doca_error_t status = DOCA_SUCCESS;

    if (session->moved < whole) {
        if (session->accepts)
            status = result_of(
                    recv(session->fd, session->ticket + session->moved, 1, MSG_DONTWAIT), &done);
        else
            status = result_of(send(session->fd, session->ticket + session->moved, 1,
                                       MSG_DONTWAIT | MSG_NOSIGNAL),
                    &done);
        session->moved += done;
    }
    if (status == DOCA_ERROR_CONNECTION_RESET)
        snprintf(reason, TLS_REASON_MAX, "The peer left during the handshake.");
    if (status != DOCA_SUCCESS)
        return status;
    return session->moved == whole ? judge(session, reason) : DOCA_ERROR_AGAIN;
}

static const uint8_t *ticket_id(const struct tls_session *session)
{
    return session->ticket;
}

static doca_error_t read_some(
        struct tls_session *session, uint8_t *data, size_t length, size_t *done)
{
    doca_error_t status = DOCA_SUCCESS;
    size_t there = 0;

    if (session->held_start == session->held_end) {
        status = result_of(recv(session->fd, session->held, HELD_MAX, MSG_DONTWAIT), &there);
        session->held_start = 0;
        session->held_end = there;
    }
    if (status != DOCA_SUCCESS)
        return status;
    there = session->held_end - session->held_start;
    *done = length < there ? length : there;
    if (*done > 1 && ++session->calls % 3 == 0)
        *done = 1 + *done / 2;
    memcpy(data, session->held + session->held_start, *done);
    session->held_start += *done;
    return DOCA_SUCCESS;
}

static doca_error_t write_some(
        struct tls_session *session, const uint8_t *data, size_t length, size_t *done)
{
    size_t piece = length > 9000 ? 9000 : length;
    doca_error_t status;

    /* As OpenSSL requires. */
    if (session->refused > length || (session->refused > 0 && session->refused_byte != data[0]))
        abort();
    status = result_of(send(session->fd, data, piece, MSG_DONTWAIT | MSG_NOSIGNAL), done);
    session->refused = status == DOCA_ERROR_AGAIN ? length : 0;
    session->refused_byte = data[0];
    return status;
}

static bool wants_write(const struct tls_session *session)
{
    return !session->accepts && session->moved > 0
            && session->moved < session->id_length + session->key_length;
}

static bool has_read(const struct tls_session *session)
{
    return session->held_start < session->held_end;
}

static const char *reason(const struct tls_session *session)
{
    (void)session;
    return "";
}

static void close_session(struct tls_session *session)
{
    free(session);
}

__attribute__((visibility("default"))) const struct tls_library jurom_channel_tls = {
    .read_identity = read_identity,
    .free_identity = free_identity,
    .connect_known = connect_known,
    .connect_ticket = connect_ticket,
    .accept_ticket = accept_ticket,
    .handshake = handshake,
    .ticket_id = ticket_id,
    .read = read_some,
    .write = write_some,
    .wants_write = wants_write,
    .has_read = has_read,
    .reason = reason,
    .close = close_session,
};
