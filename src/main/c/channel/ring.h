/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A ring of bytes in shared memory: one producer, one consumer, each in a process of its own that
 * does not trust the other. No sockets, no system calls, no allocation.
 *
 *     line 0                              line 1                line 2          line 3
 *     [word|bytes...  word|bytes...  word LAST|bytes... pad]    [word LAST|...] [0 ...]
 *      '--- a publication of three records --------------'       one of one      nothing yet
 *
 * A record is a word (its length in bytes, and whether it is the last of its publication), the
 * bytes, and padding to 8. Publications begin at cache lines. The consumer waits for the first word
 * of the next one to change from 0: there is no position of the producer to be fetched. So that it
 * never reads what an earlier lap left there, the word behind a publication is zeroed before the
 * first word of the publication is stored. After it, the producer zeroes the starts of some more
 * lines: it owns them before it needs them.
 *
 * The data are mapped twice in a row, so no record wraps. Positions count bytes and never wrap,
 * either.
 *
 * Sleeping. A consumer that is to sleep stores its flag, then looks at the word once more; a
 * producer stores the word, then looks at the flag. All four are sequentially consistent, hence in
 * one order that both agree on: if the producer's look at the flag missed the store of the flag, it
 * came before it in that order, and so did the store of the word; the consumer's last look comes
 * after both and sees the word. The same holds for a producer that waits for room, the consumer's
 * position, and the other flag. Who sees a flag takes it away and rings the bell: one for each
 * sleep.
 *
 * A long batch is published in several steps of RING_BATCH records, so that the consumer begins
 * early; only the last step looks at the flag, which costs a full fence. Whoever sleeps meanwhile
 * sleeps until then. That look exchanges the flag, as the consumer does whenever it raises or lowers
 * it: of two exchanges the later one has seen what was before the earlier one, in the order above as
 * well.
 *
 * What the other side wrote is read once, into private memory, and checked: the consumer's position
 * moves forward, and not past what was published; a length is neither zero nor more than a record
 * may have. What breaks this breaks the ring, for good, and touches nothing outside of its memory.
 */
#ifndef JUROM_CHANNEL_RING_H_
#define JUROM_CHANNEL_RING_H_

#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RING_LINE 64
#define RING_APART 128 /* processors fetch lines in pairs */
#define RING_WORD 8    /* bytes before those of a record: its word, and 4 that mean nothing */
#define RING_BATCH 8   /* records after which a publication is made anyway */

/* What the two share beside the data. In memory of zeros, it is a new ring's. */
struct ring_control {
    alignas(RING_APART) _Atomic uint64_t consumed;        /* the consumer's position */
    alignas(RING_APART) _Atomic uint32_t consumer_sleeps; /* until there are data */
    alignas(RING_APART) _Atomic uint32_t producer_sleeps; /* until there is room */
};

/* Where a ring is, and the most bytes that a record has. */
struct ring {
    struct ring_control *control;
    uint8_t *data;   /* mapped twice in a row */
    size_t capacity; /* a power of two of at least 4096 */
    size_t record_max;
};

struct ring_producer {
    struct ring ring;
    uint64_t published;  /* where the publication begins that is being made */
    uint64_t position;   /* where its next record goes */
    uint64_t last;       /* where its last record is */
    uint64_t consumed;   /* up to where the consumer was when looked */
    uint64_t zeroed;     /* starts of lines before this are zero, from the publication's end on */
    uint32_t first_word; /* of its first record: stored when it is published */
    uint32_t last_word;
    unsigned records;
    bool flag_unchecked; /* something was published, and nobody looked whether the consumer sleeps */
    bool broken;
};

struct ring_consumer {
    struct ring ring;
    uint64_t position;
    uint64_t released;   /* the position that the producer knows */
    uint32_t word;       /* of the record that ring_peek found */
    bool in_publication; /* the record at the position belongs to one that has begun */
    bool waits;          /* the last look found nothing */
    bool broken;
};

/* Bytes of the longest record of a ring of this capacity. */
size_t ring_record_max(size_t capacity);

void ring_producer_init(struct ring_producer *producer, const struct ring *ring);

/*
 * Where `length` bytes (1 to record_max) of a record may be written, or NULL: no room, or broken. A
 * second call without a commit forgets the first.
 */
uint8_t *ring_reserve(struct ring_producer *producer, size_t length);

/*
 * Copies `length` bytes to where a record is reserved. Not memcpy: that writes short records by
 * stores across two lines, which have to wait for both at once.
 */
void ring_copy(uint8_t *to, const uint8_t *from, size_t length);

/* The record is complete; it is the consumer's with the next publication. */
void ring_commit(struct ring_producer *producer, size_t length);

/*
 * All of that at once, for a record of at most record_max bytes. False: there may be no room, or it
 * is broken; ring_reserve looks again.
 */
bool ring_put(struct ring_producer *producer, const uint8_t *data, size_t length);

/*
 * Publishes what was committed, as a step of a longer batch: a consumer that sleeps does so until
 * the next ring_publish, which must follow.
 */
void ring_publish_step(struct ring_producer *producer);

/* Publishes what was committed. True: the consumer slept, ring its bell. */
bool ring_publish(struct ring_producer *producer);

/* Before sleeping: false when there is room for a record of `length` bytes already. */
bool ring_sleep_for_room(struct ring_producer *producer, size_t length);
void ring_producer_wakes(struct ring_producer *producer);

void ring_consumer_init(struct ring_consumer *consumer, const struct ring *ring);

/*
 * The bytes of the next record, which the producer may change at any time, or NULL: there is none,
 * or broken.
 */
const uint8_t *ring_peek(struct ring_consumer *consumer, size_t *length);

/* Goes past the record that was looked at. True: the producer slept, ring its bell. */
bool ring_take(struct ring_consumer *consumer);

/* Tells the producer how far the consumer is. True: it slept, ring its bell. */
bool ring_release(struct ring_consumer *consumer);

/* Before sleeping, after ring_release: false when there are data already. */
bool ring_sleep_for_data(struct ring_consumer *consumer);
void ring_consumer_wakes(struct ring_consumer *consumer);

#endif /* JUROM_CHANNEL_RING_H_ */
