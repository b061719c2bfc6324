/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libFuzzer target: a channel over rings whose peer writes anything into the shared memory at any
 * time. The input is a plan for both sides: valid frames, writes of any bytes to any address, and
 * operations of the owner of the channel. The peer has a separate mapping. It writes between
 * polls and, more importantly, during polls: whenever the channel calls its receiver, that is,
 * between reading a record and copying its bytes, further operations of the plan are executed. If
 * the first bit of the input is set, a thread repeats all writes of the plan concurrently.
 *
 * The channel accesses only the ring and the buffers of its receiver, receives at most the given
 * number of frames per poll, and either delivers frames with a valid header that do not change,
 * or closes.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <channel/channel_private.h>

#include "frames.h"

#define MESSAGE_MAX 2048
#define STEPS_MAX 256
#define SCRIBBLES_MAX 64
#define FRAMES_A_POLL 8
#define OURS 1   /* the ring that the channel writes */
#define THEIRS 0 /* the ring that the channel reads */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
const uint8_t *__real_ring_peek(struct ring_consumer *consumer, size_t *length);
const uint8_t *__wrap_ring_peek(struct ring_consumer *consumer, size_t *length);

/* A write of the plan. */
struct scribble {
    size_t offset;
    unsigned width;
    uint64_t value;
};

static struct session {
    struct input input;
    struct channel *channel;
    struct channel_receiver receiver;
    struct ring_memory peer; /* the same memory in the mapping of the peer */
    struct ring_producer producer;
    struct scribble scribbles[SCRIBBLES_MAX];
    atomic_uint scribble_count;
    atomic_bool over;
    unsigned received; /* frames in this poll */
    uint8_t prefix[WIRE_PREFIX_SIZE];
    uint8_t *place;
} now;

static bool is_shared(const void *bytes)
{
    const struct ring_memory *memory = &now.channel->ring.memory;

    return (const uint8_t *)bytes >= (const uint8_t *)memory->base
            && (const uint8_t *)bytes < (const uint8_t *)memory->base + memory->length;
}

const uint8_t *__wrap_ring_peek(struct ring_consumer *consumer, size_t *length)
{
    const struct ring *ring = &consumer->ring;
    const uint8_t *bytes = __real_ring_peek(consumer, length);

    require(bytes == NULL || (*length > 0 && *length <= ring->record_max));
    require(bytes == NULL
            || (bytes >= ring->data && bytes + *length <= ring->data + 2 * ring->capacity));
    return bytes;
}

static void write_to(struct ring_memory *memory, const struct scribble *scribble)
{
    uint8_t *at = (uint8_t *)memory->base + scribble->offset % (memory->length - 8);

    memcpy(at, &scribble->value, scribble->width);
}

/* Selects an address: near the consumer, in the control words, or anywhere. */
static size_t take_offset(struct input *input)
{
    const struct ring_memory *memory = &now.channel->ring.memory;
    const struct ring *ring = &memory->rings[THEIRS];
    size_t data = (size_t)(ring->data - (uint8_t *)memory->base);
    size_t control = (size_t)((uint8_t *)memory->rings[take_number(input, 1) % 2].control
            - (uint8_t *)memory->base);
    uint64_t position = now.channel->ring.in.position & (ring->capacity - 1);

    switch (take_number(input, 1) % 4) {
    case 0:
        return control + take_number(input, 2) % sizeof(struct ring_control);
    case 1:
        return take_number(input, 4);
    default:
        return data + position + take_number(input, 1) % 128 / 4 * 4;
    }
}

static void scribble(struct input *input)
{
    struct scribble made = { .offset = take_offset(input),
        .width = 1u << take_number(input, 1) % 4,
        .value = take_length(input) };
    unsigned count = atomic_load(&now.scribble_count);

    if (take_number(input, 1) % 4 == 0) /* the word of a record, possibly valid */
        made.value = (take_number(input, 2) % (2 * MESSAGE_MAX)) | 0x80000000u;
    write_to(&now.peer, &made);
    if (count < SCRIBBLES_MAX) {
        now.scribbles[count] = made;
        atomic_store(&now.scribble_count, count + 1);
    }
}

/* The peer publishes a frame in one or two records. */
static void send_frame(struct input *input)
{
    static const enum wire_type types[] = { WIRE_ATTACH, WIRE_COMMAND, WIRE_NOTIFICATION,
        WIRE_DOMAIN, WIRE_ATTACHED, WIRE_DETACH };
    static const uint8_t ticket[WIRE_TICKET_SIZE];
    const struct frame_names names = { 1, 1, ticket, "unix:/x" };
    uint8_t bytes[FRAME_MAX];
    size_t length = make_frame(input, types, sizeof(types) / sizeof(*types), &names, bytes);
    size_t first = take_number(input, 1) % 4 == 0 ? take_number(input, 1) : length;

    if (length == 0)
        return;
    first = first < length && first > 0 ? first : length;
    (void)ring_put(&now.producer, bytes, first);
    if (first < length)
        (void)ring_put(&now.producer, bytes + first, length - first);
    if (take_number(input, 1) % 4 != 0)
        (void)ring_publish(&now.producer);
}

/* The operations of the peer during a poll of the channel. */
static void interfere(void)
{
    if (now.input.left > 0 && take_number(&now.input, 1) % 2)
        scribble(&now.input);
}

static void *begin_payload(
        struct channel_receiver *receiver, const uint8_t prefix[WIRE_PREFIX_SIZE], size_t length)
{
    size_t whole = 0;

    require(receiver == &now.receiver && !is_shared(prefix) && now.place == NULL);
    require(wire_frame_length(prefix, MESSAGE_MAX, &whole) == DOCA_SUCCESS && whole == length);
    require(length >= WIRE_PREFIX_SIZE && length <= MESSAGE_MAX);
    memcpy(now.prefix, prefix, WIRE_PREFIX_SIZE);
    now.received++;
    interfere();
    if (prefix[8] % 8 == 7)
        return NULL;
    now.place = malloc(length - WIRE_PREFIX_SIZE + 1);
    require(now.place != NULL);
    now.place[length - WIRE_PREFIX_SIZE] = 0xA5;
    return now.place;
}

static void end_payload(struct channel_receiver *receiver, const uint8_t prefix[WIRE_PREFIX_SIZE],
        size_t length, void *payload)
{
    require(receiver == &now.receiver && payload == now.place && payload != NULL);
    require(memcmp(prefix, now.prefix, WIRE_PREFIX_SIZE) == 0);
    require(now.place[length - WIRE_PREFIX_SIZE] == 0xA5);
    interfere();
    free(now.place);
    now.place = NULL;
}

static void abandon_payload(struct channel_receiver *receiver, void *payload)
{
    require(receiver == &now.receiver && payload == now.place && payload != NULL);
    free(now.place);
    now.place = NULL;
}

static void receive(struct channel_receiver *receiver, const uint8_t *frame, size_t length)
{
    uint8_t *copy = malloc(length);
    size_t whole = 0;

    require(receiver == &now.receiver && copy != NULL && !is_shared(frame));
    require(wire_frame_length(frame, MESSAGE_MAX, &whole) == DOCA_SUCCESS && whole == length);
    memcpy(copy, frame, length);
    now.received++;
    interfere();
    require(memcmp(copy, frame, length) == 0);
    free(copy);
}

static void poll_channel(struct input *input)
{
    unsigned frames = (unsigned)take_number(input, 1) % (FRAMES_A_POLL + 1);

    now.received = 0;
    (void)channel_poll(now.channel, frames);
    require(now.received <= frames);
}

/* The ring written by the channel: the peer reads it, or only claims to have read it. */
static void answer(struct input *input)
{
    struct wire_frame frame = { .type = WIRE_ATTACHED };
    static uint8_t addresses[PAYLOAD_MAX];

    frame.attached.plugins = (struct wire_bytes){ addresses, 0 };
    frame.request_id = take_number(input, 1);
    (void)channel_send_frame(now.channel, &frame);
}

static void step(struct input *input)
{
    switch (take_number(input, 1) % 8) {
    case 0:
    case 1:
        send_frame(input);
        break;
    case 2:
    case 3:
        scribble(input);
        break;
    case 4:
        answer(input);
        break;
    case 5:
        (void)channel_arm(now.channel, take_number(input, 1) % 2);
        break;
    default:
        poll_channel(input);
    }
}

static void *write_on(void *unused)
{
    (void)unused;
    while (!atomic_load(&now.over)) {
        unsigned count = atomic_load(&now.scribble_count);

        for (unsigned i = 0; i < count; ++i)
            write_to(&now.peer, &now.scribbles[i]);
    }
    return NULL;
}

/* Opens the channel and maps its memory a second time. Returns the peer's end of the socket. */
static int open_both(void)
{
    struct channel_settings settings = { .receiver = &now.receiver,
        .max_message_size = MESSAGE_MAX };
    size_t capacity = ring_capacity_for(MESSAGE_MAX);
    const char *why;
    int sockets[2], memory = -1;

    now.receiver = (struct channel_receiver){ begin_payload, end_payload, abandon_payload,
        receive };
    require(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, sockets) == 0);
    require(channel_new(sockets[0], &settings, &now.channel) == DOCA_SUCCESS);
    require(ring_memory_create(capacity, &now.channel->ring.memory, &memory) == DOCA_SUCCESS);
    require(ring_memory_open(memory, capacity, &now.peer, &why) == DOCA_SUCCESS);
    close(memory);
    require(ring_link_open(now.channel, OURS) == DOCA_SUCCESS);
    ring_producer_init(&now.producer, &now.peer.rings[THEIRS]);
    return sockets[1];
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    pthread_t thread;
    bool beside;
    int socket;

    memset(&now, 0, sizeof(now));
    now.input = (struct input){ data, size };
    beside = take_number(&now.input, 1) & 1;
    socket = open_both();
    if (beside)
        require(pthread_create(&thread, NULL, write_on, NULL) == 0);
    for (unsigned i = 0; i < STEPS_MAX && now.input.left > 0; ++i)
        step(&now.input);
    now.received = 0;
    (void)channel_poll(now.channel, FRAMES_A_POLL);
    atomic_store(&now.over, true);
    if (beside)
        pthread_join(thread, NULL);
    channel_close(now.channel);
    require(now.place == NULL);
    ring_memory_free(&now.peer);
    close(socket);
    return 0;
}
