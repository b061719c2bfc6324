/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From pieces of bytes to frames. A payload goes straight to where its receiver wants it; the rest
 * is put together in a buffer. The bytes may be in memory that the peer writes: each is read once.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <faults/faults.h>

#include "channel_private.h"

static bool refuse(struct channel *channel, const char *reason)
{
    channel_end(channel, DOCA_ERROR_UNEXPECTED, reason);
    return false;
}

static bool refuse_header(struct channel *channel, doca_error_t status)
{
    char reason[CHANNEL_REASON_MAX];

    if (status == DOCA_ERROR_TOO_BIG)
        return refuse(channel, "The peer sent a longer message than was agreed.");
    if (status != DOCA_ERROR_UNSUPPORTED_VERSION)
        return refuse(channel, "The peer sent something that is no frame.");
    snprintf(reason, sizeof(reason),
            "The peer speaks version %u of the protocol; this side is jurom " JUROM_RELEASE
            " and speaks version %d: install the same release on both sides.",
            channel->inbound.prefix[2], WIRE_VERSION);
    channel_end(channel, status, reason);
    return false;
}

static bool carries_payload(const uint8_t *header)
{
    return header[3] == WIRE_COMMAND || header[3] == WIRE_NOTIFICATION;
}

static bool has_buffer(struct inbound *inbound, size_t length)
{
    uint8_t *buffer;

    if (length <= inbound->buffer_size)
        return true;
    buffer = FAULT_ALLOCATE(frame_buffer_memory, realloc(inbound->buffer, length));
    if (buffer == NULL)
        return false;
    inbound->buffer = buffer;
    inbound->buffer_size = length;
    return true;
}

/* A command or notification: its receiver says where the payload goes. */
static bool begin_payload(struct channel *channel, size_t length, size_t whole)
{
    struct channel_receiver *receiver = channel->settings.receiver;
    struct inbound *inbound = &channel->inbound;

    if (whole < WIRE_PREFIX_SIZE || length < WIRE_PREFIX_SIZE)
        return refuse(channel, "The peer sent a message without its beginning.");
    inbound->length = whole;
    inbound->got = WIRE_PREFIX_SIZE;
    inbound->destination = receiver->begin_payload(receiver, inbound->prefix, whole);
    inbound->next = inbound->destination;
    return !has_ended(channel);
}

static bool begin_other(struct channel *channel, size_t whole)
{
    struct inbound *inbound = &channel->inbound;

    if (!has_buffer(inbound, whole)) {
        channel_end(channel, DOCA_ERROR_NO_MEMORY, "There is no memory for a frame of the peer.");
        return false;
    }
    memcpy(inbound->buffer, inbound->prefix, WIRE_HEADER_SIZE);
    inbound->length = whole;
    inbound->got = WIRE_HEADER_SIZE;
    inbound->next = inbound->buffer + WIRE_HEADER_SIZE;
    return true;
}

/* Its first bytes, as far as they are here, are in `prefix`. */
static bool begin(struct channel *channel, size_t length)
{
    struct inbound *inbound = &channel->inbound;
    size_t whole = 0;
    doca_error_t status;

    if (length < WIRE_HEADER_SIZE)
        return refuse(channel, "The peer sent a frame without its header.");
    status = wire_frame_length(inbound->prefix, channel->settings.max_message_size, &whole);
    if (status != DOCA_SUCCESS)
        return refuse_header(channel, status);
    return carries_payload(inbound->prefix) ? begin_payload(channel, length, whole)
                                            : begin_other(channel, whole);
}

static bool complete(struct channel *channel)
{
    struct channel_receiver *receiver = channel->settings.receiver;
    struct inbound *inbound = &channel->inbound;
    size_t length = inbound->length;
    void *place = inbound->destination;

    inbound->length = 0;
    inbound->destination = NULL;
    if (place != NULL)
        receiver->end_payload(receiver, inbound->prefix, length, place);
    else if (!carries_payload(inbound->prefix))
        receiver->receive(receiver, inbound->buffer, length);
    return !has_ended(channel);
}

bool inbound_advance(struct channel *channel, size_t length)
{
    struct inbound *inbound = &channel->inbound;

    inbound->got += length;
    if (inbound->next != NULL)
        inbound->next += length;
    return inbound->got < inbound->length || complete(channel);
}

/* A command or notification that is here as a whole: nothing has to be kept between its pieces. */
static bool take_message(struct channel *channel, const uint8_t *payload, size_t length)
{
    struct channel_receiver *receiver = channel->settings.receiver;
    const uint8_t *prefix = channel->inbound.prefix;
    uint8_t *place = receiver->begin_payload(receiver, prefix, length);

    if (place != NULL && has_ended(channel)) {
        receiver->abandon_payload(receiver, place);
    } else if (place != NULL) {
        memcpy(place, payload, length - WIRE_PREFIX_SIZE);
        receiver->end_payload(receiver, prefix, length, place);
    }
    return !has_ended(channel);
}

/* The rest of the frame that is arriving, or a part of it. */
static bool take_piece(struct channel *channel, const uint8_t *bytes, size_t length)
{
    struct inbound *inbound = &channel->inbound;

    if (length > inbound_missing(inbound))
        return refuse(channel, "The peer sent more than its frame has.");
    if (inbound->next != NULL && length > 0)
        memcpy(inbound->next, bytes, length);
    return inbound_advance(channel, length);
}

bool inbound_take(struct channel *channel, const uint8_t *bytes, size_t length)
{
    struct inbound *inbound = &channel->inbound;

    if (inbound->length > 0)
        return take_piece(channel, bytes, length);
    if (length >= WIRE_PREFIX_SIZE)
        memcpy(inbound->prefix, bytes, WIRE_PREFIX_SIZE);
    else
        memcpy(inbound->prefix, bytes, length);
    FAULT_BYTES(arriving_header, inbound->prefix,
            length < WIRE_PREFIX_SIZE ? length : WIRE_PREFIX_SIZE);
    if (wire_is_message(inbound->prefix, length, channel->settings.max_message_size))
        return take_message(channel, bytes + WIRE_PREFIX_SIZE, length);
    if (!begin(channel, length))
        return false;
    return take_piece(channel, bytes + inbound->got, length - inbound->got);
}

void inbound_abandon(struct channel *channel)
{
    struct channel_receiver *receiver = channel->settings.receiver;
    void *place = channel->inbound.destination;

    channel->inbound.destination = NULL;
    channel->inbound.next = NULL;
    channel->inbound.length = 0;
    if (place != NULL)
        receiver->abandon_payload(receiver, place);
}

void inbound_free(struct inbound *inbound)
{
    free(inbound->buffer);
    inbound->buffer = NULL;
}

void channel_drop_payload(struct channel *channel, void *place)
{
    if (place == NULL || channel->inbound.destination != place)
        return;

    channel->inbound.destination = NULL;
    channel->inbound.next = NULL;
}
