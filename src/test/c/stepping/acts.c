/* SPDX-License-Identifier: Apache-2.0 */
#include "acts.h"

#include <string.h>

#define SHORT 88  /* bytes; a single record takes 128 bytes of the ring */
#define LONG 4200 /* published in one step */
#define BATCH 20  /* two steps of 8, and a remainder */
#define LAP 2048  /* number of short messages that fill the ring of 256 KiB */
#define BEFORE_LAP (LAP - 3)
#define FULL 60 /* messages of FULL_LENGTH that exceed the ring */
#define FULL_LENGTH 8000

static struct outgoing {
    struct channel_message message;
    uint8_t bytes[LONG];
} outgoing[BATCH];

static void not_done(struct channel_message *message)
{
    (void)message;
}

/* Prepares the messages, so that the act only sends them. */
static void write_messages(const struct peer *victim, unsigned count, size_t length)
{
    for (unsigned i = 0; i < count; ++i) {
        outgoing[i].message.done = not_done;
        peer_write(outgoing[i].bytes, victim->sent + i, length);
    }
}

static void send_messages(struct peer *victim, unsigned count, size_t length)
{
    for (unsigned i = 0; i < count; ++i)
        channel_send(victim->channel, outgoing[i].bytes, length, &outgoing[i].message);
    channel_push(victim->channel);
}

static void prepare_one(struct peer *victim)
{
    write_messages(victim, 1, SHORT);
}

static void publish_one(struct peer *victim)
{
    send_messages(victim, 1, SHORT);
}

static void prepare_batch(struct peer *victim)
{
    write_messages(victim, BATCH, SHORT);
}

static void publish_batch(struct peer *victim)
{
    send_messages(victim, BATCH, SHORT);
}

static void prepare_long(struct peer *victim)
{
    write_messages(victim, 1, LONG);
}

static void publish_long(struct peer *victim)
{
    send_messages(victim, 1, LONG);
}

/* Fills the ring almost once; the survivor receives everything. */
static void go_to_the_end(struct peer *victim)
{
    while (victim->sent < BEFORE_LAP) {
        assert_true(peer_send(victim, SHORT) != DOCA_ERROR_UNEXPECTED);
        channel_push(victim->channel);
        channel_poll(victim->channel, 8);
    }
    poll_until(channel_waiting(victim->channel) == 0, victim);
    write_messages(victim, BATCH, SHORT);
}

static void fill_ring(struct peer *peer)
{
    for (unsigned i = 0; i < FULL; ++i)
        assert_true(peer_send(peer, FULL_LENGTH) != DOCA_ERROR_UNEXPECTED);
    channel_push(peer->channel);
    assert_true(channel_waiting(peer->channel) > 0);
}

static void survivor_sends_one(struct peer *survivor)
{
    assert_success(peer_send(survivor, SHORT));
    channel_push(survivor->channel);
}

static void survivor_sends_batch(struct peer *survivor)
{
    for (unsigned i = 0; i < BATCH; ++i)
        assert_success(peer_send(survivor, SHORT));
    channel_push(survivor->channel);
}

static void *drop(
        struct channel_receiver *receiver, const uint8_t prefix[WIRE_PREFIX_SIZE], size_t length)
{
    (void)receiver;
    (void)prefix;
    (void)length;
    return NULL;
}

/* Drops payloads, so that no instructions of malloc are stepped. */
static void prepare_to_drop(struct peer *victim)
{
    victim->receiver.begin_payload = drop;
}

static void consume(struct peer *victim)
{
    channel_poll(victim->channel, BATCH);
    channel_poll(victim->channel, BATCH);
}

static void consume_much(struct peer *victim)
{
    for (unsigned i = 0; i < 4; ++i)
        channel_poll(victim->channel, 5);
}

static void go_to_sleep(struct peer *victim)
{
    (void)!channel_arm(victim->channel, true);
}

static void prepare_to_sleep(struct peer *victim)
{
    prepare_to_drop(victim);
    while (channel_arm(victim->channel, true) != DOCA_SUCCESS)
        channel_poll(victim->channel, 8);
}

static void answer(struct peer *victim)
{
    consume(victim);
    send_messages(victim, 1, SHORT);
    (void)!channel_arm(victim->channel, true);
}

static void prepare_answer(struct peer *victim)
{
    prepare_to_sleep(victim);
    write_messages(victim, 1, SHORT);
}

static void prepare_full_ring(struct peer *victim)
{
    fill_ring(victim);
}

static void sleep_for_room(struct peer *victim)
{
    (void)!channel_arm(victim->channel, false);
}

const struct act acts[] = {
    { "publishes one record", prepare_one, publish_one, NULL, false, 0, 1 },
    { "publishes one record for a sleeper", prepare_one, publish_one, NULL, true, 0, 1 },
    { "publishes a batch", prepare_batch, publish_batch, NULL, false, 0, BATCH },
    { "publishes a batch for a sleeper", prepare_batch, publish_batch, NULL, true, 0, BATCH },
    { "publishes a batch over the ring's end", go_to_the_end, publish_batch, NULL, false,
            BEFORE_LAP, BATCH },
    { "publishes a batch over the ring's end for a sleeper", go_to_the_end, publish_batch, NULL,
            true, BEFORE_LAP, BATCH },
    { "publishes a long record", prepare_long, publish_long, NULL, false, 0, 1 },
    { "consumes a record", prepare_to_drop, consume, survivor_sends_one, false, 0, 0 },
    { "consumes a batch", prepare_to_drop, consume, survivor_sends_batch, true, 0, 0 },
    { "consumes, and wakes one who waits for room", prepare_to_drop, consume_much, fill_ring, true,
            0, 0 },
    { "goes to sleep", prepare_to_drop, go_to_sleep, NULL, false, 0, 0 },
    { "goes to sleep beside a record", prepare_to_drop, go_to_sleep, survivor_sends_one, true, 0,
            0 },
    { "goes to sleep until there is room", prepare_full_ring, sleep_for_room, NULL, false, 0, 0 },
    { "wakes, answers and sleeps again", prepare_answer, answer, survivor_sends_one, true, 0, 1 },
};
const unsigned acts_count = sizeof(acts) / sizeof(*acts);
