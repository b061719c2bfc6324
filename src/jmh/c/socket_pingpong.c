/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Round trips of messages over a TCP connection through loopback, or a Unix domain socket
 * (--unix), with --depth messages in flight. Both sides spin on the socket, or block in the
 * kernel (--blocking).
 */
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "measure.h"
#include "options.h"
#include "pair.h"

struct ping {
    struct measurement measurement;
    struct pair pair;
    int socket;
    int flags; /* flags of send and recv */
    size_t size;
    size_t depth;
    char *buffer;
};

static void connected_over_tcp(int sockets[2])
{
    struct sockaddr_in address = { .sin_family = AF_INET };
    socklen_t length = sizeof(address);
    int on = 1;

    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    if (bind(listener, (struct sockaddr *)&address, sizeof(address)) != 0
            || listen(listener, 1) != 0
            || getsockname(listener, (struct sockaddr *)&address, &length) != 0)
        fail("tcp", "cannot listen on loopback");
    sockets[0] = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(sockets[0], (struct sockaddr *)&address, sizeof(address)) != 0)
        fail("tcp", "cannot connect over loopback");
    sockets[1] = accept(listener, NULL, NULL);
    close(listener);
    for (int i = 0; i < 2; ++i)
        setsockopt(sockets[i], IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
}

static bool would_block(ssize_t moved)
{
    return moved < 0 && (errno == EAGAIN || errno == EINTR);
}

static void send_message(struct ping *ping)
{
    for (size_t done = 0; done < ping->size;) {
        ssize_t sent = send(
                ping->socket, ping->buffer + done, ping->size - done, ping->flags | MSG_NOSIGNAL);
        if (sent > 0)
            done += sent;
        else if (!would_block(sent))
            fail("the peer", "exited");
    }
}

static void receive_message(struct ping *ping)
{
    for (size_t done = 0; done < ping->size;) {
        ssize_t received = recv(ping->socket, ping->buffer + done, ping->size - done, ping->flags);
        if (received > 0)
            done += received;
        else if (!would_block(received))
            fail("the peer", "exited");
    }
}

static void begin(struct measurement *measurement, size_t warm_up, size_t count)
{
    pair_begin(&((struct ping *)measurement)->pair, warm_up, count);
}

static void operate(struct measurement *measurement)
{
    send_message((struct ping *)measurement);
    receive_message((struct ping *)measurement);
}

static uint64_t run(struct measurement *measurement, uint64_t *samples, size_t count)
{
    return measure_each(measurement, operate, samples, count);
}

static void overlap(struct measurement *measurement, size_t count)
{
    struct ping *ping = (struct ping *)measurement;
    size_t sent = 0;

    for (size_t i = 0; i < count; ++i) {
        for (; sent < count && sent < i + ping->depth; ++sent)
            send_message(ping);
        receive_message(ping);
    }
}

static uint64_t run_overlapping(struct measurement *measurement, uint64_t *samples, size_t count)
{
    (void)samples;
    return measure_stream(measurement, overlap, count);
}

static void answer(void *owner, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        receive_message(owner);
        send_message(owner);
    }
}

int main(int argc, char **argv)
{
    struct options options = options_parse(argc, argv);
    struct ping ping = {
        .measurement = { .begin = begin, .run = options.depth > 1 ? run_overlapping : run },
        .size = options.size,
        .depth = options.depth,
    };
    int sockets[2];

    ping.flags = options.blocking ? 0 : MSG_DONTWAIT;
    if (options.size == 0)
        fail("--size", "must be at least 1");
    if (!options.unix_socket)
        connected_over_tcp(sockets);
    else if (socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) != 0)
        fail("socketpair", strerror(errno));
    ping.pair = pair_split(options.cores);
    ping.socket = sockets[ping.pair.is_peer];
    close(sockets[!ping.pair.is_peer]);
    ping.buffer = make_buffer(options.size);
    if (ping.pair.is_peer)
        return pair_answer(&ping.pair, answer, &ping);
    return measure(&ping.measurement);
}
