/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A channel over a byte stream: a Unix socket, or TLS. Small frames are coalesced into one write;
 * long payloads are read and written without a copy.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>

#include <faults/faults.h>

#include "channel_private.h"

#define BUFFER_SIZE 65536
#define WRITE_DIRECTLY 16384 /* minimum number of bytes for a write that bypasses the buffer */
#define READ_DIRECTLY 4096   /* minimum number of bytes for a read that bypasses the buffer */
#define DISCARDED_MAX 16     /* number of buffers read and discarded on close */

struct stream {
    struct tls_session *session; /* NULL: the socket itself */
    bool more;                   /* the last poll stopped before it had received all data */
    bool armed;
    size_t in_start, in_end; /* bytes that were read and not yet passed on */
    size_t out_start, out_end;
    uint8_t in[BUFFER_SIZE];
    uint8_t out[BUFFER_SIZE];
};

static doca_error_t result_of(ssize_t moved, size_t *done)
{
    if (moved > 0) {
        *done = (size_t)moved;
        return DOCA_SUCCESS;
    }
    if (moved < 0 && (errno == EAGAIN || errno == EINTR || errno == ENOBUFS))
        return DOCA_ERROR_AGAIN;
    return DOCA_ERROR_CONNECTION_RESET;
}

/* Reads some bytes. AGAIN: none available. Other errors: the peer has disconnected. */
static doca_error_t read_some(struct channel *channel, uint8_t *to, size_t length, size_t *done)
{
    struct tls_session *session = channel->stream->session;

    if (session != NULL)
        return channel->handshake.tls->read(session, to, length, done);
    return result_of(FAULT_TRANSFER(stream_receive,
                             recv(channel->watch.fd, to, FAULT_LENGTH(stream_receive, length),
                                     MSG_DONTWAIT)),
            done);
}

/*
 * Writes some bytes. AGAIN: no room. A disconnected peer is only recorded: data that it had sent
 * may be unread.
 */
static doca_error_t write_some(
        struct channel *channel, const uint8_t *from, size_t length, size_t *done)
{
    struct tls_session *session = channel->stream->session;
    doca_error_t status;

    if (session != NULL)
        status = channel->handshake.tls->write(session, from, length, done);
    else
        status = result_of(FAULT_TRANSFER(stream_send,
                                   send(channel->watch.fd, from, FAULT_LENGTH(stream_send, length),
                                           MSG_NOSIGNAL | MSG_DONTWAIT)),
                done);
    if (status != DOCA_SUCCESS && status != DOCA_ERROR_AGAIN)
        channel->peer_disconnected = true;
    return status;
}

/* Ends the channel, with the reason of the TLS session if there is one. */
static void end_stream(struct channel *channel, doca_error_t status)
{
    struct tls_session *session = channel->stream->session;
    const char *reason = session == NULL ? "" : channel->handshake.tls->reason(session);

    if (reason[0] == '\0')
        channel_end_of_peer(channel);
    else
        channel_end(channel, status, reason);
}

/* Writes buffered bytes. Returns whether some were written. */
static bool write_buffered(struct channel *channel)
{
    struct stream *stream = channel->stream;
    bool written = false;
    size_t done = 0;

    while (stream->out_start < stream->out_end && !channel->peer_disconnected
            && write_some(channel, stream->out + stream->out_start,
                       stream->out_end - stream->out_start, &done)
                    == DOCA_SUCCESS) {
        stream->out_start += done;
        written = true;
    }
    if (stream->out_start > 0) {
        memmove(stream->out, stream->out + stream->out_start, stream->out_end - stream->out_start);
        stream->out_end -= stream->out_start;
        stream->out_start = 0;
    }
    return written;
}

static size_t put_in_buffer(struct stream *stream, const uint8_t *data, size_t length)
{
    size_t room = BUFFER_SIZE - stream->out_end;
    size_t piece = length < room ? length : room;

    memcpy(stream->out + stream->out_end, data, piece);
    stream->out_end += piece;
    return piece;
}

/* Sends some of `data`. Returns the number of bytes; 0: no room. */
static size_t put_some(struct channel *channel, const uint8_t *data, size_t length)
{
    struct stream *stream = channel->stream;
    size_t done = 0;

    if (stream->out_end == BUFFER_SIZE)
        write_buffered(channel);
    if (stream->out_end > 0 || length < WRITE_DIRECTLY)
        return put_in_buffer(stream, data, length);
    return write_some(channel, data, length, &done) == DOCA_SUCCESS ? done : 0;
}

/* The descriptor may have been armed with nothing to send: arms it for room. */
static void rearm(struct channel *channel)
{
    if (channel->stream->armed)
        watch_socket(&channel->watch, channel->watch.events | EPOLLOUT);
}

static size_t put(struct channel *channel, const uint8_t *data, size_t length)
{
    size_t done = 0;
    size_t some = 1;

    while (done < length && some > 0 && !channel->peer_disconnected) {
        some = put_some(channel, data + done, length - done);
        done += some;
    }
    if (done < length)
        rearm(channel);
    return done;
}

static void push(struct channel *channel)
{
    write_buffered(channel);
    if (channel->stream->out_start < channel->stream->out_end)
        rearm(channel);
}

/* Returns how many buffered bytes of one frame can be passed on; 0: more bytes are needed. */
static size_t next_piece(struct channel *channel)
{
    struct stream *stream = channel->stream;
    size_t there = stream->in_end - stream->in_start;
    size_t length = WIRE_HEADER_SIZE;

    if (channel->inbound.length > 0) {
        length = inbound_missing(&channel->inbound);
    } else {
        if (there < WIRE_HEADER_SIZE)
            return 0;
        /* An invalid header is passed on, so that inbound_take ends the channel. */
        if (wire_frame_length(
                    stream->in + stream->in_start, channel->settings.max_message_size, &length)
                        == DOCA_SUCCESS
                && length > there && there < WIRE_PREFIX_SIZE)
            return 0;
    }
    return length < there ? length : there;
}

/* Reads the rest of a long payload to its destination. */
static doca_error_t read_directly(struct channel *channel)
{
    struct inbound *inbound = &channel->inbound;
    size_t done = 0;
    doca_error_t status = read_some(channel, inbound->next, inbound_missing(inbound), &done);

    if (status == DOCA_SUCCESS)
        inbound_advance(channel, done);
    return status;
}

static doca_error_t read_into_buffer(struct channel *channel)
{
    struct stream *stream = channel->stream;
    size_t done = 0;
    doca_error_t status;

    memmove(stream->in, stream->in + stream->in_start, stream->in_end - stream->in_start);
    stream->in_end -= stream->in_start;
    stream->in_start = 0;
    status = read_some(channel, stream->in + stream->in_end, BUFFER_SIZE - stream->in_end, &done);
    if (status == DOCA_SUCCESS)
        stream->in_end += done;
    return status;
}

static bool wants_directly(const struct channel *channel)
{
    const struct inbound *inbound = &channel->inbound;

    return channel->stream->in_start == channel->stream->in_end && inbound->next != NULL
            && inbound->length > 0 && inbound_missing(inbound) >= READ_DIRECTLY;
}

/* Receives at most `pieces` pieces. Returns their number. */
static unsigned receive(struct channel *channel, unsigned pieces)
{
    struct stream *stream = channel->stream;
    doca_error_t status = DOCA_SUCCESS;
    unsigned done = 0;

    while (done < pieces && status == DOCA_SUCCESS && !has_ended(channel)) {
        size_t piece = next_piece(channel);

        if (piece > 0) {
            stream->in_start += piece;
            inbound_take(channel, stream->in + stream->in_start - piece, piece);
            ++done;
        } else if (wants_directly(channel)) {
            status = read_directly(channel);
            done += status == DOCA_SUCCESS;
        } else {
            status = read_into_buffer(channel);
        }
    }
    stream->more = status == DOCA_SUCCESS;
    if (status != DOCA_SUCCESS && status != DOCA_ERROR_AGAIN)
        end_stream(channel, status);
    else if (status == DOCA_ERROR_AGAIN && channel->peer_disconnected)
        end_stream(channel, DOCA_ERROR_CONNECTION_RESET);
    return done;
}

static unsigned poll_stream(struct channel *channel, unsigned frames)
{
    struct stream *stream = channel->stream;
    bool stopped = frames == 0 && stream->armed; /* this side no longer reads, and was woken */
    unsigned done = write_buffered(channel);

    stream->armed = false;
    if (channel->queue.first != NULL)
        done += channel_flush(channel);
    if (!has_ended(channel) && frames > 0)
        done += receive(channel, frames);
    if (has_ended(channel))
        return done + 1;
    /* A side that no longer reads does not need the rest of the data. */
    if (frames == 0
            && (channel->peer_disconnected
                    || (stopped && (watch_poll(&channel->watch) & WATCH_DISCONNECTED)))) {
        end_stream(channel, DOCA_ERROR_CONNECTION_RESET);
        ++done;
    }
    return done;
}

static bool waits_for_room(const struct channel *channel)
{
    const struct stream *stream = channel->stream;

    return stream->out_start < stream->out_end || channel->queue.first != NULL
            || (stream->session != NULL && channel->handshake.tls->wants_write(stream->session));
}

static bool has_more(const struct channel *channel)
{
    const struct stream *stream = channel->stream;

    return stream->more
            || (stream->session != NULL && channel->handshake.tls->has_read(stream->session));
}

static bool arm(struct channel *channel, bool reading)
{
    write_buffered(channel);
    if (channel->peer_disconnected || (reading && has_more(channel)))
        return false;
    channel->stream->armed = true;
    return watch_socket(
            &channel->watch, (reading ? EPOLLIN : 0) | (waits_for_room(channel) ? EPOLLOUT : 0));
}

/* If unread bytes remained, the kernel would reset the connection and drop sent data. */
static void discard_input(struct channel *channel)
{
    struct stream *stream = channel->stream;
    unsigned left = DISCARDED_MAX;

    while (left > 0 && recv(channel->watch.fd, stream->in, BUFFER_SIZE, MSG_DONTWAIT) > 0)
        --left;
}

static void close_stream(struct channel *channel)
{
    struct stream *stream = channel->stream;

    if (!channel->forked && !channel->peer_disconnected && channel->status == DOCA_SUCCESS)
        write_buffered(channel);
    if (!channel->forked && stream->session != NULL) {
        channel->handshake.tls->close(stream->session);
        discard_input(channel);
    }
    free(stream);
}

const struct transport transport_stream = {
    .poll = poll_stream,
    .put = put,
    .push = push,
    .arm = arm,
    .close = close_stream,
};

doca_error_t stream_open(struct channel *channel, struct tls_session *session)
{
    struct stream *stream = FAULT_ALLOCATE(stream_memory, malloc(sizeof(*stream)));

    if (stream == NULL)
        return DOCA_ERROR_NO_MEMORY;
    stream->session = session;
    stream->more = false;
    stream->armed = false;
    stream->in_start = stream->in_end = stream->out_start = stream->out_end = 0;
    channel->stream = stream;
    channel_opened(channel, &transport_stream);
    return DOCA_SUCCESS;
}
