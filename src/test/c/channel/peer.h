/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One end of a channel for tests. It sends frames whose bytes follow from their number, and
 * verifies the frames that it receives.
 */
#ifndef JUROM_TEST_CHANNEL_PEER_H_
#define JUROM_TEST_CHANNEL_PEER_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <channel/channel.h>
#include <testing/assertions.h>

#define PEER_MS 20000 /* for operations that take milliseconds on an idle machine */
#define SMALL_MAX 65536
#define LARGE_MAX (5 * 1048576)

struct parcel;

struct peer {
    struct channel *channel; /* NULL: not open */
    struct channel_receiver receiver;
    struct channel_authenticator authenticator;
    struct channel_ticket ticket;
    bool refuses;      /* returns no destination, so payloads are dropped */
    uint64_t sent;     /* messages with a payload, numbered from 0 */
    uint64_t done;     /* number of them that were accepted immediately or completed later */
    uint64_t received; /* messages with a payload */
    uint64_t dropped;
    unsigned abandoned;
    unsigned controls; /* other frames */
    uint64_t last_control;
    void *place;                          /* of the message that is being received */
    struct parcel *parcels;               /* queued messages */
    void (*on_placed)(struct peer *peer); /* optional */
};

/* Initializes the receiver, and an authenticator that has a ticket of these bytes. */
void peer_init(struct peer *peer, uint8_t ticket);

/* Writes the bytes of message `number`, of `length` bytes. */
void peer_write(uint8_t *bytes, uint64_t number, size_t length);

/* Sends the next message: `length` bytes (at least 24) with its number as request id. */
doca_error_t peer_send(struct peer *peer, size_t length);

/* Sends a control frame with this number. */
doca_error_t peer_send_control(struct peer *peer, uint64_t number);

/* Closes the channel, if it is open, and frees queued messages. */
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

/* Makes `worker` accept the next connection. */
doca_error_t meeting_accept(struct meeting *meeting, struct peer *worker, size_t max_message_size);
doca_error_t meeting_ask(struct meeting *meeting, struct peer *host, size_t max_message_size);

#endif /* JUROM_TEST_CHANNEL_PEER_H_ */
