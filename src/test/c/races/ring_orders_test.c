/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The ring in all interleavings of producer and consumer: single records, batches, sleeps for data
 * and for room, and wake-ups, with fences on both sides and with those of the consumer for both.
 * RING is the source file: the real one, or a copy with a defect. JUROM_LONG=true runs more
 * scenarios.
 */
#include "under_explorer.h"

#include RING

#include <stdio.h>
#include <stdlib.h>

#define CAPACITY 256 /* bytes: three lines of records, less than any real ring */
#define SHORT 4
#define LONG 56 /* fills a line */
#define RECORDS_MAX 8

/* The script of the producer, a letter per act. The consumer takes all records and sleeps. */
#define PUT_SHORT 's'
#define PUT_LONG 'l'
#define STEP_OF_A_BATCH ','
#define PUBLISH '.'

/* The doorbells of both sides. */
#define PRODUCER 0
#define CONSUMER 1

static struct ring_control control;
static uint8_t data[2 * CAPACITY];
static struct ring ring_of_producer = { &control, data, CAPACITY, CAPACITY / 4 - RING_WORD, false };
static struct ring ring_of_consumer = { &control, data, CAPACITY, CAPACITY / 4 - RING_WORD, false };
static struct ring_producer producer;
static struct ring_consumer consumer;
static const char *acts;
static unsigned records; /* in all of them */
static unsigned taken;

bool asymmetric_fence(void)
{
    explorer_fence_all();
    return true;
}

static void begin(void)
{
    ring_producer_init(&producer, &ring_of_producer);
    taken = 0;
    records = 0;
    for (const char *act = acts; *act != '\0'; ++act)
        records += *act == PUT_SHORT || *act == PUT_LONG;
}

static void sleep_until_bell(unsigned bell)
{
    explorer_sleep(1u << bell);
    explorer_silence(bell);
}

static void publish(void)
{
    if (ring_publish(&producer))
        explorer_ring(CONSUMER);
}

/* As transport_ring.c and its owner do: publishes the rest before the sleep. */
static void put(unsigned number, size_t length)
{
    uint32_t words[LONG / sizeof(uint32_t)];

    for (size_t i = 0; i < length / sizeof(*words); ++i)
        words[i] = number * 256 + (uint32_t)i;
    while (!ring_put(&producer, (const uint8_t *)words, length)) {
        explorer_require(!producer.broken, "the producer's end broke");
        publish();
        if (ring_reserve(&producer, length) != NULL)
            continue;
        if (ring_sleep_for_room(&producer, length)) {
            sleep_until_bell(PRODUCER);
            ring_producer_wakes(&producer);
        }
    }
}

static void produce(void)
{
    unsigned number = 1;

    for (const char *act = acts; *act != '\0'; ++act) {
        if (*act == STEP_OF_A_BATCH)
            ring_publish_step(&producer);
        else if (*act == PUBLISH)
            publish();
        else
            put(number++, *act == PUT_SHORT ? SHORT : LONG);
    }
}

static size_t length_of(unsigned number)
{
    const char *act = acts;

    for (;; ++act) {
        if ((*act == PUT_SHORT || *act == PUT_LONG) && number-- == 1)
            return *act == PUT_SHORT ? SHORT : LONG;
    }
}

static void check(const uint8_t *bytes, size_t length)
{
    uint32_t words[LONG / sizeof(uint32_t)];

    explorer_require(taken < records, "a record was taken twice, or was never put");
    ++taken;
    explorer_require(length == length_of(taken), "a record has another length");
    explorer_read(words, bytes, length);
    for (size_t i = 0; i < length / sizeof(*words); ++i)
        explorer_require(words[i] == taken * 256 + i, "a record has other bytes");
}

static void wait_for_data(void)
{
    if (ring_release(&consumer))
        explorer_ring(PRODUCER);
    if (ring_sleep_for_data(&consumer)) {
        sleep_until_bell(CONSUMER);
        ring_consumer_wakes(&consumer);
    }
}

static void consume(void)
{
    const uint8_t *bytes;
    size_t length;

    ring_consumer_init(&consumer, &ring_of_consumer);
    while (taken < records) {
        bytes = ring_peek(&consumer, &length);
        explorer_require(!consumer.broken, "the consumer's end broke");
        if (bytes == NULL) {
            wait_for_data();
            continue;
        }
        check(bytes, length);
        if (ring_take(&consumer))
            explorer_ring(PRODUCER);
    }
    explorer_require(ring_peek(&consumer, &length) == NULL, "there is more than was put");
}

static const struct explorer_memory memory[] = {
    { &control.consumed, sizeof(uint32_t), 1, true },
    { &control.consumer_sleeps, sizeof(control.consumer_sleeps), 1, false },
    { &control.consumer_fences, sizeof(control.consumer_fences), 1, true },
    { &control.producer_sleeps, sizeof(control.producer_sleeps), 1, false },
    { data, CAPACITY, 2, true },
};

static const struct explorer_program program = {
    .begin = begin,
    .thread = { produce, consume },
    .memory = memory,
    .memories = sizeof(memory) / sizeof(*memory),
};

/* Prints one line, and the failed interleaving if there is one. */
static bool explore_acts(const char *what, bool strays, struct explorer_figures *sum)
{
    struct explorer_program now = program;
    struct explorer_figures figures;
    const char *wrong;

    acts = what;
    now.strays = strays;
    wrong = explore(&now, &figures);
    printf("%-12s %9llu orders %9llu states, up to %2u steps%s: %s\n", what,
            (unsigned long long)figures.orders, (unsigned long long)figures.states, figures.longest,
            strays ? ", woken by others too" : "", wrong == NULL ? "nothing wrong" : wrong);
    fflush(stdout);
    sum->orders += figures.orders;
    sum->states += figures.states;
    return wrong == NULL;
}

static bool explore_all(const char *const all[], bool strays, struct explorer_figures *sum)
{
    while (*all != NULL && explore_acts(*all, strays, sum))
        ++all;
    return *all == NULL;
}

static const char *const woken_by_others[] = { "s.", "s.s.", "s,s.", "ss,s.", NULL };
static const char *const woken_by_bells[] = { "ss.", "s,.", "ss,s.s.", "l,l,l,l.", NULL };
static const char *const more[] = { "l,l,l,l,l.", "s.s.s.", "s,s,s.s.", "l.l.l.", "l.l.l.l.",
    NULL };
static const char *const longer[] = { "ls.sl.l.", "l,l.l,l.l.", "s.s.s.s.", NULL };

/* Sets and prints whether each side relies on the fence of the consumer. */
static bool agree(bool produces, bool consumes)
{
    ring_of_producer.asymmetric = produces;
    ring_of_consumer.asymmetric = consumes;
    printf("the producer %s, the consumer %s\n",
            produces ? "may omit its fence" : "executes its fence",
            consumes ? "executes the fence for both" : "executes its own fence");
    return true;
}

static bool explore_long(struct explorer_figures *sum)
{
    const char *is_long = getenv("JUROM_LONG");

    return is_long == NULL || strcmp(is_long, "true") != 0
            || (explore_all(longer, false, sum) && explore_all(woken_by_bells, true, sum));
}

/* The quick scenarios come first, so that a defect is found soon. */
int main(void)
{
    struct explorer_figures sum = { 0 };
    bool good = agree(true, false) && explore_all(woken_by_others, true, &sum) && agree(false, true)
            && explore_all(woken_by_others, true, &sum) && agree(true, true)
            && explore_all(woken_by_others, true, &sum) && agree(false, false)
            && explore_all(woken_by_others, true, &sum) && explore_all(woken_by_bells, false, &sum)
            && explore_all(more, false, &sum) && explore_long(&sum) && agree(true, true)
            && explore_all(woken_by_bells, false, &sum) && explore_long(&sum);

    printf("the ring: %llu orders, %llu states, %s\n", (unsigned long long)sum.orders,
            (unsigned long long)sum.states, good ? "nothing wrong" : "the last of them is wrong");
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
