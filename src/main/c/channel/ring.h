/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A ring of bytes in shared memory, with one producer and one consumer in different processes that
 * do not trust each other. Uses no sockets, system calls or allocation.
 *
 *     line 0                              line 1                line 2          line 3
 *     [word|bytes...  word|bytes...  word LAST|bytes... pad]    [word LAST|...] [0 ...]
 *      '--- a publication of three records --------------'       of one record   no data yet
 *
 * A record consists of a word (its length in bytes, and a flag for the last record of a
 * publication), its bytes, and padding to 8 bytes. Publications begin at cache lines. The consumer
 * polls the first word of the next publication until it is not 0, so it never reads a position of
 * the producer. The producer zeroes the word after a publication before it stores the first word of
 * the publication; otherwise, the consumer would read old data after the ring has wrapped. The
 * producer then zeroes the starts of some more lines, to own them before it needs them.
 *
 * The data is mapped twice in a row, so no record wraps. Positions count bytes and never wrap.
 *
 * Sleeping: a consumer sets its flag and then checks the word again; a producer stores the word and
 * then checks the flag. All four accesses are sequentially consistent. If the producer does not see
 * the flag, its store of the word precedes the consumer's check, which then sees the word. The same
 * holds for a producer that waits for room, the consumer's position, and the other flag. The side
 * that sees a flag clears it and rings the doorbell, once per sleep.
 *
 * A producer publishes often and a consumer sleeps rarely. If the kernel permits it, the consumer
 * therefore executes the fence for both, between its store and its check, and says so next to its
 * flag. A producer in a registered process then only stores and checks in this order: the
 * consumer's fence is either after its store, which the consumer sees, or before its check, which
 * sees the flag.
 *
 * A long batch is published in steps of RING_BATCH records, so that the consumer can begin early.
 * Only the last step checks the flag, because that may cost a full fence; a consumer that goes to
 * sleep earlier sleeps until then. That check is an exchange, and so is each store of the flag by
 * the consumer: the later of two exchanges sees everything that precedes the earlier one.
 *
 * Values written by the other side are read once, into private memory, and validated: the
 * consumer's position must not decrease or exceed the published position, and a length must be
 * between 1 and record_max. A violation breaks the ring permanently, without accesses outside of
 * its memory.
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
#define RING_WORD 8    /* bytes before the data of a record: its word, and 4 unused bytes */
#define RING_BATCH 8   /* maximum number of records in a step */

/* Shared by both sides, besides the data. All zeros in a new ring. */
struct ring_control {
    alignas(RING_APART) _Atomic uint64_t consumed;        /* the consumer's position */
    alignas(RING_APART) _Atomic uint32_t consumer_sleeps; /* until there is data */
    _Atomic uint32_t
            consumer_fences; /* for both sides before it sleeps; set before it first does */
    alignas(RING_APART) _Atomic uint32_t producer_sleeps; /* until there is room */
};

/* A mapped ring. */
struct ring {
    struct ring_control *control;
    uint8_t *data;     /* mapped twice in a row */
    size_t capacity;   /* a power of two of at least 4096 */
    size_t record_max; /* bytes of the longest record */
    bool asymmetric;   /* this process has registered for asymmetric_fence() and may call it */
};

struct ring_producer {
    struct ring ring;
    uint64_t published;  /* start of the current publication */
    uint64_t position;   /* of its next record */
    uint64_t last;       /* position of its last record */
    uint64_t consumed;   /* the consumer's position when it was last read */
    uint64_t zeroed;     /* starts of lines are zero from the end of the publication to here */
    uint32_t first_word; /* of the first record, stored on publication */
    uint32_t last_word;
    unsigned records;
    bool flag_unchecked; /* a step was published without a check whether the consumer sleeps */
    bool broken;
};

struct ring_consumer {
    struct ring ring;
    uint64_t position;
    uint64_t released;   /* the position that the producer can see */
    uint32_t word;       /* of the record that ring_peek returned */
    bool in_publication; /* the next record is not the first of its publication */
    bool waits;          /* the last ring_peek found no record */
    bool broken;
};

/* Returns the length in bytes of the longest record of a ring with this capacity. */
size_t ring_record_max(size_t capacity);

/* Initialises the producer of a new ring. Copies `ring`, whose memory must outlive it. */
void ring_producer_init(struct ring_producer *producer, const struct ring *ring);

/*
 * Returns the address for a record of `length` bytes (1 to record_max); NULL: no room, or broken. A
 * second call without a commit replaces the first.
 */
uint8_t *ring_reserve(struct ring_producer *producer, size_t length);

/*
 * Copies `length` bytes to a reserved record. For short records, memcpy would use stores that cross
 * cache lines, which stall until both lines are owned.
 */
void ring_copy(uint8_t *to, const uint8_t *from, size_t length);

/* Completes the reserved record, which becomes visible with the next publication. */
void ring_commit(struct ring_producer *producer, size_t length);

/*
 * Reserves, copies and commits a record of at most record_max bytes. Returns false if the ring is
 * broken, or may be full: unlike ring_reserve, it does not read the consumer's position.
 */
bool ring_put(struct ring_producer *producer, const uint8_t *data, size_t length);

/*
 * Publishes the committed records as a step of a longer batch. A sleeping consumer is not woken
 * before the next ring_publish, which must follow.
 */
void ring_publish_step(struct ring_producer *producer);

/* Publishes the committed records. Returns whether the consumer sleeps: ring its doorbell. */
bool ring_publish(struct ring_producer *producer);

/* Sets the sleep flag. Returns false if there is room for a record of `length` bytes. */
bool ring_sleep_for_room(struct ring_producer *producer, size_t length);

/* Clears the producer's sleep flag after a sleep. */
void ring_producer_wakes(struct ring_producer *producer);

/* Initialises the consumer of a new ring. Copies `ring`, whose memory must outlive it. */
void ring_consumer_init(struct ring_consumer *consumer, const struct ring *ring);

/*
 * Returns the next record, which the producer may modify at any time. NULL: no record, or broken.
 */
const uint8_t *ring_peek(struct ring_consumer *consumer, size_t *length);

/* Consumes that record. Returns whether the producer sleeps: ring its doorbell. */
bool ring_take(struct ring_consumer *consumer);

/* Publishes the position to the producer. Returns whether it sleeps: ring its doorbell. */
bool ring_release(struct ring_consumer *consumer);

/*
 * Sets the sleep flag, after ring_release. Returns false if there is data, or if the kernel rejects
 * the fence that the producer relies on.
 */
bool ring_sleep_for_data(struct ring_consumer *consumer);

/* Clears the consumer's sleep flag after a sleep. */
void ring_consumer_wakes(struct ring_consumer *consumer);

#endif /* JUROM_CHANNEL_RING_H_ */
