/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One end of a channel for tests: sends frames of which every byte is known, and checks each that
 * it receives against what its number says.
 */
#ifndef JUROM_TEST_CHANNEL_PEER_H_
#define JUROM_TEST_CHANNEL_PEER_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <channel/channel.h>
#include <testing/assertions.h>

#define PEER_MS 20000 /* for what should take milliseconds, on a loaded machine */
#define SMALL_MAX 65536
#define LARGE_MAX (5 * 1048576)

struct parcel;

struct peer {
    struct channel *channel; /* NULL: not yet, or closed */
    struct channel_receiver receiver;
    struct channel_authenticator authenticator;
    struct channel_ticket ticket;
    bool refuses;      /* gives no place: what arrives is dropped */
    uint64_t sent;     /* messages with a payload, numbered from 0 */
    uint64_t done;     /* of them, those that left at once or were done later */
    uint64_t received; /* messages with a payload */
    uint64_t dropped;
    unsigned abandoned;
    unsigned controls; /* other frames */
    uint64_t last_control;
    void *place;                          /* of the message that is arriving */
    struct parcel *parcels;               /* messages that wait */
    void (*on_placed)(struct peer *peer); /* optional */
};

/* Fills in the receiver and a authenticator that knows a ticket of these bytes. */
void peer_init(struct peer *peer, uint8_t ticket);

/* Message `number`, of `length` bytes, as a peer sends it, and expects it. */
void peer_write(uint8_t *bytes, uint64_t number, size_t length);

/* Sends the next message: `length` bytes (at least 24) with its number as request id. */
doca_error_t peer_send(struct peer *peer, size_t length);

/* Sends a control frame with this number. */
doca_error_t peer_send_control(struct peer *peer, uint64_t number);

/* Closes it, if it has not been, and frees what it was to send and to receive. */
void peer_close(struct peer *peer);

/* Polls until `condition` holds. */
#define poll_until(condition, ...) \
    do { \
        struct peer *polled_[] = { __VA_ARGS__ }; \
        uint64_t poll_end_ = deadline_in(PEER_MS); \
        while (!(condition)) { \
            unsigned found_ = 0; \
            for (size_t i_ = 0; i_ < sizeof(polled_) / sizeof(*polled_); ++i_) \
                found_ += channel_poll(polled_[i_]->channel, 8); \
            if (found_ == 0) \
                give_way(); \
            if (found_ == 0 && deadline_has_passed(poll_end_)) \
                fail_msg("not within %d ms: %s", PEER_MS, #condition); \
        } \
    } while (0)

/* A listening Unix socket in a directory of its own, or a TCP socket. */
struct meeting {
    int listener;
    char directory[64];
    struct channel_address address;
    enum channel_data data; /* between machines */
};

void meeting_open(struct meeting *meeting);
void meeting_open_remote(struct meeting *meeting);
void meeting_close(struct meeting *meeting);

/* Connects `host` to `worker` in one thread, both open. */
void meeting_connect(
        struct meeting *meeting, struct peer *host, struct peer *worker, size_t max_message_size);

/* Has `worker` accept whoever connects next. */
doca_error_t meeting_accept(struct meeting *meeting, struct peer *worker, size_t max_message_size);
doca_error_t meeting_ask(struct meeting *meeting, struct peer *host, size_t max_message_size);

#endif /* JUROM_TEST_CHANNEL_PEER_H_ */
