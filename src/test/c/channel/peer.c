/* SPDX-License-Identifier: Apache-2.0 */
#include "peer.h"
#include "temporary.h"

#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <common/private.h>

#define BACKLOG 16

/* A queued message with its bytes. */
struct parcel {
    struct channel_message message;
    struct peer *sender;
    struct parcel *next;
    uint8_t bytes[];
};

static uint8_t byte_of(uint64_t number, size_t at)
{
    return (uint8_t)(number * 31 + at * 7 + at / 253);
}

static uint64_t number_of(const uint8_t *prefix)
{
    uint64_t number;

    memcpy(&number, prefix + 8, sizeof(number));
    return number;
}

static void *begin_payload(
        struct channel_receiver *receiver, const uint8_t prefix[WIRE_PREFIX_SIZE], size_t length)
{
    struct peer *peer = CONTAINER_OF(receiver, struct peer, receiver);

    assert_int_equal(peer->received + peer->dropped, number_of(prefix));
    assert_null(peer->place);
    if (peer->refuses) {
        ++peer->dropped;
        return NULL;
    }
    peer->place = malloc(length);
    return peer->place;
}

static void end_payload(struct channel_receiver *receiver, const uint8_t prefix[WIRE_PREFIX_SIZE],
        size_t length, void *place)
{
    struct peer *peer = CONTAINER_OF(receiver, struct peer, receiver);
    const uint8_t *bytes = place;
    uint64_t number = number_of(prefix);

    assert_ptr_equal(peer->place, place);
    for (size_t i = 0; i < length - WIRE_PREFIX_SIZE; ++i) {
        if (bytes[i] != byte_of(number, i))
            fail_msg("byte %zu of message %llu", i, (unsigned long long)number);
    }
    free(place);
    peer->place = NULL;
    ++peer->received;
    if (peer->on_placed != NULL)
        peer->on_placed(peer);
}

static void abandon_payload(struct channel_receiver *receiver, void *place)
{
    struct peer *peer = CONTAINER_OF(receiver, struct peer, receiver);

    assert_ptr_equal(peer->place, place);
    free(place);
    peer->place = NULL;
    ++peer->abandoned;
}

static void receive(struct channel_receiver *receiver, const uint8_t *bytes, size_t length)
{
    struct peer *peer = CONTAINER_OF(receiver, struct peer, receiver);
    struct wire_frame frame;

    assert_success(wire_decode(bytes, length, LARGE_MAX, &frame));
    peer->last_control = frame.request_id;
    ++peer->controls;
}

static const struct channel_ticket *find(
        struct channel_authenticator *authenticator, const uint8_t *id)
{
    struct peer *peer = CONTAINER_OF(authenticator, struct peer, authenticator);

    return memcmp(id, peer->ticket.id, WIRE_TICKET_ID_SIZE) == 0 ? &peer->ticket : NULL;
}

static bool offers_ucx(struct channel_authenticator *authenticator, const uint8_t *id)
{
    return find(authenticator, id) != NULL;
}

void peer_init(struct peer *peer, uint8_t ticket)
{
    *peer = (struct peer){
        .receiver = { .begin_payload = begin_payload,
                .end_payload = end_payload,
                .abandon_payload = abandon_payload,
                .receive = receive },
        .authenticator = { .find = find },
    };
    memset(&peer->ticket, ticket, sizeof(peer->ticket));
}

static void parcel_done(struct channel_message *message)
{
    struct parcel *parcel = CONTAINER_OF(message, struct parcel, message);

    assert_ptr_equal(parcel->sender->parcels, parcel);
    parcel->sender->parcels = parcel->next;
    ++parcel->sender->done;
    free(parcel);
}

/* Messages complete in the order in which they were sent. */
static void keep(struct peer *peer, struct parcel *parcel)
{
    struct parcel **end = &peer->parcels;

    while (*end != NULL)
        end = &(*end)->next;
    parcel->next = NULL;
    *end = parcel;
}

void peer_write(uint8_t *bytes, uint64_t number, size_t length)
{
    wire_put_command(bytes, number, 1, length - WIRE_PREFIX_SIZE);
    for (size_t i = 0; i < length - WIRE_PREFIX_SIZE; ++i)
        bytes[WIRE_PREFIX_SIZE + i] = byte_of(number, i);
}

doca_error_t peer_send(struct peer *peer, size_t length)
{
    struct parcel *parcel = malloc(sizeof(*parcel) + length);
    doca_error_t status;

    parcel->sender = peer;
    parcel->message.done = parcel_done;
    peer_write(parcel->bytes, peer->sent, length);
    status = channel_send(peer->channel, parcel->bytes, length, &parcel->message);
    if (status == DOCA_SUCCESS || status == DOCA_ERROR_IN_PROGRESS)
        ++peer->sent;
    if (status == DOCA_ERROR_IN_PROGRESS)
        keep(peer, parcel);
    else
        free(parcel);
    peer->done += status == DOCA_SUCCESS;
    return status;
}

doca_error_t peer_send_control(struct peer *peer, uint64_t number)
{
    struct wire_frame frame = { .type = WIRE_ATTACH, .request_id = number, .attach = { 1 } };

    return channel_send_frame(peer->channel, &frame);
}

void peer_close(struct peer *peer)
{
    struct parcel *next;

    channel_close(peer->channel);
    peer->channel = NULL;
    for (; peer->parcels != NULL; peer->parcels = next) {
        next = peer->parcels->next;
        free(peer->parcels);
    }
    assert_null(peer->place);
}

void meeting_open(struct meeting *meeting)
{
    struct sockaddr_un address = { .sun_family = AF_UNIX };

    snprintf(meeting->directory, sizeof(meeting->directory), "%s/channel_test.XXXXXX",
            temporary_folder());
    assert_non_null(mkdtemp(meeting->directory));
    meeting->address = (struct channel_address){ .local = true };
    snprintf(meeting->address.path, sizeof(meeting->address.path), "%s/socket", meeting->directory);
    memcpy(address.sun_path, meeting->address.path, sizeof(address.sun_path));
    meeting->listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_int_equal(0, bind(meeting->listener, (struct sockaddr *)&address, sizeof(address)));
    assert_int_equal(0, chmod(address.sun_path, 0666));
    assert_int_equal(0, chmod(meeting->directory, 0755));
    assert_int_equal(0, listen(meeting->listener, BACKLOG));
}

void meeting_open_remote(struct meeting *meeting)
{
    struct sockaddr_in address = {
        .sin_family = AF_INET,
        .sin_addr = { .s_addr = htonl(INADDR_LOOPBACK) },
    };
    socklen_t length = sizeof(address);

    *meeting = (struct meeting){ .listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0) };
    assert_int_equal(0, bind(meeting->listener, (struct sockaddr *)&address, length));
    assert_int_equal(0, listen(meeting->listener, BACKLOG));
    assert_int_equal(0, getsockname(meeting->listener, (struct sockaddr *)&address, &length));
    memcpy(&meeting->address.socket, &address, length);
    meeting->address.socket_length = length;
}

void meeting_close(struct meeting *meeting)
{
    if (meeting->listener >= 0)
        close(meeting->listener);
    if (!meeting->address.local)
        return;
    unlink(meeting->address.path);
    rmdir(meeting->directory);
}

doca_error_t meeting_ask(struct meeting *meeting, struct peer *host, size_t max_message_size)
{
    struct channel_settings settings = {
        .receiver = &host->receiver,
        .max_message_size = max_message_size,
        .data = meeting->data,
    };

    return channel_connect_worker(&meeting->address, &host->ticket, &settings, &host->channel);
}

doca_error_t meeting_accept(struct meeting *meeting, struct peer *worker, size_t max_message_size)
{
    struct channel_settings settings = { .receiver = &worker->receiver,
        .max_message_size = max_message_size };
    int fd = accept(meeting->listener, NULL, NULL);

    assert_true(fd >= 0);
    worker->authenticator.offers_ucx = meeting->data == CHANNEL_DATA_TLS ? NULL : offers_ucx;
    return channel_accept(
            fd, meeting->address.local, &worker->authenticator, &settings, &worker->channel);
}

void meeting_connect(
        struct meeting *meeting, struct peer *host, struct peer *worker, size_t max_message_size)
{
    peer_init(host, 1);
    peer_init(worker, 1);
    assert_success(meeting_ask(meeting, host, max_message_size));
    assert_success(meeting_accept(meeting, worker, max_message_size));
    poll_until(channel_status(host->channel) == DOCA_SUCCESS
                    && channel_status(worker->channel) == DOCA_SUCCESS,
            host, worker);
}
