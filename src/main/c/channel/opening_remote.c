/* SPDX-License-Identifier: Apache-2.0 */
/* How a channel opens between machines: TCP, then TLS with certificates or with a ticket. */
#include <errno.h>
#include <netdb.h>
#include <string.h>
#include <sys/epoll.h>

#include <common/sdk_log.h>
#include <faults/faults.h>

#include "inner.h"
#include "remote.h"
#include "tls_library.h"
#include "ucx_side.h"

SDK_LOG_REGISTER(CHANNEL::REMOTE)

#define NAME_MAX_LENGTH 100
#define ATTEMPTS_MAX 256

static void begin_handshake(struct channel *channel)
{
    struct opening *opening = &channel->opening;
    int fd = channel->watch.fd;
    doca_error_t status;

    FAULT_DROP(tls_handshake_beginning, fd);
    if (opening->to_service)
        status = opening->tls->connect_known(
                fd, identity_inside(opening->identity), &opening->session);
    else
        status = opening->tls->connect_ticket(fd, opening->ticket.id, WIRE_TICKET_ID_SIZE,
                opening->ticket.key, WIRE_TICKET_KEY_SIZE, &opening->session);
    if (status != DOCA_SUCCESS)
        channel_end(channel, status, "A connection by TLS cannot be begun.");
    else
        channel->carrier = &carrier_shaking_hands;
}

static void end_unreachable(struct channel *channel)
{
    char name[NAME_MAX_LENGTH];
    int error = errno;

    remote_name(&channel->opening.address, name, sizeof(name));
    channel_end_because(channel, DOCA_ERROR_CONNECTION_ABORTED, "%s at %s cannot be reached: %s.",
            channel->opening.to_service ? "The UROM service" : "The worker", name, strerror(error));
}

/* The first poll of an attempt loads TLS and connects, later ones check whether that is done. */
static doca_error_t connect_or_look(struct channel *channel)
{
    struct opening *opening = &channel->opening;
    char why[WHY_MAX];
    doca_error_t status;

    if (opening->connecting)
        return remote_connected(channel->watch.fd);
    opening->connecting = true;
    ++opening->attempts;
    opening->tls = tls_library_load(why, sizeof(why));
    if (opening->tls == NULL) {
        channel_end(channel, DOCA_ERROR_DRIVER, why);
        return DOCA_ERROR_AGAIN;
    }
    status = remote_connect(channel->watch.fd, &opening->address);
    if (status != DOCA_ERROR_CONNECTION_ABORTED && !watch_socket(&channel->watch, EPOLLOUT)) {
        channel_end(channel, DOCA_ERROR_NO_MEMORY, "A socket cannot be watched.");
        return DOCA_ERROR_AGAIN;
    }
    return status;
}

/*
 * Under a flood of connections, a service or worker resets some at random before it knows the host:
 * the host connects again. Each attempt takes a round trip at least. With a chance of 5 in 100 each
 * time, all of them fail once in 500,000 times. A ticket is not used before its handshake is done.
 */
static bool connect_again(struct channel *channel)
{
    struct opening *opening = &channel->opening;
    int fd;

    if (opening->doorman != NULL || opening->attempts == ATTEMPTS_MAX)
        return false;
    fd = remote_socket(&opening->address);
    if (fd < 0)
        return false;
    SDK_LOG_DBG("The peer reset attempt %u to connect", opening->attempts);
    if (opening->session != NULL)
        opening->tls->close(opening->session);
    opening->session = NULL;
    opening->connecting = false;
    watch_replace(&channel->watch, fd);
    channel->carrier = &carrier_connecting_remote;
    return connect_or_look(channel) != DOCA_ERROR_CONNECTION_ABORTED;
}

static bool offers_ucx(struct channel *channel)
{
    struct opening *opening = &channel->opening;
    struct channel_doorman *doorman = opening->doorman;

    if (doorman == NULL)
        return !opening->to_service && channel->settings.data != CHANNEL_DATA_TLS;
    return doorman->offers_ucx != NULL && doorman->offers_ucx(doorman, opening->ticket.id);
}

static void finish_handshake(struct channel *channel)
{
    struct opening *opening = &channel->opening;

    FAULT_DROP(tls_handshake_done, channel->watch.fd);
    if (opening->doorman != NULL)
        memcpy(opening->ticket.id, opening->tls->ticket_id(opening->session), WIRE_TICKET_ID_SIZE);
    if (offers_ucx(channel))
        opening_choose_data(channel);
    else if (stream_open(channel, opening->session) != DOCA_SUCCESS)
        channel_end(channel, DOCA_ERROR_NO_MEMORY, "There is no memory for a connection.");
    else
        opening->session = NULL; /* the stream's */
}

static void end_handshake(struct channel *channel, doca_error_t status, const char *why)
{
    if (channel->opening.attempts > 1)
        channel_end_because(channel, status, "%s, at %u attempts", why, channel->opening.attempts);
    else
        channel_end(channel, status, why);
}

static unsigned poll_shaking_hands(struct channel *channel, unsigned frames)
{
    struct opening *opening = &channel->opening;
    char why[TLS_WHY_MAX] = "";
    doca_error_t status = opening->tls->shake_hands(opening->session, why);

    (void)frames;
    if (status == DOCA_ERROR_AGAIN)
        return 0;
    if (status == DOCA_SUCCESS)
        finish_handshake(channel);
    else if (status != DOCA_ERROR_CONNECTION_RESET || !connect_again(channel))
        end_handshake(channel, status, why);
    return 1;
}

static unsigned poll_connecting(struct channel *channel, unsigned frames)
{
    doca_error_t status = connect_or_look(channel);

    if (status == DOCA_ERROR_AGAIN)
        return has_ended(channel);
    if (status == DOCA_SUCCESS)
        begin_handshake(channel);
    else if (errno != ECONNRESET || !connect_again(channel))
        end_unreachable(channel);
    /* The first word is this side's: nothing would wake it. */
    if (channel->carrier == &carrier_shaking_hands && !has_ended(channel))
        poll_shaking_hands(channel, frames);
    return 1;
}

const struct carrier carrier_connecting_remote = {
    .poll = poll_connecting,
    .put = opening_put,
    .push = opening_nothing,
    .arm = opening_arm,
    .close = opening_nothing,
};

static bool arm_shaking_hands(struct channel *channel, bool reading)
{
    struct opening *opening = &channel->opening;

    (void)reading;
    return watch_socket(&channel->watch,
            EPOLLIN | (opening->tls->wants_write(opening->session) ? EPOLLOUT : 0));
}

static void close_shaking_hands(struct channel *channel)
{
    struct opening *opening = &channel->opening;

    if (opening->session != NULL && !channel->forked)
        opening->tls->close(opening->session);
}

const struct carrier carrier_shaking_hands = {
    .poll = poll_shaking_hands,
    .put = opening_put,
    .push = opening_nothing,
    .arm = arm_shaking_hands,
    .close = close_shaking_hands,
};

/* The key of the ticket that a host says it has. */
static const uint8_t *find_key(void *owner, const uint8_t *id)
{
    struct channel *channel = owner;
    struct channel_doorman *doorman = channel->opening.doorman;
    const struct channel_ticket *ticket = doorman->find(doorman, id);

    channel->opening.ticket_named = ticket != NULL;
    return ticket == NULL ? NULL : ticket->key;
}

doca_error_t opening_accept_remote(struct channel *channel)
{
    struct opening *opening = &channel->opening;
    char why[WHY_MAX];
    doca_error_t status;

    opening->tls = tls_library_load(why, sizeof(why));
    if (opening->tls == NULL) {
        channel_end(channel, DOCA_ERROR_DRIVER, why);
        return DOCA_ERROR_DRIVER;
    }
    remote_tune(channel->watch.fd);
    status = opening->tls->accept_ticket(channel->watch.fd, WIRE_TICKET_ID_SIZE,
            WIRE_TICKET_KEY_SIZE, find_key, channel, &opening->session);
    if (status == DOCA_SUCCESS) {
        channel->carrier = &carrier_shaking_hands;
        if (!watch_socket(&channel->watch, EPOLLIN))
            status = DOCA_ERROR_NO_MEMORY;
    }
    return status;
}
