/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A channel over two rings. A frame is one record, or several if it is long. The socket carries
 * doorbells, bytes that wake a sleeping peer, and its end shows that the peer has disconnected. It
 * is checked once per millisecond while this side is awake.
 */
#include <errno.h>
#include <sys/epoll.h>
#include <sys/socket.h>

#include <common/idle.h>
#include <faults/faults.h>

#include "channel_private.h"

#define CAPACITY_SMALL 262144
#define CAPACITY_LARGE 1048576
#define SMALL_MESSAGE 65536     /* bytes of the longest message for which the small ring is used */
#define PUBLISH_AT_ONCE 4096    /* bytes of a record that is published immediately */
#define POLLS_PER_CLOCK_READ 64 /* only empty polls count */
#define SOCKET_CHECK_NS 1000000
#define DOORBELLS_MAX 256 /* bytes read from the socket at once */

size_t ring_capacity_for(size_t max_message_size)
{
    return max_message_size > SMALL_MESSAGE ? CAPACITY_LARGE : CAPACITY_SMALL;
}

/*
 * Wakes the peer. If the kernel has no memory for that, a later poll does. The unread bytes in a
 * full socket also wake it.
 */
static void ring_doorbell(struct channel *channel)
{
    ssize_t sent = FAULT_CALL(
            doorbell_send, send(channel->watch.fd, "", 1, MSG_NOSIGNAL | MSG_DONTWAIT));

    channel->ring.doorbell_due = sent < 0
            && (errno == ENOBUFS || errno == ENOMEM || errno == EINTR);
    if (sent < 0 && !channel->ring.doorbell_due && errno != EAGAIN)
        channel->peer_disconnected = true;
}

static void push(struct channel *channel)
{
    if (ring_publish(&channel->ring.out))
        ring_doorbell(channel);
}

/* Reserves room for a record. Publishes the committed records first if the ring is full. */
static uint8_t *reserve(struct channel *channel, size_t length)
{
    struct ring_producer *out = &channel->ring.out;
    uint8_t *slot = ring_reserve(out, length);

    if (slot == NULL && out->records > 0 && !out->broken) {
        push(channel);
        slot = ring_reserve(out, length);
    }
    return slot;
}

/* Publishes long records and full batches. */
static void publish_some(struct channel *channel, size_t piece)
{
    if (piece >= PUBLISH_AT_ONCE)
        push(channel);
    else if (channel->ring.out.records >= RING_BATCH)
        ring_publish_step(&channel->ring.out);
}

/* Sends a frame that is longer than a record or does not fit immediately. */
static __attribute__((noinline)) size_t put_pieces(
        struct channel *channel, const uint8_t *data, size_t length)
{
    struct ring_producer *out = &channel->ring.out;
    size_t done = 0;
    size_t piece;
    uint8_t *slot;

    while (done < length) {
        piece = length - done < out->ring.record_max ? length - done : out->ring.record_max;
        slot = reserve(channel, piece);
        if (slot == NULL) {
            /* The descriptor was armed with nothing to send: arms it for room. */
            if (channel->ring.armed && !out->broken && !ring_sleep_for_room(out, piece))
                continue;
            break;
        }
        ring_copy(slot, data + done, piece);
        ring_commit(out, piece);
        done += piece;
        publish_some(channel, piece);
    }
    if (out->broken)
        channel_end(channel, DOCA_ERROR_UNEXPECTED,
                "The peer acknowledged more data than it was sent.");
    return done;
}

static size_t put(struct channel *channel, const uint8_t *data, size_t length)
{
    struct ring_producer *out = &channel->ring.out;

    if (length > out->ring.record_max || !ring_put(out, data, length))
        return put_pieces(channel, data, length);
    publish_some(channel, length);
    return length;
}

/* Reads doorbells from the socket. Returns false if there are none. */
static bool drain_doorbell(struct channel *channel)
{
    uint8_t doorbells[DOORBELLS_MAX];
    ssize_t got = FAULT_CALL(
            doorbell_receive, recv(channel->watch.fd, doorbells, sizeof(doorbells), MSG_DONTWAIT));

    if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR))
        channel->peer_disconnected = true;
    return got > 0;
}

/* Checks whether the peer has disconnected. */
static unsigned check_socket(struct channel *channel, uint64_t now)
{
    unsigned seen = watch_poll(&channel->watch);
    bool disconnected = channel->peer_disconnected;

    channel->ring.checked_at = now;
    if (seen & (WATCH_READABLE | WATCH_DISCONNECTED))
        drain_doorbell(channel);
    if (seen & WATCH_DISCONNECTED)
        channel->peer_disconnected = true;
    if (!channel->peer_disconnected || disconnected)
        return 0;
    watch_stop(&channel->watch);
    return 1;
}

/* Called after a number of empty polls. */
static unsigned check_socket_periodically(struct channel *channel)
{
    struct ring_link *ring = &channel->ring;
    uint64_t now;

    ring->empty = 0;
    now = idle_now_ns();
    return now - ring->checked_at >= SOCKET_CHECK_NS ? check_socket(channel, now) : 0;
}

static void clear_flags(struct ring_link *ring)
{
    ring_consumer_wakes(&ring->in);
    ring_producer_wakes(&ring->out);
}

static unsigned wake(struct channel *channel)
{
    channel->ring.armed = false;
    clear_flags(&channel->ring);
    return drain_doorbell(channel) ? 0 : check_socket(channel, idle_now_ns());
}

/* Receives up to `frames` records. The receiver may end the channel, or fork. */
static unsigned receive(struct channel *channel, unsigned frames)
{
    struct ring_consumer *in = &channel->ring.in;
    const uint8_t *bytes;
    unsigned done = 0;
    size_t length;

    while (done < frames) {
        bytes = ring_peek(in, &length);
        if (bytes == NULL)
            break;
        ++done;
        if (!inbound_take(channel, bytes, length))
            return done;
        if (ring_take(in))
            ring_doorbell(channel);
    }
    if (in->broken)
        channel_end(
                channel, DOCA_ERROR_UNEXPECTED, "The peer wrote an invalid record into its ring.");
    return done;
}

static unsigned poll_ring(struct channel *channel, unsigned frames)
{
    struct ring_link *ring = &channel->ring;
    bool disconnected = channel->peer_disconnected;
    unsigned done = 0;
    unsigned received;

    if (ring->doorbell_due)
        ring_doorbell(channel);
    if (ring->armed) {
        done += wake(channel);
        disconnected = channel->peer_disconnected;
    }
    if (channel->queue.first != NULL)
        done += channel_flush(channel);
    received = has_ended(channel) ? 0 : receive(channel, frames);
    done += received;
    if (has_ended(channel))
        return done + 1;
    /* All records were published before the disconnection was detected. */
    if (disconnected && received == 0) {
        channel_end_of_peer(channel);
        return done + 1;
    }
    if (received == 0 && ++ring->empty >= POLLS_PER_CLOCK_READ)
        done += check_socket_periodically(channel);
    return done;
}

static bool arm(struct channel *channel, bool reading)
{
    struct ring_link *ring = &channel->ring;
    const struct channel_message *first = channel->queue.first;
    size_t piece = first == NULL ? 0 : first->length - first->sent;
    bool sleeps = true;

    push(channel);
    if (ring_release(&ring->in) || ring->doorbell_due)
        ring_doorbell(channel);
    if (channel->peer_disconnected || ring->doorbell_due)
        return false;
    if (reading)
        sleeps = ring_sleep_for_data(&ring->in);
    if (sleeps && first != NULL)
        sleeps = ring_sleep_for_room(
                &ring->out, piece < ring->out.ring.record_max ? piece : ring->out.ring.record_max);
    FAULT_DROP(ring_armed, channel->watch.fd);
    ring->armed = sleeps;
    if (!sleeps)
        clear_flags(ring);
    return sleeps;
}

static void close_ring(struct channel *channel)
{
    if (!has_ended(channel))
        push(channel);
}

const struct transport transport_ring = {
    .poll = poll_ring,
    .put = put,
    .push = push,
    .arm = arm,
    .close = close_ring,
};

doca_error_t ring_link_open(struct channel *channel, unsigned ours)
{
    struct ring_link *ring = &channel->ring;

    if (!watch_socket(&channel->watch, EPOLLIN))
        return DOCA_ERROR_NO_MEMORY;
    ring_producer_init(&ring->out, &ring->memory.rings[ours]);
    ring_consumer_init(&ring->in, &ring->memory.rings[1 - ours]);
    ring->checked_at = idle_now_ns();
    channel_opened(channel, &transport_ring);
    return DOCA_SUCCESS;
}
