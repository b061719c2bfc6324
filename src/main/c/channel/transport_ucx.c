/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A channel over UCX. A frame is one piece, or several if it is long. The TLS socket stays open and
 * is checked once per millisecond, because its end shows that the peer has disconnected. The side
 * that closes sends a farewell over TLS, the number of bytes that it has sent over UCX, so that the
 * other side can wait for the rest. Without a farewell, the wait ends after LAST_DATA_NS.
 */
#include <stdlib.h>

#include <common/idle.h>
#include <wire/bytes.h>

#include "channel_private.h"

#define POLLS_PER_CLOCK_READ 64 /* only empty polls count */
#define SOCKET_CHECK_NS 1000000
#define LAST_DATA_NS 20000000 /* without data, after the peer has disconnected */

static size_t put(struct channel *channel, const uint8_t *data, size_t length)
{
    struct ucx_side *side = channel->ucx;

    return side->library->put(side->link, data, length);
}

void ucx_side_read_socket(struct channel *channel)
{
    struct handshake *handshake = &channel->handshake;
    struct ucx_side *side = channel->ucx;
    doca_error_t status = DOCA_SUCCESS;
    uint8_t byte;

    while (status == DOCA_SUCCESS) {
        size_t some = 0;

        status = handshake->tls->read(handshake->session, &byte, 1, &some);
        if (status == DOCA_SUCCESS && side->farewell_got == FAREWELL_SIZE)
            channel_end(channel, DOCA_ERROR_UNEXPECTED, "The peer sent more than a farewell.");
        else if (status == DOCA_SUCCESS)
            side->farewell[side->farewell_got++] = byte;
        if (has_ended(channel))
            return;
    }
    if (status != DOCA_ERROR_AGAIN)
        channel->peer_disconnected = true;
}

static unsigned check_socket(struct channel *channel, uint64_t now)
{
    struct ucx_side *side = channel->ucx;
    unsigned seen;

    side->checked_at = now;
    if (channel->peer_disconnected)
        return 0;
    seen = watch_poll(&channel->watch);
    if (seen & (WATCH_READABLE | WATCH_DISCONNECTED))
        ucx_side_read_socket(channel);
    if (!has_ended(channel) && (seen & WATCH_DISCONNECTED))
        channel->peer_disconnected = true;
    if (channel->peer_disconnected)
        side->heard_at = now;
    return channel->peer_disconnected || has_ended(channel);
}

static unsigned check_socket_periodically(struct channel *channel)
{
    struct ucx_side *side = channel->ucx;
    uint64_t now = idle_now_ns();

    side->empty = 0;
    return now - side->checked_at >= SOCKET_CHECK_NS ? check_socket(channel, now) : 0;
}

/* Receives up to `frames` pieces. The receiver may end the channel, or fork. */
static unsigned receive(struct channel *channel, unsigned frames)
{
    struct ucx_side *side = channel->ucx;
    const uint8_t *bytes;
    unsigned done = 0;
    size_t length;

    while (done < frames) {
        bytes = side->library->peek(side->link, &length);
        if (bytes == NULL)
            break;
        ++done;
        if (!inbound_take(channel, bytes, length))
            break;
        side->library->take(side->link);
    }
    return done;
}

/* Returns whether all data of a disconnected peer has arrived, or no more is expected. */
static bool has_all(const struct channel *channel, uint64_t now)
{
    const struct ucx_side *side = channel->ucx;

    if (side->library->failure(side->link) != NULL || now - side->heard_at >= LAST_DATA_NS)
        return true;
    return side->farewell_got == FAREWELL_SIZE
            && side->library->arrived(side->link) == load_u64(side->farewell);
}

/* Called if no piece was received. Ends the channel if no more data can arrive. */
static unsigned end_if_over(struct channel *channel, unsigned frames)
{
    struct ucx_side *side = channel->ucx;
    const char *failure = side->library->failure(side->link);
    size_t length;

    if (frames > 0 && side->library->peek(side->link, &length) != NULL)
        return 0;
    if (channel->peer_disconnected && (frames == 0 || has_all(channel, idle_now_ns())))
        channel_end_of_peer(channel);
    else if (!channel->peer_disconnected && failure != NULL)
        channel_end(channel, DOCA_ERROR_CONNECTION_RESET, failure);
    return has_ended(channel);
}

static unsigned poll_ucx(struct channel *channel, unsigned frames)
{
    struct ucx_side *side = channel->ucx;
    unsigned done = 0;
    unsigned received;

    if (side->armed) {
        side->armed = false;
        done += check_socket(channel, idle_now_ns());
    }
    done += side->library->progress(side->link);
    if (channel->queue.first != NULL && !has_ended(channel))
        done += channel_flush(channel);
    received = has_ended(channel) ? 0 : receive(channel, frames);
    done += received;
    if (has_ended(channel))
        return done + 1;
    if (done > 0 && channel->peer_disconnected)
        side->heard_at = idle_now_ns();
    if (received == 0)
        done += end_if_over(channel, frames);
    if (received == 0 && !has_ended(channel) && ++side->empty >= POLLS_PER_CLOCK_READ)
        done += check_socket_periodically(channel);
    return done;
}

/* Data of a disconnected peer is polled for: the wait is short. */
static bool arm(struct channel *channel, bool reading)
{
    struct ucx_side *side = channel->ucx;
    size_t length;

    if (channel->peer_disconnected || side->library->failure(side->link) != NULL
            || (reading && side->library->peek(side->link, &length) != NULL)
            || !side->library->arm(side->link))
        return false;
    side->armed = true;
    return true;
}

void ucx_side_free(struct channel *channel, bool flush)
{
    struct ucx_side *side = channel->ucx;

    if (side == NULL)
        return;
    if (side->link != NULL && !channel->forked)
        side->library->close(side->link, flush);
    free(side->outgoing);
    free(side->incoming);
    free(side);
    channel->ucx = NULL;
}

static void send_farewell(struct channel *channel)
{
    struct handshake *handshake = &channel->handshake;
    struct ucx_side *side = channel->ucx;
    uint8_t farewell[FAREWELL_SIZE];
    size_t done;

    store_u64(farewell, side->library->sent(side->link));
    /* The socket takes these few bytes completely or not at all; if not, the peer times out. */
    (void)handshake->tls->write(handshake->session, farewell, sizeof(farewell), &done);
}

static void close_ucx(struct channel *channel)
{
    struct handshake *handshake = &channel->handshake;
    bool orderly = !has_ended(channel) && !channel->peer_disconnected;

    if (orderly)
        send_farewell(channel);
    ucx_side_free(channel, orderly);
    if (!channel->forked)
        handshake->tls->close(handshake->session);
}

static const struct transport transport_ucx = {
    .poll = poll_ucx,
    .put = put,
    .push = handshake_nothing,
    .arm = arm,
    .close = close_ucx,
};

void ucx_side_open(struct channel *channel)
{
    struct ucx_side *side = channel->ucx;

    free(side->outgoing);
    free(side->incoming);
    side->outgoing = side->incoming = NULL;
    side->checked_at = idle_now_ns();
    side->armed = true; /* so that the first poll checks the socket */
    channel_opened(channel, &transport_ucx);
}
