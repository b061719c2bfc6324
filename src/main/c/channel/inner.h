/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the parts of a channel know of each other. A channel has one carrier at a time, which does
 * its work: those that open it first, each replacing itself by the next; in the end rings, a stream
 * or UCX.
 */
#ifndef JUROM_CHANNEL_INNER_H_
#define JUROM_CHANNEL_INNER_H_

#include "channel.h"
#include "ring_memory.h"
#include "tls.h"
#include "watch.h"

#define WHY_MAX 320

/* All are called for channels that have not ended, but for `close`. */
struct carrier {
    /* As channel_poll. */
    unsigned (*poll)(struct channel *channel, unsigned frames);
    /* Takes as much of the rest of a frame as there is room for; how many bytes it was. */
    size_t (*put)(struct channel *channel, const uint8_t *data, size_t length);
    void (*push)(struct channel *channel);
    /* Prepares for sleeping. False: there is something to do. */
    bool (*arm)(struct channel *channel, bool reading);
    /* Frees what is its own, but for the descriptors. */
    void (*close)(struct channel *channel);
};

/* Messages that wait for room. */
struct channel_queue {
    struct channel_message *first;
    struct channel_message **end;
    size_t bytes;
};

/* The frame that is arriving. */
struct inbound {
    uint8_t prefix[WIRE_PREFIX_SIZE];
    size_t length;   /* of the whole frame; 0: none */
    size_t got;      /* bytes of it that are here */
    uint8_t *next;   /* where its next bytes go; NULL: nowhere */
    void *place;     /* the receiver's, of its payload; NULL: none, or another frame */
    uint8_t *buffer; /* of other frames */
    size_t buffer_size;
};

/* What is known while it opens. */
struct opening {
    struct channel_address address;
    bool to_service;
    bool accepting;
    const struct channel_identity *identity;
    struct channel_doorman *doorman;
    struct channel_ticket ticket;  /* its key is wiped when the channel is open */
    const struct tls_library *tls; /* NULL: not needed so far */
    struct tls_session *session;   /* that shakes hands; over UCX, for the channel's life */
    bool ticket_named;             /* an accepted host has named one that is open */
    size_t got;                    /* bytes of a ticket that have arrived */
    uint64_t next_try;             /* ns */
    bool connecting;               /* over TCP */
    unsigned attempts;             /* to connect over TCP */
};

/* A channel over rings. */
struct ring_link {
    struct ring_memory memory;
    struct ring_producer out;
    struct ring_consumer in;
    unsigned empty;     /* looks since the clock was read */
    uint64_t looked_at; /* ns, when the socket was looked at */
    bool armed;
    bool bell_due; /* the kernel had no memory to wake the peer */
};

struct stream;   /* a channel over a stream of bytes: carrier_stream.c */
struct ucx_side; /* a channel over UCX, from the exchange of addresses on: ucx_side.h */

struct channel {
    const struct carrier *carrier;
    struct channel_settings settings;
    doca_error_t status;
    bool peer_gone; /* what it had sent before may still be received */
    bool forked;    /* in a child: nothing of the parent's is to be touched */
    struct channel_queue queue;
    struct inbound inbound;
    struct ring_link ring;
    struct stream *stream;
    struct ucx_side *ucx;
    struct watch watch;
    struct opening opening;
    struct channel *previous, *next; /* of this process */
    char why[WHY_MAX];
};

extern const struct carrier carrier_connecting_local, carrier_awaiting_rings,
        carrier_awaiting_ticket, carrier_ring, carrier_connecting_remote, carrier_shaking_hands,
        carrier_stream;

/* Whether it has ended. */
static inline bool has_ended(const struct channel *channel)
{
    return channel->status != DOCA_SUCCESS && channel->status != DOCA_ERROR_IN_PROGRESS;
}

/* Makes a channel without carrier around `fd`, which it owns from then on, also when it fails. */
doca_error_t channel_new(int fd, const struct channel_settings *settings, struct channel **channel);

/* end.c: as channel_end. */
void channel_end_because(struct channel *channel, doca_error_t status, const char *format, ...)
        __attribute__((format(printf, 3, 4)));

/* end.c: all that the peer had sent has been received: it ends. */
void channel_end_of_peer(struct channel *channel);

/* It is open, carried by `carrier`. */
void channel_opened(struct channel *channel, const struct carrier *carrier);

/* Sends what waits, as far as there is room. How many messages are done. */
unsigned channel_flush(struct channel *channel);

/* For carriers that only open the channel: nothing is sent yet, and the socket wakes them. */
size_t opening_put(struct channel *channel, const uint8_t *data, size_t length);
void opening_nothing(struct channel *channel);
bool opening_arm(struct channel *channel, bool reading);

/* inbound.c: the next `length` bytes of a frame, no more than it has. False: the channel ended. */
bool inbound_take(struct channel *channel, const uint8_t *bytes, size_t length);
/* `length` bytes were put at inbound.next. */
bool inbound_advance(struct channel *channel, size_t length);
/* How much is missing of the frame that is arriving. */
static inline size_t inbound_missing(const struct inbound *inbound)
{
    return inbound->length - inbound->got;
}
/* Gives the place of an unfinished frame back. */
void inbound_abandon(struct channel *channel);
void inbound_free(struct inbound *inbound);

/* carrier_ring.c: `ours` is the number of the ring that this side produces to. */
doca_error_t ring_link_open(struct channel *channel, unsigned ours);
size_t ring_capacity_for(size_t max_message_size);

/* carrier_stream.c: a stream through `session`, or through the socket itself (NULL). */
doca_error_t stream_open(struct channel *channel, struct tls_session *session);

/* opening_remote.c: the handshake of an accepted socket, watched. */
doca_error_t opening_accept_remote(struct channel *channel);

/* identity.c: what the TLS library knows it by. */
const struct tls_identity *identity_inside(const struct channel_identity *identity);

/* fork.c: channels whose descriptors are closed in children. */
void forks_add(struct channel *channel);
void forks_remove(struct channel *channel);

#endif /* JUROM_CHANNEL_INNER_H_ */
