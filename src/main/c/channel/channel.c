/* SPDX-License-Identifier: Apache-2.0 */
/* The life of a channel, and its queue of messages. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <common/private.h>
#include <faults/faults.h>

#include "channel_private.h"

/* A queued frame with its own bytes. */
struct copy {
    struct channel_message message;
    uint8_t bytes[];
};

static void free_copy(struct channel_message *message)
{
    free(CONTAINER_OF(message, struct copy, message));
}

doca_error_t channel_new(int fd, const struct channel_settings *settings, struct channel **channel)
{
    struct channel *made = FAULT_ALLOCATE(channel_memory, calloc(1, sizeof(*made)));
    doca_error_t status;

    if (made == NULL) {
        close(fd);
        return DOCA_ERROR_NO_MEMORY;
    }
    made->settings = *settings;
    made->status = DOCA_ERROR_IN_PROGRESS;
    made->queue.end = &made->queue.first;
    status = watch_open(&made->watch, fd);
    if (status != DOCA_SUCCESS) {
        free(made);
        return status;
    }
    channel_fork_add(made);
    *channel = made;
    return DOCA_SUCCESS;
}

/* Frees copies; all other messages belong to their owners. */
static void drop_messages(struct channel_queue *queue)
{
    struct channel_message *message = queue->first;
    struct channel_message *next;

    for (; message != NULL; message = next) {
        next = message->next;
        if (message->done == free_copy)
            free_copy(message);
    }
}

void channel_close(struct channel *channel)
{
    if (channel == NULL)
        return;

    channel_fork_remove(channel);
    inbound_abandon(channel);
    if (channel->transport != NULL)
        channel->transport->close(channel);
    if (!channel->forked)
        ring_memory_free(&channel->ring.memory);
    drop_messages(&channel->queue);
    inbound_free(&channel->inbound);
    watch_close(&channel->watch);
    explicit_bzero(&channel->handshake, sizeof(channel->handshake));
    free(channel);
}

void channel_opened(struct channel *channel, const struct transport *transport)
{
    channel->transport = transport;
    channel->status = DOCA_SUCCESS;
    explicit_bzero(channel->handshake.ticket.key, sizeof(channel->handshake.ticket.key));
}

unsigned channel_poll(struct channel *channel, unsigned frames)
{
    unsigned done = 0;

    if (!has_ended(channel))
        done = channel->transport->poll(channel, frames);
    if (has_ended(channel) && channel->inbound.length > 0) {
        inbound_abandon(channel);
        ++done;
    }
    return done;
}

size_t handshake_put(struct channel *channel, const uint8_t *data, size_t length)
{
    (void)channel;
    (void)data;
    (void)length;
    return 0;
}

void handshake_nothing(struct channel *channel)
{
    (void)channel;
}

bool handshake_arm(struct channel *channel, bool reading)
{
    (void)channel;
    (void)reading;
    return true;
}

bool channel_names_ticket(const struct channel *channel)
{
    return channel->handshake.ticket_named;
}

const uint8_t *channel_ticket_id(const struct channel *channel)
{
    return channel->handshake.ticket.id;
}

pid_t channel_peer(const struct channel *channel)
{
    return channel->watch.peer;
}

int channel_descriptor(const struct channel *channel)
{
    return channel->watch.epoll;
}

#ifdef JUROM_FAULTS
int channel_socket(const struct channel *channel)
{
    return channel->watch.fd;
}
#endif

doca_error_t channel_arm(struct channel *channel, bool reading)
{
    if (has_ended(channel))
        return channel->status;
    if (!channel->transport->arm(channel, reading))
        return has_ended(channel) ? channel->status : DOCA_ERROR_AGAIN;
    return DOCA_SUCCESS;
}

static void append(struct channel_queue *queue, struct channel_message *message)
{
    message->next = NULL;
    *queue->end = message;
    queue->end = &message->next;
    queue->bytes += message->length - message->sent;
}

/* Queues the unsent rest of the frame, unless the channel has ended. */
static __attribute__((noinline)) doca_error_t send_later(struct channel *channel,
        const uint8_t *data, size_t length, size_t sent, struct channel_message *message)
{
    if (has_ended(channel))
        return channel->status;

    message->data = data;
    message->length = length;
    message->sent = sent;
    append(&channel->queue, message);
    return DOCA_ERROR_IN_PROGRESS;
}

doca_error_t channel_send(struct channel *channel, const uint8_t *data, size_t length,
        struct channel_message *message)
{
    size_t sent = 0;

    if (length < WIRE_HEADER_SIZE)
        return DOCA_ERROR_INVALID_VALUE;

    if (channel->queue.first == NULL && !has_ended(channel))
        sent = channel->transport->put(channel, data, length);
    return sent == length ? DOCA_SUCCESS : send_later(channel, data, length, sent, message);
}

static doca_error_t encode_copy(const struct wire_frame *frame, struct copy **copy)
{
    size_t length = 0;
    struct copy *made;
    doca_error_t status = wire_encode(frame, NULL, 0, &length);

    if (status != DOCA_ERROR_TOO_BIG)
        return status;
    made = FAULT_ALLOCATE(frame_memory, malloc(sizeof(*made) + length));
    if (made == NULL)
        return DOCA_ERROR_NO_MEMORY;
    status = wire_encode(frame, made->bytes, length, &length);
    FAULT_BYTES(frame_header, made->bytes, WIRE_HEADER_SIZE);
    made->message = (struct channel_message){ .length = length, .done = free_copy };
    if (status == DOCA_SUCCESS)
        *copy = made;
    else
        free(made);
    return status;
}

doca_error_t channel_send_frame(struct channel *channel, const struct wire_frame *frame)
{
    struct copy *copy = NULL;
    doca_error_t status = encode_copy(frame, &copy);

    if (status != DOCA_SUCCESS)
        return status;
    status = channel_send(channel, copy->bytes, copy->message.length, &copy->message);
    if (status == DOCA_ERROR_IN_PROGRESS)
        return DOCA_SUCCESS;
    free(copy);
    channel_push(channel);
    return status;
}

/* Removes the first message, which has been sent. */
static void finish_first(struct channel_queue *queue)
{
    struct channel_message *message = queue->first;

    queue->first = message->next;
    if (queue->first == NULL)
        queue->end = &queue->first;
    message->done(message);
}

unsigned channel_flush(struct channel *channel)
{
    struct channel_queue *queue = &channel->queue;
    unsigned done = 0;

    while (queue->first != NULL && !has_ended(channel)) {
        struct channel_message *message = queue->first;
        size_t rest = message->length - message->sent;
        size_t put = channel->transport->put(channel, message->data + message->sent, rest);

        message->sent += put;
        queue->bytes -= put;
        if (put > 0)
            ++done;
        if (put < rest)
            break;
        finish_first(queue);
    }
    if (done > 0)
        channel_push(channel);
    return done;
}

void channel_push(struct channel *channel)
{
    if (!has_ended(channel))
        channel->transport->push(channel);
}

bool channel_withdraw(struct channel *channel, const struct channel_message *message)
{
    struct channel_queue *queue = &channel->queue;
    struct channel_message **link = &queue->first;

    while (*link != NULL && *link != message)
        link = &(*link)->next;
    if (*link == NULL || message->sent > 0 || has_ended(channel))
        return false;
    *link = message->next;
    if (*link == NULL)
        queue->end = link;
    queue->bytes -= message->length;
    return true;
}

size_t channel_waiting(const struct channel *channel)
{
    return channel->queue.bytes;
}
