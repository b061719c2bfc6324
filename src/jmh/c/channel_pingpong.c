/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Round trips of commands and notifications of one size through a channel without library, worker
 * and plugin, over rings (--unix) or TLS, with --depth commands in flight.
 */
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/un.h>
#include <unistd.h>

#include <channel/channel.h>

#include "measure.h"
#include "options.h"
#include "pair.h"

#define FRAMES_A_POLL 8

struct ping {
    struct measurement measurement;
    struct pair pair;
    struct channel_receiver receiver;
    struct channel_authenticator authenticator;
    struct channel *channel;
    struct channel_message *messages; /* one for each frame in flight */
    size_t depth;
    size_t size;       /* size of a payload */
    uint8_t *outgoing; /* prefix and payload */
    uint8_t *incoming; /* payload */
    uint64_t sent;
    uint64_t received;
    uint64_t limit; /* total number of frames to send */
};

static const struct channel_ticket ticket = { .id = "bench", .key = "benchmark ticket key" };

static void check(doca_error_t status, const char *what)
{
    if (status != DOCA_SUCCESS)
        fail(what, doca_error_get_descr(status));
}

static void check_open(const struct ping *ping)
{
    doca_error_t status = channel_status(ping->channel);

    if (status != DOCA_SUCCESS && status != DOCA_ERROR_IN_PROGRESS)
        fail("the channel", channel_reason(ping->channel));
}

static void has_left(struct channel_message *message)
{
    (void)message; /* all frames have the same bytes */
}

static void send_one(struct ping *ping)
{
    struct channel_message *message = &ping->messages[ping->sent % ping->depth];
    size_t length = WIRE_PREFIX_SIZE + ping->size;
    doca_error_t status;

    message->done = has_left;
    if (ping->pair.is_peer)
        wire_put_notification(ping->outgoing, 1, DOCA_SUCCESS, ping->size);
    else
        wire_put_command(ping->outgoing, 1, 1, ping->size);
    ping->sent++;
    status = channel_send(ping->channel, ping->outgoing, length, message);
    if (status != DOCA_ERROR_IN_PROGRESS)
        check(status, "channel_send");
}

static struct ping *ping_of(struct channel_receiver *receiver)
{
    return (struct ping *)(void *)((char *)receiver - offsetof(struct ping, receiver));
}

static void *begin_payload(
        struct channel_receiver *receiver, const uint8_t prefix[WIRE_PREFIX_SIZE], size_t length)
{
    (void)prefix;
    if (length != WIRE_PREFIX_SIZE + ping_of(receiver)->size)
        fail("a frame", "unexpected size");
    return ping_of(receiver)->incoming;
}

static void end_payload(struct channel_receiver *receiver, const uint8_t prefix[WIRE_PREFIX_SIZE],
        size_t length, void *at)
{
    struct ping *ping = ping_of(receiver);

    (void)prefix;
    (void)length;
    (void)at;
    ping->received++;
    if (ping->sent < ping->limit)
        send_one(ping);
}

static void abandon_payload(struct channel_receiver *receiver, void *at)
{
    (void)receiver;
    (void)at;
}

static void receive(struct channel_receiver *receiver, const uint8_t *frame, size_t length)
{
    (void)receiver;
    (void)frame;
    (void)length;
}

static const struct channel_ticket *find(
        struct channel_authenticator *authenticator, const uint8_t id[WIRE_TICKET_ID_SIZE])
{
    (void)authenticator;
    return memcmp(id, ticket.id, sizeof(ticket.id)) == 0 ? &ticket : NULL;
}

static void await(struct ping *ping, uint64_t received)
{
    while (ping->received < received) {
        if (channel_poll(ping->channel, FRAMES_A_POLL) > 0) {
            channel_push(ping->channel);
            check_open(ping);
        }
    }
}

/* Returns the address at which the peer listens. */
static struct channel_address address_of(bool local)
{
    struct channel_address address = { .local = local };
    struct sockaddr_in *tcp = (struct sockaddr_in *)&address.socket;

    if (local) {
        snprintf(address.path, sizeof(address.path), "/tmp/jurom-bench-%d", (int)getpid());
    } else {
        tcp->sin_family = AF_INET;
        tcp->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        address.socket_length = sizeof(*tcp);
    }
    return address;
}

/* In the peer: listens, sends the address, and accepts the connection. */
static void accept_other(
        struct ping *ping, struct channel_address *address, const struct channel_settings *settings)
{
    struct sockaddr_un local = { .sun_family = AF_UNIX };
    struct sockaddr *socket_address = (struct sockaddr *)&address->socket;
    socklen_t length = address->socket_length;

    if (address->local) {
        memcpy(local.sun_path, address->path, sizeof(local.sun_path));
        socket_address = (struct sockaddr *)&local;
        length = sizeof(local);
    }
    int listener = socket(socket_address->sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (bind(listener, socket_address, length) != 0 || listen(listener, 1) != 0
            || getsockname(listener, socket_address, &length) != 0)
        fail("the peer", "cannot listen");
    pair_send(&ping->pair, address, sizeof(*address));
    int fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    close(listener);
    if (address->local)
        unlink(address->path);
    check(channel_accept(fd, address->local, &ping->authenticator, settings, &ping->channel),
            "channel_accept");
}

static void open_channel(struct ping *ping, const struct options *options)
{
    struct channel_address address = address_of(options->unix_socket);
    struct channel_settings settings = {
        .receiver = &ping->receiver,
        .max_message_size = WIRE_PREFIX_SIZE + options->size,
    };

    ping->size = options->size;
    ping->depth = options->depth;
    ping->outgoing = make_buffer(WIRE_PREFIX_SIZE + options->size);
    ping->incoming = make_buffer(options->size);
    ping->messages = calloc(options->depth, sizeof(*ping->messages));
    if (ping->messages == NULL)
        fail("--depth", "out of memory");
    if (ping->pair.is_peer) {
        accept_other(ping, &address, &settings);
    } else {
        if (!pair_receive(&ping->pair, &address, sizeof(address)))
            fail("the peer", "exited");
        check(channel_connect_worker(&address, &ticket, &settings, &ping->channel),
                "channel_connect_worker");
    }
    while (channel_status(ping->channel) == DOCA_ERROR_IN_PROGRESS)
        channel_poll(ping->channel, FRAMES_A_POLL);
    check_open(ping);
}

static void begin(struct measurement *measurement, size_t warm_up, size_t count)
{
    pair_begin(&((struct ping *)measurement)->pair, warm_up, count);
}

static void stream(struct measurement *measurement, size_t count)
{
    struct ping *ping = (struct ping *)measurement;

    ping->limit += count;
    for (size_t i = 0; i < ping->depth && ping->sent < ping->limit; ++i)
        send_one(ping);
    channel_push(ping->channel);
    await(ping, ping->limit);
}

static void operate(struct measurement *measurement)
{
    stream(measurement, 1);
}

static uint64_t run(struct measurement *measurement, uint64_t *samples, size_t count)
{
    return ((struct ping *)measurement)->depth == 1
            ? measure_each(measurement, operate, samples, count)
            : measure_stream(measurement, stream, count);
}

static void answer(void *owner, size_t count)
{
    struct ping *ping = owner;

    ping->limit += count;
    await(ping, ping->limit);
    while (channel_waiting(ping->channel) > 0)
        channel_poll(ping->channel, FRAMES_A_POLL);
}

int main(int argc, char **argv)
{
    struct options options = options_parse(argc, argv);
    struct ping ping = {
        .measurement = { .begin = begin, .run = run },
        .receiver = { .begin_payload = begin_payload,
                .end_payload = end_payload,
                .abandon_payload = abandon_payload,
                .receive = receive },
        .authenticator = { .find = find },
    };
    int exit_code;

    ping.pair = pair_split(options.cores);
    open_channel(&ping, &options);
    exit_code = ping.pair.is_peer ? pair_answer(&ping.pair, answer, &ping)
                                  : measure(&ping.measurement);
    channel_close(ping.channel);
    return exit_code;
}
