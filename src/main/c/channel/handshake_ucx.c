/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The switch from TLS to UCX. After the TLS handshake with a ticket that offers UCX, the host sends
 * a greeting, which the worker answers with its own:
 *
 *     u32 length, little-endian, followed by the address of this side's UCP worker
 *
 * A host that selects TLS sends the length 0, gets no answer, and continues with its frames.
 * Otherwise, the TLS connection carries only the farewell (transport_ucx.c) from then on.
 */
#include <ifaddrs.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>

#include <wire/bytes.h>

#include "channel_private.h"
#include "libraries.h"

#define HEAD sizeof(((struct ucx_side *)0)->head)

_Static_assert(HEAD == 4, "a length");

static void end_without_memory(struct channel *channel)
{
    channel_end(channel, DOCA_ERROR_NO_MEMORY, "There is no memory for a connection.");
}

static bool same_address(const struct sockaddr *one, const struct sockaddr_storage *other)
{
    if (one == NULL || one->sa_family != other->ss_family)
        return false;
    if (one->sa_family == AF_INET)
        return ((const struct sockaddr_in *)one)->sin_addr.s_addr
                == ((const struct sockaddr_in *)other)->sin_addr.s_addr;
    return one->sa_family == AF_INET6
            && IN6_ARE_ADDR_EQUAL(&((const struct sockaddr_in6 *)one)->sin6_addr,
                    &((const struct sockaddr_in6 *)other)->sin6_addr);
}

/* Determines the network interface of the connection; empty: unknown. */
static void find_interface(const struct channel *channel, char name[IFNAMSIZ])
{
    struct sockaddr_storage address = { 0 };
    socklen_t length = sizeof(address);
    struct ifaddrs *all = NULL;

    name[0] = '\0';
    if (getsockname(channel->watch.fd, (struct sockaddr *)&address, &length) != 0
            || getifaddrs(&all) != 0)
        return;
    for (struct ifaddrs *at = all; at != NULL && name[0] == '\0'; at = at->ifa_next) {
        if (same_address(at->ifa_addr, &address))
            snprintf(name, IFNAMSIZ, "%s", at->ifa_name);
    }
    freeifaddrs(all);
}

static bool make_greeting(struct ucx_side *side)
{
    size_t length;
    const void *address = side->library->address(side->link, &length);

    side->outgoing = malloc(HEAD + length);
    if (side->outgoing == NULL || length > UCX_ADDRESS_MAX)
        return false;
    store_u32(side->outgoing, (uint32_t)length);
    memcpy(side->outgoing + HEAD, address, length);
    side->outgoing_length = HEAD + length;
    return true;
}

/* Loads UCX, opens a link, and prepares the greeting. */
static void open_link(struct channel *channel)
{
    struct ucx_side *side = channel->ucx;
    const char *devices = channel->settings.devices;
    char interface[IFNAMSIZ];
    char reason[CHANNEL_REASON_MAX] = "";
    doca_error_t status = DOCA_ERROR_DRIVER;

    find_interface(channel, interface);
    side->library = ucx_library_load(reason, sizeof(reason));
    if (side->library != NULL)
        status = side->library->open(
                devices == NULL ? "" : devices, interface, &side->link, reason);
    if (status != DOCA_SUCCESS)
        channel_end(channel, status, reason);
    else if (!make_greeting(side))
        end_without_memory(channel);
}

static bool failed(struct channel *channel, doca_error_t status)
{
    const struct handshake *handshake = &channel->handshake;
    const char *reason = handshake->tls->reason(handshake->session);

    if (status == DOCA_SUCCESS || status == DOCA_ERROR_AGAIN)
        return false;
    channel_end(channel, status,
            reason[0] == '\0' ? "The peer disconnected during the handshake." : reason);
    return true;
}

static unsigned send_greeting(struct channel *channel)
{
    struct handshake *handshake = &channel->handshake;
    struct ucx_side *side = channel->ucx;
    doca_error_t status = DOCA_SUCCESS;
    unsigned done = 0;

    while (side->outgoing_sent < side->outgoing_length && status == DOCA_SUCCESS) {
        size_t some = 0;

        status = handshake->tls->write(handshake->session, side->outgoing + side->outgoing_sent,
                side->outgoing_length - side->outgoing_sent, &some);
        side->outgoing_sent += status == DOCA_SUCCESS ? some : 0;
        done += status == DOCA_SUCCESS;
    }
    return done + failed(channel, status);
}

/* Returns whether all `length` bytes have arrived. incoming_got counts them from `before` on. */
static bool read_all(struct channel *channel, uint8_t *bytes, size_t before, size_t length)
{
    struct handshake *handshake = &channel->handshake;
    struct ucx_side *side = channel->ucx;
    doca_error_t status = DOCA_SUCCESS;

    while (side->incoming_got < before + length && status == DOCA_SUCCESS) {
        size_t got = side->incoming_got - before;
        size_t some = 0;

        status = handshake->tls->read(handshake->session, bytes + got, length - got, &some);
        side->incoming_got += status == DOCA_SUCCESS ? some : 0;
    }
    return !failed(channel, status) && status == DOCA_SUCCESS;
}

/* Continues with TLS, which the host has selected. */
static void stay_with_tls(struct channel *channel)
{
    free(channel->ucx);
    channel->ucx = NULL;
    if (stream_open(channel, channel->handshake.session) != DOCA_SUCCESS)
        end_without_memory(channel);
    else
        channel->handshake.session = NULL; /* now owned by the stream */
}

static void take_head(struct channel *channel)
{
    struct ucx_side *side = channel->ucx;
    bool accepting = channel->handshake.authenticator != NULL;

    side->incoming_length = load_u32(side->head);
    if (side->incoming_length == 0 && accepting) {
        stay_with_tls(channel);
    } else if (side->incoming_length == 0 || side->incoming_length > UCX_ADDRESS_MAX) {
        channel_end(channel, DOCA_ERROR_UNEXPECTED, "The peer sent no valid UCX address.");
    } else {
        side->incoming = malloc(side->incoming_length);
        if (side->incoming == NULL)
            end_without_memory(channel);
        else if (accepting)
            open_link(channel);
    }
}

static void take_address(struct channel *channel)
{
    struct ucx_side *side = channel->ucx;
    char reason[UCX_REASON_MAX] = "";
    doca_error_t status = side->library->connect(
            side->link, side->incoming, side->incoming_length, reason);

    side->connected = status == DOCA_SUCCESS;
    if (!side->connected)
        channel_end(channel, status, reason);
    else if (!watch_descriptor(&channel->watch, side->library->descriptor(side->link)))
        channel_end(channel, DOCA_ERROR_NO_MEMORY, "The UCX connection cannot be added to epoll.");
}

/* Waits until UCX has connected both sides, which have exchanged addresses. */
static unsigned bring_up(struct channel *channel)
{
    struct ucx_side *side = channel->ucx;
    unsigned done = side->library->progress(side->link);
    const char *failure = side->library->failure(side->link);

    ucx_side_read_socket(channel);
    if (has_ended(channel))
        return done + 1;
    if (side->library->is_up(side->link))
        ucx_side_open(channel);
    else if (failure != NULL)
        channel_end(channel, DOCA_ERROR_NOT_CONNECTED, failure);
    else if (channel->peer_disconnected)
        channel_end(channel, DOCA_ERROR_CONNECTION_RESET,
                "The peer disconnected while UCX was connecting.");
    else
        return done;
    return done + 1;
}

static unsigned poll_greeting(struct channel *channel, unsigned frames)
{
    struct ucx_side *side = channel->ucx;
    size_t before = side->incoming_got;
    unsigned done = 0;

    (void)frames;
    if (side->incoming == NULL && read_all(channel, side->head, 0, HEAD))
        take_head(channel);
    if (has_ended(channel) || channel->status == DOCA_SUCCESS)
        return 1;
    if (side->incoming != NULL && !side->connected
            && read_all(channel, side->incoming, HEAD, side->incoming_length))
        take_address(channel);
    if (!has_ended(channel))
        done += send_greeting(channel);
    if (!has_ended(channel) && side->connected && side->outgoing_sent == side->outgoing_length)
        done += bring_up(channel);
    return done + has_ended(channel) + (side->incoming_got != before);
}

static bool arm_greeting(struct channel *channel, bool reading)
{
    struct handshake *handshake = &channel->handshake;
    struct ucx_side *side = channel->ucx;
    bool writing = side->outgoing_sent < side->outgoing_length
            || handshake->tls->wants_write(handshake->session);

    (void)reading;
    return !handshake->tls->has_read(handshake->session)
            && (!side->connected || side->library->arm(side->link))
            && watch_socket(&channel->watch, EPOLLIN | (writing ? EPOLLOUT : 0));
}

static void close_greeting(struct channel *channel)
{
    struct handshake *handshake = &channel->handshake;

    if (!channel->forked)
        handshake->tls->close(handshake->session);
    ucx_side_free(channel, false);
}

static const struct transport transport_greeting = {
    .poll = poll_greeting,
    .put = handshake_put,
    .push = handshake_nothing,
    .arm = arm_greeting,
    .close = close_greeting,
};

static void select_tls(struct channel *channel)
{
    static const uint8_t nothing[HEAD];

    if (stream_open(channel, channel->handshake.session) != DOCA_SUCCESS) {
        end_without_memory(channel);
        return;
    }
    channel->handshake.session = NULL;               /* now owned by the stream */
    channel->transport->put(channel, nothing, HEAD); /* fits: the buffer is empty */
}

void handshake_choose_transport(struct channel *channel)
{
    bool accepting = channel->handshake.authenticator != NULL;

    if (!accepting && channel->settings.data == CHANNEL_DATA_TLS_CHOSEN) {
        select_tls(channel);
        return;
    }
    channel->ucx = calloc(1, sizeof(*channel->ucx));
    if (channel->ucx == NULL) {
        end_without_memory(channel);
        return;
    }
    channel->transport = &transport_greeting;
    if (!accepting)
        open_link(channel);
    if (!has_ended(channel))
        poll_greeting(channel, 0); /* a host sends first, so no event would cause a poll */
}
