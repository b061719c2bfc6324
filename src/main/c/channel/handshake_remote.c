/* SPDX-License-Identifier: Apache-2.0 */
/* The handshake between machines: TCP, then TLS with certificates or a ticket. */
#include <errno.h>
#include <netdb.h>
#include <string.h>
#include <sys/epoll.h>

#include <common/sdk_log.h>
#include <faults/faults.h>

#include "channel_private.h"
#include "tcp_socket.h"
#include "libraries.h"

SDK_LOG_REGISTER(CHANNEL::REMOTE)

#define NAME_MAX_LENGTH 100
#define ATTEMPTS_MAX 256

static void begin_handshake(struct channel *channel)
{
    struct handshake *handshake = &channel->handshake;
    int fd = channel->watch.fd;
    doca_error_t status;

    FAULT_DROP(tls_handshake_beginning, fd);
    if (handshake->to_service)
        status = handshake->tls->connect_known(
                fd, identity_inside(handshake->identity), &handshake->session);
    else
        status = handshake->tls->connect_ticket(fd, handshake->ticket.id, WIRE_TICKET_ID_SIZE,
                handshake->ticket.key, WIRE_TICKET_KEY_SIZE, &handshake->session);
    if (status != DOCA_SUCCESS)
        channel_end(channel, status, "A TLS connection cannot be started.");
    else
        channel->transport = &transport_tls_handshake;
}

static void end_unreachable(struct channel *channel)
{
    char name[NAME_MAX_LENGTH];
    int error = errno;

    tcp_socket_name(&channel->handshake.address, name, sizeof(name));
    channel_end_because(channel, DOCA_ERROR_CONNECTION_ABORTED, "%s at %s cannot be reached: %s.",
            channel->handshake.to_service ? "The UROM service" : "The worker", name,
            strerror(error));
}

/* The first poll of an attempt loads TLS and connects; later polls check for completion. */
static doca_error_t connect_or_check(struct channel *channel)
{
    struct handshake *handshake = &channel->handshake;
    char reason[CHANNEL_REASON_MAX];
    doca_error_t status;

    if (handshake->connecting)
        return tcp_socket_connected(channel->watch.fd);
    handshake->connecting = true;
    ++handshake->attempts;
    handshake->tls = tls_library_load(reason, sizeof(reason));
    if (handshake->tls == NULL) {
        channel_end(channel, DOCA_ERROR_DRIVER, reason);
        return DOCA_ERROR_AGAIN;
    }
    status = tcp_socket_connect(channel->watch.fd, &handshake->address);
    if (status != DOCA_ERROR_CONNECTION_ABORTED && !watch_socket(&channel->watch, EPOLLOUT)) {
        channel_end(channel, DOCA_ERROR_NO_MEMORY, "The socket cannot be added to epoll.");
        return DOCA_ERROR_AGAIN;
    }
    return status;
}

/*
 * Retries after a reset: under a flood of connections, services and workers reset random ones that
 * are not authenticated yet. If 5 in 100 attempts succeed, all of them fail with a probability of 1
 * in 500,000. A ticket remains valid until its handshake is complete.
 */
static bool connect_again(struct channel *channel)
{
    struct handshake *handshake = &channel->handshake;
    int fd;

    if (handshake->authenticator != NULL || handshake->attempts == ATTEMPTS_MAX)
        return false;
    fd = tcp_socket_open(&handshake->address);
    if (fd < 0)
        return false;
    SDK_LOG_DBG("The peer reset attempt %u to connect", handshake->attempts);
    if (handshake->session != NULL)
        handshake->tls->close(handshake->session);
    handshake->session = NULL;
    handshake->connecting = false;
    watch_replace(&channel->watch, fd);
    channel->transport = &transport_connecting_remote;
    return connect_or_check(channel) != DOCA_ERROR_CONNECTION_ABORTED;
}

static bool offers_ucx(struct channel *channel)
{
    struct handshake *handshake = &channel->handshake;
    struct channel_authenticator *authenticator = handshake->authenticator;

    if (authenticator == NULL)
        return !handshake->to_service && channel->settings.data != CHANNEL_DATA_TLS;
    return authenticator->offers_ucx != NULL
            && authenticator->offers_ucx(authenticator, handshake->ticket.id);
}

static void finish_handshake(struct channel *channel)
{
    struct handshake *handshake = &channel->handshake;

    FAULT_DROP(tls_handshake_done, channel->watch.fd);
    if (handshake->authenticator != NULL)
        memcpy(handshake->ticket.id, handshake->tls->ticket_id(handshake->session),
                WIRE_TICKET_ID_SIZE);
    if (offers_ucx(channel))
        handshake_choose_transport(channel);
    else if (stream_open(channel, handshake->session) != DOCA_SUCCESS)
        channel_end(channel, DOCA_ERROR_NO_MEMORY, "There is no memory for a connection.");
    else
        handshake->session = NULL; /* now owned by the stream */
}

static void end_handshake(struct channel *channel, doca_error_t status, const char *reason)
{
    if (channel->handshake.attempts > 1)
        channel_end_because(
                channel, status, "%s (after %u attempts)", reason, channel->handshake.attempts);
    else
        channel_end(channel, status, reason);
}

static unsigned poll_tls_handshake(struct channel *channel, unsigned frames)
{
    struct handshake *handshake = &channel->handshake;
    char reason[TLS_REASON_MAX] = "";
    doca_error_t status = handshake->tls->handshake(handshake->session, reason);

    (void)frames;
    if (status == DOCA_ERROR_AGAIN)
        return 0;
    if (status == DOCA_SUCCESS)
        finish_handshake(channel);
    else if (status != DOCA_ERROR_CONNECTION_RESET || !connect_again(channel))
        end_handshake(channel, status, reason);
    return 1;
}

static unsigned poll_connecting(struct channel *channel, unsigned frames)
{
    doca_error_t status = connect_or_check(channel);

    if (status == DOCA_ERROR_AGAIN)
        return has_ended(channel);
    if (status == DOCA_SUCCESS)
        begin_handshake(channel);
    else if (errno != ECONNRESET || !connect_again(channel))
        end_unreachable(channel);
    /* This side sends first, so no event would cause another poll. */
    if (channel->transport == &transport_tls_handshake && !has_ended(channel))
        poll_tls_handshake(channel, frames);
    return 1;
}

const struct transport transport_connecting_remote = {
    .poll = poll_connecting,
    .put = handshake_put,
    .push = handshake_nothing,
    .arm = handshake_arm,
    .close = handshake_nothing,
};

static bool arm_tls_handshake(struct channel *channel, bool reading)
{
    struct handshake *handshake = &channel->handshake;

    (void)reading;
    return watch_socket(&channel->watch,
            EPOLLIN | (handshake->tls->wants_write(handshake->session) ? EPOLLOUT : 0));
}

static void close_tls_handshake(struct channel *channel)
{
    struct handshake *handshake = &channel->handshake;

    if (handshake->session != NULL && !channel->forked)
        handshake->tls->close(handshake->session);
}

const struct transport transport_tls_handshake = {
    .poll = poll_tls_handshake,
    .put = handshake_put,
    .push = handshake_nothing,
    .arm = arm_tls_handshake,
    .close = close_tls_handshake,
};

/* Returns the key of the ticket that a host has named. */
static const uint8_t *find_key(void *owner, const uint8_t *id)
{
    struct channel *channel = owner;
    struct channel_authenticator *authenticator = channel->handshake.authenticator;
    const struct channel_ticket *ticket = authenticator->find(authenticator, id);

    channel->handshake.ticket_named = ticket != NULL;
    return ticket == NULL ? NULL : ticket->key;
}

doca_error_t handshake_accept_remote(struct channel *channel)
{
    struct handshake *handshake = &channel->handshake;
    char reason[CHANNEL_REASON_MAX];
    doca_error_t status;

    handshake->tls = tls_library_load(reason, sizeof(reason));
    if (handshake->tls == NULL) {
        channel_end(channel, DOCA_ERROR_DRIVER, reason);
        return DOCA_ERROR_DRIVER;
    }
    tcp_socket_tune(channel->watch.fd);
    status = handshake->tls->accept_ticket(channel->watch.fd, WIRE_TICKET_ID_SIZE,
            WIRE_TICKET_KEY_SIZE, find_key, channel, &handshake->session);
    if (status == DOCA_SUCCESS) {
        channel->transport = &transport_tls_handshake;
        if (!watch_socket(&channel->watch, EPOLLIN))
            status = DOCA_ERROR_NO_MEMORY;
    }
    return status;
}
