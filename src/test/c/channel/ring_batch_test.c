/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two threads share a ring. One publishes long batches in steps, so that the other is woken once
 * per batch: no wake-up is lost, and records arrive in order.
 */
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <channel/ring_memory.h>

#define CAPACITY 4096
#define BATCHES 40000
#define BATCH_MAX 40 /* records: some batches are longer than the ring */
#define LENGTH_MAX 300
#define LOST_AFTER_MS 5000 /* longest sleep without a wake-up */

static struct ring_memory memory;
static struct ring_producer producer;
static struct ring_consumer consumer;
static int producers_end, consumers_end; /* of a socket: a byte wakes the other side */
static uint64_t sleeps;

static void require(bool holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "%s\n", what);
    abort();
}

static uint64_t number_below(uint64_t *random, uint64_t limit)
{
    *random ^= *random << 13;
    *random ^= *random >> 7;
    *random ^= *random << 17;
    return *random % limit;
}

static void ring_the_bell(int bell)
{
    require(send(bell, "", 1, MSG_NOSIGNAL) == 1, "a bell does not ring");
}

static void sleep_until_bell(int bell)
{
    struct pollfd fd = { .fd = bell, .events = POLLIN };
    char rung[64];

    require(poll(&fd, 1, LOST_AFTER_MS) == 1, "a wake-up was lost");
    require(read(bell, rung, sizeof(rung)) > 0, "the doorbell is closed");
}

static void publish(void)
{
    if (ring_publish(&producer))
        ring_the_bell(producers_end);
}

/* The number of a record determines its length and bytes. */
static size_t length_of(uint64_t number)
{
    return sizeof(number) + number * 7919 % (LENGTH_MAX - sizeof(number));
}

static void put(uint64_t number)
{
    size_t length = length_of(number);
    uint8_t bytes[LENGTH_MAX];

    memset(bytes, (int)number, length);
    memcpy(bytes, &number, sizeof(number));
    while (!ring_put(&producer, bytes, length)) {
        require(!producer.broken, "the producer's end broke");
        publish();
        if (ring_sleep_for_room(&producer, length)) {
            sleep_until_bell(producers_end);
            ring_producer_wakes(&producer);
        }
    }
    if (producer.records == RING_BATCH)
        ring_publish_step(&producer);
}

static void *produce(void *count)
{
    uint64_t random = 88172645463325252u;
    uint64_t number = 0;

    for (unsigned batch = 0; batch < BATCHES; ++batch) {
        for (uint64_t rest = 1 + number_below(&random, BATCH_MAX); rest > 0; rest--)
            put(number++);
        publish();
        for (uint64_t i = number_below(&random, 2000); i > 0; i--)
            atomic_signal_fence(memory_order_seq_cst);
    }
    *(uint64_t *)count = number;
    put(UINT64_MAX); /* the last one */
    publish();
    return count;
}

/* Returns false for the last record. */
static bool take(const uint8_t *bytes, size_t length, uint64_t *awaited)
{
    uint64_t number;

    memcpy(&number, bytes, sizeof(number));
    if (number == UINT64_MAX)
        return false;
    require(number == *awaited, "a record is out of order");
    require(length == length_of(number), "a record has another length");
    require(length == sizeof(number) || bytes[length - 1] == (uint8_t)number,
            "a record has other bytes");
    ++*awaited;
    return true;
}

static void wait_for_data(void)
{
    require(!consumer.broken, "the consumer's end broke");
    if (ring_release(&consumer))
        ring_the_bell(consumers_end);
    if (!ring_sleep_for_data(&consumer))
        return;
    ++sleeps;
    sleep_until_bell(consumers_end);
    ring_consumer_wakes(&consumer);
}

static uint64_t consume(void)
{
    uint64_t awaited = 0;
    const uint8_t *bytes;
    size_t length;

    for (;;) {
        bytes = ring_peek(&consumer, &length);
        if (bytes == NULL) {
            wait_for_data();
            continue;
        }
        if (!take(bytes, length, &awaited))
            return awaited;
        if (ring_take(&consumer))
            ring_the_bell(consumers_end);
    }
}

/* A step does not wake the consumer, although its records are visible. */
static void a_step_wakes_nobody(void)
{
    const uint8_t bytes[16] = { 0 };
    size_t length;

    require(ring_sleep_for_data(&consumer), "a new ring has data");
    for (unsigned i = 0; i < RING_BATCH; ++i)
        require(ring_put(&producer, bytes, sizeof(bytes)), "there is no room in a new ring");
    require(ring_peek(&consumer, &length) == NULL, "an unpublished record is visible");
    ring_publish_step(&producer);
    require(producer.ring.control->consumer_sleeps == 1, "a step woke the consumer");
    require(ring_publish(&producer), "the consumer was not woken");
    require(!ring_publish(&producer), "the consumer was woken twice");
    for (unsigned i = 0; i < RING_BATCH; ++i) {
        require(ring_peek(&consumer, &length) != NULL && length == sizeof(bytes),
                "a record of a step is missing");
        ring_take(&consumer);
    }
    require(ring_peek(&consumer, &length) == NULL, "there is more than was put");
}

int main(void)
{
    uint64_t count = 0, taken;
    pthread_t thread;
    int bell[2], fd;

    require(ring_memory_create(CAPACITY, &memory, &fd) == DOCA_SUCCESS, "no memory");
    require(socketpair(AF_UNIX, SOCK_STREAM, 0, bell) == 0, "no sockets");
    producers_end = bell[0];
    consumers_end = bell[1];
    ring_producer_init(&producer, &memory.rings[0]);
    ring_consumer_init(&consumer, &memory.rings[0]);
    a_step_wakes_nobody();
    require(pthread_create(&thread, NULL, produce, &count) == 0, "no thread");
    taken = consume();
    pthread_join(thread, NULL);
    printf("%llu records, %llu sleeps\n", (unsigned long long)taken, (unsigned long long)sleeps);
    require(taken == count, "a record is missing");
    require(sleeps > 0, "nobody slept");
    close(fd);
    close(bell[0]);
    close(bell[1]);
    ring_memory_free(&memory);
    return 0;
}
