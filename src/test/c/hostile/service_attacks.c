/* SPDX-License-Identifier: Apache-2.0 */
/* Attacks on the service with malformed and invalid frames, before and after authentication. */
#include <attack/intruder.h>
#include <string.h>
#include <unistd.h>

#include "attacks.h"

#define FRAME_MAX 512
#define PIPELINED 32 /* valid frames of a session */

static void fill(uint8_t *bytes, size_t length)
{
    for (size_t i = 0; i < length; ++i)
        bytes[i] = (uint8_t)intruder_random(256);
}

/* Creates a valid frame of a type that a host may send. */
static size_t valid_frame(uint8_t bytes[FRAME_MAX])
{
    struct wire_frame frames[] = {
        { .type = WIRE_HELLO, .hello = { PEER_MESSAGE_SIZE, JUROM_RELEASE } },
        { .type = WIRE_SPAWN, .spawn = { .worker_id = 5, .plugins = 1ull << 63 } },
        { .type = WIRE_RELEASE, .worker_id = intruder_random(UINT64_MAX) },
        { .type = WIRE_GET_GROUP, .get_group = (uint32_t)intruder_random(UINT32_MAX) },
    };
    struct wire_frame *frame = &frames[intruder_random(sizeof(frames) / sizeof(*frames))];
    size_t length;

    frame->request_id = intruder_random(UINT64_MAX);
    assert_success(wire_encode(frame, bytes, FRAME_MAX, &length));
    return length;
}

/* Creates random bytes, or a frame with a corrupted field, length or end. */
static size_t malformed_frame(uint8_t bytes[FRAME_MAX])
{
    size_t length = valid_frame(bytes);
    uint32_t body;

    switch (intruder_random(6)) {
    case 0:
        length = WIRE_HEADER_SIZE + intruder_random(FRAME_MAX - WIRE_HEADER_SIZE);
        fill(bytes, length);
        break;
    case 1: /* other magic or version */
        bytes[intruder_random(3)] ^= (uint8_t)(1 + intruder_random(255));
        break;
    case 2: /* an unknown type, or another type with the wrong body */
        bytes[3] = (uint8_t)(40 + intruder_random(216));
        break;
    case 3: /* longer than the maximum */
        body = 1048576u + (uint32_t)intruder_random(UINT32_MAX - 1048576u);
        memcpy(bytes + 4, &body, sizeof(body));
        break;
    case 4: /* a body too short for its type */
        body = 3;
        memcpy(bytes + 4, &body, sizeof(body));
        length = WIRE_HEADER_SIZE + body;
        break;
    default: /* types that only a service or worker sends */
        bytes[3] = (uint8_t)(intruder_random(2) == 0 ? WIRE_WELCOME : WIRE_CONFIGURE);
    }
    return length;
}

/* Shuts down the sending side and reads the reaction. */
static enum outcome close_and_read(int fd, unsigned *frames)
{
    enum outcome outcome;

    shutdown(fd, SHUT_WR);
    outcome = session_read_to_end(fd, frames);
    close(fd);
    return outcome;
}

void attack_socket_before_hello(const struct target *target, unsigned wanted, uint64_t *outcomes)
{
    uint8_t bytes[FRAME_MAX];
    unsigned frames;

    for (unsigned i = 0; i < wanted; ++i) {
        int fd = session_unix(target->socket);

        if (fd < 0) {
            ++outcomes[OUTCOME_LATE];
            continue;
        }
        session_send(fd, bytes, malformed_frame(bytes));
        ++outcomes[close_and_read(fd, &frames)];
    }
}

/* Sends valid requests that must be answered by errors, then a malformed frame. */
void attack_socket_as_host(const struct target *target, unsigned wanted, uint64_t *outcomes)
{
    uint8_t bytes[FRAME_MAX];
    uint64_t graph;

    for (unsigned done = 0; done < wanted; done += PIPELINED + 1) {
        int fd = session_open(target->socket, &graph);
        unsigned frames;
        enum outcome outcome;

        if (fd < 0) {
            outcomes[OUTCOME_LATE] += PIPELINED + 1;
            continue;
        }
        for (unsigned i = 0; i < PIPELINED; ++i) {
            size_t length;

            do {
                length = valid_frame(bytes);
            } while (bytes[3] == WIRE_HELLO); /* which would end the session */
            session_send(fd, bytes, length);
        }
        session_send(fd, bytes, malformed_frame(bytes));
        outcome = close_and_read(fd, &frames);
        if (frames > PIPELINED)
            frames = PIPELINED;
        outcomes[OUTCOME_ANSWERED] += frames;
        outcomes[outcome == OUTCOME_LATE ? OUTCOME_LATE : OUTCOME_CLOSED] += PIPELINED + 1 - frames;
    }
}

void attack_port_without_key(const struct target *target, unsigned wanted, uint64_t *outcomes)
{
    /* The start of a TLS handshake record whose ClientHello is truncated or random. */
    static const uint8_t hello[] = { 0x16, 3, 1, 0, 200, 1, 0, 0, 196, 3, 3 };
    uint8_t bytes[FRAME_MAX];

    for (unsigned i = 0; i < wanted; ++i) {
        int fd = session_tcp(target->port);
        unsigned frames;

        if (fd < 0) {
            ++outcomes[OUTCOME_LATE];
            continue;
        }
        fill(bytes, sizeof(bytes));
        if (intruder_random(2) == 0)
            memcpy(bytes, hello, sizeof(hello));
        session_send(fd, bytes, 1 + intruder_random(sizeof(bytes)));
        ++outcomes[close_and_read(fd, &frames)];
    }
}

static void ignore(struct channel_receiver *receiver, const uint8_t *frame, size_t length)
{
    (void)receiver;
    (void)frame;
    (void)length;
}

static void *no_buffer(struct channel_receiver *receiver, const uint8_t *prefix, size_t length)
{
    (void)receiver;
    (void)prefix;
    (void)length;
    return NULL;
}

static bool poll_while(struct channel *channel, doca_error_t status)
{
    uint64_t late = deadline_in(SESSION_MS);

    while (channel_status(channel) == status && !deadline_has_passed(late)) {
        if (channel_poll(channel, 8) == 0)
            usleep(200);
    }
    return channel_status(channel) != status;
}

static void ignore_completion(struct channel_message *message)
{
    (void)message;
}

/* Connects with an accepted key, sends HELLO in half of the cases, then a malformed frame. */
static enum outcome attack_port_once(const struct target *target)
{
    static uint8_t bytes[2][FRAME_MAX];
    struct channel_receiver receiver = { .begin_payload = no_buffer, .receive = ignore };
    struct channel_message messages[2] = { { .done = ignore_completion },
        { .done = ignore_completion } };
    struct channel_settings settings = { .receiver = &receiver,
        .max_message_size = PEER_MESSAGE_SIZE };
    struct channel_address address;
    struct channel *channel;
    size_t length;
    bool ended;

    worker_tcp_address(target->port, &address);
    if (channel_connect_service(&address, target->identity, &settings, &channel) != DOCA_SUCCESS)
        return OUTCOME_LATE;
    ended = poll_while(channel, DOCA_ERROR_IN_PROGRESS);
    if (ended && channel_status(channel) == DOCA_SUCCESS) {
        if (intruder_random(2) == 0) {
            assert_success(wire_encode(&(struct wire_frame){ .type = WIRE_HELLO,
                                               .request_id = 1,
                                               .hello = { PEER_MESSAGE_SIZE, JUROM_RELEASE } },
                    bytes[0], FRAME_MAX, &length));
            (void)!channel_send(channel, bytes[0], length, &messages[0]);
        }
        do {
            length = malformed_frame(bytes[1]);
        } while (length < 64); /* long enough that the service does not wait for more bytes */
        (void)!channel_send(channel, bytes[1], length, &messages[1]);
        channel_push(channel);
        ended = poll_while(channel, DOCA_SUCCESS);
    }
    channel_close(channel);
    return ended ? OUTCOME_CLOSED : OUTCOME_IGNORED;
}

void attack_port_as_host(const struct target *target, unsigned wanted, uint64_t *outcomes)
{
    for (unsigned i = 0; i < wanted; ++i)
        ++outcomes[attack_port_once(target)];
}
