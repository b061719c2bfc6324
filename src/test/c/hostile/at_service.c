/* SPDX-License-Identifier: Apache-2.0 */
/* What is wrong with frames to the service: before it knows who speaks, and after. */
#include <attack/intruder.h>
#include <string.h>
#include <unistd.h>

#include "kinds.h"

#define FRAME_MAX 512
#define PIPELINED 32 /* frames of one session that do not end it */

static void fill(uint8_t *bytes, size_t length)
{
    for (size_t i = 0; i < length; ++i)
        bytes[i] = (uint8_t)intruder_random(256);
}

/* A valid frame of a type that a host may send. */
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

/* Something that is no frame: rubbish, or a frame with a field, a length or its end spoilt. */
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
    case 2: /* a type of nobody, or of others: with the wrong body */
        bytes[3] = (uint8_t)(40 + intruder_random(216));
        break;
    case 3: /* longer than frames are */
        body = 1048576u + (uint32_t)intruder_random(UINT32_MAX - 1048576u);
        memcpy(bytes + 4, &body, sizeof(body));
        break;
    case 4: /* a body that is too short for its type */
        body = 3;
        memcpy(bytes + 4, &body, sizeof(body));
        length = WIRE_HEADER_SIZE + body;
        break;
    default: /* types that only a service or a worker says */
        bytes[3] = (uint8_t)(intruder_random(2) == 0 ? WIRE_WELCOME : WIRE_CONFIGURE);
    }
    return length;
}

/* Says no more, and hears how it was taken. */
static enum ending end_of(int fd, unsigned *frames)
{
    enum ending ending;

    shutdown(fd, SHUT_WR);
    ending = talk_read_to_end(fd, frames);
    close(fd);
    return ending;
}

void strangers_at_the_socket(const struct target *target, unsigned wanted, uint64_t *endings)
{
    uint8_t bytes[FRAME_MAX];
    unsigned frames;

    for (unsigned i = 0; i < wanted; ++i) {
        int fd = talk_unix(target->socket);

        if (fd < 0) {
            ++endings[ENDING_LATE];
            continue;
        }
        talk_send(fd, bytes, malformed_frame(bytes));
        ++endings[end_of(fd, &frames)];
    }
}

/* Some frames that are valid and absurd, each of which is answered; then one that is none. */
void hosts_at_the_socket(const struct target *target, unsigned wanted, uint64_t *endings)
{
    uint8_t bytes[FRAME_MAX];
    uint64_t graph;

    for (unsigned done = 0; done < wanted; done += PIPELINED + 1) {
        int fd = talk_open_session(target->socket, &graph);
        unsigned frames;
        enum ending ending;

        if (fd < 0) {
            endings[ENDING_LATE] += PIPELINED + 1;
            continue;
        }
        for (unsigned i = 0; i < PIPELINED; ++i) {
            size_t length;

            do {
                length = valid_frame(bytes);
            } while (bytes[3] == WIRE_HELLO); /* which would end it */
            talk_send(fd, bytes, length);
        }
        talk_send(fd, bytes, malformed_frame(bytes));
        ending = end_of(fd, &frames);
        if (frames > PIPELINED)
            frames = PIPELINED;
        endings[ENDING_ANSWERED] += frames;
        endings[ending == ENDING_LATE ? ENDING_LATE : ENDING_CLOSED] += PIPELINED + 1 - frames;
    }
}

void strangers_at_the_port(const struct target *target, unsigned wanted, uint64_t *endings)
{
    /* A record that is a handshake's, and whose hello is cut off or rubbish. */
    static const uint8_t hello[] = { 0x16, 3, 1, 0, 200, 1, 0, 0, 196, 3, 3 };
    uint8_t bytes[FRAME_MAX];

    for (unsigned i = 0; i < wanted; ++i) {
        int fd = talk_tcp(target->port);
        unsigned frames;

        if (fd < 0) {
            ++endings[ENDING_LATE];
            continue;
        }
        fill(bytes, sizeof(bytes));
        if (intruder_random(2) == 0)
            memcpy(bytes, hello, sizeof(hello));
        talk_send(fd, bytes, 1 + intruder_random(sizeof(bytes)));
        ++endings[end_of(fd, &frames)];
    }
}

static void ignore(struct channel_receiver *receiver, const uint8_t *frame, size_t length)
{
    (void)receiver;
    (void)frame;
    (void)length;
}

static void *no_place(struct channel_receiver *receiver, const uint8_t *prefix, size_t length)
{
    (void)receiver;
    (void)prefix;
    (void)length;
    return NULL;
}

static bool poll_while(struct channel *channel, doca_error_t status)
{
    uint64_t late = deadline_in(TALK_MS);

    while (channel_status(channel) == status && !deadline_has_passed(late)) {
        if (channel_poll(channel, 8) == 0)
            usleep(200);
    }
    return channel_status(channel) != status;
}

static void wait_for_nothing(struct channel_message *message)
{
    (void)message;
}

/* With a key that the service knows: a HELLO, perhaps, and a frame that ends the session. */
static enum ending attack_as_host(const struct target *target)
{
    static uint8_t bytes[2][FRAME_MAX];
    struct channel_receiver receiver = { .begin_payload = no_place, .receive = ignore };
    struct channel_message messages[2] = { { .done = wait_for_nothing },
        { .done = wait_for_nothing } };
    struct channel_settings settings = { .receiver = &receiver,
        .max_message_size = PEER_MESSAGE_SIZE };
    struct channel_address address;
    struct channel *channel;
    size_t length;
    bool ended;

    worker_tcp_address(target->port, &address);
    if (channel_connect_service(&address, target->identity, &settings, &channel) != DOCA_SUCCESS)
        return ENDING_LATE;
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
        } while (length < 64); /* so that it is not waited for the rest of what it claims */
        (void)!channel_send(channel, bytes[1], length, &messages[1]);
        channel_push(channel);
        ended = poll_while(channel, DOCA_SUCCESS);
    }
    channel_close(channel);
    return ended ? ENDING_CLOSED : ENDING_IGNORED;
}

void hosts_at_the_port(const struct target *target, unsigned wanted, uint64_t *endings)
{
    for (unsigned i = 0; i < wanted; ++i)
        ++endings[attack_as_host(target)];
}
