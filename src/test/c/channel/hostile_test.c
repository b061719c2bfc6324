/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A hostile worker, which completes the handshake and then writes random data into the rings. The
 * host's channel ends eventually, without any other effect.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <channel/ring_memory.h>

#include "peer.h"

#define CAPACITY 262144
#define ROUNDS 300
#define STEPS 200
#define SCRIBBLES 3000

struct fixture {
    struct meeting meeting;
    struct peer host; /* for the ticket */
    struct channel *channel;
    struct channel_receiver receiver;
    int socket;
    struct ring_memory memory;     /* mapped by the hostile worker */
    struct ring_producer producer; /* the ring to the host */
    uint64_t random;
    unsigned places;
    atomic_bool enough;
};

static struct fixture fixture;
static uint8_t junk[CAPACITY];

static uint64_t number_below(uint64_t limit)
{
    fixture.random ^= fixture.random << 13;
    fixture.random ^= fixture.random >> 7;
    fixture.random ^= fixture.random << 17;
    return fixture.random % limit;
}

static void *place(
        struct channel_receiver *receiver, const uint8_t prefix[WIRE_PREFIX_SIZE], size_t length)
{
    struct wire_frame frame;

    (void)receiver;
    assert_in_range(length, WIRE_PREFIX_SIZE, SMALL_MAX);
    (void)!wire_decode_prefix(prefix, length, SMALL_MAX, &frame);
    ++fixture.places;
    return malloc(length - WIRE_PREFIX_SIZE + 1);
}

static void placed(struct channel_receiver *receiver, const uint8_t prefix[WIRE_PREFIX_SIZE],
        size_t length, void *place)
{
    (void)receiver;
    (void)prefix;
    (void)length;
    --fixture.places;
    free(place);
}

static void abandoned(struct channel_receiver *receiver, void *place)
{
    (void)receiver;
    --fixture.places;
    free(place);
}

static void receive(struct channel_receiver *receiver, const uint8_t *bytes, size_t length)
{
    struct wire_frame frame;

    (void)receiver;
    (void)!wire_decode(bytes, length, SMALL_MAX, &frame);
}

/* Performs the worker's part of the handshake. */
static void hand_out_rings(int *fd)
{
    char control[CMSG_SPACE(sizeof(int))] = { 0 };
    uint32_t capacity = CAPACITY;
    struct iovec bytes = { &capacity, sizeof(capacity) };
    struct msghdr message = { .msg_iov = &bytes,
        .msg_iovlen = 1,
        .msg_control = control,
        .msg_controllen = sizeof(control) };
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    uint8_t ticket[WIRE_TICKET_SIZE];

    assert_int_equal(sizeof(ticket), read(fixture.socket, ticket, sizeof(ticket)));
    *header = (struct cmsghdr){
        .cmsg_len = CMSG_LEN(sizeof(int)), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS
    };
    memcpy(CMSG_DATA(header), fd, sizeof(*fd));
    assert_int_equal(sizeof(capacity), sendmsg(fixture.socket, &message, 0));
}

static void open_rings(void)
{
    struct channel_settings settings = { .receiver = &fixture.receiver,
        .max_message_size = SMALL_MAX };
    int fd;

    assert_success(channel_connect_worker(
            &fixture.meeting.address, &fixture.host.ticket, &settings, &fixture.channel));
    fixture.socket = accept(fixture.meeting.listener, NULL, NULL);
    assert_success(ring_memory_create(CAPACITY, &fixture.memory, &fd));
    hand_out_rings(&fd);
    close(fd);
    ring_producer_init(&fixture.producer, &fixture.memory.rings[1]);
    await(channel_poll(fixture.channel, 1) == 0 && channel_status(fixture.channel) == DOCA_SUCCESS,
            PEER_MS);
}

static void close_rings(void)
{
    channel_close(fixture.channel);
    assert_int_equal(0, fixture.places);
    ring_memory_free(&fixture.memory);
    close(fixture.socket);
}

static int set_up(void **state)
{
    (void)state;
    memset(&fixture, 0, sizeof(fixture));
    fixture.random = 88172645463325252u;
    fixture.receiver = (struct channel_receiver){ place, placed, abandoned, receive };
    meeting_open(&fixture.meeting);
    peer_init(&fixture.host, 1);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    meeting_close(&fixture.meeting);
    return 0;
}

static void message_done(struct channel_message *message)
{
    (void)message;
}

/* Sends and polls, as a host does. */
static void use_channel(void)
{
    static uint8_t frame[4096];
    static struct channel_message message = { .done = message_done };
    size_t length = WIRE_PREFIX_SIZE + number_below(sizeof(frame) - WIRE_PREFIX_SIZE);

    if (channel_waiting(fixture.channel) == 0) {
        wire_put_command(frame, 1, 1, length - WIRE_PREFIX_SIZE);
        (void)!channel_send(fixture.channel, frame, length, &message);
        channel_push(fixture.channel);
    }
    channel_poll(fixture.channel, 8);
    if (number_below(8) == 0)
        (void)!channel_arm(fixture.channel, number_below(2));
}

static void put_record(const uint8_t *bytes, size_t length)
{
    uint8_t *to = ring_reserve(&fixture.producer, length);

    if (to == NULL)
        return;
    memcpy(to, bytes, length);
    ring_commit(&fixture.producer, length);
    ring_publish(&fixture.producer);
}

/* Writes a malformed frame, in records that do not fit its pieces. */
static void put_almost_a_frame(void)
{
    uint8_t *frame = junk + number_below(64);
    size_t length = WIRE_PREFIX_SIZE + number_below(number_below(2) ? 100 : 60000);
    size_t record = number_below(3) == 0 ? 1 + number_below(length) : length;

    wire_put_command(frame, 1, 1, length - WIRE_PREFIX_SIZE);
    if (number_below(4) == 0)
        frame[number_below(WIRE_HEADER_SIZE)] ^= (uint8_t)(1 << number_below(8));
    if (number_below(4) == 0)
        frame[3] = (uint8_t)number_below(40);
    put_record(frame, record);
    if (record < length && number_below(3) > 0)
        put_record(frame + record, number_below(4) > 0 ? length - record : length);
}

/* Writes random values to positions and flags, or to records. */
static void scribble(void)
{
    uint8_t *page = fixture.memory.base;
    uint64_t value = number_below(3) == 0 ? number_below(70000) : number_below(UINT64_MAX);

    if (number_below(4) == 0)
        *(volatile uint64_t *)(void *)(page + number_below(96) * 8) = value;
    else
        *(volatile uint64_t *)(void *)(fixture.memory.rings[1].data
                + number_below(number_below(4) == 0 ? 1 : 512) * 8) = value;
}

static void frames_that_are_none_end_the_channel_only(void **state)
{
    unsigned ended = 0;

    (void)state;
    for (unsigned round = 0; round < ROUNDS; ++round) {
        open_rings();
        for (unsigned i = 0; i < STEPS && channel_status(fixture.channel) == DOCA_SUCCESS; ++i) {
            put_almost_a_frame();
            use_channel();
        }
        ended += channel_status(fixture.channel) != DOCA_SUCCESS;
        close_rings();
    }
    assert_int_equal(ROUNDS, ended);
}

static void scribbles_end_the_channel_only(void **state)
{
    unsigned ended = 0;

    (void)state;
    for (unsigned round = 0; round < ROUNDS; ++round) {
        open_rings();
        for (unsigned i = 0; i < STEPS && channel_status(fixture.channel) == DOCA_SUCCESS; ++i) {
            scribble();
            use_channel();
        }
        ended += channel_status(fixture.channel) != DOCA_SUCCESS;
        close_rings();
    }
    assert_true(ended > ROUNDS / 2);
}

static void *scribble_on(void *unused)
{
    struct ring_memory *memory = &fixture.memory;
    uint64_t random = 362436069362436069u;

    while (!atomic_load(&fixture.enough)) {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        /* Modifies bytes of frames, also while they are read; rarely words and positions. */
        if (random % 64 != 0)
            memory->rings[1].data[(random >> 8) % 4096] = (uint8_t)(random >> 32);
        else
            ((uint8_t *)memory->base)[(random >> 8) % 768] = (uint8_t)(random >> 32);
    }
    return unused;
}

static void scribbles_while_it_reads_end_the_channel_only(void **state)
{
    unsigned scribbles = 0;

    (void)state;
    while (scribbles < SCRIBBLES) {
        pthread_t thread;

        open_rings();
        atomic_store(&fixture.enough, false);
        assert_int_equal(0, pthread_create(&thread, NULL, scribble_on, NULL));
        for (unsigned i = 0; i < STEPS && channel_status(fixture.channel) == DOCA_SUCCESS; ++i) {
            put_almost_a_frame();
            use_channel();
            ++scribbles;
        }
        ++scribbles;
        atomic_store(&fixture.enough, true);
        pthread_join(thread, NULL);
        close_rings();
    }
}

static void bells_that_never_stop_do_no_harm(void **state)
{
    static const char bells[4096];
    unsigned polls = 0;

    (void)state;
    open_rings();
    while (polls++ < 1000) {
        (void)!send(fixture.socket, bells, sizeof(bells), MSG_DONTWAIT);
        (void)!channel_arm(fixture.channel, true);
        channel_poll(fixture.channel, 8);
    }
    assert_success(channel_status(fixture.channel));
    close_rings();
}

#define test(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(frames_that_are_none_end_the_channel_only),
        test(scribbles_end_the_channel_only),
        test(scribbles_while_it_reads_end_the_channel_only),
        test(bells_that_never_stop_do_no_harm),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
