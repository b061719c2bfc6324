/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two threads share a ring and sleep whenever possible: no wake-up is lost, and records arrive in
 * order, whether both execute fences or the consumer executes them for both.
 */
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <channel/ring_memory.h>

#define CAPACITY 4096
#define SLEEPS 100000      /* number of sleeps for room after which a run ends */
#define SECONDS 3          /* a run also ends after this time */
#define LOST_AFTER_MS 5000 /* longest sleep without a wake-up */
#define SPINS_MAX 200

struct end {
    int bell; /* a byte here wakes the other side */
    uint64_t random;
    unsigned sleeps;
    uint64_t count; /* records */
};

static struct ring_memory memory;
static struct ring_producer producer;
static struct ring_consumer consumer;
static struct end producing;
static struct end consuming;
static _Atomic uint64_t last_record; /* the number of records; UINT64_MAX until it is known */

static void require(bool holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "%s\n", what);
    abort();
}

static uint64_t number_below(struct end *end, uint64_t limit)
{
    end->random ^= end->random << 13;
    end->random ^= end->random >> 7;
    end->random ^= end->random << 17;
    return end->random % limit;
}

static void ring_the_bell(struct end *end)
{
    require(send(end->bell, "", 1, MSG_NOSIGNAL) == 1, "a bell does not ring");
}

static void sleep_until_bell(struct end *end)
{
    struct pollfd fd = { .fd = end->bell, .events = POLLIN };
    char bells[64];

    ++end->sleeps;
    require(poll(&fd, 1, LOST_AFTER_MS) == 1, "a wake-up was lost");
    require(read(end->bell, bells, sizeof(bells)) > 0, "the doorbell is closed");
}

/* A random delay. */
static void spin(struct end *end)
{
    for (uint64_t i = number_below(end, SPINS_MAX); i > 0; i--)
        atomic_signal_fence(memory_order_seq_cst);
}

static void publish(void)
{
    if (ring_publish(&producer))
        ring_the_bell(&producing);
}

static uint8_t *reserve(size_t length)
{
    uint8_t *place;

    while ((place = ring_reserve(&producer, length)) == NULL) {
        require(!producer.broken, "the producer's end broke");
        publish();
        if (ring_sleep_for_room(&producer, length)) {
            sleep_until_bell(&producing);
            ring_producer_wakes(&producer);
        }
    }
    return place;
}

static void *produce(void *unused)
{
    struct timespec begun, now;
    uint64_t word;

    clock_gettime(CLOCK_MONOTONIC, &begun);
    do {
        size_t length = 8 + number_below(&producing, number_below(&producing, 8) == 0 ? 1000 : 50);
        uint8_t bytes[1008];

        word = producing.count++;
        memset(bytes, (int)word, length);
        memcpy(bytes, &word, sizeof(word));
        ring_copy(reserve(length), bytes, length);
        ring_commit(&producer, length);
        if (number_below(&producing, 4) != 0)
            publish();
        spin(&producing);
        clock_gettime(CLOCK_MONOTONIC, &now);
    } while (producing.sleeps < SLEEPS && now.tv_sec - begun.tv_sec < SECONDS);
    atomic_store(&last_record, producing.count);
    publish();
    ring_the_bell(&producing); /* the consumer may sleep after all records */
    return unused;
}

static void check(const uint8_t *bytes, size_t length)
{
    uint64_t word;

    memcpy(&word, bytes, sizeof(word));
    require(word == consuming.count, "a record is out of order");
    require(length == 8 || bytes[length - 1] == (uint8_t)word, "a record has other bytes");
    ++consuming.count;
}

static void wait_for_data(void)
{
    require(!consumer.broken, "the consumer's end broke");
    if (ring_release(&consumer))
        ring_the_bell(&consuming);
    if (ring_sleep_for_data(&consumer)) {
        sleep_until_bell(&consuming);
        ring_consumer_wakes(&consumer);
    }
}

static void consume(void)
{
    const uint8_t *bytes;
    size_t length;

    while (consuming.count < atomic_load(&last_record)) {
        bytes = ring_peek(&consumer, &length);
        if (bytes == NULL) {
            /* The last publication is made after the number of records is known. */
            wait_for_data();
            continue;
        }
        check(bytes, length);
        if (ring_take(&consumer))
            ring_the_bell(&consuming);
        spin(&consuming);
    }
}

static void run(bool one_fences_for_both)
{
    pthread_t thread;
    int bells[2], fd;

    require(ring_memory_create(CAPACITY, &memory, &fd) == DOCA_SUCCESS, "no memory");
    require(socketpair(AF_UNIX, SOCK_STREAM, 0, bells) == 0, "no sockets");
    producing = (struct end){ .bell = bells[0], .random = 88172645463325252u };
    consuming = (struct end){ .bell = bells[1], .random = 362436069362436069u };
    atomic_store(&last_record, UINT64_MAX);
    memory.rings[0].asymmetric &= one_fences_for_both; /* where the kernel permits it */
    ring_producer_init(&producer, &memory.rings[0]);
    ring_consumer_init(&consumer, &memory.rings[0]);
    require(pthread_create(&thread, NULL, produce, NULL) == 0, "no thread");
    consume();
    pthread_join(thread, NULL);
    printf("%s: %llu records, %u sleeps for room, %u for data\n",
            memory.rings[0].asymmetric ? "a fence for both" : "two fences",
            (unsigned long long)consuming.count, producing.sleeps, consuming.sleeps);
    require(consuming.sleeps > 0, "nobody slept");
    close(fd);
    close(bells[0]);
    close(bells[1]);
    ring_memory_free(&memory);
}

int main(void)
{
    run(false);
    run(true);
    return 0;
}
