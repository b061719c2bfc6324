/* SPDX-License-Identifier: Apache-2.0 */
/* The producer and the consumer. ring.h describes the layout and why no wake-up is lost. */
#include <string.h>

#include <faults/faults.h>

#include "asymmetric_fence.h"
#include "ring.h"

#define WORD_LAST 0x80000000u /* the record is the last of its publication */
#define RECORD_ALIGNMENT 8
#define RECORD_MAX 65536    /* bytes; small enough for the caches of both cores */
#define COPIED_IN_STEPS 512 /* bytes of the longest record that is copied in steps */
#define WORD 8
#define STEP 16
#define IN_WORDS 24 /* bytes at the start of a record that are copied by word */
#define ZEROED_AHEAD (4 * RING_LINE)
#define OWNED_MAX (16 * RING_LINE)
#define RELEASES_A_LAP 8 /* number of times that the consumer publishes its position per lap */

_Static_assert(ATOMIC_INT_LOCK_FREE == 2 && ATOMIC_LLONG_LOCK_FREE == 2,
        "locks of non-lock-free atomics are not shared between processes");

static uint64_t align_up(uint64_t position, uint64_t alignment)
{
    return (position + alignment - 1) & ~(alignment - 1);
}

static uint8_t *data_at(const struct ring *ring, uint64_t position)
{
    return ring->data + (position & (ring->capacity - 1));
}

static _Atomic uint32_t *word_at(const struct ring *ring, uint64_t position)
{
    return (_Atomic uint32_t *)(void *)data_at(ring, position);
}

static uint64_t record_end(uint64_t position, size_t length)
{
    return align_up(position + RING_WORD + length, RECORD_ALIGNMENT);
}

size_t ring_record_max(size_t capacity)
{
    size_t whole = capacity / 4 < RECORD_MAX ? capacity / 4 : RECORD_MAX;

    return whole - RING_WORD; /* so that a longest record fills whole lines */
}

/* Clears the other side's sleep flag. Returns whether it was set. */
static bool take_flag(_Atomic uint32_t *flag)
{
    FAULT_REACH(ring_flag_checking);
    return atomic_load_explicit(flag, memory_order_seq_cst) != 0
            && atomic_exchange_explicit(flag, 0, memory_order_seq_cst) != 0;
}

void ring_producer_init(struct ring_producer *producer, const struct ring *ring)
{
    *producer = (struct ring_producer){ .ring = *ring, .zeroed = ring->capacity };
}

/* Returns whether a record up to `end` fits, including the zeroed word after it. */
static bool fits_until(const struct ring_producer *producer, uint64_t end)
{
    return align_up(end, RING_LINE) + RING_LINE - producer->consumed <= producer->ring.capacity;
}

static bool fits(const struct ring_producer *producer, size_t length)
{
    return fits_until(producer, record_end(producer->position, length));
}

/* Reads the consumer's position. */
static void refresh(struct ring_producer *producer)
{
    uint64_t consumed = atomic_load_explicit(
            &producer->ring.control->consumed, memory_order_seq_cst);

    if (consumed - producer->consumed > producer->published - producer->consumed)
        producer->broken = true;
    else
        producer->consumed = consumed;
}

uint8_t *ring_reserve(struct ring_producer *producer, size_t length)
{
    if (!fits(producer, length)) {
        refresh(producer);
        if (!fits(producer, length))
            return NULL;
    }
    return producer->broken ? NULL : data_at(&producer->ring, producer->position) + RING_WORD;
}

/* Copies fewer bytes than a word. */
static void copy_rest(uint8_t *to, const uint8_t *from, size_t length)
{
    if (length & 4) {
        memcpy(to, from, 4);
        to += 4;
        from += 4;
    }
    if (length & 2) {
        memcpy(to, from, 2);
        to += 2;
        from += 2;
    }
    if (length & 1)
        *to = *from;
}

/*
 * A record begins at a multiple of 8, so no step crosses a line. The first steps are words, because
 * frames' headers were just written word by word, and wider loads would defeat store forwarding.
 */
static void copy_in_steps(uint8_t *to, const uint8_t *from, size_t length)
{
    size_t done = IN_WORDS;

    for (size_t i = 0; i < IN_WORDS; i += WORD)
        memcpy(to + i, from + i, WORD);
    if ((uintptr_t)(to + IN_WORDS) % STEP != 0) {
        memcpy(to + done, from + done, WORD);
        done += WORD;
    }
    for (; length - done >= STEP; done += STEP)
        memcpy(to + done, from + done, STEP);
    if (length - done >= WORD) {
        memcpy(to + done, from + done, WORD);
        done += WORD;
    }
    if (length > done)
        copy_rest(to + done, from + done, length - done);
}

void ring_copy(uint8_t *to, const uint8_t *from, size_t length)
{
    if (length >= IN_WORDS + WORD && length <= COPIED_IN_STEPS)
        copy_in_steps(to, from, length);
    else
        memcpy(to, from, length);
}

/* Commits the record at `slot`. The next record begins at `end`. */
static void commit_at(struct ring_producer *producer, uint8_t *slot, size_t length, uint64_t end)
{
    uint32_t word = (uint32_t)length;

    if (producer->records++ == 0)
        producer->first_word = word;
    else
        atomic_store_explicit((_Atomic uint32_t *)(void *)slot, word, memory_order_relaxed);
    producer->last = producer->position;
    producer->last_word = word;
    producer->position = end;
}

void ring_commit(struct ring_producer *producer, size_t length)
{
    commit_at(producer, data_at(&producer->ring, producer->position), length,
            record_end(producer->position, length));
}

bool ring_put(struct ring_producer *producer, const uint8_t *data, size_t length)
{
    uint64_t end = record_end(producer->position, length);
    uint8_t *slot = data_at(&producer->ring, producer->position);

    if (!fits_until(producer, end) || producer->broken)
        return false;
    ring_copy(slot + RING_WORD, data, length);
    FAULT_REACH(ring_record_copied);
    commit_at(producer, slot, length, end);
    return true;
}

/* Marks the last record of the publication, and pads the publication to a line. */
static void end_publication(struct ring_producer *producer)
{
    uint32_t word = producer->last_word | WORD_LAST;

    if (producer->records == 1)
        producer->first_word = word;
    else
        atomic_store_explicit(word_at(&producer->ring, producer->last), word, memory_order_relaxed);
    producer->position = align_up(producer->position, RING_LINE);
    producer->records = 0;
}

/* Zeroes the starts of free lines up to `end`. */
static void zero_ahead(struct ring_producer *producer, uint64_t end)
{
    uint64_t free_end = (producer->consumed + producer->ring.capacity) & ~(uint64_t)(RING_LINE - 1);

    if (producer->zeroed < producer->position)
        producer->zeroed = producer->position;
    for (; producer->zeroed < end && producer->zeroed < free_end; producer->zeroed += RING_LINE)
        atomic_store_explicit(word_at(&producer->ring, producer->zeroed), 0, memory_order_relaxed);
}

static void fetch_to_write(const uint8_t *line)
{
#if defined(__x86_64__)
    __asm__ volatile(
            "prefetchw %0" ::"m"(*line)); /* the builtin would fetch the line in shared state */
#else
    __builtin_prefetch(line, 1);
#endif
}

/*
 * Acquires ownership of the lines for another publication of `length` bytes: the first lines by
 * zeroing their starts, which is necessary anyway, and the others by prefetching.
 */
static void own_ahead(struct ring_producer *producer, uint64_t length)
{
    uint64_t line = producer->position + RING_LINE + ZEROED_AHEAD;
    uint64_t end = line + (length < OWNED_MAX ? length : OWNED_MAX) - ZEROED_AHEAD;

    zero_ahead(producer, line);
    if (length <= ZEROED_AHEAD || end - producer->consumed > producer->ring.capacity)
        return;
    for (; line < end; line += RING_LINE)
        fetch_to_write(data_at(&producer->ring, line));
}

/*
 * Ends the publication, of `*length` bytes. Returns the address to which first_word must be stored
 * to publish it.
 */
static _Atomic uint32_t *prepare_publication(struct ring_producer *producer, uint64_t *length)
{
    _Atomic uint32_t *first = word_at(&producer->ring, producer->published);

    end_publication(producer);
    FAULT_BYTES(ring_word, &producer->first_word, sizeof(producer->first_word));
    FAULT_REACH(ring_publishing);
    *length = producer->position - producer->published;
    zero_ahead(producer, producer->position + RING_LINE);
    producer->published = producer->position;
    return first;
}

void ring_publish_step(struct ring_producer *producer)
{
    _Atomic uint32_t *first;
    uint64_t length;

    if (producer->records == 0)
        return;
    first = prepare_publication(producer, &length);
    atomic_store_explicit(first, producer->first_word, memory_order_release);
    FAULT_REACH(ring_step_published);
    producer->flag_unchecked = true;
    own_ahead(producer, length);
}

/* Returns whether the consumer executes the fence between this side's store and its check. */
static bool is_fenced_by_consumer(const struct ring *ring)
{
    return ring->asymmetric
            && atomic_load_explicit(&ring->control->consumer_fences, memory_order_relaxed) != 0;
}

bool ring_publish(struct ring_producer *producer)
{
    _Atomic uint32_t *flag = &producer->ring.control->consumer_sleeps;
    bool fenced = is_fenced_by_consumer(&producer->ring);
    bool stepped = producer->flag_unchecked;
    uint64_t length = 0;
    bool sleeps;

    if (producer->records == 0 && !stepped)
        return false;
    producer->flag_unchecked = false;
    if (producer->records > 0) {
        _Atomic uint32_t *first = prepare_publication(producer, &length);

        if (fenced)
            atomic_store_explicit(first, producer->first_word, memory_order_release);
        else
            atomic_store_explicit(first, producer->first_word, memory_order_seq_cst);
        FAULT_REACH(ring_published);
    }
    if (fenced) {
        atomic_signal_fence(memory_order_seq_cst);
        sleeps = atomic_load_explicit(flag, memory_order_relaxed) != 0 && take_flag(flag);
    } else {
        sleeps = stepped ? atomic_exchange_explicit(flag, 0, memory_order_seq_cst) != 0
                         : take_flag(flag);
    }
    own_ahead(producer, length);
    return sleeps;
}

bool ring_sleep_for_room(struct ring_producer *producer, size_t length)
{
    atomic_store_explicit(&producer->ring.control->producer_sleeps, 1, memory_order_seq_cst);
    FAULT_REACH(ring_sleeping_for_room);
    refresh(producer);
    if (!fits(producer, length) && !producer->broken)
        return true;
    ring_producer_wakes(producer);
    return false;
}

void ring_producer_wakes(struct ring_producer *producer)
{
    atomic_store_explicit(&producer->ring.control->producer_sleeps, 0, memory_order_relaxed);
}

void ring_consumer_init(struct ring_consumer *consumer, const struct ring *ring)
{
    *consumer = (struct ring_consumer){ .ring = *ring };
    if (ring->asymmetric)
        atomic_store_explicit(&ring->control->consumer_fences, 1, memory_order_relaxed);
}

const uint8_t *ring_peek(struct ring_consumer *consumer, size_t *length)
{
    const struct ring *ring = &consumer->ring;
    uint32_t word = atomic_load_explicit(word_at(ring, consumer->position), memory_order_acquire);

    if (word == 0 && !consumer->in_publication) {
        /*
         * Prefetches only after an unsuccessful poll: in a stream, the producer is writing there.
         */
        if (consumer->waits)
            __builtin_prefetch(data_at(ring, consumer->position + RING_LINE));
        consumer->waits = true;
        return NULL;
    }
    consumer->waits = false;
    *length = word & ~WORD_LAST;
    if (consumer->broken || *length == 0 || *length > ring->record_max) {
        consumer->broken = true;
        return NULL;
    }
    consumer->word = word;
    return data_at(ring, consumer->position) + RING_WORD;
}

bool ring_take(struct ring_consumer *consumer)
{
    uint64_t end = record_end(consumer->position, consumer->word & ~WORD_LAST);

    FAULT_REACH(ring_reading);
    consumer->in_publication = !(consumer->word & WORD_LAST);
    consumer->position = consumer->in_publication ? end : align_up(end, RING_LINE);
    return consumer->position - consumer->released >= consumer->ring.capacity / RELEASES_A_LAP
            && ring_release(consumer);
}

bool ring_release(struct ring_consumer *consumer)
{
    struct ring_control *control = consumer->ring.control;

    if (consumer->released == consumer->position)
        return false;
    consumer->released = consumer->position;
    FAULT_REACH(ring_releasing);
    atomic_store_explicit(&control->consumed, consumer->position, memory_order_seq_cst);
    return take_flag(&control->producer_sleeps);
}

bool ring_sleep_for_data(struct ring_consumer *consumer)
{
    bool fenced;

    atomic_exchange_explicit(&consumer->ring.control->consumer_sleeps, 1, memory_order_seq_cst);
    FAULT_REACH(ring_sleeping_for_data);
    fenced = !consumer->ring.asymmetric || asymmetric_fence();
    if (atomic_load_explicit(word_at(&consumer->ring, consumer->position), memory_order_seq_cst)
                    == 0
            && !consumer->in_publication && !consumer->broken && fenced)
        return true;
    ring_consumer_wakes(consumer);
    return false;
}

/* An exchange: after a store, the next exchange of the flag might miss the producer's stores. */
void ring_consumer_wakes(struct ring_consumer *consumer)
{
    (void)atomic_exchange_explicit(
            &consumer->ring.control->consumer_sleeps, 0, memory_order_acquire);
}
