/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Assembles frames from pieces. Payloads are written directly to the receiver's destination, other
 * frames to a buffer. The peer may modify the bytes concurrently, so each byte is read only once.
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
        return refuse(channel, "The peer sent a message longer than the agreed maximum.");
    if (status != DOCA_ERROR_UNSUPPORTED_VERSION)
        return refuse(channel, "The peer sent an invalid frame.");
    snprintf(reason, sizeof(reason),
            "The peer uses version %u of the protocol; this side is jurom " JUROM_RELEASE
            " and uses version %d: install the same release on both sides.",
            channel->inbound.prefix[2], WIRE_VERSION);
    channel_end(channel, status, reason);
    return false;
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

/* Begins a command or notification, whose payload goes to the receiver's destination. */
static bool begin_payload(struct channel *channel, size_t length, size_t whole)
{
    struct channel_receiver *receiver = channel->settings.receiver;
    struct inbound *inbound = &channel->inbound;

    if (whole < WIRE_PREFIX_SIZE || length < WIRE_PREFIX_SIZE)
        return refuse(channel, "The peer sent a message with an incomplete prefix.");
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

/* Begins a frame, of which `length` bytes have arrived. Up to 24 of them are in `prefix`. */
static bool begin(struct channel *channel, size_t length)
{
    struct inbound *inbound = &channel->inbound;
    size_t whole = 0;
    doca_error_t status;

    if (length < WIRE_HEADER_SIZE)
        return refuse(channel, "The peer sent an incomplete frame header.");
    status = wire_frame_length(inbound->prefix, channel->settings.max_message_size, &whole);
    if (status != DOCA_SUCCESS)
        return refuse_header(channel, status);
    return wire_has_payload(inbound->prefix[3]) ? begin_payload(channel, length, whole)
                                                : begin_other(channel, whole);
}

static bool complete(struct channel *channel)
{
    struct channel_receiver *receiver = channel->settings.receiver;
    struct inbound *inbound = &channel->inbound;
    size_t length = inbound->length;
    void *destination = inbound->destination;

    inbound->length = 0;
    inbound->destination = NULL;
    if (destination != NULL)
        receiver->end_payload(receiver, inbound->prefix, length, destination);
    else if (!wire_has_payload(inbound->prefix[3]))
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

/* Receives a command or notification that has arrived completely. */
static bool take_message(struct channel *channel, const uint8_t *payload, size_t length)
{
    struct channel_receiver *receiver = channel->settings.receiver;
    const uint8_t *prefix = channel->inbound.prefix;
    uint8_t *destination = receiver->begin_payload(receiver, prefix, length);

    if (destination != NULL && has_ended(channel)) {
        receiver->abandon_payload(receiver, destination);
    } else if (destination != NULL) {
        memcpy(destination, payload, length - WIRE_PREFIX_SIZE);
        receiver->end_payload(receiver, prefix, length, destination);
    }
    return !has_ended(channel);
}

/* Receives the rest, or a part of it, of an incomplete frame. */
static bool take_piece(struct channel *channel, const uint8_t *bytes, size_t length)
{
    struct inbound *inbound = &channel->inbound;

    if (length > inbound_missing(inbound))
        return refuse(channel, "The peer sent more bytes than its frame has.");
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
    void *destination = channel->inbound.destination;

    channel->inbound.destination = NULL;
    channel->inbound.next = NULL;
    channel->inbound.length = 0;
    if (destination != NULL)
        receiver->abandon_payload(receiver, destination);
}

void inbound_free(struct inbound *inbound)
{
    free(inbound->buffer);
    inbound->buffer = NULL;
}

void channel_drop_payload(struct channel *channel, void *destination)
{
    if (destination == NULL || channel->inbound.destination != destination)
        return;

    channel->inbound.destination = NULL;
    channel->inbound.next = NULL;
}
